"""When a match is settled: it is over, and nobody may dispute, appeal, correct or rule any more."""

from __future__ import annotations

from referee.match.aggregate import FINAL_STATUSES
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService


def find_archive_blocker(service: MatchService, loaded: LoadedMatch) -> str:
    """Why a match cannot leave the store for the archive yet: `moved`, `running`, `disputed`, `claims` (somebody may
    still dispute how it went, appeal, or correct a report), or `frozen`; empty if nothing stands against it.

    What comes after the end (a ruling, a withdrawn dispute) may be appealed against in its turn, so the times that the
    table has agreed on run from the last entry. An arbiter may rule without a limit of time, and can do so no more.
    """
    match, head = loaded.match, loaded.head
    if head.status == "frozen":
        return "frozen"
    if match.gone is not None:
        return "moved"  # it may come back
    if match.status not in FINAL_STATUSES:
        return "running"
    if match.has_open_dispute:
        return "disputed"
    (last,) = service.repository.load_entries(match.id, loaded.version - 1, loaded.version)
    longest = max(match.courts.claims_ms, match.courts.appeal_ms, match.courts.correct_ms)
    return "claims" if loaded.read_result.now_ms <= last.at_ms + longest else ""
