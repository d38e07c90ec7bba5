"""What the tests of single cards say again and again: a creature is played, attacks, dies, comes up from the deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.engine.events import Event, Move
from referee.games.creature_crush.components import face_of
from referee.games.creature_crush.events.field import CreaturesDamaged
from referee.games.creature_crush.moves import Attack, Pass, Summon
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.state import Table
from tests.games.course import asked, of, when
from tests.games.creature_crush.table import table

Facts = tuple[Event, ...]
Board = dict[str, str]
KILLER, KILLING = "rust_colossus", (6, 6)  # eight attack, cost twelve
RAIDER = "spark_imp"  # attacks the player for a one


def paid(card: str) -> tuple[int, ...]:
    """Dice that pay for a creature exactly: sixes, and what is left."""
    sixes, rest = divmod(face_of(card).cost, 6)
    return tuple(sorted((6,) * sixes + ((rest,) if rest else ())))


def calmly(state: Table, seat: int, move: Move) -> tuple[Facts, Table]:
    """All facts of a move, and the table then: whoever is asked whether to flip a crush card passes."""
    return unanswered(*when(state, seat, move))


def unanswered(events: Facts, state: Table) -> tuple[Facts, Table]:
    """What follows when everybody passes who is asked whether to flip a crush card: the facts in all, and the table."""
    while asked(state) and isinstance(state.agenda[-1], Chain):
        more, state = when(state, min(asked(state)), Pass())
        events += more
    return events, state


def played(
    card: str, mine: Board | None = None, theirs: Board | None = None, *, at: str = "B2", spare: Iterable[int] = (),
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()), **how: Any,
) -> tuple[Facts, Table]:  # fmt: skip
    """Seat 0 plays this creature from the hand to a place, with `spare` dice left."""
    given = table(mine, theirs, dice=(*paid(card), *spare), hands=((card, *hands[0]), hands[1]), **how)
    return calmly(given, 0, Summon(card, at, paid(card)))


def died(card: str, mine: Board | None = None, theirs: Board | None = None, **how: Any) -> tuple[Facts, Table]:
    """This creature of seat 0, on A1, is killed by an attack of seat 1."""
    given = table({**(mine or {}), "A1": card}, {**(theirs or {}), "B1": KILLER}, turn=1, dice=KILLING, **how)
    return calmly(given, 1, Attack(KILLER, KILLING, card))


def raided(card: str, mine: Board | None = None, theirs: Board | None = None, **how: Any) -> tuple[Facts, Table]:
    """Seat 1 attacks seat 0 directly (in column 3), on whose deck this card lies on top."""
    deck = (card, "behemoth", "lava_crab")
    given = table(mine, {**(theirs or {}), "A3": RAIDER}, turn=1, dice=(1,), decks=(deck, ("chimera",)), **how)
    return calmly(given, 1, Attack(RAIDER, (1,)))


def attacks(
    card: str, target: str = "", mine: Board | None = None, theirs: Board | None = None, *, at: str = "A1", **how: Any
) -> tuple[Facts, Table]:
    """This creature of seat 0, on A1 if not told, attacks a creature, or directly."""
    given = table({**(mine or {}), at: card}, theirs, dice=paid(card), **how)
    return calmly(given, 0, Attack(card, paid(card), target))


def attacked(card: str, by: str, mine: Board | None = None, **how: Any) -> tuple[Facts, Table]:
    """This creature of seat 0, on A1, is attacked by a creature of seat 1, on B1."""
    given = table({**(mine or {}), "A1": card}, {"B1": by}, turn=1, dice=paid(by), **how)
    return calmly(given, 1, Attack(by, paid(by), card))


def damage(events: Facts) -> dict[str, int]:
    """Who was damaged, by how much in all."""
    points: dict[str, int] = {}
    for event in of(events, CreaturesDamaged):
        for card, number in event.points.items():
            points[card] = points.get(card, 0) + number
    return points
