"""Accounts of players: made once, seen by their owner alone, forgotten whole; and the seats that are linked to them."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest
from flask import Flask

from referee.eventstore.accounts import DELETED_PLAYER
from tests.api import house
from tests.api.ended import account, ended, led, table_of
from tests.api.house import Person, problem


def test_an_account_is_made_and_its_token_is_shown_once(app: Flask) -> None:
    anyone, key = Person(app.test_client()), house.fresh()
    made = anyone.post("/v1/players", {"name": "Ada", "lang": "de"}, Idempotency_Key=key)
    assert made.status_code == 201
    body: Any = made.json
    assert re.fullmatch(r"pl-[a-z]{26}", body["id"])
    assert re.fullmatch(r"rfp_[A-Za-z0-9_-]{43}", body["token"])
    assert made.headers["Location"] == f"/v1/players/{body['id']}"
    assert made.headers["Cache-Control"] == "private, no-store, no-transform"
    again = anyone.post("/v1/players", {"name": "Ada", "lang": "de"}, Idempotency_Key=key)
    assert (again.status_code, again.json) == (201, body)
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(anyone.post("/v1/players", {"name": "Eve"}, Idempotency_Key=key), 422, "idempotency-key-reused")
    shown: Any = Person(anyone.client, body["token"]).get(f"/v1/players/{body['id']}").json
    assert shown == {key: value for key, value in body.items() if key != "token"}
    assert shown["name"] == "Ada"


UNSEEN = [
    *(
        "\u200b",
        " \u00a0\u3000",
        "\u200e\u200d",
        "\ufe0f",
        "\u3164",
        "\u2800",
        "\U000e0041\U000e0100",
        "\ufeff",
        "\u034f",
    ),
]
CONTROLS = ["A\u202eB", "A\u2066", "A\u2028B", "A\u0085B", "A\x7f", "A\x00"]
SEEN = [
    *(
        "Zo\u00eb",
        "\u0645\u06cc\u200c\u062e\u0648",
        "\u05d0\u200f!",
        "\U0001f469\u200d\U0001f680",
        "\U0001fae8",
        "e\u0301",
    ),
    "O'Brien \u2014 2",
]


@pytest.mark.parametrize(
    ("name", "says"),
    [*((each, "Darin ist nichts zu sehen.") for each in UNSEEN), *((each, "Steuerzeichen") for each in CONTROLS)],
)
def test_a_name_has_something_to_see_and_turns_no_text_around(app: Flask, name: str, says: str) -> None:
    anyone, table = Person(app.test_client()), house.opened(app, join=False, start=False)
    answers = [
        anyone.post("/v1/players", {"name": name}, Accept_Language="de"),
        anyone.post("/v1/join", {"code": table.codes[0], "name": name}, Accept_Language="de"),
    ]
    for answer in answers:
        (wrong,) = problem(answer, 422, "invalid-input")["errors"]
        assert (wrong["pointer"], says in wrong["detail"]) == ("/name", True), wrong


@pytest.mark.parametrize("name", SEEN)
def test_a_name_may_be_of_any_script(app: Flask, name: str) -> None:
    made = Person(app.test_client()).post("/v1/players", {"name": name})
    assert (made.status_code, made.json["name"]) == (201, name)  # type: ignore[index]


def test_the_store_keeps_no_token(app: Flask) -> None:
    player, person = account(app, "Ada")
    log = app.config["SERVICE"].log
    assert person.token is not None
    assert person.token not in repr((log.find_player(player), log._answers, log._players))
    assert player[3:] not in person.token.lower()


def test_a_guessable_key_makes_no_account(app: Flask) -> None:
    made = Person(app.test_client()).post("/v1/players", {}, Idempotency_Key="short")
    problem(made, 400, "idempotency-key-guessable")
    assert app.config["SERVICE"].log._players == {}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({"name": ""}, "/name"), ({"name": "x" * 41}, "/name"), ({"name": "a\nb"}, "/name"), ({"lang": "fr"}, "/lang"),
     ({"token": "x"}, "/token"), ({"name": 3}, "/name")],
)  # fmt: skip
def test_a_wrong_field_is_named_and_nothing_is_made(app: Flask, body: dict[str, Any], pointer: str) -> None:
    wrong = problem(Person(app.test_client()).post("/v1/players", body), 422, "invalid-input")
    assert [each["pointer"] for each in wrong["errors"]] == [pointer]
    assert app.config["SERVICE"].log._players == {}


def test_an_account_is_its_owners_alone(app: Flask) -> None:
    (ada, mine), (_, others) = account(app, "Ada"), account(app, "Bob")
    seat = house.opened(app).seats[0]
    nobody = Person(mine.client)
    calls = (("GET", None), ("PATCH", {"name": "Eve"}), ("DELETE", None))
    for method, body in calls:
        path = f"/v1/players/{ada}"
        problem(nobody.ask(method, path, body), 401, "unauthorized")
        problem(seat.ask(method, path, body), 401, "unauthorized")
        problem(Person(mine.client, "rfp_" + "A" * 43).ask(method, path, body), 401, "unauthorized")
        problem(others.ask(method, path, body), 403, "not-your-account")
        problem(others.ask(method, "/v1/players/pl-" + "x" * 26, body), 404, "unknown-player")
    assert mine.get(f"/v1/players/{ada}").json["name"] == "Ada"  # type: ignore[index]


def test_a_players_token_opens_no_table(app: Flask) -> None:
    _, person = account(app)
    table = house.opened(app, visibility="private")
    problem(person.get(table.path), 404, "unknown-match")
    problem(person.get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")
    public = house.opened(app, visibility="public")
    problem(person.get(f"{public.path}/view?viewer=seat:0"), 401, "unauthorized")


def test_name_and_language_are_changed_and_the_name_is_forgotten(app: Flask) -> None:
    ada, person = account(app, "Ada")
    path, key = f"/v1/players/{ada}", house.fresh()
    changed = person.patch(path, {"lang": "de"}, Idempotency_Key=key)
    assert (changed.json["name"], changed.json["lang"]) == ("Ada", "de")  # type: ignore[index]
    assert person.patch(path, {"name": None}).json["name"] is None  # type: ignore[index]
    again = person.patch(path, {"lang": "de"}, Idempotency_Key=key)
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(person.patch(path, {"lang": "en"}, Idempotency_Key=key), 422, "idempotency-key-reused")
    log = app.config["SERVICE"].log
    assert b"Ada" not in repr((log._players, log._answers)).encode()


def test_a_players_token_at_join_links_the_seat_and_lends_its_name(app: Flask) -> None:
    ada, person = account(app, "Ada")
    table = table_of(app, person, None, begin=False)
    log = app.config["SERVICE"].log
    assert log.read_links([table.match]) == {table.match: {2: ada}}
    assert table.host.get(f"{table.path}/names").json["names"] == {"0": "Ada"}  # type: ignore[index]
    assert table.seats[0].token is not None
    assert table.seats[0].token.startswith("rfs_")
    assert ada not in repr([(entry.envelope, entry.sealed) for entry in log.read_entries(table.match)])


def test_a_repeated_join_links_once_and_one_that_broke_off_is_completed(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, person = account(app, "Ada")
    made, key = house.opened(app, join=False, start=False), house.fresh()
    log = app.config["SERVICE"].log

    def broken(*_: Any) -> str:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patched:
        patched.setattr(log, "link_player", broken)
        assert person.post("/v1/join", {"code": made.codes[0]}, Idempotency_Key=key).status_code == 500
    assert log.read_links([made.match]) == {}
    for _ in range(3):
        assert person.post("/v1/join", {"code": made.codes[0]}, Idempotency_Key=key).status_code == 201
    assert log.read_links([made.match]) == {made.match: {2: ada}}
    assert len(log.read_sittings(ada)) == 1
    other = account(app)[1].post("/v1/join", {"code": made.codes[0]}, Idempotency_Key=key)
    problem(other, 422, "idempotency-key-reused")


def test_a_token_of_no_account_joins_nothing(app: Flask) -> None:
    made = house.opened(app, join=False, start=False)
    stranger = Person(made.anyone.client, "rfp_" + "A" * 43)
    problem(stranger.post("/v1/join", {"code": made.codes[0]}), 401, "unauthorized")
    assert app.config["SERVICE"].load_match(made.match).version == 1


def test_deleting_an_account_forgets_name_token_and_links_and_leaves_the_log_alone(app: Flask) -> None:
    (ada, person), (bob, other) = account(app, "Ada"), account(app, "Bob")
    table, log = table_of(app, person, other), app.config["SERVICE"].log
    before = log.read_entries(table.match)
    assert person.delete(f"/v1/players/{ada}").status_code == 204
    assert log.read_entries(table.match) == before
    assert log.read_links([table.match]) == {table.match: {2: DELETED_PLAYER, 3: bob}}
    assert table.host.get(f"{table.path}/names").json["names"] == {"1": "Bob"}  # type: ignore[index]
    for method, body in (("GET", None), ("PATCH", {"name": "x"}), ("DELETE", None)):
        problem(person.ask(method, f"/v1/players/{ada}", body), 401, "unauthorized")
    problem(other.get(f"/v1/players/{ada}/matches"), 404, "unknown-player")
    everything = repr((log._players, log._answers, log._sittings, log._names, log._links))
    assert ada not in everything
    assert "Ada" not in everything


def test_a_deletion_that_broke_off_is_completed_and_a_join_meanwhile_is_forgotten_too(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, person = account(app, "Ada")
    first = table_of(app, person, None, begin=False)
    log = app.config["SERVICE"].log
    unlink, later = log.unlink_player, []

    def once(match: str, version: int) -> None:
        if not later:
            later.append(table_of(app, person, None, begin=False))  # he joins while he is being forgotten
            raise RuntimeError("killed here")
        unlink(match, version)

    monkeypatch.setattr(log, "unlink_player", once)
    assert person.delete(f"/v1/players/{ada}").status_code == 500
    assert person.get(f"/v1/players/{ada}").status_code == 200
    assert person.delete(f"/v1/players/{ada}").status_code == 204
    assert log.read_links([first.match, later[0].match]) == {
        first.match: {2: DELETED_PLAYER},
        later[0].match: {2: DELETED_PLAYER},
    }


def test_a_seat_that_is_handed_over_is_its_new_players(app: Flask) -> None:
    (ada, person), (bob, other) = account(app, "Ada"), account(app, "Bob")
    table = table_of(app, person, None)
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:0"}).json
    assert other.post("/v1/join", {"code": code["code"]}).status_code == 201
    ended(app, table)
    led(app)
    mine: Any = person.get(f"/v1/players/{ada}/matches").json
    his: Any = other.get(f"/v1/players/{bob}/matches").json
    assert [(item["held"], item["result"]) for item in mine["items"]] == [(False, None)]
    assert [item["held"] for item in his["items"]] == [True]
    assert his["items"][0]["result"] in ("won", "lost")


def test_a_history_shows_ones_own_matches_and_strangers_the_public_ones(app: Flask) -> None:
    (ada, person), (_, other) = account(app, "Ada"), account(app, "Bob")
    public, private = table_of(app, person, None), table_of(app, person, None, visibility="private")
    outcome = ended(app, public)
    led(app)
    mine: Any = person.get(f"/v1/players/{ada}/matches").json
    assert [item["match"] for item in mine["items"]] == [private.match, public.match]
    assert [item["status"] for item in mine["items"]] == ["running", "finished"]
    item = mine["items"][1]
    assert item["result"] == ("won" if 0 in outcome["winners"] else "lost")
    assert (item["place"], item["counts"]) == (1 if 0 in outcome["winners"] else 2, True)
    assert set(item["reason"]) == {"en", "de"}
    for stranger in (other, Person(person.client)):
        seen: Any = stranger.get(f"/v1/players/{ada}/matches").json
        assert [item["match"] for item in seen["items"]] == [public.match]


def test_a_match_that_onlookers_see_late_is_in_the_public_history_once_it_is_over(app: Flask) -> None:
    ada, person = account(app)
    table, stranger = table_of(app, person, None, spectator_delay=5), Person(person.client)
    path = f"/v1/players/{ada}/matches"
    led(app)
    assert stranger.get(path).json["items"] == []  # type: ignore[index]
    assert len(person.get(path).json["items"]) == 1  # type: ignore[index]
    ended(app, table)
    led(app)
    assert len(stranger.get(path).json["items"]) == 1  # type: ignore[index]


def test_a_stranger_learns_nothing_of_how_many_private_matches_there_are(app: Flask) -> None:
    ada, person = account(app)
    stranger = Person(person.client)
    tables = [table_of(app, person, None, begin=False) for _ in range(2)]
    led(app)
    path = f"/v1/players/{ada}/matches?limit=1"
    before = stranger.get(path, X_Request_Id="same").data
    for _ in range(3):
        table_of(app, person, None, begin=False, visibility="private")
    led(app)
    after = stranger.get(path, X_Request_Id="same").data
    assert {**orjson.loads(after), "as_of": 0} == {**orjson.loads(before), "as_of": 0}
    assert orjson.loads(before)["items"][0]["match"] in {table.match for table in tables}


def test_a_history_is_paged_and_a_wrong_cursor_is_named(app: Flask) -> None:
    ada, person = account(app)
    tables = [table_of(app, person, None, begin=False) for _ in range(5)]
    led(app)
    found, path = [], f"/v1/players/{ada}/matches?limit=2"
    while path:
        page = person.get(path)
        found += [item["match"] for item in page.json["items"]]  # type: ignore[index]
        path = page.headers.get("Link", "").partition("<")[2].partition(">")[0]
    assert sorted(found) == sorted(table.match for table in tables)
    wrong = problem(person.get(f"/v1/players/{ada}/matches?after=yesterday"), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/after"


def test_accounts_are_made_no_faster_than_people_join() -> None:
    app = house.app(RATES={**house.FREE, "joins": 2})
    anyone = Person(app.test_client())
    assert [anyone.post("/v1/players", {}).status_code for _ in range(4)] == [201, 201, 429, 429]
