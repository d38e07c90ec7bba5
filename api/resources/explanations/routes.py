"""Explanations: why an entry of the log is as it is, and how things stand, for each of three pairs of eyes."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.http import context
from api.http.access.authorization import FULL_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import format_entry_time, json_response
from api.resources.entries.routes import VIEWER_ROUTES, resolve_viewer
from api.resources.entries.schemas import ViewQuery
from api.resources.explanations import schemas as shapes
from referee.queries import explanations

blueprint = EndpointBlueprint("explanations", "Why what happened is right.")


def explain_entry(match: str, n: int, seat: int | None = None) -> Response:
    """Why an entry is as it is: the question that was open and who was asked, the clauses in the order of their use,
    each number with the card and the clause it comes from, what else was legal, and a sentence to read aloud.

    It is worked out from what these eyes saw, and from nothing else.
    """
    return json_response(
        format_entry_time(
            explanations.explain_entry(
                context.get_match_service(), context.get_loaded_match(match), resolve_viewer(seat), n
            )
        ),
        version=n,
    )


def explain_moment(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """How things stand at a version: what is asked of whom, the sums on the table line by line, and the kinds of move
    that each seat could make which is heard.

    A seat is told its own legal kinds. Of others, as of all for onlookers, it is told what may be, hand cards being
    whatever they like.
    """
    found = explanations.explain_moment(
        context.get_match_service(), context.get_loaded_match(match), resolve_viewer(seat), query.get("version")
    )
    return json_response(found, version=found["version"])


for each in VIEWER_ROUTES:
    wrong = ["still-running"] if each.permission is FULL_VIEWER else []
    blueprint.declare(
        Endpoint(
            "GET",
            f"{each.path}/entries/<int(min=1, max=2147483647):n>/explain",
            f"explain{each.name}Entry",
            each.permission,
            etag=True,
            response=(200, shapes.ExplanationSchema),
            problems=[*wrong, "unknown-version"],
        )
    )(explain_entry)
    blueprint.declare(
        Endpoint(
            "GET",
            f"{each.path}/explain",
            f"explain{each.name}Moment",
            each.permission,
            query=ViewQuery,
            etag=True,
            response=(200, shapes.MomentSchema),
            problems=[*wrong, "unknown-version"],
        )
    )(explain_moment)
