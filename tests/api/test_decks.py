"""Decks of players: kept once per key, theirs alone, and gone with the account."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from flask import Flask

from api.resources.decks.schemas import MOST_DECKS
from referee.games import load_games
from tests.api import house
from tests.api.decked import BODY, CARDS, Mine
from tests.api.house import Person, problem

GAME = load_games()["creature_crush"]


@pytest.fixture
def mine(app: Flask) -> Mine:
    return Mine(app, "Ada")


def test_a_deck_is_kept_and_read_and_listed(mine: Mine) -> None:
    made = mine.put()
    assert made.status_code == 200, made.text
    assert made.json == {
        "deck": "fast", "version": 1, "game": "creature_crush", "variant": "league", "edition": GAME.newest_edition,
        "name": BODY["name"], "cards": CARDS,
    }  # fmt: skip
    assert made.headers["ETag"] == '"v1"'
    assert made.headers["Cache-Control"] == "private, no-store"
    found = mine.get()
    assert (found.json, found.headers["ETag"]) == (made.json, '"v1"')
    assert mine.get(If_None_Match='"v1"').status_code == 304
    mine.put("a-slow_one2", {**BODY, "name": "Slow", "edition": GAME.edition})
    assert [(each["deck"], each["name"], each["version"]) for each in mine.listed()] == [
        ("a-slow_one2", "Slow", 2), ("fast", BODY["name"], 1),
    ]  # fmt: skip


def test_a_deck_takes_the_place_of_the_one_before_with_its_cards_in_their_order(mine: Mine) -> None:
    mine.put()
    again = mine.put(body={**BODY, "cards": CARDS[::-1]})
    assert (again.json["cards"], again.json["version"]) == (CARDS[::-1], 2)
    assert mine.get(If_None_Match='"v1"').json == again.json
    assert len(mine.listed()) == 1


def test_a_repeated_request_is_answered_as_the_first_and_done_once(mine: Mine) -> None:
    key = house.fresh()
    first = mine.put(Idempotency_Key=key)
    mine.put(body={**BODY, "name": "Later"})
    for _ in range(3):
        again = mine.put(Idempotency_Key=key)
        assert (again.status_code, again.json, again.headers["ETag"]) == (200, first.json, '"v1"')
        assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert [(each["name"], each["version"]) for each in mine.listed()] == [("Later", 2)]
    problem(mine.put(body={**BODY, "name": "Other"}, Idempotency_Key=key), 422, "idempotency-key-reused")
    problem(mine.put("slow", Idempotency_Key=key), 422, "idempotency-key-reused")
    problem(mine.put(Idempotency_Key=""), 400, "idempotency-key-missing")
    problem(mine.put(Idempotency_Key="no key"), 400, "header-malformed")
    assert len(mine.listed()) == 1


def test_a_refusal_uses_up_no_key(mine: Mine) -> None:
    key = house.fresh()
    problem(mine.put(body={**BODY, "cards": []}, Idempotency_Key=key), 422, "deck-refused")
    assert mine.put(Idempotency_Key=key).status_code == 200


def test_a_retry_after_a_write_that_insisted_on_a_version_is_answered_and_not_stale(mine: Mine) -> None:
    key = house.fresh()
    first = mine.put(Idempotency_Key=key, If_Match='"v0"')
    assert mine.put(Idempotency_Key=key, If_Match='"v0"').json == first.json


def test_whoever_insists_on_another_version_changes_nothing(mine: Mine) -> None:
    assert problem(mine.put(If_Match='"v3"'), 412, "stale-deck")["current_version"] == 0
    assert mine.put(If_Match='"v0"').json["version"] == 1
    stale = mine.put(body={**BODY, "name": "Other", "cards": []}, If_Match='"v0"')
    assert problem(stale, 412, "stale-deck")["current_version"] == 1
    assert stale.headers["ETag"] == '"v1"'
    assert mine.put(body={**BODY, "name": "Other"}, If_Match='"v1"').json["version"] == 2
    problem(mine.delete(If_Match='"v1"'), 412, "stale-deck")
    problem(mine.delete(If_Match="v1"), 400, "header-malformed")
    assert mine.get().json["name"] == "Other"
    assert mine.delete(If_Match='"v2"').status_code == 204


def test_somebody_who_is_faster_makes_a_write_stale(mine: Mine, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mine.put()
    log = app.config["SERVICE"].log
    put = log.put_deck

    def late(*args: Any) -> Any:
        monkeypatch.setattr(log, "put_deck", put)
        mine.put(body={**BODY, "name": "Faster"})
        return put(*args)

    monkeypatch.setattr(log, "put_deck", late)
    problem(mine.put(body={**BODY, "name": "Slower"}, If_Match='"v1"'), 412, "stale-deck")
    assert mine.get().json["name"] == "Faster"


def test_a_deck_is_forgotten_and_comes_back_with_another_version(mine: Mine) -> None:
    mine.put()
    mine.put("slow")
    assert mine.delete().status_code == 204
    for answer in (mine.get(), mine.delete()):
        problem(answer, 404, "unknown-deck")
    assert [each["deck"] for each in mine.listed()] == ["slow"]
    assert mine.put().json["version"] == 3


def test_there_are_no_more_than_so_many_decks(mine: Mine) -> None:
    for number in range(MOST_DECKS):
        assert mine.put(f"deck{number}").status_code == 200
    told = problem(mine.put(), 409, "deck-limit")
    assert str(MOST_DECKS) in told["detail"]
    assert mine.put("deck7", {**BODY, "name": "Changed"}).status_code == 200
    assert mine.delete("deck8").status_code == 204
    assert mine.put().status_code == 200
    assert len(mine.listed()) == MOST_DECKS


def calls(mine: Mine) -> list[tuple[str, str, Any]]:
    """Every call about decks: method, address, body."""
    fast = f"{mine.decks}/fast"
    put = {**BODY, "name": "Eve"}
    return [("GET", mine.decks, None), ("GET", fast, None), ("PUT", fast, put), ("DELETE", fast, None)]


def test_decks_are_their_owners_alone(app: Flask, mine: Mine) -> None:
    mine.put()
    other, seat = Mine(app, "Bob"), house.opened(app).seats[0]
    app.config["IS_OPERATOR"] = lambda token: token == "rfs_" + "o" * 43
    operator = Person(seat.client, "rfs_" + "o" * 43)
    for method, path, body in calls(mine):
        for stranger in (Person(seat.client), seat, operator, Person(seat.client, "rfp_" + "A" * 43)):
            problem(stranger.ask(method, path, body), 401, "unauthorized")
        problem(other.person.ask(method, path, body), 403, "not-your-account")
        problem(other.person.ask(method, path.replace(mine.id, "pl-" + "x" * 26), body), 404, "unknown-player")
    assert mine.get().json["name"] == BODY["name"]
    assert other.listed() == []


def test_nobody_else_can_tell_whether_there_is_a_deck(app: Flask) -> None:
    (rich, poor), other = (Mine(app), Mine(app)), Mine(app)
    rich.put()
    for (method, path, body), (_, nowhere, _) in zip(calls(rich), calls(poor), strict=True):
        for stranger in (other.person, Person(other.person.client)):
            there, not_there = (
                stranger.ask(method, each, body, X_Request_Id="same", Idempotency_Key="k" * 22)
                for each in (path, nowhere)
            )
            assert there.data.replace(rich.id.encode(), b"") == not_there.data.replace(poor.id.encode(), b"")
            assert list(there.headers) == list(not_there.headers)
            assert there.status_code == not_there.status_code


def test_no_other_answer_tells_of_a_deck(app: Flask, mine: Mine) -> None:
    own, standings = f"/v1/players/{mine.id}", "/v1/standings?game=creature_crush"
    paths = [own, f"{own}/matches", "/v1/matches", standings]
    before = [mine.person.get(path, X_Request_Id="same").data for path in paths]
    mine.put(body={**BODY, "name": "Secret plan"})
    assert [mine.person.get(path, X_Request_Id="same").data for path in paths] == before


def test_decks_go_with_the_account(app: Flask, mine: Mine) -> None:
    mine.put(body={**BODY, "name": "Secret plan"})
    other = Mine(app)
    other.put()
    assert mine.person.delete(f"/v1/players/{mine.id}").status_code == 204
    for method, path, body in calls(mine):
        problem(mine.person.ask(method, path, body), 401, "unauthorized")
    log = app.config["SERVICE"].log
    assert log.read_decks(mine.id) == {}
    assert "Secret plan" not in repr(vars(log))
    assert len(other.listed()) == 1


def test_an_account_that_goes_while_a_deck_is_put_gets_none(
    app: Flask, mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = app.config["SERVICE"].log
    put = log.put_deck

    def late(*args: Any) -> Any:
        assert log.drop_player(mine.id, 0)
        return put(*args)

    monkeypatch.setattr(log, "put_deck", late)
    problem(mine.put(), 401, "unauthorized")
    assert log.read_decks(mine.id) == {}


def test_the_store_keeps_no_more_than_the_deck(app: Flask, mine: Mine) -> None:
    mine.put()
    kept = app.config["SERVICE"].log.find_deck(mine.id, "fast")
    assert orjson.loads(kept.record) == {**BODY, "edition": GAME.newest_edition}
    assert mine.person.token not in repr(vars(app.config["SERVICE"].log))
