"""The numbers of Here to Slay explained by their parts, each with card and clause.

They are computed from the table as a viewer saw it just before the event. Clauses: HTS-ROLL-1, HTS-ROLL-6, HTS-ROLL-9,
HTS-MOD-3, HTS-MON-7, HTS-CHAL-7, HTS-TURN-4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.breakdown import Term, count_event_fields, sum_terms
from referee.engine.events import Event
from referee.games.here_to_slay.components import FACES, LEADER
from referee.games.here_to_slay.events.plays import (
    DiceRolled,
    DiceRolledAgain,
    ModifierPlayed,
    RollSettled,
    UnsettledRolls,
    ValueAdded,
)
from referee.games.here_to_slay.events.turns import PointGained, PointsSpent
from referee.games.here_to_slay.rules.rolling import find_open_rolls
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import AddedValue, DiceRoll


def break_down_event(table: Any, event: Event) -> tuple[Term, ...]:
    """Return the numbers of an event."""
    match event:
        case DiceRolled(dice=dice) | DiceRolledAgain(dice=dice):
            return (sum_terms("number.dice", "HTS-ROLL-1", break_down_dice(dice)),)
        case RollSettled():
            return tuple(break_down_settled_roll(table, event))
        case ModifierPlayed(roller=roller, card=card, value=value, seat=seat):
            return (
                build_modifier_term(AddedValue(card, value, seat)),
                *break_down_changed_roll(table, roller, AddedValue(card, value, seat)),
            )
        case ValueAdded(roller=roller, source=source, value=value, seat=seat):
            return (
                build_given_value_term(AddedValue(source, value, seat)),
                *break_down_changed_roll(table, roller, AddedValue(source, value, seat)),
            )
        case PointsSpent(count=count, left=left):
            had = Term(left + count, "number.points_had", "HTS-TURN-2")
            paid = Term(-count, "number.points_paid", "HTS-TURN-4")
            return (sum_terms("number.points_left", "HTS-TURN-4", (had, paid)),)
        case PointGained(left=left, from_text=from_text):
            clause = "HTS-POINTS-1" if from_text else "HTS-DO-36"
            had = Term(left - 1, "number.points_had", "HTS-TURN-2")
            return (sum_terms("number.points_left", clause, (had, Term(1, "number.point_gained", clause))),)
    return count_event_fields(event)


def break_down_dice(dice: tuple[int, ...]) -> Iterator[Term]:
    """Yield what each of the dice shows."""
    for at, value in enumerate(dice, 1):
        yield Term(value, "number.die", "HTS-ROLL-1", params={"at": at})


def build_modifier_term(each: AddedValue) -> Term:
    """Return the term of a modifier that was played on a roll."""
    return Term(each.value, "number.modifier", "HTS-MOD-3", each.source, {"by": each.seat})


def build_given_value_term(each: AddedValue) -> Term:
    """Return the term of a value that a card text put on a roll."""
    return Term(each.value, "number.given", "HTS-DO-28", each.source, {"by": each.seat})


def break_down_roll(table: Table, cast: DiceRoll) -> Iterator[Term]:
    """Yield the parts of a roll: dice, standing values, then added values in order."""
    yield from break_down_dice(cast.dice)
    for card, value in table.list_standing_values(cast):
        yield Term(value, f"number.{find_bonus_kind(table, cast, card)}", "HTS-ROLL-9", card)
    for each in cast.added:
        yield build_modifier_term(each) if FACES[each.source].kind == "modifier" else build_given_value_term(each)


def find_bonus_kind(table: Table, cast: DiceRoll, card: str) -> str:
    """Return what kind of source gives a standing value.

    It is `leader`, `slain`, `item` or `lasting`.
    """
    if card in table.cards_at(LEADER[cast.seat]):
        return "leader"
    if card in table.monsters_slain_by(cast.seat):
        return "slain"
    return "item" if cast.kind == "hero" and card == table.item_of(cast.about) else "lasting"


def break_down_changed_roll(table: Table, roller: int, more: AddedValue) -> Iterator[Term]:
    """Yield the total of a roll with one more value added."""
    for cast in find_open_rolls(table):
        if cast.seat == roller:
            made = [
                *break_down_roll(table, cast),
                build_modifier_term(more) if FACES[more.source].kind == "modifier" else build_given_value_term(more),
            ]
            yield sum_terms("number.roll", "HTS-ROLL-1", made, seat=roller)


def break_down_settled_roll(table: Table, event: RollSettled) -> Iterator[Term]:
    """Yield the total of a settled roll, and the numbers it is compared with."""
    (cast,) = (cast for cast in find_open_rolls(table) if cast.seat == event.seat)
    yield sum_terms("number.roll", "HTS-ROLL-1", break_down_roll(table, cast), seat=event.seat)
    yield from list_thresholds(event.kind, event.about)
    if event.kind == "challenged":
        (against,) = (cast for cast in find_open_rolls(table) if cast.kind == "challenger")
        yield Term(table.compute_roll_total(against), "number.against", "HTS-CHAL-7", params={"seat": against.seat})


def list_thresholds(kind: str, about: str) -> Iterator[Term]:
    """Yield the numbers on a card that a roll is compared with.

    The two rolls of a challenge are compared with each other and have none.
    """
    face = FACES[about]
    if kind == "hero":
        yield from list_limits("needed", face.roll.least, face.roll.most, "HTS-ROLL-6", about)
    elif kind == "attack":
        yield from list_limits("slay", face.slay.least, face.slay.most, "HTS-MON-7", about)
        yield from list_limits("fight_back", face.fight_back.least, face.fight_back.most, "HTS-MON-7", about)


def compute_totals(table: Any) -> tuple[Term, ...]:
    """Return the open rolls, and the numbers they are compared with."""
    return tuple(break_down_open_rolls(table))


def break_down_open_rolls(table: Table) -> Iterator[Term]:
    """Yield the open rolls, the innermost first, each followed by its thresholds."""
    for step in reversed(table.agenda):
        for cast in step.casts if isinstance(step, UnsettledRolls) else ():
            if cast.dice:
                yield sum_terms("number.roll", "HTS-ROLL-1", break_down_roll(table, cast), seat=cast.seat)
                yield from list_thresholds(cast.kind, cast.about)


def list_limits(what: str, least: int | None, most: int | None, clause: str, card: str) -> Iterator[Term]:
    """Yield the least and the greatest total that a card asks for."""
    if least is not None:
        yield Term(least, f"number.{what}.least", clause, card)
    if most is not None:
        yield Term(most, f"number.{what}.most", clause, card)
