"""What is done with matches in which nothing happens: a lobby is closed."""

from __future__ import annotations

from referee.match.errors import VersionConflict
from referee.match.events.ending_events import BY_CLOCK, EndMatch
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService

CLOSED, IN_USE = "closed", "in_use"


def close_idle_lobby(service: MatchService, match: str, before_ms: int) -> str:
    """Withdraw a match that has not begun, and return whether it was closed.

    The answer is `in_use` if it has begun, something happened in it since `before_ms`, or somebody watches it as a
    seat. Nobody who comes at the same moment is turned away. Raises as `execute_command`.
    """
    loaded = service.load_match(match)
    idle = loaded.match.status == "lobby" and loaded.head.status == "open" and is_idle(service, loaded, before_ms)
    if not idle or service.log.read_present_seats(match):
        return IN_USE
    try:
        command = EndMatch("withdrawn", by=BY_CLOCK)
        service.execute_command(match, command, key=str(loaded.version), scope="idle", strict=loaded.version)
    except VersionConflict:
        return IN_USE
    return CLOSED


def is_idle(service: MatchService, loaded: LoadedMatch, before_ms: int) -> bool:
    """Return whether the last entry of a match is older than that time."""
    (last,) = service.repository.load_entries(loaded.match.id, loaded.version - 1, loaded.version)
    return last.at_ms < before_ms
