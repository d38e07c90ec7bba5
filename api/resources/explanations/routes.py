"""Routes that explain an entry, or the state at a version, to a viewer."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.http import context
from api.http.access.authorization import ANY_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import format_entry_time, json_response
from api.http.schemas.viewers import ViewerQuery
from api.resources.entries.schemas import ViewQuery
from api.resources.explanations import schemas as shapes
from api.resources.matches.routes import MATCH_PATH
from referee.queries import explanations

blueprint = EndpointBlueprint("explanations", tag="entries")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/entries/<int(min=1, max=2147483647):entry>/explanation",
        "getEntryExplanation",
        ANY_VIEWER,
        query=ViewerQuery,
        etag=True,
        response=(200, shapes.ExplanationSchema),
        problems=["unknown-version"],
    )
)
def explain_entry(query: dict[str, Any], match: str, entry: int) -> Response:
    """Explain why an entry is as it is.

    The answer names the question that was open and the seats asked, the clauses in the order of their use, each number
    with the card and clause it comes from, what else was legal, and what to read aloud. It is computed only from
    what the viewer saw.
    """
    service, loaded = context.get_match_service(), context.get_loaded_match(match)
    told = explanations.explain_entry(service, loaded, query["viewer"], entry)
    return json_response(format_entry_time(told), version=entry)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/explanation",
        "getExplanation",
        ANY_VIEWER,
        query=ViewQuery,
        etag=True,
        response=(200, shapes.MomentSchema),
        problems=["unknown-version"],
    )
)
def explain_moment(query: dict[str, Any], match: str) -> Response:
    """Explain the state of play at a version.

    The answer names what is asked of whom, the sums on the table line by line, and the kinds of move open to each seat
    that may move now. For the viewer's own seat these are the legal kinds. For other seats they are the kinds that
    would be possible with any hand.
    """
    found = explanations.explain_moment(
        context.get_match_service(), context.get_loaded_match(match), query["viewer"], query.get("version")
    )
    return json_response(found, version=found["version"])
