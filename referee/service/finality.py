"""When a match is final: it is over, and nobody may dispute, appeal or correct."""

from __future__ import annotations

from referee.match.aggregate import FINAL_STATUSES
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService


def find_archive_blocker(service: MatchService, loaded: LoadedMatch) -> str:
    """Return why a match cannot be archived yet; empty if nothing stands against it.

    The reason is `moved`, `running`, `disputed`, `claims` (somebody may still dispute, appeal, or correct a report), or
    `frozen`. What comes after the end, such as a ruling, may be appealed against in its turn. So the times that the
    table has agreed on run from the last entry. An arbiter could rule without a time limit, and no longer can after
    archiving.
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
    longest = max(match.courts.claims_ms, match.courts.appeal_ms, match.courts.correct_ms)
    return "claims" if loaded.read_result.now_ms <= service.find_last_time(loaded) + longest else ""
