"""Calls of an official to the table: play and its clock stop until one answers.

TABLE-CALL-1: While a match runs, a person at the table may call an official and say why, if there is one whom everybody
has accepted.

TABLE-CALL-2: While a call is open, moves wait, and afterwards the open question has the time that was left. An accepted
official answers it, or the seat withdraws it, or it closes by itself after ten minutes. Only one is open at a time.

TABLE-CALL-3: A seat of whose calls in a match three were withdrawn or ran out calls nobody any more.

TABLE-CALL-4: If the match ends, or nobody is an accepted official any more, an open call closes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.events.dispute_state import MINUTE_MS
from referee.match.events.office_events import (
    AnswerCall,
    CallAnswered,
    CallDeadline,
    CallExpired,
    CallMoot,
    CallOfficial,
    CallWithdrawn,
    OfficialCalled,
    WithdrawCall,
)
from referee.match.evidence import Evidence
from referee.match.game_moves import apply_all
from referee.match.table.office_state import CALL_REASONS, OfficialCall
from referee.match.table.officials import find_human_seats, find_official, is_accepted

Events = tuple[Event, ...]
CALL_MS = 10 * MINUTE_MS  # for which a call stops the clock at most
MAX_IDLE_CALLS = 3  # of a seat in a match that came to nothing


def find_overdue_call(match: Match, now_ms: int) -> OfficialCall | None:
    """Return the call that no official answered in time; None if there is none."""
    call = match.offices.open_call
    return call if call is not None and call.until_ms <= now_ms else None


def close_moot_call(match: Match, events: Events) -> Iterator[Event]:
    """Yield the end of the open call if nothing can come of it after these events.

    TABLE-CALL-4: If the match ends, or nobody is an accepted official any more, an open call closes by itself and does
    not count.
    """
    if match.offices.open_call is None:
        return
    after = apply_all(match, events)
    over = after.status in FINAL_STATUSES or not _has_accepted_official(after)
    if after.offices.open_call is not None and over:
        yield CallMoot(after.offices.open_call.number)


def _has_accepted_official(match: Match) -> bool:
    return any(is_accepted(match, each) for each in match.officials)


def _handle_call(evidence: Evidence, command: CallOfficial) -> Events:
    """Call an official, and stop the clock (TABLE-CALL-1, TABLE-CALL-3).

    A seat without a device calls too: the host speaks for it.
    """
    match = evidence.match
    if command.reason not in CALL_REASONS:
        raise MalformedInput([{"pointer": "/reason", "detail": "this value does not have the required form"}])
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if match.state is None:
        raise IllegalMove("not_running", "TABLE-START-1")
    if not 0 <= command.by < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=command.by)
    if command.by not in find_human_seats(match) and match.chairs[command.by].kind != "table":
        raise IllegalMove("nobody_calls", "TABLE-CALL-1", seat=command.by)
    if not _has_accepted_official(match):
        raise IllegalMove("no_official", "TABLE-CALL-1")
    if match.offices.open_call is not None:
        raise IllegalMove("call_open", "TABLE-CALL-2", call=match.offices.open_call.number)
    idle = sum(each.by == command.by and each.stage in ("withdrawn", "expired") for each in match.offices.calls)
    if idle >= MAX_IDLE_CALLS:
        raise IllegalMove("too_many_calls", "TABLE-CALL-3", seat=command.by, limit=MAX_IDLE_CALLS)
    number, now = evidence.version + 1, evidence.now_ms
    return (OfficialCalled(number, command.by, command.reason, now, now + CALL_MS, evidence.left_ms),)


def _handle_answer(evidence: Evidence, command: AnswerCall) -> Events:
    """Let play go on, because an official has come (TABLE-CALL-2)."""
    call = _require_open_call(evidence.match, command.call)
    official = find_official(evidence.match, command.official)
    if official is None or not is_accepted(evidence.match, official):
        raise IllegalMove("court.not_accepted", "TABLE-OFFICE-4")
    return (CallAnswered(call.number, official.number),)


def _handle_withdrawal(evidence: Evidence, command: WithdrawCall) -> Events:
    """Let play go on because the seat that called wants it so (TABLE-CALL-2)."""
    call = _require_open_call(evidence.match, command.call)
    if call.by != command.by:
        raise IllegalMove("not_your_call", "TABLE-CALL-2", call=call.number)
    return (CallWithdrawn(call.number),)


def _handle_deadline(evidence: Evidence, command: CallDeadline) -> Events:
    """Let play go on because nobody has answered in time (TABLE-CALL-2)."""
    call = find_overdue_call(evidence.match, evidence.now_ms)
    if call is None or call.number != command.call:
        raise IllegalMove("call_closed", "TABLE-CALL-2", call=command.call)
    return (CallExpired(call.number),)


def _require_open_call(match: Match, number: int) -> OfficialCall:
    """Return the call of this number. Raises IllegalMove unless it is open."""
    call = next((each for each in match.offices.calls if each.number == number), None)
    if call is None:
        raise IllegalMove("no_such_call", "TABLE-CALL-1", call=number)
    if call.stage != "open":
        raise IllegalMove("call_closed", "TABLE-CALL-2", call=number)
    return call


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    CallOfficial: _handle_call,
    AnswerCall: _handle_answer,
    WithdrawCall: _handle_withdrawal,
    CallDeadline: _handle_deadline,
}
