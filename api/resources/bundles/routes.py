"""Bundles: a match as one file that anyone can check, for each of three pairs of eyes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from flask import Response, current_app

from api.http import context
from api.http.access.authorization import FULL_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import NDJSON
from api.resources.entries.routes import VIEWER_ROUTES, resolve_viewer
from referee.audit.bundles.export import PUBLIC, WHOLE, BundleMetadata, build_bundle_lines
from referee.audit.bundles.format import encode_bundle
from referee.engine.seats import BYSTANDER
from referee.engine.seats import FULL_VIEWER as EVERYTHING

LINES_PER_PIECE = 64  # lines that are sent at a time
blueprint = EndpointBlueprint("bundles", "Matches as files that anyone can check, with no server.")


def get_bundle(match: str, seat: int | None = None) -> Response:
    """The match as one file (NDJSON): keys, card book, entries with the roots over them and whatever of what is hidden
    these eyes may open, a signed checkpoint; once the match is over, all that chance was made of, for those who may
    look at everything. `referee verify` checks it, and so can anybody else.

    Onlookers are told of it as late as of the log itself.
    """
    viewer = resolve_viewer(seat)
    named = {int(BYSTANDER): PUBLIC, int(EVERYTHING): WHOLE}.get(viewer, str(viewer))
    found: BundleMetadata = current_app.config["BESIDE"]()
    pieces = _batch_lines(
        encode_bundle(build_bundle_lines(context.get_match_service(), context.get_loaded_match(match), named, found))
    )
    first = next(pieces)  # before the answer begins: what cannot be read, as an archive that is gone, is a problem
    response = Response(chain((first,), pieces), mimetype=NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="{match}-{named}.bundle"'
    return response


def _batch_lines(told: Iterator[bytes]) -> Iterator[bytes]:
    """Some lines at a time: each piece that is sent costs something of its own."""
    piece: list[bytes] = []
    for line in told:
        piece.append(line)
        if len(piece) >= LINES_PER_PIECE:
            yield b"".join(piece)
            piece = []
    yield b"".join(piece)


for each in VIEWER_ROUTES:
    blueprint.declare(
        Endpoint(
            "GET",
            f"{each.path}/bundle",
            f"get{each.name}Bundle",
            each.permission,
            response=(200, {"type": "string"}),
            media=(NDJSON,),
            problems=["still-running"] if each.permission is FULL_VIEWER else [],
        )
    )(get_bundle)
