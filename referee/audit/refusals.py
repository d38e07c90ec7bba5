"""Refusals that a server signed, and whether the rules forbade the move."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.audit.bundles.format import Bundle
from referee.audit.checks import merkle, provenance
from referee.audit.checks.commitments import opens_seat
from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.audit.checks.rules import UnjudgeableError, decode_line, run_guarded
from referee.audit.comparison import Comparison
from referee.engine.codec import decode_named, encode, encode_canonical
from referee.engine.events import Move
from referee.engine.referee import build_view, judge_move
from referee.engine.rulings import Ruling
from referee.engine.seats import Seat
from referee.match.aggregate import Match
from referee.match.entries import effective_entries, replay_entries
from referee.transparency.device_signatures import compute_move_digest
from referee.transparency.receipts import InvalidNoteError
from referee.transparency.refusals import Refusal, parse_refusal, verify_refusal

MEMBERS = {"note", "nonce", "move"}


class RefusalFileError(ValueError):
    """A file holds no refusals, or something else besides."""


@dataclass(frozen=True, slots=True)
class KeptRefusal:
    """A refusal as a player kept it: the note, and what opens its digest."""

    source: str
    note: str
    nonce: str
    move: Any

    @property
    def match(self) -> str:
        """The match that the note names; empty if it is no refusal."""
        return self._place[0]

    @property
    def seat(self) -> int:
        """The seat that the note names; -1 if it is no refusal."""
        return self._place[1]

    @property
    def _place(self) -> tuple[str, int]:
        try:
            refusal = parse_refusal(self.note)
        except InvalidNoteError:
            return "", -1
        return refusal.match, refusal.seat


def parse_refusals(source: str, text: str) -> list[KeptRefusal]:
    """Return the refusals of a file.

    On each line it has a JSON object with `note`, `nonce` and `move`.
    Raises RefusalFileError.
    """
    found = []
    for number, line in enumerate(text.split("\n"), 1):  # JSON may hold other line breaks
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.keys() != MEMBERS or not isinstance(data["note"], str):
            raise RefusalFileError(f"line {number} is no refusal with note, nonce and move")
        found.append(KeptRefusal(source, data["note"], str(data["nonce"]), data["move"]))
    if not found:
        raise RefusalFileError("there is no refusal in it")
    return found


def check_refusals(
    kept: Iterable[KeptRefusal], bundles: Sequence[Bundle], trusted: Sequence[bytes], found: Comparison
) -> None:
    """Add for each refusal whether the rules forbade the move.

    That is said as far as a file of its match shows it.
    """
    for each in kept:
        if not each.match:
            found.findings.append(_find_unsigned(each, "this is no refusal"))
            continue
        of_match = (bundle for bundle in bundles if bundle.header.match == each.match)
        bundle = max(
            of_match, key=lambda bundle: (opens_seat(bundle.header.eyes, each.seat), len(bundle.entries)), default=None
        )
        if bundle is None:
            found.notes.append(AuditNotice("refusal.no_file", {"file": each.source[:100]}).render_texts())
            continue
        told = _check_refusal(each, bundle, trusted)
        if isinstance(told, AuditFinding):
            found.findings.append(told)
        else:
            found.notes.append(told.render_texts())


def _check_refusal(kept: KeptRefusal, bundle: Bundle, trusted: Sequence[bytes]) -> AuditFinding | AuditNotice:
    tree = merkle.build_tree(bundle)
    keys = provenance.find_signers(bundle, tree.envelopes, trusted).by_server
    try:
        refusal = verify_refusal(kept.note, keys.get(parse_refusal(kept.note).store, ()))
    except InvalidNoteError as wrong:
        return _find_unsigned(kept, str(wrong))
    clauses = ", ".join(refusal.clauses)[:200]
    params = {"version": refusal.version, "player": refusal.seat + 1, "clauses": clauses}
    if not tree.whole or refusal.version > len(tree.roots):
        return AuditNotice("refusal.beyond", params)
    if tree.roots[refusal.version - 1].hex() != refusal.root:
        return AuditFinding(FindingKind.FORK, "refusal.other_history", refusal.version, params)
    if refusal.digest not in _compute_digests(kept):
        return _find_unsigned(kept, "its move is another than the one refused")
    try:
        ruling = run_guarded(lambda: _judge(kept, bundle, refusal))
    except UnjudgeableError:
        ruling = None
    if ruling is None or ruling.verdict == "undecided":
        return AuditNotice("refusal.hidden", params)
    if ruling.granted:
        return AuditFinding(FindingKind.RULES, "refusal.wrong", refusal.version, params)
    return AuditNotice("refusal.right", {**params, "ruled": ", ".join(ruling.clauses)[:200]})


def _find_unsigned(kept: KeptRefusal, detail: str) -> AuditFinding:
    params = {"file": kept.source[:100], "detail": detail}
    return AuditFinding(FindingKind.SIGNATURE, "refusal.unsigned", None, params)


def _compute_digests(kept: KeptRefusal) -> set[str]:
    """Return the digests that the kept move opens.

    The server reads it with the members that were left out.
    """
    try:
        whole = run_guarded(lambda: encode(decode_named(kept.move, Move)))
    except UnjudgeableError:
        whole = kept.move
    try:
        return {compute_move_digest(kept.nonce, encode_canonical(move)) for move in (kept.move, whole)}
    except (ValueError, TypeError):
        return set()


def _judge(kept: KeptRefusal, bundle: Bundle, refusal: Refusal) -> Ruling | None:
    """Return the ruling on the move upon that version.

    None if play was not on, or the file does not show the player's hand: without it a view allows too much.
    """
    if not opens_seat(bundle.header.eyes, refusal.seat):
        return None
    entries = [decode_line(line) for line in bundle.entries[: refusal.version]]
    match = replay_entries(Match(), effective_entries(entries))
    if match.state is None or match.status != "running":
        return None
    seat = Seat(refusal.seat)
    return judge_move(build_view(match.state, seat), seat, decode_named(kept.move, Move))
