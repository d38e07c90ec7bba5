"""Routes for the board of a match, for each kind of viewer."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.http import context
from api.http.access.authorization import ANY_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import deadline_to_dict, json_response
from api.resources.boards.schemas import BoardViewSchema
from api.resources.entries.schemas import ViewQuery
from api.resources.matches.routes import MATCH_PATH
from referee.match.clocks import find_deadline
from referee.match.loaded import LoadedMatch
from referee.queries import boards, views

blueprint = EndpointBlueprint("boards")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/board",
        "getBoard",
        ANY_VIEWER,
        query=ViewQuery,
        etag=True,
        response=(200, BoardViewSchema),
        problems=["unknown-version"],
    )
)
def get_board(query: dict[str, Any], match: str) -> Response:
    """Return the table as it is drawn for the viewer, at a version.

    It holds what the viewer sees and nothing that has to be computed: names of cards, numbers and what is going on. The
    design of each card, with its text, is in the list of the game's cards. `seats` are the people there now, even if
    the version is an older one; the ETag changes with them.
    """
    service, loaded, viewer = context.get_match_service(), context.get_loaded_match(match), query["viewer"]
    shown = views.load_visible_version(service, loaded, viewer, query.get("version"))
    found, mark = board_view_to_dict(shown, viewer), boards.mark_people(loaded, viewer)
    return json_response(found, version=found["version"], ticking=found["deadline"] is not None, mark=mark)


def board_view_to_dict(loaded: LoadedMatch, viewer: int) -> dict[str, Any]:
    """Return a match as it is drawn for a viewer, with the open question's deadline."""
    return {**boards.board_response(loaded, viewer), "deadline": deadline_to_dict(find_deadline(loaded))}
