"""Decks of players: checked whole, kept once per key, theirs alone, and gone with the account."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from flask import Flask

from api.examples import BODIES
from api.schemas.decks import MOST_DECKS
from referee.games import games
from tests.api import house
from tests.api.ended import account
from tests.api.house import Person, problem

BODY: dict[str, Any] = BODIES["putDeck"]["league"]["value"]
CARDS: list[str] = BODY["cards"]
GAME = games()["creature_crush"]
LEAGUE = "CC-FORMAT-LEAGUE-1"


class Mine:
    """A player, and the addresses of what is his."""

    def __init__(self, app: Flask, name: str | None = None) -> None:
        self.id, self.person = account(app, name)
        self.decks = f"/v1/players/{self.id}/decks"

    def put(self, deck: str = "fast", body: Any = None, **headers: str) -> Any:
        return self.person.put(f"{self.decks}/{deck}", BODY if body is None else body, **headers)

    def get(self, deck: str = "fast", **headers: str) -> Any:
        return self.person.get(f"{self.decks}/{deck}", **headers)

    def delete(self, deck: str = "fast", **headers: str) -> Any:
        return self.person.delete(f"{self.decks}/{deck}", **headers)

    def listed(self) -> list[dict[str, Any]]:
        found: Any = self.person.get(self.decks)
        assert found.status_code == 200, found.text
        return list(found.json["items"])

    def refused(self, **changes: Any) -> dict[str, Any]:
        """What is told of a deck that differs from a good one in this."""
        told = problem(self.put(body={**BODY, **changes}), 422, "deck-refused")
        assert self.listed() == []
        return told


@pytest.fixture
def mine(app: Flask) -> Mine:
    return Mine(app, "Ada")


def test_a_deck_is_kept_and_read_and_listed(mine: Mine) -> None:
    made = mine.put()
    assert made.status_code == 200, made.text
    assert made.json == {
        "deck": "fast", "version": 1, "game": "creature_crush", "variant": "league", "edition": GAME.edition,
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


def test_every_reason_is_told_at_once_each_with_its_place_and_its_clause(mine: Mine) -> None:
    cards = [*CARDS[:18], "unheard_of", CARDS[3], CARDS[3], "", "hex_toad#1"]
    told = problem(mine.put(body={**BODY, "cards": [card or "x" for card in cards]}), 422, "deck-refused")
    assert [(each["pointer"], each["clause"]) for each in told["errors"]] == [
        ("/cards/18", LEAGUE), ("/cards/21", LEAGUE), ("/cards/22", LEAGUE),
        ("/cards/19", LEAGUE), ("/cards/20", LEAGUE),
        ("/cards", "CC-PREP-1"),
    ]  # fmt: skip
    assert "unheard_of" in told["errors"][0]["detail"]
    assert "23" in told["errors"][-1]["detail"]
    assert mine.listed() == []


@pytest.mark.parametrize(("cards", "count"), [([], 0), (CARDS[:19], 19), ([*CARDS, "siren"], 21)])
def test_another_number_than_twenty_is_refused(mine: Mine, cards: list[str], count: int) -> None:
    (error,) = mine.refused(cards=cards)["errors"]
    assert (error["pointer"], error["clause"]) == ("/cards", "CC-PREP-1")
    assert str(count) in error["detail"]


def test_a_card_that_stands_there_three_times_is_named_twice(mine: Mine) -> None:
    errors = mine.refused(cards=[*CARDS[:18], CARDS[0], CARDS[0]])["errors"]
    assert [each["pointer"] for each in errors] == ["/cards/18", "/cards/19"]


def test_an_edition_that_there_is_not_is_named_and_the_list_is_looked_at_all_the_same(mine: Mine) -> None:
    told = mine.refused(edition="second", cards=[*CARDS[:18], CARDS[0]])
    assert [each["pointer"] for each in told["errors"]] == ["/edition", "/cards/18", "/cards"]
    assert "second" in told["errors"][0]["detail"]
    assert [each["pointer"] for each in mine.refused(edition="second")["errors"]] == ["/edition"]


@pytest.mark.parametrize("game", sorted(name for name, game in games().items() if not game.deck_variant))
def test_a_game_to_which_nobody_brings_decks_takes_none(mine: Mine, game: str) -> None:
    (error,) = mine.refused(game=game)["errors"]
    assert error["pointer"] == "/game"
    assert games()[game].title["en"] in error["detail"]


def test_reasons_are_told_in_german_to_whoever_wants_german(mine: Mine) -> None:
    body = {**BODY, "edition": "zweite", "cards": [*CARDS[:18], "unbekannt", CARDS[0], CARDS[1]]}
    told = problem(mine.put(body=body, Accept_Language="de"), 422, "deck-refused")
    assert told["title"] == "Deck abgelehnt"
    assert "Ausgabe zweite" in told["errors"][0]["detail"]
    twice = told["errors"][1]["detail"]
    assert GAME.book.names[CARDS[0]]["de"] in twice
    assert "Lager" in twice
    body["game"] = "munchkin"
    (error,) = problem(mine.put(body=body, Accept_Language="de"), 422, "deck-refused")["errors"]
    assert "mitgebrachten" in error["detail"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({**BODY, "game": "chess"}, "/game"), ({**BODY, "name": ""}, "/name"), ({**BODY, "name": "x" * 61}, "/name"),
        ({**BODY, "name": "a\nb"}, "/name"), ({**BODY, "cards": ["siren"] * 65}, "/cards"),
        ({**BODY, "cards": ["x" * 65]}, "/cards/0"), ({**BODY, "cards": "siren"}, "/cards"),
        ({**BODY, "cards": [7]}, "/cards/0"), ({**BODY, "edition": "x" * 65}, "/edition"),
        ({**BODY, "seat": 0}, "/seat"),
        ({key: value for key, value in BODY.items() if key != "cards"}, "/cards"),
    ],
)  # fmt: skip
def test_a_body_that_does_not_fit_is_refused_where_it_does_not(mine: Mine, body: Any, pointer: str) -> None:
    told = problem(mine.put(body=body), 422, "invalid-input")
    assert [each["pointer"] for each in told["errors"]] == [pointer]
    assert mine.listed() == []


@pytest.mark.parametrize("deck", ["Fast", "-x", "a" * 41, "a.b", "%20", ""])
def test_what_is_no_name_of_a_deck_leads_nowhere(mine: Mine, deck: str) -> None:
    assert mine.put(deck).status_code in (404, 405)
    assert mine.listed() == []


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
    log = app.config["DESK"].log
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
    log = app.config["DESK"].log
    assert log.decks(mine.id) == {}
    assert "Secret plan" not in repr(vars(log))
    assert len(other.listed()) == 1


def test_an_account_that_goes_while_a_deck_is_put_gets_none(
    app: Flask, mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = app.config["DESK"].log
    put = log.put_deck

    def late(*args: Any) -> Any:
        assert log.drop_player(mine.id, 0)
        return put(*args)

    monkeypatch.setattr(log, "put_deck", late)
    problem(mine.put(), 401, "unauthorized")
    assert log.decks(mine.id) == {}


def test_the_store_keeps_no_more_than_the_deck(app: Flask, mine: Mine) -> None:
    mine.put()
    kept = app.config["DESK"].log.deck(mine.id, "fast")
    assert orjson.loads(kept.record) == {**BODY, "edition": GAME.edition}
    assert mine.person.token not in repr(vars(app.config["DESK"].log))


def test_the_box_says_to_which_variant_decks_are_brought(app: Flask) -> None:
    shown = {each["name"]: each["deck_variant"] for each in Person(app.test_client()).get("/v1/games").json["items"]}  # type: ignore[index]
    assert shown.pop("creature_crush") == "league"
    assert set(shown.values()) == {None}


def test_a_deck_that_is_kept_can_be_brought_to_a_match(app: Flask, mine: Mine) -> None:
    mine.put()
    table = house.opened(app, "creature_crush", variant="league", visibility="public")
    question = table.moves(0)
    assert "cc.bring_deck" in {each["move"]["type"] for each in question["legal"]}
    assert BODY["name"] not in repr(question) + table.seats[0].get(f"{table.path}/seats/0/view").text
    brought = table.move(0, {"type": "cc.bring_deck", "cards": mine.get().json["cards"]})
    assert brought.status_code == 201, brought.text
    assert CARDS[0] not in table.seats[1].get(f"{table.path}/seats/1/events").text
    problem(table.move(1, {"type": "cc.bring_deck", "cards": [*CARDS[:19], "unheard_of"]}), 409, "illegal-move")


@pytest.mark.parametrize(
    "cards", [CARDS, CARDS[:19], [*CARDS[:19], CARDS[0]], [*CARDS[:19], "unheard_of"], [*CARDS, "siren"]]
)
def test_what_is_refused_as_a_deck_is_refused_as_a_move_for_the_same_reason(
    app: Flask, mine: Mine, cards: list[str]
) -> None:
    table = house.opened(app, "creature_crush", variant="league")
    kept, brought = mine.put(body={**BODY, "cards": cards}), table.move(0, {"type": "cc.bring_deck", "cards": cards})
    if kept.status_code == 200:
        assert brought.status_code == 201, brought.text
    else:
        told = problem(brought, 409, "illegal-move")
        assert told["ruling"]["reason"]["en"] == kept.json["errors"][0]["detail"]
        assert told["ruling"]["clauses"][0]["id"] == kept.json["errors"][0]["clause"]
