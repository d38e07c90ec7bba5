"""A first check that the alternative which a claim names can ever have been.

TABLE-DISPUTE-6: What is said to be right instead must be possible as everybody can tell: no die shows more than it has
sides, no card is named that the box does not hold, no count is below 0. The court judges what turns on hidden cards.

Only the public view is used, so a refusal reveals nothing. The check runs before anything is written. An entry in the
log passed the check of its time.
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
    """Raise IllegalMove if what a command says to be right can never have been.

    The command is a dispute, an attestation or a witness's answer. The error is court.correction_impossible
    (TABLE-DISPUTE-6), with the field as `pointer`.
    """
    claimed = _extract_claim(evidence, command)
    if claimed is None:
        return
    about, claim, claimed_values = claimed
    if claim == "wrong_count":
        for pointer, value in claimed_values.items():
            if any(count < 0 for count in _collect_whole_numbers(value)):
                below = TABLE_BOOK.render_texts("court.below_nothing")
                raise IllegalMove(IMPOSSIBLE, "TABLE-DISPUTE-6", pointer=pointer, detail=below)
    entry = evidence.find_entry(about)
    if claim != "misreported" or entry is None or not is_game_entry(entry):
        return
    said = command.move if isinstance(command, WitnessReport) else None
    if said is not None and type(auto_ruling.parse_game_move(said)) is not type(entry.move):
        detail = TABLE_BOOK.render_texts("court.other_kind", about=about)
        raise IllegalMove(IMPOSSIBLE, "TABLE-DISPUTE-6", pointer="/move", detail=detail)
    before = evidence.replay_to(about - 1)
    if not auto_ruling.is_reported(before, entry):
        return
    for pointer, value in claimed_values.items():
        for move in _parse_claimed_moves(value, entry):
            ruling = _find_public_refusal(before, entry, move)
            if ruling is not None:
                detail = texts.render_text(before.rules, ruling.reason, **ruling.params)
                raise IllegalMove(IMPOSSIBLE, "TABLE-DISPUTE-6", *ruling.clauses, pointer=pointer, detail=detail)


def _extract_claim(evidence: Evidence, command: Move) -> tuple[int, str, dict[str, Any]] | None:
    """Return the disputed entry, the claim, and what is said to be right, by pointer.

    Return None if the command says nothing of the kind.
    """
    if isinstance(command, OpenDispute):
        return command.about, command.claim, {"/move": command.move, "/saw": command.saw}
    if isinstance(command, WitnessReport) and not command.holds:
        return command.report, "misreported", {"/move": command.move, "/saw": command.saw}
    if isinstance(command, Attest) and command.holds:
        dispute = next((each for each in evidence.match.disputes if each.number == command.dispute), None)
        return None if dispute is None else (dispute.about, dispute.claim, {"/saw": command.saw})
    return None


def _parse_claimed_moves(value: Any, entry: LogEntry) -> Iterator[Move]:
    """Yield the reports that a claimed value stands for, where it can be read.

    Pips may be named without their dice.
    """
    assert entry.move is not None
    if isinstance(value, dict) and "type" in value:
        try:
            yield auto_ruling.parse_game_move(value)
        except MalformedInput:
            return  # `saw` may have any form; the form of `move` was checked when the request came in
    elif isinstance(entry.move, RollResult) and isinstance(value, int | list):
        for pips in _collect_whole_numbers(value):
            yield replace(entry.move, values=(pips,) * len(entry.move.values))


def _collect_whole_numbers(value: Any) -> list[int]:
    """Return the whole numbers in a claimed value, or in its direct parts."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return [part for part in parts if type(part) is int]


def _find_public_refusal(before: Match, entry: LogEntry, move: Move) -> Ruling | None:
    """Return why a report can never have read so, by the public view; None if it may.

    Return None too if everybody sees too little of what was reported to judge it.
    """
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
