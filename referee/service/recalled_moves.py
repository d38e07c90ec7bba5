"""Moves upon matches as this process last saw them, in one call of the store."""

from __future__ import annotations

from referee.arbitration.overdue import find_overdue_case
from referee.engine.rulings import IllegalMove, Undetermined
from referee.match.errors import MatchUnavailable, MoveRejected, VersionConflict
from referee.match.loaded import LoadedMatch
from referee.match.windows import find_open_window
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest

MARGIN_MS = 1000  # before a deadline, in which nothing is decided on what was seen last


def make_recalled_move(
    service: MatchService, request: MoveRequest, recalled: LoadedMatch, token_hash: str
) -> CommandResult | None:
    """Make a move upon a match that was only recalled, in one call of the store.

    `MatchRepository.recall_match` recalls it. The log takes the entry only if the match, the token and the time still
    are as recalled. Return None if it does not, or if anything but an entry would follow: then nothing was decided, and
    the match has to be read. Raises StoreUnavailable.
    """
    reading, now_ms = recalled.read_result, recalled.read_result.now_ms
    if (request.seen, request.strict) not in ((None, None), (recalled.version, None), (None, recalled.version)):
        return None
    if reading.due is not None and reading.due.at_ms <= now_ms + MARGIN_MS:
        return None
    if find_overdue_case(recalled.match, now_ms) is not None:
        return None
    try:
        if service.appender.find_due_pass(recalled, reading.passes) is not None:
            return None
        if request.window and request.window != find_open_window(recalled.match):
            return None
        events = service.check_and_decide_move(recalled, request)
        _, after = service.appender.append_entry(
            recalled,
            request.seat,
            request.actor,
            request.move,
            events,
            request.scoped_key,
            request.fingerprint,
            recalled_for=token_hash,
        )
    except (VersionConflict, MoveRejected, IllegalMove, Undetermined, MatchUnavailable):
        return None  # perhaps only because something has changed since
    return None if after is None else service.build_fresh_response(after, service.appender.run_followups(after))
