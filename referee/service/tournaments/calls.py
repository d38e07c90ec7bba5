"""The time for which calls stopped the match of a table (TOURNAMENT-CALL-3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.match.entries import LogEntry
from referee.match.events.office_events import CallAnswered, CallExpired, CallMoot, CallWithdrawn
from referee.match.loaded import LoadedMatch
from referee.match.table.office_state import OfficialCall
from referee.service.match_service import MatchService
from referee.tournament.commands import ReportWait
from referee.tournament.conduct_events import CallEnded
from referee.tournament.state import Call, Round, Table, Tournament

ENDS_OF_CALLS = (CallAnswered, CallWithdrawn, CallExpired, CallMoot)
PAGE = 100  # entries that are read at a time
LoadEntries = Callable[[int, int], Sequence[LogEntry]]  # after a version, at most so many


def find_unreported_wait(
    matches: MatchService, load_entries: LoadEntries, state: Tournament, place: tuple[Round, Table], played: LoadedMatch
) -> ReportWait | None:
    """Return for how long a call stopped the match of a table, if that is news.

    `load_entries` reads the tournament. A call at the table that stopped its time meanwhile gives that back itself.
    """
    one, table = place
    if one.ends_ms is None:
        return None
    here = [each for each in state.calls if each.stops and (each.round, each.table) == (one.number, table.number)]
    for call in played.match.offices.calls:
        if call.stage == "open" or call.number in table.waits:
            continue
        ended_ms = min(find_end_of_match_call(matches, played, call), call.until_ms)
        given = sum(_measure_overlap(call, ended_ms, each, load_entries) for each in here)
        if (waited_ms := ended_ms - call.since_ms - given) > 0:
            return ReportWait(one.number, table.number, table.match, call.number, waited_ms)
    return None


def find_end_of_match_call(matches: MatchService, played: LoadedMatch, call: OfficialCall) -> int:
    """Return when a call of a match ended, in ms."""

    def load(after: int, limit: int) -> Sequence[LogEntry]:
        return matches.repository.load_entries(played.match.id, after, min(after + limit, played.version))

    return _find_end(load, call.number, ENDS_OF_CALLS, call.until_ms)


def _measure_overlap(call: OfficialCall, ended_ms: int, other: Call, load_entries: LoadEntries) -> int:
    """Return for how long two calls stopped the time together, in ms."""
    other_end_ms = other.until_ms
    if not other.is_open:
        other_end_ms = min(other_end_ms, _find_end(load_entries, other.number, (CallEnded,), other.until_ms))
    return max(0, min(ended_ms, other_end_ms) - max(call.since_ms, other.at_ms))


def _find_end(load: LoadEntries, call: int, kinds: tuple[type, ...], latest_ms: int) -> int:
    """Return when the entry was written that ended a call, or the latest time."""
    after = call
    while entries := load(after, PAGE):
        for entry in entries:
            if any(isinstance(event, kinds) and getattr(event, "call", None) == call for event in entry.events):
                return entry.at_ms
        after = entries[-1].version
    return latest_ms
