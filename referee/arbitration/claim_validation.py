"""Whether what is said to be right instead can ever have been: a die does not show 7, a count is not below 0.

Only what everybody sees of the table is looked at, so a refusal tells nothing. What turns on a hidden card is accepted,
and judged by the court. It is asked before anything is written; what was written once, a court of then has accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.arbitration import auto_ruling
from referee.arbitration.replay.divergence import is_play
from referee.engine.chance import Rolled
from referee.engine.events import Move
from referee.engine.game import Malformed
from referee.engine.referee import judge, view
from referee.engine.rulings import Refused, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import Match
from referee.match.entries import Logged
from referee.match.events.dispute_commands import Attest, OpenDispute
from referee.match.events.report_events import Witness
from referee.match.evidence import Evidence
from referee.match.rulebook import TABLE
from referee.rendering import texts

IMPOSSIBLE = "court.correction_impossible"


def possible(evidence: Evidence, ask: Move) -> None:
    """Raises Refused (court.correction_impossible, with the field as `pointer`) where what a dispute, an attestation or
    a witness says to be right can never have been, as everybody can tell (TABLE-DISPUTE-6)."""
    claimed = _claimed(evidence, ask)
    if claimed is None:
        return
    about, claim, said = claimed
    if claim == "wrong_count":
        for pointer, value in said.items():
            if any(count < 0 for count in _numbers(value)):
                below = TABLE.texts("court.below_nothing")
                raise Refused(IMPOSSIBLE, "TABLE-DISPUTE-6", pointer=pointer, detail=below)
    entry = evidence.entry(about)
    if claim != "misreported" or entry is None or not is_play(entry):
        return
    before = evidence.at(about - 1)
    if not auto_ruling.reported(before, entry):
        return
    for pointer, value in said.items():
        for move in _moves(value, entry):
            ruling = _against(before, entry, move)
            if ruling is not None:
                detail = texts.texts(before.rules, ruling.reason, **ruling.params)
                raise Refused(IMPOSSIBLE, "TABLE-DISPUTE-6", *ruling.clauses, pointer=pointer, detail=detail)


def _claimed(evidence: Evidence, ask: Move) -> tuple[int, str, dict[str, Any]] | None:
    """Which entry is said to be wrong, the claim, and what is said to be right by the place where it is said; None if
    nothing is."""
    if isinstance(ask, OpenDispute):
        return ask.about, ask.claim, {"/move": ask.move, "/saw": ask.saw}
    if isinstance(ask, Witness) and not ask.holds:
        return ask.report, "misreported", {"/move": ask.move, "/saw": ask.saw}
    if isinstance(ask, Attest) and ask.holds:
        dispute = next((each for each in evidence.match.disputes if each.number == ask.dispute), None)
        return None if dispute is None else (dispute.about, dispute.claim, {"/saw": ask.saw})
    return None


def _moves(value: Any, entry: Logged) -> Iterator[Move]:
    """The reports that these words stand for, as far as they can be read; pips may be told without their dice."""
    assert entry.move is not None
    if isinstance(value, dict) and "type" in value:
        try:
            yield auto_ruling.named_move(value)
        except Malformed:
            return  # what was seen may be said in any words; of a move the door knows the form
    elif isinstance(entry.move, Rolled) and isinstance(value, int | list):
        for pips in _numbers(value):
            yield replace(entry.move, values=(pips,) * len(entry.move.values))


def _numbers(value: Any) -> list[int]:
    """The whole numbers in what somebody saw: itself, those of a list, or those that are named."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return [part for part in parts if type(part) is int]


def _against(before: Match, entry: Logged, move: Move) -> Ruling | None:
    """Why a report can never have read so, from what everybody sees; None if it may, or if of what was reported
    everybody sees too little to judge it."""
    if before.state is None:
        return None
    seen, seat = view(before.state, BYSTANDER), Seat(entry.seat)
    was = entry.move and entry.move.seen_by(BYSTANDER, entry.seat)
    if was is None or judge(seen, seat, was).verdict == "refused":
        return None
    if seat == CHANCE and type(move) is not type(was):
        return None  # the court says what is no answer to the question
    ruling = judge(seen, seat, move)
    return ruling if ruling.verdict == "refused" else None
