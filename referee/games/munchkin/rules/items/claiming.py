"""The claim window: a claimed kill counts if nobody acts within 2.6 seconds.

Clauses: MK-15.1 to MK-15.6, MK-9.2, MK-26.6, MK-26.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepReplaced
from referee.games.munchkin.events.combat import ClaimBroken, MonstersKilled, WindowPassed
from referee.games.munchkin.moves import Pass, TakeBackPass
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.combat.combat_end import end_combat
from referee.games.munchkin.rules.combat.rewards import Spoils
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_winning
from referee.games.munchkin.values import NOBODY


@named("mk.ClaimWindow")
@dataclass(frozen=True)
class ClaimWindow(Moment):
    """The window in which the other players may act against a claimed kill (MK-24.5).

    `passed` are the seats that have passed.
    MK-15.1: When the main player claims the kill, a window opens for all other living players.
    MK-15.3: If the window runs out, or all others have passed, and the fighters are still stronger, the monsters are
        killed.
    MK-15.4: The deadline recorded as the window opened decides whether a play came in time.
    MK-26.6: All other living players are asked, whatever they hold.
    """

    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.1", "MK-15.3", "MK-15.4", "MK-26.6")
    moment: ClassVar[str] = "window"
    window_kind: ClassVar[str] = "claim"
    keeps_first_deadline: ClassVar[bool] = True  # a pass taken back gains no time (MK-15.4, MK-15.5)

    def concerned_seats(self, state: Table) -> frozenset[int]:
        return frozenset(state.running_combat.fighters)

    def passing_move(self, seat: Seat) -> Move:
        return Pass()  # MK-23.2: also when the time is up

    def time_limit(self, state: Table) -> int | None:
        limit = state.rules.claim_window_ms
        return limit if limit is not None else state.decision_time()  # null: as for other questions (MK-23.2)

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        fighting = state.running_combat.fighters
        return tuple(seat for seat in state.living_seats if seat not in fighting and seat not in self.passed)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()

    def list_unprompted_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat in self.passed:
            yield TakeBackPass()

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, TakeBackPass) and seat >= 0:
            check_passed(self, int(seat))
        elif isinstance(move, Pass) and seat in self.passed:
            check_not_passed(self, int(seat))
        else:
            super().check_move(state, seat, move)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Pass):
            raise NotAsked("speak_up_or_pass", "MK-15.1", "MK-14.1", move=move.TAG)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, TakeBackPass):
            yield StepReplaced(replace_fields(self, passed=tuple(other for other in self.passed if other != seat)))
            yield WindowPassed(int(seat), taken_back=True)
        else:
            yield from super().decide_move(state, seat, move)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, passed=(*self.passed, int(seat))))
        yield WindowPassed(int(seat))

    def apply_timeout(self, state: Table) -> Iterator[Event]:
        yield from self.settle_moment(state)  # MK-15.3: the window has run out

    def settle_moment(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        if not is_winning(state):
            yield ClaimBroken(NOBODY)
            return
        monsters = tuple(foe.card for foe in state.running_combat.foes)
        yield MonstersKilled(state.running_combat.main, monsters)
        if monsters:
            yield StepReplaced(Spoils())
        else:  # all monsters were removed before, so there is no kill and no reward (MK-11.5, MK-16.6)
            yield StepPopped()
            yield from end_combat(state, "removed")


def check_passed(window: ClaimWindow, seat: int) -> None:
    """Raise IllegalMove unless the player has passed in this window (MK-15.5)."""
    if seat not in window.passed:
        raise IllegalMove("has_not_passed", "MK-15.5")


def check_not_passed(window: ClaimWindow, seat: int) -> None:
    """Raise IllegalMove if the player has passed in this window (MK-15.5)."""
    if seat in window.passed:
        raise IllegalMove("has_passed", "MK-15.5")
