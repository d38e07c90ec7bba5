"""The numbers of Here to Slay, each with the card and the clause it comes from; a roll's total line by line.

They are read off the table as a reader saw it just before the fact. Clauses: HTS-ROLL-1, HTS-ROLL-6, HTS-ROLL-9,
HTS-MOD-3, HTS-MON-7, HTS-CHAL-7, HTS-TURN-4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.breakdown import Number, added_up, counted
from referee.engine.events import Event
from referee.games.here_to_slay.components import FACES, LEADER
from referee.games.here_to_slay.events.plays import DiceRolled, ModifierPlayed, Rolling, RollSettled, ValueAdded
from referee.games.here_to_slay.events.turns import PointGained, PointsSpent
from referee.games.here_to_slay.rules.rolling import open_rolls
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import Added, Cast


def reckoned(table: Any, fact: Event) -> tuple[Number, ...]:
    """The numbers of a fact."""
    match fact:
        case DiceRolled(dice=dice):
            return (added_up("number.dice", "HTS-ROLL-1", thrown(dice)),)
        case RollSettled():
            return tuple(settled(table, fact))
        case ModifierPlayed(roller=roller, card=card, value=value, seat=seat):
            return (added(Added(card, value, seat)), *so_far(table, roller, Added(card, value, seat)))
        case ValueAdded(roller=roller, source=source, value=value, seat=seat):
            return (given(Added(source, value, seat)), *so_far(table, roller, Added(source, value, seat)))
        case PointsSpent(count=count, left=left):
            had = Number(left + count, "number.points_had", "HTS-TURN-2")
            paid = Number(-count, "number.points_paid", "HTS-TURN-4")
            return (added_up("number.points_left", "HTS-TURN-4", (had, paid)),)
        case PointGained(left=left):
            had = Number(left - 1, "number.points_had", "HTS-TURN-2")
            return (added_up("number.points_left", "HTS-DO-36", (had, Number(1, "number.point_gained", "HTS-DO-36"))),)
    return counted(fact)


def thrown(dice: tuple[int, ...]) -> Iterator[Number]:
    """What each of the dice shows."""
    for at, value in enumerate(dice, 1):
        yield Number(value, "number.die", "HTS-ROLL-1", params={"at": at})


def added(each: Added) -> Number:
    """A modifier that was played on a roll."""
    return Number(each.value, "number.modifier", "HTS-MOD-3", each.source, {"by": each.seat})


def given(each: Added) -> Number:
    """A value that the text of a card put on a roll."""
    return Number(each.value, "number.given", "HTS-DO-28", each.source, {"by": each.seat})


def parts(table: Table, cast: Cast) -> Iterator[Number]:
    """All that a roll is made of: the dice, what stands, what was put on it, in the order in which it was."""
    yield from thrown(cast.dice)
    for card, value in table.standing(cast):
        yield Number(value, f"number.{kind_of(table, cast, card)}", "HTS-ROLL-9", card)
    for each in cast.added:
        yield added(each) if FACES[each.source].kind == "modifier" else given(each)


def kind_of(table: Table, cast: Cast, card: str) -> str:
    """As what a card gives a standing value: leader, slain monster, item, or something that lasts for a while."""
    if card in table.place(LEADER[cast.seat]):
        return "leader"
    if card in table.slain(cast.seat):
        return "slain"
    return "item" if cast.kind == "hero" and card == table.item_of(cast.about) else "lasting"


def so_far(table: Table, roller: int, more: Added) -> Iterator[Number]:
    """What the roll counts with one value more on it."""
    for cast in open_rolls(table):
        if cast.seat == roller:
            made = [*parts(table, cast), added(more) if FACES[more.source].kind == "modifier" else given(more)]
            yield added_up("number.roll", "HTS-ROLL-1", made, seat=roller)


def settled(table: Table, fact: RollSettled) -> Iterator[Number]:
    """The total of a roll, line by line, and the numbers it is held against."""
    (cast,) = (cast for cast in open_rolls(table) if cast.seat == fact.seat)
    yield added_up("number.roll", "HTS-ROLL-1", parts(table, cast), seat=fact.seat)
    yield from held_against(fact.kind, fact.about)
    if fact.kind == "challenged":
        (against,) = (cast for cast in open_rolls(table) if cast.kind == "challenger")
        yield Number(table.total(against), "number.against", "HTS-CHAL-7", params={"seat": against.seat})


def held_against(kind: str, about: str) -> Iterator[Number]:
    """The numbers on a card that a roll is held against. The two rolls of a challenge are held against each other."""
    face = FACES[about]
    if kind == "hero":
        yield from limits("needed", face.roll.least, face.roll.most, "HTS-ROLL-6", about)
    elif kind == "attack":
        yield from limits("slay", face.slay.least, face.slay.most, "HTS-MON-7", about)
        yield from limits("fight_back", face.fight_back.least, face.fight_back.most, "HTS-MON-7", about)


def sums(table: Any) -> tuple[Number, ...]:
    """The rolls that lie open, and the numbers they are held against."""
    return tuple(standing(table))


def standing(table: Table) -> Iterator[Number]:
    """The rolls that lie open, the innermost first: each line by line as it counts now, and what it is held against."""
    for step in reversed(table.agenda):
        for cast in step.casts if isinstance(step, Rolling) else ():
            if cast.dice:
                yield added_up("number.roll", "HTS-ROLL-1", parts(table, cast), seat=cast.seat)
                yield from held_against(cast.kind, cast.about)


def limits(what: str, least: int | None, most: int | None, clause: str, card: str) -> Iterator[Number]:
    """The least and the most total that a card asks for."""
    if least is not None:
        yield Number(least, f"number.{what}.least", clause, card)
    if most is not None:
        yield Number(most, f"number.{what}.most", clause, card)
