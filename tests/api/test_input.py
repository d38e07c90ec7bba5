"""Bad input: the right status, a problem document, and not one entry more in the log."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import api
from api.http.access import admission
from tests.api import house
from tests.api.house import Person, Table, fresh, problem

PASS = {"type": "mc.pass"}

MALFORMED = [  # a body for a move, and where it is wrong
    ({}, "/move"),
    ([], ""),
    ("text", ""),
    (None, ""),
    ({"move": None}, "/move"),
    ({"move": "mc.pass"}, "/move"),
    ({"move": {}}, "/move/type"),
    ({"move": {"type": 3}}, "/move/type"),
    ({"move": {"type": ["mc.pass"]}}, "/move/type"),
    ({"move": {"type": "mc.fly"}}, "/move/type"),
    ({"move": {"type": "clock.timed_out"}}, "/move/type"),
    ({"move": {"type": "table.start"}}, "/move/type"),
    ({"move": {"type": "mc.Drawn"}}, "/move/type"),
    ({"move": {"type": "mc.play"}}, "/move/card"),
    ({"move": {"type": "mc.play", "card": 7}}, "/move/card"),
    ({"move": {"type": "mc.play", "card": "sword", "target": "1"}}, "/move/target"),
    ({"move": {"type": "mc.play", "card": "sword", "target": True}}, "/move/target"),
    ({"move": {"type": "mc.play", "card": "sword", "target": 1.5}}, "/move/target"),
    ({"move": {"type": "mc.play", "card": "sword", "target": 10**30}}, "/move/target"),
    ({"move": {"type": "mc.play", "card": "s" * 65}}, "/move/card"),
    ({"move": {"type": "mc.discard_down", "cards": ["sword"] * 65}}, "/move/cards"),
    ({"move": {"type": "mc.discard_down", "cards": "sword"}}, "/move/cards"),
    ({"move": {"type": "mc.discard_down", "cards": ["sword", 3]}}, "/move/cards/1"),
    ({"move": {"type": "mc.revive_draw", "draw": "yes"}}, "/move/draw"),
    ({"move": {"type": "mc.revive_draw", "draw": 1}}, "/move/draw"),
    ({"move": {**PASS, "extra": 1}}, "/move/extra"),
    ({"move": PASS, "unknown": 1}, "/unknown"),
    ({"move": PASS, "seen": "7"}, "/seen"),
    ({"move": PASS, "seen": 0}, "/seen"),
    ({"move": PASS, "seen": -3}, "/seen"),
]


@pytest.mark.parametrize(
    "query",
    ["view?version=1&version=2", "view?version=1&version=1", "entries?after=1&after=2&limit=3", "timeline?x=1&x=2"],
)
def test_a_parameter_that_is_given_twice_is_named_and_refused(table: Table, query: str) -> None:
    told = problem(table.host.get(f"{table.path}/{query}"), 400, "parameter-repeated")
    assert told["parameter"] == query.partition("?")[2].partition("=")[0]
    assert told["parameter"] in told["detail"]


def test_a_move_takes_no_query_so_what_once_was_a_dry_run_makes_none(table: Table) -> None:
    version, seat = table.version, table.awaited[0]
    asked = f"{table.path}/seats/{seat}/moves?dry_run=true"
    problem(table.seats[seat].post(asked, {"move": table.moves(seat)["legal"][0]["move"]}), 422, "invalid-input")
    assert table.version == version


PLACES = ["receipts/{}", "entries/{}", "entries/{}/explanation", "entries/{}/attestations", "disputes/{}",
          "takebacks/{}", "deviations/{}", "seats/{}/moves", "windows/{}.1"]  # fmt: skip


@pytest.mark.parametrize("number", ["\u0661", "\u0967", "\uff11", "01", "+1", "1_0", "99999999999"])
def test_a_number_in_an_address_has_one_form(table: Table, number: str) -> None:
    for place in PLACES:
        problem(table.host.get(f"{table.path}/{place.format(number)}"), 404, "not-found")


@pytest.mark.parametrize("number", ["0", "-1", "-00", "201", "9" * 30, "-" + "9" * 30])
def test_a_number_out_of_range_in_a_query_is_told_the_range(table: Table, number: str) -> None:
    (wrong,) = problem(table.host.get(f"{table.path}/entries?limit={number}"), 422, "invalid-input")["errors"]
    assert wrong == {
        "in": "query",
        "pointer": "/limit",
        "detail": "Must be greater than or equal to 1 and less than or equal to 200.",
    }


@pytest.mark.parametrize("number", ["", "+1", "1.0", "1e1", "--1", "-", "0x1", "1_0", "\u0661", "9" * 4000])
def test_what_is_no_number_in_a_query_is_told_so(table: Table, number: str) -> None:
    (wrong,) = problem(table.host.get(f"{table.path}/entries?limit={number}"), 422, "invalid-input")["errors"]
    assert (wrong["pointer"], wrong["detail"].startswith("Must be")) == ("/limit", number == "9" * 4000)


BY_VIEWER = ["board", "bundle", "census", "disputes", "disputes/1", "disputes/1/remedies/leave", "entries", "entries/1",
             "entries/1/explanation", "explanation", "openings", "stream", "view", "windows",
             "windows/1.0"]  # fmt: skip
NO_VIEWERS = ["", "nobody", "Public", "seat", "seat:", "seat:x", "seat:-1", "seat:00", "seat:01", "seat:20", "seat:0 ",
              "seat:\u0661", "seat:0%0A", "full%00", "0", "public,full"]  # fmt: skip


@pytest.mark.parametrize("place", BY_VIEWER)
def test_a_viewer_that_there_is_not_is_named(table: Table, place: str) -> None:
    for viewer in NO_VIEWERS:
        path = f"{table.path}/{place}?viewer={viewer}"
        for person in (table.host, table.seats[0]):
            wrong = problem(person.get(path), 422, "invalid-input")
            assert [(each["in"], each["pointer"]) for each in wrong["errors"]] == [("query", "/viewer")]
        outside = (401, "unauthorized") if place == "openings" else (404, "unknown-match")
        problem(table.anyone.get(path), *outside)


@pytest.mark.parametrize("place", BY_VIEWER)
def test_of_two_viewers_none_is_let_in_and_none_is_shown(table: Table, place: str) -> None:
    table.end()
    for viewers in ("public&viewer=full", "full&viewer=public", "seat:0&viewer=seat:1", "seat:0&viewer=seat:0"):
        told = problem(table.seats[0].get(f"{table.path}/{place}?viewer={viewers}"), 400, "parameter-repeated")
        assert told["parameter"] == "viewer"


def test_the_public_has_no_openings(table: Table) -> None:
    for query in ("", "?viewer=public"):
        wrong = problem(table.seats[0].get(f"{table.path}/openings{query}"), 422, "invalid-input")
        assert [each["pointer"] for each in wrong["errors"]] == ["/viewer"]


def test_a_number_in_a_query_is_of_plain_digits(table: Table) -> None:
    wrong = problem(table.host.get(f"{table.path}/view?version=\u0663"), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/version"


@pytest.mark.parametrize(("body", "pointer"), MALFORMED, ids=[str(body)[:60] for body, _ in MALFORMED])
def test_a_malformed_move_is_told_where(table: Table, body: Any, pointer: str) -> None:
    version, seat = table.version, table.awaited[0]
    sent = table.seats[seat].client.post(
        f"{table.path}/seats/{seat}/moves",
        data=json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {table.seats[seat].token}", "Idempotency-Key": fresh()},
    )
    errors = problem(sent, 422, "invalid-input")["errors"]
    assert pointer in [error["pointer"] for error in errors], errors
    assert all(error["detail"] for error in errors)
    assert table.version == version


def test_whole_numbers_may_be_written_as_floats(table: Table) -> None:
    seat = table.awaited[0]
    answer = table.move(seat, table.moves(seat)["legal"][0]["move"], seen=float(table.version))
    assert answer.status_code == 201, answer.text


NOT_JSON = [b"{", b"", b'{"move": NaN}', b"\xff\xfe", b"[" * 5000, b'{"move": {"type": "mc.pass"},}', b"{'move': 1}"]


@pytest.mark.parametrize("body", NOT_JSON, ids=repr)
def test_what_is_no_json_is_400(table: Table, body: bytes) -> None:
    version, seat = table.version, table.awaited[0]
    sent = table.anyone.client.post(
        f"{table.path}/seats/{seat}/moves",
        data=body,
        content_type="application/json; charset=utf-8",
        headers={"Authorization": f"Bearer {table.seats[seat].token}", "Idempotency-Key": fresh()},
    )
    problem(sent, 400, "not-json")
    assert table.version == version


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", ""])
def test_another_media_type_is_415(table: Table, kind: str) -> None:
    seat = table.awaited[0]
    sent = table.anyone.client.post(
        f"{table.path}/seats/{seat}/moves",
        data=b'{"move": {"type": "mc.pass"}}',
        content_type=kind or None,
        headers={"Authorization": f"Bearer {table.seats[seat].token}", "Idempotency-Key": fresh()},
    )
    problem(sent, 415, "unsupported-media-type")


@pytest.mark.parametrize("coding", ["gzip", "br", "GZIP, identity"])
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_packed_body_is_415_that_names_its_coding(table: Table, coding: str, is_packed: bool) -> None:
    body, seat, version = b'{"move": {"type": "mc.pass"}}', table.awaited[0], table.version
    sent = table.anyone.client.post(
        f"{table.path}/seats/{seat}/moves",
        data=gzip.compress(body) if is_packed else body,
        content_type="application/json",
        headers={
            "Authorization": f"Bearer {table.seats[seat].token}",
            "Idempotency-Key": fresh(),
            "Content-Encoding": coding,
        },
    )
    assert "Content-Encoding" in problem(sent, 415, "unsupported-media-type")["detail"]
    assert sent.headers["Accept-Encoding"] == "identity"
    assert table.version == version


def test_an_answer_without_a_body_names_no_media_type(app: Flask, table: Table) -> None:
    asked = app.test_client().options(table.path)
    assert (asked.status_code, asked.data) == (200, b"")
    assert "Content-Type" not in asked.headers
    gone = table.seats[0].delete(f"{table.path}/seats/0/standing-passes")
    assert (gone.status_code, gone.data) == (204, b"")
    assert "Content-Type" not in gone.headers


def test_a_body_over_64_kb_is_413_told_or_not(table: Table) -> None:
    version, seat = table.version, table.awaited[0]
    large = b'{"move": {"type": "mc.play", "card": "' + b"x" * 70_000 + b'"}}'
    headers = {"Authorization": f"Bearer {table.seats[seat].token}", "Idempotency-Key": fresh()}
    path = f"{table.path}/seats/{seat}/moves"
    sent = table.anyone.client.post(path, data=large, content_type="application/json", headers=headers)
    problem(sent, 413, "content-too-large")
    no_token = table.anyone.client.post(
        path, data=large, content_type="application/json", headers={"Idempotency-Key": fresh()}
    )
    problem(no_token, 401, "unauthorized")
    assert table.version == version


def test_addresses_methods_and_representations(table: Table) -> None:
    anyone = table.anyone
    for path in (
        "/nowhere",
        "/v1",
        "/v1/matches/x",
        "/v1/matches/99-" + "a" * 26,
        f"{table.path}/seats/x/moves",
        f"{table.path}/seats/0/view",
        f"{table.path}/full/view",
    ):
        problem(anyone.get(path), 404, "not-found")
    problem(anyone.get("/v1/matches/07-" + "a" * 26), 404, "unknown-match")
    for method, path in (("PUT", "/v1/games"), ("DELETE", "/healthz"), ("GET", f"{table.path}/start")):
        refused = anyone.ask(method, path)
        problem(refused, 405, "method-not-allowed")
        assert refused.headers["Allow"]
    problem(anyone.get("/v1/games", Accept="text/html"), 406, "not-acceptable")
    problem(table.host.get(f"{table.path}/entries", Accept="image/png"), 406, "not-acceptable")
    assert anyone.get("/v1/games", Accept="text/html, */*;q=0.1").status_code == 200


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/entries?after=-1", "/after"), ("/entries?limit=0", "/limit"), ("/entries?limit=201", "/limit"),
        ("/entries?after=x", "/after"), ("/entries?nonsense=1", "/nonsense"), ("/view?version=0", "/version"),
        ("/view?version=99999999999999999999", "/version"), ("?version=3", "/version"), ("/names?x=1", "/x"),
        ("/seats/0/moves?near=21", "/near"), ("/seats/0/moves?version=0", "/version"),
    ],
)  # fmt: skip
def test_a_query_is_held_to_the_contract(table: Table, path: str, where: str) -> None:
    body = problem(table.seats[0].get(table.path + path), 422, "invalid-input")
    assert {"pointer": where, "in": "query"}.items() <= body["errors"][0].items()


OPENINGS: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess", "seats": [{"kind": "human"}]}, "/game"),
    ({"game": "monster_combat"}, "/seats"),
    ({"game": "monster_combat", "seats": []}, "/seats"),
    ({"game": "monster_combat", "seats": [{"kind": "human"}]}, "/seats"),
    ({"game": "monster_combat", "seats": [{"kind": "human"}] * 8}, "/seats"),
    ({"game": "monster_combat", "seats": [{"kind": "cat"}] * 2}, "/seats/0/kind"),
    ({"game": "monster_combat", "seats": [{"kind": "bot", "level": 4}] * 2}, "/seats/0/level"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "variant": "V9"}, "/variant"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "settings": {"speed": 3}}, "/settings/speed"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "settings": []}, "/settings"),
    (
        {"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "settings": {"trigger_count": 99}},
        "/settings/trigger_count",
    ),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "chance": {"dice": "table"}}, "/chance/dice"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "chance": {"deck": "nobody"}}, "/chance/deck"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "chance": {"deck": []}}, "/chance/deck"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "chance": 3}, "/chance"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "visibility": "secret"}, "/visibility"),
    ({"game": "monster_combat", "seats": [{"kind": "bot"}] * 2, "spectator_delay": -1}, "/spectator_delay"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "pointer"), OPENINGS, ids=[str(body)[:90] for body, _ in OPENINGS])
def test_a_match_that_cannot_be_is_not_opened(app: Flask, body: dict[str, Any], pointer: str) -> None:
    refused = problem(Person(app.test_client()).post("/v1/matches", body), 422, "invalid-input")
    assert pointer in [error["pointer"] for error in refused["errors"]], refused["errors"]


@pytest.mark.parametrize("header", ["", "with space", "x" * 65, "ümlaut", '"open'])
def test_a_key_has_its_form(table: Table, header: str) -> None:
    version, seat = table.version, table.awaited[0]
    refused = table.move(seat, PASS, **{"Idempotency-Key": header})
    problem(refused, 400, "header-malformed" if header else "idempotency-key-missing")
    assert table.version == version


def test_the_key_of_an_opening_cannot_be_guessed(app: Flask) -> None:
    anyone = Person(app.test_client())
    body = {"game": "monster_combat", "seats": [{"kind": "bot"}] * 2}
    problem(anyone.post("/v1/matches", body, Idempotency_Key="k" * 21), 400, "idempotency-key-guessable")
    problem(anyone.post("/v1/join", {"code": "AAAAAA"}, Idempotency_Key="k" * 21), 400, "idempotency-key-guessable")
    assert anyone.post("/v1/matches", body, Idempotency_Key="k" * 22).status_code == 201


@pytest.mark.parametrize("header", ["v3", '"3"', '"vx"', "junk", '"v1", "v2"'])
def test_a_precondition_has_its_form(table: Table, header: str) -> None:
    problem(table.move(table.awaited[0], PASS, **{"If-Match": header}), 400, "header-malformed")


def test_stale_versions(table: Table) -> None:
    version, seat = table.version, table.awaited[0]
    stale = table.move(seat, PASS, **{"If-Match": f'"v{version - 1}"'})
    body = problem(stale, 412, "stale-version")
    assert stale.headers["ETag"] == f'"v{version}"'
    assert body["current_version"] == version
    assert [entry["version"] for entry in body["missed"]] == [version]
    overtaken = problem(table.move(seat, PASS, seen=version - 1), 409, "overtaken")
    assert overtaken["missed"] == body["missed"]
    problem(table.move(seat, PASS, seen=version + 5), 409, "overtaken")
    assert table.version == version
    legal = table.moves(seat)["legal"][0]["move"]
    assert table.move(seat, legal, seen=version, **{"If-Match": f'"v{version}"'}).status_code == 201


def test_what_changes_the_table_names_its_version(app: Flask) -> None:
    table = house.opened(app, start=False)
    for method, path, body in (
        ("PATCH", "", {"visibility": "public"}), ("DELETE", "", None), ("POST", "/start", None),
        ("POST", "/end", {"reason": "agreed"}),
    ):  # fmt: skip
        problem(table.host.ask(method, table.path + path, body), 428, "if-match-missing")
        stale = table.host.ask(method, table.path + path, body, If_Match='"v1"')
        assert problem(stale, 412, "stale-version")["current_version"] == 3
    assert table.version == 3


def test_out_of_turn_and_after_the_end(table: Table) -> None:
    other = 1 - table.awaited[0]
    refused = problem(table.move(other, PASS), 409, "illegal-move")
    assert refused["ruling"]["clauses"][0]["id"] == "MC-TURN-PLAY-1"
    version = table.version
    table.end("abandoned")
    for seat in (0, 1):
        problem(table.move(seat, PASS), 409, "match-over")
        dry = table.seats[seat].post(f"{table.path}/seats/{seat}/moves/check", {"move": PASS})
        problem(dry, 409, "match-over")
    again = table.end("abandoned")
    problem(again, 409, "match-over")
    assert table.version == version + 3  # proposed, and agreed to by two


def test_before_the_start(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    problem(table.host.post(f"{table.path}/start", If_Match='"v1"'), 409, "seats-open")
    problem(table.host.post(f"{table.path}/end", {"reason": "agreed"}, If_Match='"v1"'), 409, "not-running")
    joined: Any = table.anyone.post("/v1/join", {"code": table.codes[0]}).json
    person = Person(table.anyone.client, joined["token"])
    problem(person.post(f"{table.path}/seats/0/moves", {"move": PASS}), 409, "not-running")
    listed: Any = person.get(f"{table.path}/seats/0/moves").json
    assert listed["legal"] == []
    assert listed["awaited"] is False
    assert table.version == 2


def test_a_move_of_another_game_is_refused_by_the_kernel(table: Table) -> None:
    seat = table.awaited[0]
    refused = problem(table.move(seat, {"type": "sm.concede"}), 409, "illegal-move")
    assert refused["ruling"]["clauses"][0]["id"] == "KERNEL-MOVE-1"
    missed = problem(table.move(seat, {"type": "mc.discard_down", "cards": ["sword"]}), 409, "illegal-move")
    assert refused["next"]["awaits"] == [seat]
    assert refused["next"] == missed["next"], "who is asked is told as of any other refused move"
    assert refused["current_version"] == table.version


def test_changes_end_with_the_start(table: Table) -> None:
    version = table.version
    for method, path, body in (
        ("PATCH", "", {"settings": {"trigger_count": 3}}), ("DELETE", "", None), ("POST", "/start", None),
    ):  # fmt: skip
        refused = table.host.ask(method, table.path + path, body, If_Match=f'"v{version}"')
        problem(refused, 409, "already-started")
    placement = table.host.post(f"{table.path}/end", {"reason": "agreed", "placement": [[0]]}, If_Match=f'"v{version}"')
    problem(placement, 409, "placement-incomplete")
    assert table.version == version


def test_a_fault_of_ours_says_nothing_of_its_cause(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.opened(app)

    def broken() -> Any:
        raise ZeroDivisionError("the secret is xyzzy")

    monkeypatch.setattr(admission, "get_match_service", broken)
    failed = table.host.get(table.path)
    problem(failed, 500, "internal-server-error")
    assert "xyzzy" not in failed.text
    assert "ZeroDivision" not in failed.text


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/disputes", {"about": 1, "claim": "other", "statement": "He peeked.\n"}, "/statement"),
        ("/disputes", {"about": 1, "claim": "other", "statement": "\n"}, "/statement"),
        ("/disputes", {"about": 1, "claim": "other", "clause": "MC-AMB-8\n"}, "/clause"),
        ("/invitations", {"role": "spectator\n"}, "/role"),
    ],
)
def test_a_line_feed_at_the_end_is_no_part_of_a_text(
    table: Table, path: str, body: dict[str, Any], pointer: str
) -> None:
    person = table.host if path == "/invitations" else table.seats[0]
    wrong = problem(person.post(table.path + path, body), 422, "invalid-input")
    assert [each["pointer"] for each in wrong["errors"]] == [pointer]


def test_every_pattern_of_a_request_is_for_the_whole_text() -> None:
    """Only `WholeText` checks patterns: with re.match, $ would let a line feed pass."""
    sources = Path(api.__file__).parent.rglob("*.py")
    assert [path.name for path in sources if re.search(r"validate\.Regexp\b", path.read_text("utf-8"))] == ["fields.py"]
    contract = (Path(api.__file__).parent.parent / "openapi.yaml").read_text("utf-8")
    assert "\\Z" not in contract, "which ECMA-262 does not know"
