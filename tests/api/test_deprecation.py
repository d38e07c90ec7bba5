"""A deprecated operation says so in each of its answers and in the contract, for a year at least."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from flask import Flask, Response

from api.http.access import cors
from api.http.encoding.deprecation import HEADERS, Deprecation
from api.http.endpoint import Endpoint, EndpointBlueprint, find_endpoint
from api.http.problems import Problem
from api.http.responses import json_response
from api.lane import lane
from api.lane.calls import LaneCall
from api.lane.lane import HotLane
from tests.api import house
from tests.api.house import Person

OLD = Deprecation(date(2027, 1, 1), date(2028, 7, 1), "/v1/games")
SAYS = {
    "Deprecation": "@1798761600",  # seconds from 1970 to 2027
    "Sunset": "Sat, 01 Jul 2028 00:00:00 GMT",
}
LINKS = ['</docs>; rel="deprecation"; type="text/html"', '</v1/games>; rel="successor-version"']


def make_app() -> Flask:
    """An app with an operation that is deprecated, and one that only fails."""
    app, blueprint = house.app(), EndpointBlueprint("made_up", "Made up.")

    @blueprint.declare(Endpoint("GET", "/v1/old-games", "listOldGames", deprecation=OLD))
    def list_old_games() -> Response:
        """List the games as they were."""
        return json_response({"items": []})

    @blueprint.declare(Endpoint("GET", "/v1/old-game", "getOldGame", deprecation=OLD))
    def get_old_game() -> Response:
        """Return a game as it was."""
        raise Problem("unknown-game")

    app.register_blueprint(blueprint)
    return app


@pytest.mark.parametrize(("path", "status"), [("/v1/old-games", 200), ("/v1/old-game", 404)])
def test_each_answer_says_since_when_and_until_when(path: str, status: int) -> None:
    answer: Any = Person(make_app().test_client()).get(path)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in SAYS} == SAYS
    assert answer.headers.getlist("Link") == LINKS


def test_no_other_answer_says_so() -> None:
    answer: Any = Person(make_app().test_client()).get("/v1/games")
    assert not set(answer.headers.keys()) & {*SAYS, "Link"}


def test_the_contract_says_so() -> None:
    doc: dict[str, Any] = {"description": "As they were.", "responses": {"200": {"description": "OK"}}}
    find_endpoint(make_app(), "made_up.listOldGames").describe(doc, "get")
    assert doc["deprecated"] is True
    assert doc["description"] == (
        "As they were.\n\nDeprecated since 2027-01-01; may be gone from 2028-07-01 on. Use `/v1/games` instead."
    )
    assert doc["responses"]["200"]["headers"].keys() == HEADERS.keys() == {*SAYS, "Link"}
    assert HEADERS.keys() <= set(cors.EXPOSED_HEADERS)


def test_a_template_of_an_address_is_no_link() -> None:
    marked = Deprecation(OLD.since, OLD.until, "/v1/games/{game}").mark_response(Response())
    assert marked.headers.getlist("Link") == LINKS[:1]


def test_a_shorter_notice_than_the_policy_promises_is_refused() -> None:
    with pytest.raises(ValueError, match="365 days"):
        Deprecation(date(2027, 1, 1), date(2027, 12, 31))


def test_the_lane_leaves_a_deprecated_call_to_flask(monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.opened(house.app(), "monster_combat")
    path, asked = f"{table.path}/seats/0/moves", list[str]()
    usual = HotLane._answer

    def note_answer(lane: HotLane, request: Any, call: LaneCall, known: dict[str, Any]) -> Any:
        asked.append(call.endpoint)
        return usual(lane, request, call, known)

    monkeypatch.setattr(HotLane, "_answer", note_answer)
    assert table.seats[0].get(path).status_code == 200
    assert len(asked) == 1, "the lane answers it"
    monkeypatch.setattr(lane, "find_endpoint", lambda app, name: replace(find_endpoint(app, name), deprecation=OLD))
    fresh = house.app(table.seats[0].client.application.config["SERVICE"])
    assert Person(fresh.test_client(), table.seats[0].token).get(path).status_code == 200
    assert len(asked) == 1, "Flask does"
