"""Takebacks: a seat goes back, at once within four rules, else by consent.

A request is an entry that changes nothing in play. It blocks nobody and touches no deadline.

TABLE-TAKEBACK-1: A seat may ask to go back to just after an entry since which it has moved. It is granted at once if
the same seats are to move in the same turn, nobody else has moved since, nobody has seen what was hidden, and chance
has shown nothing.

TABLE-TAKEBACK-2: Anything beyond needs the consent of all other seats that people hold; one no ends it. Piles from
which cards became known are shuffled again.

TABLE-TAKEBACK-4: With its second no to requests of the same seat a seat may bar further ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.arbitration import quotas
from referee.arbitration.remedies.rewind_impact import RANDOM, REVEALED, compute_rewind_impact
from referee.engine.chance import Shuffle
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StepPushed
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match, MatchRewound
from referee.match.clocks import compute_time_left, compute_waiting
from referee.match.entries import LogEntry, reopens_question, replay_entries
from referee.match.events.dispute_events import RulingIssued, TableCorrected
from referee.match.events.dispute_state import Takeback
from referee.match.events.takeback_events import (
    AnswerTakeback,
    RequestTakeback,
    TakebackBanned,
    TakebackConsented,
    TakebackGranted,
    TakebackRefused,
    TakebackRequested,
)
from referee.match.evidence import Evidence
from referee.match.game_moves import require_unhalted
from referee.match.table.officials import find_human_seats

Events = tuple[Event, ...]
TIME = "time"  # a fifth reason for consent: going back again would gain time to think
REFUSALS_BEFORE_BAN = 2  # with this refusal a seat may bar further requests


def decide_takeback_command(evidence: Evidence, command: Move) -> Events:
    """Return the events of a takeback request or of an answer to one.

    Raises IllegalMove (TABLE-*).
    """
    return COMMAND_HANDLERS[type(command)](evidence, command)


def find_awaited_seats(match: Match, takeback: Takeback) -> tuple[int, ...]:
    """Return the seats whose consent a request still needs; none once it is closed."""
    if takeback.stage != "asked":
        return ()
    return tuple(sorted(find_human_seats(match) - {takeback.seat} - set(takeback.by)))


def require_takeback(match: Match, number: int) -> Takeback:
    """Return the request of this number. Raises IllegalMove."""
    takeback = next((each for each in match.takebacks if each.number == number), None)
    if takeback is None:
        raise IllegalMove("no_such_takeback", "TABLE-TAKEBACK-1", takeback=number)
    return takeback


def _handle_request(evidence: Evidence, command: RequestTakeback) -> Events:
    """Go back at once if the rules hold and no time is gained; else ask the others.

    TABLE-TAKEBACK-5: Where play goes back at once, the time for the reopened question runs as if it had never been
    answered.
    """
    match, number = evidence.match, evidence.version + 1
    _require_running_play(match)
    if command.seat not in find_human_seats(match) and match.chairs[command.seat].kind != "table":
        raise IllegalMove("no_say_in_takeback", "TABLE-TAKEBACK-1", seat=command.seat)
    _require_reachable(evidence, command)
    quotas.check_takeback_quota(evidence, command.seat)
    crossing, clock = (
        compute_rewind_impact(evidence, command.to, command.seat),
        _find_question_clock(evidence, command.to),
    )
    at_once = clock.compute_running_time_left(evidence.now_ms)
    waives = crossing.rules
    if (clock.at_ms is not None and at_once is None) or _is_repeated_takeback(evidence, command.seat):
        waives = (*waives, TIME)
    others = tuple(sorted(find_human_seats(match) - {command.seat})) if waives else ()
    request = TakebackRequested(number, command.seat, command.to, waives, others)
    if not waives:
        return (request, MatchRewound(command.to), TakebackGranted(number, at_once, (), ("TABLE-TAKEBACK-1",)))
    for bar in match.bars:
        if bar.asker == command.seat and bar.seat in others:
            raise IllegalMove("takeback_barred", "TABLE-TAKEBACK-4", seat=bar.seat)
    return (request, *(() if others else _grant_takeback(evidence, number, command.seat, command.to)))


def _handle_answer(evidence: Evidence, command: AnswerTakeback) -> Events:
    """Record a seat's consent or refusal; the last consent goes back.

    TABLE-TAKEBACK-3: A request blocks nobody. If play goes on, the request is overtaken.
    """
    match = evidence.match
    takeback = require_takeback(match, command.takeback)
    if takeback.stage == "overtaken":
        raise IllegalMove("takeback_overtaken", "TABLE-TAKEBACK-3", takeback=command.takeback)
    if takeback.stage != "asked":
        raise IllegalMove("takeback_closed", "TABLE-TAKEBACK-2", takeback=command.takeback)
    _require_running_play(match)
    if command.seat not in find_awaited_seats(match, takeback):
        raise IllegalMove("no_say_in_takeback", "TABLE-TAKEBACK-2", seat=command.seat)
    if command.grant:
        consented = TakebackConsented(command.takeback, command.seat)
        missing = set(find_awaited_seats(match, takeback)) - {command.seat}
        return (consented, *(() if missing else _grant_takeback(evidence, takeback.number, takeback.seat, takeback.to)))
    refused = TakebackRefused(command.takeback, command.seat)
    if not command.bar:
        return (refused,)
    if not may_bar(match, takeback, command.seat):
        raise IllegalMove("takeback_not_to_be_barred", "TABLE-TAKEBACK-4", seat=takeback.seat)
    return (refused, TakebackBanned(command.seat, takeback.seat))


def may_bar(match: Match, takeback: Takeback, seat: int) -> bool:
    """Tell whether a seat that refuses this request may bar further ones.

    TABLE-TAKEBACK-4: With its second no to requests of the same seat a seat may bar further ones.
    """
    before = [each for each in match.takebacks if each.seat == takeback.seat and each.against == seat]
    return len(before) + 1 >= REFUSALS_BEFORE_BAN


def _require_running_play(match: Match) -> None:
    """Raise IllegalMove unless play can go back now: running, and no court has it."""
    if match.state is None:
        raise IllegalMove("not_running", "TABLE-START-1")
    if match.status in FINAL_STATUSES:
        raise IllegalMove("nothing_to_take_back", "TABLE-TAKEBACK-1")
    require_unhalted(match)


def _require_reachable(evidence: Evidence, command: RequestTakeback) -> None:
    """Raise IllegalMove unless a seat may ask to go back to entry `to`.

    The entry has to count and lie in play. The seat must have moved since, and no court may have corrected the table
    since.
    """
    there = any(entry.version == command.to and entry.move is not None for entry in evidence.effective_entries)
    since = evidence.list_entries_since(command.to)
    if not there or command.to < evidence.start_version or not any(entry.seat == command.seat for entry in since):
        raise IllegalMove("nothing_to_take_back", "TABLE-TAKEBACK-1")
    if any(_is_court_correction(entry) for entry in since):
        raise IllegalMove("nothing_to_take_back", "TABLE-TAKEBACK-1")


def _is_court_correction(entry: LogEntry) -> bool:
    ruled = any(isinstance(event, RulingIssued) for event in entry.events)
    by_hand = any(isinstance(event, TableCorrected) for event in entry.events)
    return by_hand or (ruled and any(not isinstance(event, LastingTableEvent) for event in entry.events))


def _grant_takeback(evidence: Evidence, number: int, seat: int, to: int) -> Events:
    """Return the events that go back and shuffle the piles that became known.

    TABLE-REMEDY-3: Where play goes back across hidden cards that became known, the pile they came from is shuffled
    again.
    """
    crossing = compute_rewind_impact(evidence, to, seat)
    there = evidence.replay_to(to).state
    assert there is not None
    piles = crossing.piles if {REVEALED, RANDOM} & set(crossing.rules) else ()
    shuffled = tuple(StepPushed(Shuffle(pile)) for pile in piles if Shuffle(pile).awaited_seats(there))  # type: ignore[arg-type]
    rests = ("TABLE-TAKEBACK-2", *(("TABLE-REMEDY-3",) if piles else ()))
    left = _find_question_clock(evidence, to).compute_paused_time_left()
    return (MatchRewound(to), TakebackGranted(number, left, piles, rests), *shuffled)


# -- time --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _QuestionClock:
    """The clock of the question that is open after an entry, in the store's ms."""

    at_ms: int | None  # when its time would be up; None: it had no limit
    answered_ms: int

    def compute_running_time_left(self, now_ms: int) -> int | None:
        """Return what is left if the time never stood still; None if nothing, or no limit."""
        return self.at_ms - now_ms if self.at_ms is not None and self.at_ms > now_ms else None

    def compute_paused_time_left(self) -> int | None:
        """Return what was left when it was answered; None if nothing, or no limit.

        Nothing was left if the clock itself answered.
        """
        return self.at_ms - self.answered_ms if self.at_ms is not None and self.at_ms > self.answered_ms else None


def _find_question_clock(evidence: Evidence, to: int) -> _QuestionClock:
    """Return the clock of the question that was open just after entry `to`."""
    match, at_ms = Match(), None
    for entry in evidence.effective_entries:
        if entry.version > to:
            break
        before, match = match, replay_entries(match, [entry])
        if reopens_question(before.state, match.state, entry.events) or compute_waiting(before) != compute_waiting(
            match
        ):
            left = compute_time_left(match, entry.at_ms)
            at_ms = None if left is None else entry.at_ms + left
    moves = (entry.at_ms for entry in evidence.list_entries_since(to) if entry.seat >= 0)
    return _QuestionClock(at_ms, next(moves, evidence.now_ms))


def _is_repeated_takeback(evidence: Evidence, seat: int) -> bool:
    """Tell whether a seat would go back at once a second time before others move.

    TABLE-TAKEBACK-5: A request buys no time. Where there are time limits, a seat goes back at once only once until
    another seat has moved.
    """
    clocks = evidence.match.clocks
    if clocks.move_ms is None and clocks.window_ms is None:
        return False
    moved = max((entry.version for entry in evidence.entries if entry.seat >= 0 and entry.seat != seat), default=0)
    mine = (each for each in evidence.match.takebacks if each.seat == seat and each.stage == "granted")
    return any(not each.waives and each.number > moved for each in mine)


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    RequestTakeback: _handle_request,
    AnswerTakeback: _handle_answer,
}
