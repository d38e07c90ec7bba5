"""What the tests of single cards say again and again: a combat, a kill, a flight, a curse, each by the moves of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.engine.events import Event, replace_fields
from referee.games.munchkin.moves import ClaimKill, FleeFrom, KeepRoll, KickDoor, Pass, PlayCard, RunAway
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import score_monsters, score_munchkins, sum_lines
from referee.games.munchkin.values import NOBODY, AddedStrength
from tests.games.course import then, when
from tests.games.munchkin.given import cast, in_combat, table

EMPTY: tuple[tuple[str, ...], ...] = ((), (), ())
Facts = tuple[Event, ...]


def fight(
    *foes: str, hands: Iterable[Iterable[str]] = EMPTY, helper: int = NOBODY, strong: int = 0, **how: Any
) -> Table:
    """Seat 0, of level 4 unless told, fights these monsters. `strong` is what was played for its side before."""
    state = table(*hands, **{"levels": (4, 4, 4), "stage": "after", **how})
    state = in_combat(state, 0, *foes, helper=helper, agenda=(Fight(0),))
    if strong:
        added = (AddedStrength("os_fruitcake", 2, "munchkins", strong, one_shot=True),)
        state = replace_fields(state, combat=replace_fields(state.running_combat, added=added))
    return state


def strengths(state: Table) -> tuple[int, int]:
    """The strength of the fighters and that of the monsters."""
    return sum_lines(score_munchkins(state)), sum_lines(score_monsters(state))


def kicked(card: str, hand: Iterable[str] = (), **how: Any) -> Table:
    """Seat 0 of level 3, with this hand, has kicked the door open, and this card lay behind it."""
    return then(table(hand, (), (), doors=(card,), **{"levels": (3, 3, 3), **how}), 0, KickDoor())


def killed(state: Table) -> tuple[Facts, Table]:
    """Seat 0 claims the kill, and all who do not fight let it pass."""
    events, state = when(state, 0, ClaimKill())
    for seat in range(state.rules.seats):
        if state.combat is not None and state.moment == "window" and seat not in state.running_combat.fighters:
            more, state = when(state, seat, Pass())
            events += more
    return events, state


def flees(state: Table, monster: str, pips: int, seat: int = 0) -> tuple[Facts, Table]:
    """A runner rolls so against this monster, and keeps the die."""
    events, state = when(state, seat, FleeFrom(monster))
    more, state = cast(state, pips)
    rest, state = when(state, seat, KeepRoll())
    return events + more + rest, state


def ran(*foes: str, **how: Any) -> Table:
    """Seat 0 has turned to run from these monsters, which somebody has made far too strong."""
    state = fight(*foes, **how)
    added = (*state.running_combat.added, AddedStrength("os_fruitcake", 2, "monsters", 50, one_shot=True))
    return then(replace_fields(state, combat=replace_fields(state.running_combat, added=added)), 0, RunAway())


def caught(monster: str, *, beside: Iterable[str] = (), **how: Any) -> tuple[Facts, Table]:
    """Seat 0 runs from this monster, first of all, and is caught: what follows."""
    return flees(ran(monster, *beside, **how), monster, 1)


def runs_with(monster: str, pips: int, **how: Any) -> str:
    """How a flight from this monster ends for seat 0 with this face of the die: caught or escaped."""
    events, _ = flees(ran(monster, **how), monster, pips)
    return next(event.TAG for event in events if event.TAG in ("mk.Caught", "mk.Escaped")).removeprefix("mk.").lower()


def cursed(card: str, victim: int = 0, hand: Iterable[str] = (), **how: Any) -> tuple[Facts, Table]:
    """Seat 1 has played this curse on somebody, who lets it strike; seat 0 has this hand."""
    state = table(hand, (card,), (), **{"levels": (4, 4, 4), **how})
    events, state = when(state, 1, PlayCard(card, victim))
    more, state = when(state, victim, Pass())
    return events + more, state
