"""Whether what is said to be right instead can ever have been: a die does not show 7, a count is not below 0.

Only what everybody sees of the table is looked at, so a refusal tells nothing. What turns on a hidden card is accepted,
and judged by the court. It is asked before anything is written; what was written once, a court of then has accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.arbitration import auto_ruling
from referee.arbitration.replay.divergence import is_game_entry
from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.referee import build_view, judge_move
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.events.dispute_commands import Attest, OpenDispute
from referee.match.events.report_events import WitnessReport
from referee.match.evidence import Evidence
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts

IMPOSSIBLE = "court.correction_impossible"


def check_claim_possible(evidence: Evidence, command: Move) -> None:
    """Raises IllegalMove (court.correction_impossible, with the field as `pointer`) where what a dispute, an
    attestation or a witness says to be right can never have been, as everybody can tell (TABLE-DISPUTE-6)."""
    claimed = _extract_claim(evidence, command)
    if claimed is None:
        return
    about, claim, said = claimed
    if claim == "wrong_count":
        for pointer, value in said.items():
            if any(count < 0 for count in _collect_whole_numbers(value)):
                below = TABLE_BOOK.render_texts("court.below_nothing")
                raise IllegalMove(IMPOSSIBLE, "TABLE-DISPUTE-6", pointer=pointer, detail=below)
    entry = evidence.find_entry(about)
    if claim != "misreported" or entry is None or not is_game_entry(entry):
        return
    before = evidence.replay_to(about - 1)
    if not auto_ruling.is_reported(before, entry):
        return
    for pointer, value in said.items():
        for move in _parse_claimed_moves(value, entry):
            ruling = _find_public_refusal(before, entry, move)
            if ruling is not None:
                detail = texts.render_text(before.rules, ruling.reason, **ruling.params)
                raise IllegalMove(IMPOSSIBLE, "TABLE-DISPUTE-6", *ruling.clauses, pointer=pointer, detail=detail)


def _extract_claim(evidence: Evidence, command: Move) -> tuple[int, str, dict[str, Any]] | None:
    """Which entry is said to be wrong, the claim, and what is said to be right by the place where it is said; None if
    nothing is."""
    if isinstance(command, OpenDispute):
        return command.about, command.claim, {"/move": command.move, "/saw": command.saw}
    if isinstance(command, WitnessReport) and not command.holds:
        return command.report, "misreported", {"/move": command.move, "/saw": command.saw}
    if isinstance(command, Attest) and command.holds:
        dispute = next((each for each in evidence.match.disputes if each.number == command.dispute), None)
        return None if dispute is None else (dispute.about, dispute.claim, {"/saw": command.saw})
    return None


def _parse_claimed_moves(value: Any, entry: LogEntry) -> Iterator[Move]:
    """The reports that these words stand for, as far as they can be read; pips may be told without their dice."""
    assert entry.move is not None
    if isinstance(value, dict) and "type" in value:
        try:
            yield auto_ruling.parse_game_move(value)
        except MalformedInput:
            return  # what was seen may be said in any words; of a move the door knows the form
    elif isinstance(entry.move, RollResult) and isinstance(value, int | list):
        for pips in _collect_whole_numbers(value):
            yield replace(entry.move, values=(pips,) * len(entry.move.values))


def _collect_whole_numbers(value: Any) -> list[int]:
    """The whole numbers in what somebody saw: itself, those of a list, or those that are named."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return [part for part in parts if type(part) is int]


def _find_public_refusal(before: Match, entry: LogEntry, move: Move) -> Ruling | None:
    """Why a report can never have read so, from what everybody sees; None if it may, or if of what was reported
    everybody sees too little to judge it."""
    if before.state is None:
        return None
    seen, seat = build_view(before.state, BYSTANDER), Seat(entry.seat)
    was = entry.move and entry.move.view_for(BYSTANDER, entry.seat)
    if was is None or judge_move(seen, seat, was).verdict == "refused":
        return None
    if seat == CHANCE and type(move) is not type(was):
        return None  # the court says what is no answer to the question
    ruling = judge_move(seen, seat, move)
    return ruling if ruling.verdict == "refused" else None
