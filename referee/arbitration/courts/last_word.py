"""The last word in a dispute: rulings of officials, and how they are undone."""

from __future__ import annotations

from referee.arbitration import auto_ruling, offices
from referee.arbitration.courts.levels import Events, require_dispute
from referee.arbitration.remedies import house_rulings, ladder
from referee.arbitration.remedies.reinstatement import find_remedy_entry, find_restoration
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.events.dispute_commands import IssueRuling
from referee.match.events.dispute_events import RulingIssued
from referee.match.events.dispute_state import UNANIMOUS_REMEDIES, Dispute, Precedent
from referee.match.evidence import Evidence

MAX_LAST_WORDS = 6  # rulings of officials on one dispute, undone ones counted


def is_remediable(match: Match, dispute: Dispute) -> bool:
    """Tell whether a dispute can still have a remedy: not if another voided the match."""
    return match.status != "void" or any(each.remedy == "void" for each in dispute.verdicts)


def is_last_word_spoken(match: Match, dispute: Dispute) -> bool:
    """Tell whether no official can rule on a dispute any more.

    TABLE-RULING-6: An official's ruling can be undone, and then be replaced by another.
    """
    words = sum(each.court == "arbiter" for each in dispute.verdicts)
    return dispute.stage in ("withdrawn", "moot") or words >= (MAX_LAST_WORDS if match.courts.needs_consent else 1)


def _require_undoable(evidence: Evidence, dispute: Dispute, command: IssueRuling) -> None:
    """Raise IllegalMove if an official has ruled already and this one may not undo it.

    TABLE-RULING-6: Who ruled may undo it within a set time, and another official later; what was carried out has to be
    undone before anything else is ordered.
    """
    last = _find_last_word(evidence, dispute)
    if last is None:
        return
    ruled, entry = last
    official = entry.move.official if isinstance(entry.move, IssueRuling) else None
    own = (ruled.by, official) == (command.by, command.official)
    if own and evidence.now_ms > entry.at_ms + (evidence.match.courts.undo_ms or 0):
        raise IllegalMove("court.undo_too_late", "TABLE-RULING-6")
    if ruled.remedy == command.remedy == "restore":  # to undo the undoing would order again what was undone
        raise IllegalMove("court.not_offered", "TABLE-RULING-6", remedy=command.remedy)
    remedied = None if ruled.remedy in ("leave", "restore") else find_remedy_entry(evidence, dispute.number)
    still_counts = remedied is not None and find_restoration(evidence, remedied) is not None
    if still_counts and command.remedy != "restore":
        raise IllegalMove("court.undo_first", "TABLE-RULING-6")


def _find_last_word(evidence: Evidence, dispute: Dispute) -> tuple[RulingIssued, LogEntry] | None:
    """Return the last ruling of an official on a dispute, and its entry."""
    if not any(each.court == "arbiter" for each in dispute.verdicts):
        return None
    return next(
        (event, entry) for entry in reversed(evidence.entries) for event in reversed(entry.events)
        if isinstance(event, RulingIssued) and (event.dispute, event.court) == (dispute.number, "arbiter")
    )  # fmt: skip


def require_not_voided(match: Match, dispute: Dispute) -> None:
    """Raise IllegalMove if the match was voided for another dispute."""
    if not is_remediable(match, dispute):
        raise IllegalMove("match_over", "TABLE-REMEDY-4")


def handle_ruling(evidence: Evidence, command: IssueRuling) -> Events:
    """Return the ruling of host or arbiter and its remedy.

    TABLE-RULING-4: The host or an arbiter may have the last word, with a reason and the clauses. The ruling is marked
    as theirs and cites what it departs from.
    """
    match, dispute = evidence.match, require_dispute(evidence.match, command.dispute)
    require_not_voided(match, dispute)
    if is_last_word_spoken(match, dispute):
        raise IllegalMove("court.closed", "TABLE-RULING-4", dispute=command.dispute)
    offices.require_ruler(match, dispute, command.by, command.seats, command.official)
    _require_undoable(evidence, dispute, command)
    if command.remedy == "void" and match.courts.needs_consent and not command.confirmed:
        raise IllegalMove("court.void_unconfirmed", "TABLE-REMEDY-6")
    if command.remedy in UNANIMOUS_REMEDIES and not _may_order_without_consent(match, command):
        raise IllegalMove("court.needs_consent", "TABLE-CENSUS-2", remedy=command.remedy)
    verdict = "does_not_stand" if command.upheld else "stands"
    before = _find_last_ruling(evidence, dispute)
    departs, departing = before.cites, before.knowing
    if before.verdict in (verdict, "undecided"):
        departs, departing = (), None
    keep = _build_precedent(evidence, dispute, command, verdict) if command.keep else None
    # Some games give the last word to a person by a clause of their own.
    of_the_game = (match.rules.last_word_clause,) if match.rules.last_word_clause else ()
    cites = tuple(dict.fromkeys((*command.cites, *of_the_game)))
    ruling = RulingIssued(
        dispute.number, "arbiter", command.by, verdict, command.remedy, f"court.{command.by}_ruled", {}, cites,
        command.reason, departs, keep, departing=departing,
    )  # fmt: skip
    remedied = ladder.carry_out_remedy(evidence, dispute, command.remedy, command.fix, arbiter=True)
    return (ruling, *remedied, *house_rulings.adopt_readings(keep))


def _may_order_without_consent(match: Match, command: IssueRuling) -> bool:
    """Tell whether this ruling may order what else needs the votes of all.

    An official whom all have accepted may, or an arbiter without a seat, and whom the game itself gives the last word.
    """
    trusted = match.courts.needs_consent or (command.by == "arbiter" and not command.seats)
    return trusted or bool(match.rules.last_word_clause)


def _build_precedent(evidence: Evidence, dispute: Dispute, command: IssueRuling, verdict: str) -> Precedent:
    match = evidence.match
    question, move = build_precedent_key(evidence, dispute)
    kept = Precedent(
        match.id,
        dispute.number,
        match.game,
        dispute.claim,
        question,
        move,
        verdict,
        command.cites,
        command.reason,
        command.by,
    )
    return house_rulings.bind_precedent(evidence, dispute, command, kept)


def _find_last_ruling(evidence: Evidence, dispute: Dispute) -> RulingIssued:
    """Return the last ruling on a dispute; the entry that opened it holds the first."""
    return next(
        event for entry in reversed(evidence.entries) for event in reversed(entry.events)
        if isinstance(event, RulingIssued) and event.dispute == dispute.number
    )  # fmt: skip


def build_precedent_key(evidence: Evidence, dispute: Dispute) -> tuple[str, str]:
    """Return what makes two disputes alike: the open question and the move's type.

    The type is empty for a refused move, and for a move that not everybody has seen.
    """
    question, move = auto_ruling.find_question_and_move(evidence, dispute)
    entry = None if dispute.claim == "wrong_refusal" else evidence.find_entry(dispute.about)
    shown = entry is not None and entry.view_for(BYSTANDER)[0] is not None
    return question, move if shown else ""
