"""Combats as the tests of Munchkin tell them: fought at a table of real cards, by real moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from referee.engine.chance import Rolled
from referee.engine.events import Event, Move, changed
from referee.engine.referee import play, view
from referee.engine.rulings import Refused
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin.moves import ClaimKill, FleeFrom, KeepRoll, Kick, Pass, PlayCard
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import monsters, munchkins, total
from tests.games.munchkin import given


def kicked(*hands: Iterable[str], behind: str, **how: Any) -> Table:
    """Seat 0 has kicked the door open, and this was behind it."""
    return given.then(given.table(*hands, doors=(behind, *how.pop("doors", ())), **how), 0, Kick())


def fighting(*hands: Iterable[str], foes: Iterable[str], helper: int = -1, **how: Any) -> Table:
    """Seat 0 fights these monsters, after a kick, together with `helper`; the combat is open."""
    state = given.table(*hands, stage="after", **how)
    return given.settled(given.in_combat(state, 0, *foes, helper=helper, agenda=(Fight(0),)))


def strengths(state: Table) -> tuple[int, int]:
    """What the two sides of the combat come to: the fighters, the monsters."""
    return total(munchkins(state)), total(monsters(state))


def when_all(state: Table, *moves: tuple[int, Move]) -> tuple[tuple[Event, ...], Table]:
    """All facts of these moves, each of its seat, one after the other, and the table then."""
    facts: tuple[Event, ...] = ()
    for seat, move in moves:
        more, state = given.when(state, seat, move)
        facts += more
    return facts, state


def passing(state: Table) -> tuple[tuple[Event, ...], Table]:
    """All who are asked in a window pass."""
    facts: tuple[Event, ...] = ()
    for seat in sorted(given.asked(state)):
        more, state = given.when(state, seat, Pass())
        facts += more
    return facts, state


def won(state: Table) -> tuple[tuple[Event, ...], Table]:
    """Main claims the kill, and the others let it pass."""
    facts, state = given.when(state, state.fight.main, ClaimKill())
    more, state = passing(state)
    return facts + more, state


def cursed(state: Table, seat: int, card: str, victim: int) -> tuple[tuple[Event, ...], Table]:
    """A player curses another, who does not answer."""
    return when_all(state, (seat, PlayCard(card, seat=victim)), (victim, Pass()))


def flees(state: Table, seat: int, monster: str, pips: int) -> tuple[tuple[Event, ...], Table]:
    """A fighter rolls so to escape a monster, and keeps the die."""
    return when_all(state, (seat, FleeFrom(monster)), (CHANCE, Rolled((pips,))), (seat, KeepRoll()))


def refused(state: Table, seat: int, move: Move) -> tuple[str, str]:
    """Why a move is refused, and by which clause; from the seat's own view it is refused for the same reason."""
    ruling = given.refusal(state, seat, move)
    with pytest.raises(Refused) as seen:
        play(view(state, Seat(seat)), Seat(seat), move)
    assert seen.value.ruling == ruling
    return ruling.reason, ruling.clauses[0]


def seen(facts: Iterable[Event], seat: int) -> list[Event]:
    """The facts as a seat is told them."""
    return [fact.seen_by(seat) for fact in facts]


def otherwise(state: Table, **places: Iterable[str]) -> Table:
    """The same table, at which other cards lie in those places; `hand_1` is the hand of seat 1."""
    names = {name.replace("_", ":"): tuple(cards) for name, cards in places.items()}
    return changed(state, zones={**state.zones, **names})
