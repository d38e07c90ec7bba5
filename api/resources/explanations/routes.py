"""Routes that explain an entry, or the state at a version, to a viewer."""

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

blueprint = EndpointBlueprint("explanations", "Why an entry is as it is, and how play stands.")


def explain_entry(match: str, n: int, seat: int | None = None) -> Response:
    """Explain why an entry is as it is.

    The answer names the question that was open and the seats asked, the clauses in the order of their use, each number
    with the card and clause it comes from, what else was legal, and what to read aloud. It is computed only from
    what the viewer saw.
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
    """Explain the state of play at a version.

    The answer names what is asked of whom, the sums on the table line by line, and the kinds of move open to each seat
    that may move now. For the viewer's own seat these are the legal kinds. For other seats they are the kinds that
    would be possible with any hand.
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
