"""What tournaments say in errors: pointers to the members of the request, and no words of matches."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.match.errors import VersionConflict
from referee.tournament.deciding.opening import MOST_PLACES, MOST_POINTS
from tests.api import house
from tests.api.evenings import REPORTED, Evening, opened, taken
from tests.api.house import Person, problem


@pytest.fixture
def app() -> Flask:
    return house.app()


def find_schema(app: Flask, name: str) -> dict[str, Any]:
    """Return a schema of the contract."""
    schema: dict[str, Any] = taken(app.test_client().get("/openapi.json"), 200)["components"]["schemas"][name]
    return schema


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seats": {"least": 3, "most": 2}}, "/seats/most"),
        ({"system": "swiss", "seats": {"least": 2, "most": 3}}, "/seats/most"),
        ({"points": {"win": MOST_POINTS + 1}}, "/points/win"),
        ({"points": {"by_place": [1, MOST_POINTS + 1]}}, "/points/by_place/1"),
        ({"points": {"by_place": [1] * (MOST_PLACES + 1)}}, "/points/by_place"),
        ({"settings": {"a/b~c": 1}}, "/settings/a~1b~0c"),
    ],
)
def test_an_error_points_at_the_member_of_the_request(app: Flask, body: dict[str, Any], pointer: str) -> None:
    for lang in ("en", "de"):
        answer = Person(app.test_client()).post("/v1/tournaments", {**REPORTED, **body}, Accept_Language=lang)
        assert [each["pointer"] for each in problem(answer, 422, "invalid-input")["errors"]] == [pointer]


def test_the_contract_has_the_limits_of_the_rules(app: Flask) -> None:
    members = find_schema(app, "PointsBody")["properties"]
    assert {members[name]["maximum"] for name in ("win", "draw", "loss", "bye", "forfeit")} == {MOST_POINTS}
    assert members["by_place"]["maxItems"] == MOST_PLACES
    most: dict[str, Any] = {"points": {"win": MOST_POINTS, "by_place": [MOST_POINTS] * MOST_PLACES}}
    taken(Person(app.test_client()).post("/v1/tournaments", {**REPORTED, **most}))


def test_names_of_cards_are_escaped_in_pointers(app: Flask) -> None:
    evening = opened(app, game="creature_crush", decks="deposited")
    evening.enter(1)
    answer = evening.players[0].put(f"{evening.path}/players/0/deck", {"cards": {"a/b~c": 1}})
    assert [each["pointer"] for each in problem(answer, 422, "invalid-input")["errors"]] == ["/cards/a~1b~0c"]


def test_a_conflict_of_versions_speaks_of_the_tournament(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = opened(app)
    evening.enter(2)
    told = [conflict(evening, lang, 412, "stale-tournament", If_Match='"v1"') for lang in ("en", "de")]

    def overtake(*_: object, **__: object) -> None:
        raise VersionConflict(3, 4, False)

    monkeypatch.setattr(evening.service, "execute", overtake)
    told += [conflict(evening, lang, 409, "tournament-overtaken") for lang in ("en", "de")]
    assert not [each for each in told if "match is" in each or "Partie" in each]
    assert all("tournament" in each or "Turnier" in each for each in told)


def conflict(evening: Evening, lang: str, status: int, slug: str, **headers: str) -> str:
    """Return what a refused start says."""
    body = {"command": {"type": "tournament.start"}}
    answer = evening.host.post(f"{evening.path}/commands", body, Accept_Language=lang, **headers)
    found = problem(answer, status, slug)
    assert found["current_version"]
    page = taken(evening.anyone.get(found["type"]), 200)
    assert "missed" not in page["cure"][lang]
    return str(found["detail"])


def test_a_table_of_one_size_is_said_with_one_number(app: Flask) -> None:
    evening = opened(app, system="manual")
    evening.enter(3)
    evening.give(evening.host, "start")
    refused = evening.give(evening.host, "pair", 409, tables=[[0, 1, 2]])
    assert "A table has 2 players" in refused["ruling"]["reason"]["en"]
    assert "sitzen 2 Leute" in refused["ruling"]["reason"]["de"]
    rounds = opened(app, system="groups", seats={"least": 3, "most": 3})
    rounds.enter(4)
    rounds.give(rounds.host, "start")
    refused = rounds.give(rounds.host, "pair", 409)
    assert "tables of 3." in refused["ruling"]["reason"]["en"]
    assert "Tische mit 3 Plätzen" in refused["ruling"]["reason"]["de"]
