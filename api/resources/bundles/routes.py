"""Bundles: a match as one file that anyone can check, for each viewer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from flask import Response, current_app

from api.http import context
from api.http.access.authorization import ANY_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import NDJSON
from api.http.schemas.viewers import ViewerQuery
from api.resources.matches.routes import MATCH_PATH
from referee.audit.bundles.export import PUBLIC, WHOLE, BundleMetadata, build_bundle_lines
from referee.audit.bundles.format import encode_bundle
from referee.engine.seats import BYSTANDER
from referee.engine.seats import FULL_VIEWER as EVERYTHING

LINES_PER_PIECE = 64  # lines that are sent at a time
blueprint = EndpointBlueprint("bundles")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/bundle",
        "getBundle",
        ANY_VIEWER,
        query=ViewerQuery,
        response=(200, {"type": "string"}),
        media=(NDJSON,),
        file=True,
    )
)
def get_bundle(query: dict[str, Any], match: str) -> Response:
    """Return the match as one file (NDJSON) that anyone can check.

    It holds keys, card book, entries with their roots, the hidden parts that the viewer may open, and a signed
    checkpoint. Once the match is over, the full viewer also gets the secrets behind all draws. `referee verify` checks
    the file without a server. Onlookers get it with the same delay as the log itself.
    """
    viewer = query["viewer"]
    named = {int(BYSTANDER): PUBLIC, int(EVERYTHING): WHOLE}.get(viewer, str(viewer))
    found: BundleMetadata = current_app.config["BUNDLE_METADATA"]()
    pieces = _batch_lines(
        encode_bundle(build_bundle_lines(context.get_match_service(), context.get_loaded_match(match), named, found))
    )
    first = next(pieces)  # before the answer begins: if the archive cannot be read, the answer is a problem
    response = Response(chain((first,), pieces), mimetype=NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="{match}-{named}.bundle"'
    return response


def _batch_lines(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield several lines at a time, because each piece sent has a cost of its own."""
    piece: list[bytes] = []
    for line in lines:
        piece.append(line)
        if len(piece) >= LINES_PER_PIECE:
            yield b"".join(piece)
            piece = []
    yield b"".join(piece)
