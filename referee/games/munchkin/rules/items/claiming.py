"""The 2.6 seconds: a claimed kill stands once the others have let the window pass.

Clauses: MK-15.1 to MK-15.6, MK-9.2, MK-26.6, MK-26.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed
from referee.games.munchkin.derived import winning
from referee.games.munchkin.events.combat import ClaimBroken, MonstersKilled, Passed
from referee.games.munchkin.moves import Pass, TakeBackPass
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


@named("mk.ClaimWindow")
@dataclass(frozen=True)
class ClaimWindow(Moment):
    """The others may speak up before a claimed kill counts; `passed` have said that they will not (MK-24.5)."""

    passed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.1", "MK-15.3", "MK-15.4", "MK-26.6")
    moment: ClassVar[str] = "window"
    window: ClassVar[str] = "claim"
    one_deadline: ClassVar[bool] = True  # a pass taken back gains no time (MK-15.4, MK-15.5)

    def passing(self, seat: Seat) -> Move:
        return Pass()

    def by_default(self, state: Table, seat: Seat) -> Move:
        return Pass()  # MK-23.2

    def thinking(self, state: Table) -> int | None:
        limit = state.rules.claim_window_ms
        return limit if limit is not None else state.decision_time()  # nobody waits for ever (MK-23.2)

    def asks(self, state: Table) -> tuple[int, ...]:
        fighting = state.fight.fighters
        return tuple(seat for seat in state.living if seat not in fighting and seat not in self.passed)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()

    def besides(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat in self.passed:
            yield TakeBackPass()

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, TakeBackPass) and seat >= 0:
            if seat not in self.passed:
                raise Refused("has_not_passed", "MK-15.5")
        elif isinstance(move, Pass) and seat in self.passed:
            raise Refused("has_passed", "MK-15.5")
        else:
            super().check(state, seat, move)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Pass):
            raise Refused("speak_up_or_pass", "MK-15.1", "MK-14.1", move=move.TAG)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, TakeBackPass):
            yield Became(changed(self, passed=tuple(other for other in self.passed if other != seat)))
            yield Passed(int(seat), taken_back=True)
        else:
            yield from super().decide(state, seat, move)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield Became(changed(self, passed=(*self.passed, int(seat))))
        yield Passed(int(seat))

    def too_late(self, state: Table) -> Iterator[Event]:
        yield from self.settles(state)  # the time is up, and nobody has spoken (MK-15.3)

    def settles(self, state: Table) -> Iterator[Event]:
        from referee.games.munchkin.rules.combat import fighting, rewards

        yield Closed()
        if not winning(state):
            yield ClaimBroken(NOBODY)
            return
        monsters = tuple(foe.card for foe in state.fight.foes)
        yield MonstersKilled(state.fight.main, monsters)
        if monsters:
            yield Became(rewards.Spoils())
        else:  # all were removed before, so that nothing is killed and nothing rewarded (MK-11.5, MK-16.6)
            yield Closed()
            yield from fighting.ended(state, "removed")


def breaks(table: Table, seat: int) -> Iterator[Event]:
    """The facts with which a play closes an open window without a kill, none if no window is open (MK-15.2)."""
    if table.agenda and isinstance(table.agenda[-1], ClaimWindow):
        yield Closed()
        yield ClaimBroken(seat)
