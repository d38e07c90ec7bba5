"""Checkpoints and proofs of tournaments' logs, as those of matches.

Everybody who has the id may see the public part of each entry, so everybody gets proofs of all of them.
"""

from __future__ import annotations

from typing import Any

from flask import Response

from api.http.endpoint import Endpoint, EndpointBlueprint
from api.resources.proofs import schemas as shapes
from api.resources.proofs.routes import (
    CHECKPOINT_OPTIONS,
    consistency_response,
    inclusion_response,
    receipt_response,
    require_visible_version,
)
from api.resources.tournaments.access import TOURNAMENT_PATH, VISITOR, load_tournament

PROBLEMS = ("unknown-tournament", "unknown-version", "log-frozen")
blueprint = EndpointBlueprint("tournament-proofs", tag="proofs")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/checkpoint",
        "getTournamentCheckpoint",
        VISITOR,
        etag=True,
        problems=["unknown-tournament", "log-frozen"],
        **CHECKPOINT_OPTIONS,
    )
)
def get_tournament_checkpoint(tournament: str) -> Response:
    """Return the latest checkpoint of a tournament's log.

    It says how many entries there are and the root over them, and it is signed. As `text/plain`: the note alone.
    """
    return receipt_response(tournament, load_tournament(tournament).version)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/receipts/<int(min=1, max=2147483647):version>",
        "getTournamentReceipt",
        VISITOR,
        etag=True,
        problems=PROBLEMS,
        **CHECKPOINT_OPTIONS,
    )
)
def get_tournament_receipt(tournament: str, version: int) -> Response:
    """Return the receipt of a version of a tournament again.

    It is the receipt that the write of that version returned, signed by the present key.
    """
    return receipt_response(tournament, require_visible_version(version, load_tournament(tournament).version))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/proofs/inclusion",
        "getTournamentInclusion",
        VISITOR,
        query=shapes.InclusionQuery,
        response=(200, shapes.InclusionSchema),
        problems=PROBLEMS,
    )
)
def get_tournament_inclusion(query: dict[str, Any], tournament: str) -> Response:
    """Prove that an entry is in the log of a tournament.

    The proof holds the entry's public part as it was hashed and the path to the root. It needs no other entry.
    """
    return inclusion_response(tournament, query, load_tournament(tournament).version)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/proofs/consistency",
        "getTournamentConsistency",
        VISITOR,
        query=shapes.ConsistencyQuery,
        response=(200, shapes.ConsistencySchema),
        problems=PROBLEMS,
    )
)
def get_tournament_consistency(query: dict[str, Any], tournament: str) -> Response:
    """Prove that the log of a tournament only grew from one checkpoint to another.

    Nothing before was changed, removed or inserted.
    """
    return consistency_response(tournament, query, load_tournament(tournament).version)
