"""What is done with matches in which nothing happens: a lobby is closed."""

from __future__ import annotations

from referee.match.errors import VersionConflict
from referee.match.events.ending_events import BY_CLOCK, EndMatch
from referee.service.match_service import MatchService

CLOSED, IN_USE = "closed", "in_use"


def close_idle_lobby(service: MatchService, match: str, before_ms: int) -> str:
    """Withdraw a match that has not begun, and return whether it was closed.

    The answer is `in_use` if it has begun, something happened in it since `before_ms`, or somebody watches it as a
    seat. Nobody who comes at the same moment is turned away. Raises as `execute_command`.
    """
    loaded = service.load_match(match)
    is_lobby = loaded.match.status == "lobby" and loaded.head.status == "open"
    if not is_lobby or service.find_last_time(loaded) >= before_ms or service.log.read_present_seats(match):
        return IN_USE
    try:
        command = EndMatch("withdrawn", by=BY_CLOCK)
        service.execute_command(match, command, key=str(loaded.version), scope="idle", strict=loaded.version)
    except VersionConflict:
        return IN_USE
    return CLOSED
