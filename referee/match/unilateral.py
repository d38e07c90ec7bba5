"""What one person decided alone because everybody else was a bot, or away: such a match is no contest any more.

It is played on as kindly as ever, and counts for no standings (TABLE-COURSE-2). Told by the match as it stands, so that
whoever reads it and whatever reckons from it agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.match.aggregate import Match
from referee.match.events.dispute_state import Dispute

CLAUSE = "TABLE-COURSE-2"
PLAY_CHANGING_REMEDIES = ("restore", "partial_fix", "rewind")  # the remedies after which play goes on otherwise


@dataclass(frozen=True, slots=True)
class UnilateralDecision:
    """That entry `number` brought something which one person decided alone; `reason` is the key of a text."""

    number: int
    reason: str


def find_unilateral_decisions(match: Match) -> tuple[UnilateralDecision, ...]:
    """Rules of takebacks that were waived with nobody to consent, moves against the rules that nobody else let stand,
    remedies that one person chose among bots; in the order of their entries."""
    found = [
        UnilateralDecision(each.number, "alone.took_back")
        for each in match.takebacks
        if each.stage == "granted" and each.waives and not each.by and _has_absent_others(match, each.seat)
    ]
    found += [
        UnilateralDecision(each.number, "alone.deviated")
        for each in match.deviations
        if each.stage == "recorded"
        and not each.asks
        and not (each.by == "arbiter" and not each.granted)  # an arbiter without a seat is somebody else
        and _has_absent_others(match, each.granted[0] if each.granted else each.seat)
    ]
    found += [
        UnilateralDecision(each.number, "alone.ruled") for each in match.disputes if _is_unilateral_ruling(match, each)
    ]
    return tuple(sorted(found, key=lambda each: each.number))


def _has_absent_others(match: Match, seat: int) -> bool:
    """Whether at least one other seat has nobody at the table: who has no phone sits there and can say no."""
    return any(chair.kind != "table" for at, chair in enumerate(match.chairs) if at != seat)


def _is_unilateral_ruling(match: Match, dispute: Dispute) -> bool:
    """Whether the only person among bots chose a remedy that changed the play, as the table or as its host."""
    kinds = [chair.kind for chair in match.chairs]
    if "bot" not in kinds or kinds.count("human") > 1 or "table" in kinds:
        return False
    return any(each.by in ("table", "host") and each.remedy in PLAY_CHANGING_REMEDIES for each in dispute.verdicts)
