"""Combats as the tests of Munchkin tell them: fought at a table of real cards, by real moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Event, Move, replace_fields
from referee.engine.referee import build_view, play_move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin.moves import ClaimKill, FleeFrom, KeepRoll, KickDoor, Pass, PlayCard
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import score_monsters, score_munchkins, sum_lines
from tests.games.munchkin import given


def kicked(*hands: Iterable[str], behind: str, **how: Any) -> Table:
    """Seat 0 has kicked the door open, and this was behind it."""
    return given.then(given.table(*hands, doors=(behind, *how.pop("doors", ())), **how), 0, KickDoor())


def fighting(*hands: Iterable[str], foes: Iterable[str], helper: int = -1, **how: Any) -> Table:
    """Seat 0 fights these monsters, after a kick, together with `helper`; the combat is open."""
    state = given.table(*hands, stage="after", **how)
    return given.settled(given.in_combat(state, 0, *foes, helper=helper, agenda=(Fight(0),)))


def strengths(state: Table) -> tuple[int, int]:
    """What the two sides of the combat come to: the fighters, the monsters."""
    return sum_lines(score_munchkins(state)), sum_lines(score_monsters(state))


def when_all(state: Table, *moves: tuple[int, Move]) -> tuple[tuple[Event, ...], Table]:
    """All facts of these moves, each of its seat, one after the other, and the table then."""
    events: tuple[Event, ...] = ()
    for seat, move in moves:
        more, state = given.when(state, seat, move)
        events += more
    return events, state


def passing(state: Table) -> tuple[tuple[Event, ...], Table]:
    """All who are asked in a window pass."""
    events: tuple[Event, ...] = ()
    for seat in sorted(given.asked(state)):
        more, state = given.when(state, seat, Pass())
        events += more
    return events, state


def won(state: Table) -> tuple[tuple[Event, ...], Table]:
    """Main claims the kill, and the others let it pass."""
    events, state = given.when(state, state.running_combat.main, ClaimKill())
    more, state = passing(state)
    return events + more, state


def cursed(state: Table, seat: int, card: str, victim: int) -> tuple[tuple[Event, ...], Table]:
    """A player curses another, who does not answer."""
    return when_all(state, (seat, PlayCard(card, seat=victim)), (victim, Pass()))


def flees(state: Table, seat: int, monster: str, pips: int) -> tuple[tuple[Event, ...], Table]:
    """A fighter rolls so to escape a monster, and keeps the die."""
    return when_all(state, (seat, FleeFrom(monster)), (CHANCE, RollResult((pips,))), (seat, KeepRoll()))


def refused(state: Table, seat: int, move: Move) -> tuple[str, str]:
    """Why a move is refused, and by which clause; from the seat's own view it is refused for the same reason."""
    ruling = given.refusal(state, seat, move)
    with pytest.raises(IllegalMove) as seen:
        play_move(build_view(state, Seat(seat)), Seat(seat), move)
    assert seen.value.ruling == ruling
    return ruling.reason, ruling.clauses[0]


def seen(events: Iterable[Event], seat: int) -> list[Event]:
    """The facts as a seat is told them."""
    return [event.view_for(seat) for event in events]


def otherwise(state: Table, **places: Iterable[str]) -> Table:
    """The same table, at which other cards lie in those places; `hand_1` is the hand of seat 1."""
    names = {name.replace("_", ":"): tuple(cards) for name, cards in places.items()}
    return replace_fields(state, zones={**state.zones, **names})
