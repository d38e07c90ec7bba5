"""Refusals as signed notes, for those who sign their moves."""

from __future__ import annotations

from flask import current_app

from referee.engine.codec import encode, encode_canonical
from referee.engine.rulings import Ruling
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.errors import MoveRejected
from referee.transparency.device_signatures import compute_move_digest
from referee.transparency.refusals import Refusal, sign_refusal


def write_refusal(error: MoveRejected, told: Ruling) -> dict[str, str]:
    """Return the signed refusal of a move that its device signed, else nothing.

    With it a wrong refusal can be proved. It is signed only for the seat itself, which knows the move.
    """
    if not error.nonce:
        return {}
    publisher: RootPublisher = current_app.config["PUBLISHER"]
    (entry,) = current_app.config["SERVICE"].log.read_entries(error.match.id, error.version - 1, 1)
    digest = compute_move_digest(error.nonce, encode_canonical(encode(error.move)))
    refusal = Refusal(
        publisher.store, error.match.id, int(error.seat), error.version, entry.root.hex(), digest, told.clauses
    )
    return {"refusal": sign_refusal(publisher.signer.sign_note, refusal)}
