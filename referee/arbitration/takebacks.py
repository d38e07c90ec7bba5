"""Takebacks: going back at the request of a seat, within four rules at once, beyond them if all others consent.

A request is an entry that changes nothing of the play: it blocks nobody, and touches no deadline.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.arbitration import quotas
from referee.arbitration.disputes import voices
from referee.arbitration.remedies.rewind_impact import RANDOM, REVEALED, crossed
from referee.engine.chance import Shuffle
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.steps import Opened
from referee.match.aggregate import OVER, Match, OfTable, Rewound
from referee.match.clocks import called, time_left
from referee.match.entries import Logged, asked_anew, folded
from referee.match.events.dispute_events import Corrected, RulingIssued
from referee.match.events.dispute_state import Takeback
from referee.match.events.takeback_events import (
    Consent,
    RequestsBarred,
    TakeBack,
    TakebackAsked,
    TakebackConsented,
    TakebackGranted,
    TakebackRefused,
)
from referee.match.evidence import Evidence

Facts = tuple[Event, ...]
TIME = "time"  # beside the four rules: going back once more would gain time to think
REFUSALS = 2  # after which a seat may bar further requests


def decided(evidence: Evidence, ask: Move) -> Facts:
    """The facts that follow from a request to go back, or from an answer to one. Raises Refused (TABLE-*)."""
    return DECIDES[type(ask)](evidence, ask)


def asks(match: Match, takeback: Takeback) -> tuple[int, ...]:
    """The seats whose consent a request still needs; none once it is closed."""
    if takeback.stage != "asked":
        return ()
    return tuple(sorted(voices(match) - {takeback.seat} - set(takeback.by)))


def found(match: Match, number: int) -> Takeback:
    """The request of this number. Raises Refused."""
    takeback = next((each for each in match.takebacks if each.number == number), None)
    if takeback is None:
        raise Refused("no_such_takeback", "TABLE-TAKEBACK-1", takeback=number)
    return takeback


def _asked(evidence: Evidence, ask: TakeBack) -> Facts:
    match, number = evidence.match, evidence.version + 1
    _playing(match)
    if ask.seat not in voices(match) and match.chairs[ask.seat].kind != "table":
        raise Refused("no_say_in_takeback", "TABLE-TAKEBACK-1", seat=ask.seat)
    _reachable(evidence, ask)
    quotas.taking_back(evidence, ask.seat)
    crossing, clock = crossed(evidence, ask.to, ask.seat), _clock(evidence, ask.to)
    at_once = clock.runs_on(evidence.now_ms)
    waives = crossing.rules
    if (clock.at_ms is not None and at_once is None) or _again(evidence, ask.seat):
        waives = (*waives, TIME)
    others = tuple(sorted(voices(match) - {ask.seat})) if waives else ()
    asked = TakebackAsked(number, ask.seat, ask.to, waives, others)
    if not waives:
        return (asked, Rewound(ask.to), TakebackGranted(number, at_once, (), ("TABLE-TAKEBACK-1",)))
    for bar in match.bars:
        if bar.asker == ask.seat and bar.seat in others:
            raise Refused("takeback_barred", "TABLE-TAKEBACK-4", seat=bar.seat)
    return (asked, *(() if others else _granted(evidence, number, ask.seat, ask.to)))


def _consented(evidence: Evidence, ask: Consent) -> Facts:
    match = evidence.match
    takeback = found(match, ask.takeback)
    if takeback.stage == "overtaken":
        raise Refused("takeback_overtaken", "TABLE-TAKEBACK-3", takeback=ask.takeback)
    if takeback.stage != "asked":
        raise Refused("takeback_closed", "TABLE-TAKEBACK-2", takeback=ask.takeback)
    _playing(match)
    if ask.seat not in asks(match, takeback):
        raise Refused("no_say_in_takeback", "TABLE-TAKEBACK-2", seat=ask.seat)
    if ask.grant:
        said = TakebackConsented(ask.takeback, ask.seat)
        missing = set(asks(match, takeback)) - {ask.seat}
        return (said, *(() if missing else _granted(evidence, takeback.number, takeback.seat, takeback.to)))
    refused = TakebackRefused(ask.takeback, ask.seat)
    if not ask.bar:
        return (refused,)
    before = [each for each in match.takebacks if each.seat == takeback.seat and each.against == ask.seat]
    if len(before) + 1 < REFUSALS:
        raise Refused("takeback_not_to_be_barred", "TABLE-TAKEBACK-4", seat=takeback.seat)
    return (refused, RequestsBarred(ask.seat, takeback.seat))


def _playing(match: Match) -> None:
    """Raises Refused unless play can go back now: it has begun and not ended, and no court is at it."""
    if match.state is None:
        raise Refused("not_running", "TABLE-START-1")
    if match.status in OVER:
        raise Refused("nothing_to_take_back", "TABLE-TAKEBACK-1")
    if match.halted:
        raise Refused("in_dispute", "TABLE-DISPUTE-2")


def _reachable(evidence: Evidence, ask: TakeBack) -> None:
    """Raises Refused unless this seat has moved since entry `to`, which counts and lies in the play, and no court has
    put the table right since."""
    there = any(entry.version == ask.to for entry in evidence.course)
    since = evidence.since(ask.to)
    if not there or ask.to < evidence.began or not any(entry.seat == ask.seat for entry in since):
        raise Refused("nothing_to_take_back", "TABLE-TAKEBACK-1")
    if any(_by_court(entry) for entry in since):
        raise Refused("nothing_to_take_back", "TABLE-TAKEBACK-1")


def _by_court(entry: Logged) -> bool:
    ruled = any(isinstance(fact, RulingIssued) for fact in entry.facts)
    by_hand = any(isinstance(fact, Corrected) for fact in entry.facts)
    return by_hand or (ruled and any(not isinstance(fact, OfTable) for fact in entry.facts))


def _granted(evidence: Evidence, number: int, seat: int, to: int) -> Facts:
    """Play goes back, and piles of which something became known are shuffled again."""
    crossing = crossed(evidence, to, seat)
    there = evidence.at(to).state
    assert there is not None
    known = crossing.piles if {REVEALED, RANDOM} & set(crossing.rules) else ()
    shuffled = tuple(Opened(Shuffle(pile)) for pile in known if Shuffle(pile).awaits(there))  # type: ignore[arg-type]
    rests = ("TABLE-TAKEBACK-2", *(("TABLE-REMEDY-3",) if known else ()))
    left = _clock(evidence, to).paused()
    return (Rewound(to), TakebackGranted(number, left, known, rests), *shuffled)


# -- time --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Clock:
    """When the time of the question that is open after an entry would be over, and when it was answered, in ms of the
    store's clock; None: it had no limit."""

    at_ms: int | None
    answered_ms: int

    def runs_on(self, now_ms: int) -> int | None:
        """What is left if the time never stood still; None if nothing is, or there was no limit."""
        return self.at_ms - now_ms if self.at_ms is not None and self.at_ms > now_ms else None

    def paused(self) -> int | None:
        """What was left when it was answered; None if nothing was, for the clock itself has answered."""
        return self.at_ms - self.answered_ms if self.at_ms is not None and self.at_ms > self.answered_ms else None


def _clock(evidence: Evidence, to: int) -> _Clock:
    """The time of the question that was open just after entry `to`."""
    match, at_ms = Match(), None
    for entry in evidence.course:
        if entry.version > to:
            break
        before, match = match, folded(match, [entry])
        if asked_anew(before.state, match.state, entry.facts) or called(before) != called(match):
            left = time_left(match, entry.at_ms)
            at_ms = None if left is None else entry.at_ms + left
    moves = (entry.at_ms for entry in evidence.since(to) if entry.seat >= 0)
    return _Clock(at_ms, next(moves, evidence.now_ms))


def _again(evidence: Evidence, seat: int) -> bool:
    """Whether there are limits of time, and this seat has gone back at once already and nobody else has moved since
    (TABLE-TAKEBACK-5)."""
    clocks = evidence.match.clocks
    if clocks.move_ms is None and clocks.window_ms is None:
        return False
    moved = max((entry.version for entry in evidence.entries if entry.seat >= 0 and entry.seat != seat), default=0)
    mine = (each for each in evidence.match.takebacks if each.seat == seat and each.stage == "granted")
    return any(not each.waives and each.number > moved for each in mine)


DECIDES: dict[type[Move], Callable[[Evidence, Any], Facts]] = {TakeBack: _asked, Consent: _consented}
