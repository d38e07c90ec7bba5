"""Decisions that one person took alone because everybody else was a bot or away.

TABLE-COURSE-2: Where one person alone waives a takeback rule, lets a move against the rules stand or chooses a remedy
that changes the play, it is done, and the match counts for no standings.

The answer follows from the folded match alone, so that every reader and the ratings agree on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.match.aggregate import Match
from referee.match.events.dispute_state import Dispute
from referee.match.events.ending_events import UNRATED

CLAUSE = "TABLE-COURSE-2"
UNRATED_TOURNAMENT = "uncounted.tournament"  # the reason why a match of an unrated tournament counts for nothing
PLAY_CHANGING_REMEDIES = ("restore", "as_it_lies", "partial_fix", "rewind")  # play goes on differently after them


@dataclass(frozen=True, slots=True)
class UnilateralDecision:
    """Something that one person decided alone, in entry `number`.

    `reason` is the key of a text.
    """

    number: int
    reason: str


def find_unilateral_decisions(match: Match) -> tuple[UnilateralDecision, ...]:
    """Return what one person decided alone, in the order of the entries.

    These are takeback rules waived without anybody to consent, deviations that nobody else let stand, and remedies that
    the only person among bots chose. See TABLE-COURSE-2.
    """
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
        and not each.attended  # by a house ruling, before others who could dispute it
        and not (each.by == "arbiter" and not each.granted)  # an arbiter without a seat is somebody else
        and _has_absent_others(match, each.granted[0] if each.granted else each.seat)
    ]
    found += [
        UnilateralDecision(each.number, "alone.ruled") for each in match.disputes if _is_unilateral_ruling(match, each)
    ]
    found += [
        UnilateralDecision(each.number, "alone.decided")
        for each in match.disputes
        if _was_decided_by_claimant(match, each)
    ]
    found += [
        UnilateralDecision(each.number, "alone.played_on") for each in match.disputes if _was_restored_from_void(each)
    ]
    return tuple(sorted(found, key=lambda each: each.number))


def list_uncounted_causes(match: Match) -> list[tuple[int, str]]:
    """Return why a match counts for no standings: entries, each with a reason.

    TABLE-TOURNAMENT-3: The matches of a tournament count if it was opened as rated.
    """
    unrated = [(1, UNRATED_TOURNAMENT)] if UNRATED in match.terms else []
    return [*unrated, *((each.number, each.reason) for each in find_unilateral_decisions(match))]


def _was_decided_by_claimant(match: Match, dispute: Dispute) -> bool:
    """Tell whether play was changed on the word of the claimant alone.

    What the referee itself has found needs nobody's word.
    """
    heard = {each.seat for each in dispute.testimony} | {each.seat for each in dispute.votes}
    claimant = _find_claimant(dispute)
    seatless = match.courts.counts_words and claimant is None and len(heard) == 1  # perhaps the same person
    if match.courts.edition is None or (heard != {claimant} and not seatless):
        return False
    if any(each.by == "referee" and each.verdict == "does_not_stand" for each in dispute.verdicts):
        return False
    return any(each.by == "table" and each.remedy in PLAY_CHANGING_REMEDIES for each in dispute.verdicts)


def _find_claimant(dispute: Dispute) -> int | None:
    """Return the seat that opened a dispute; None if it was no seat."""
    return int(dispute.by) if dispute.by.isdecimal() else None


def _was_restored_from_void(dispute: Dispute) -> bool:
    """Tell whether a match was played on after it had been void.

    Then everybody could see all cards.
    """
    remedies = [each.remedy for each in dispute.verdicts]
    return "void" in remedies and "restore" in remedies[remedies.index("void") :]


def _has_absent_others(match: Match, seat: int) -> bool:
    """Tell whether at least one other seat has nobody at the table.

    A seat of kind `table` has a person there who can say no.
    """
    return any(chair.kind != "table" for at, chair in enumerate(match.chairs) if at != seat)


def _is_unilateral_ruling(match: Match, dispute: Dispute) -> bool:
    """Tell whether the only person among bots chose a remedy that changed the play."""
    kinds = [chair.kind for chair in match.chairs]
    if "bot" not in kinds or kinds.count("human") > 1 or "table" in kinds:
        return False
    return any(each.by in ("table", "host") and each.remedy in PLAY_CHANGING_REMEDIES for each in dispute.verdicts)
