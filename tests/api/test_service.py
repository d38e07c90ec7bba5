"""What every answer carries, what the log tells, how much may be asked, and whether the service is well."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

import referee
from api.app import create_app
from api.http import consistency_token
from api.http.access import limits
from api.http.responses import format_time
from referee.eventstore.contract import StoreFull, StoreUnavailable
from referee.eventstore.memory.log import MemoryLog
from referee.match.errors import MatchUnavailable
from tests.api import house
from tests.api.contracted import fit
from tests.api.ended import ended, led
from tests.api.house import Person, Table, problem
from tests.service import house as desks


def test_every_answer_carries_the_headers(table: Table) -> None:
    answers = [
        table.anyone.get("/v1/games"), table.anyone.get("/nowhere"),
        table.seats[0].get(f"{table.path}/view?viewer=seat:0"),
        table.host.get(f"{table.path}/view"), table.move(0, {"type": "mc.parry", "card": "x"}),
        table.seats[0].get(f"{table.path}/entries?viewer=seat:0", Accept="application/x-ndjson"),
    ]  # fmt: skip
    for answer in answers:
        assert answer.data, "a stream that nobody reads to its end would be closed amid another request"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "Retry-After" not in answer.headers
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert answer.headers["X-Request-Id"]
    assert answers[0].headers["Cache-Control"] == "no-cache"
    assert answers[2].headers["Cache-Control"] == answers[5].headers["Cache-Control"] == "private, no-store"


def test_an_entry_of_a_finished_public_match_is_kept_for_good(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    path = f"{table.path}/entries/2"
    assert table.anyone.get(path).headers["Cache-Control"] == "no-cache"
    table.end("abandoned")
    assert "immutable" in table.anyone.get(path).headers["Cache-Control"]
    seat = table.seats[0].get(f"{table.path}/entries/2?viewer=seat:0")
    assert seat.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(("given", "kept"), [("abc-1", True), ("x" * 65, False), ("a b", False), ("ä", False)])
def test_request_ids(app: Flask, given: str, kept: bool) -> None:
    answer = Person(app.test_client()).get("/nowhere", X_Request_Id=given)
    found = answer.headers["X-Request-Id"]
    assert (found == given) is kept
    assert answer.json["request_id"] == found  # type: ignore[index]


def test_the_log_tells_the_rule_and_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    app = house.app(LOG_LEVEL="info")
    table = house.opened(app, start=False, join=False)
    joined: Any = table.anyone.post("/v1/join", {"code": table.codes[0], "name": "Secretname"}).json
    table.anyone.post("/v1/join", {"code": table.codes[1]})
    table.host.post(f"{table.path}/start", If_Match='"v3"')
    person = Person(table.anyone.client, joined["token"])
    person.post(f"{table.path}/seats/0/moves", {"move": {"type": "mc.play", "card": "lightning"}})
    person.get(f"{table.path}/view?viewer=seat:0")
    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]
    assert {line["rule"] for line in lines} >= {"/v1/join", "/v1/matches/<match:match>/view"}
    assert all({"method", "status", "ms", "request_id", "timestamp"} <= line.keys() for line in lines)
    for secret in (joined["token"], table.host.token, *table.codes, "Secretname", "lightning", table.match):
        assert secret not in written


def test_a_fault_is_logged_without_what_was_held(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.opened(house.app())
    monkeypatch.setattr(MemoryLog, "read_seat_names", lambda *_: 1 / 0)
    capsys.readouterr()
    problem(table.seats[0].get(f"{table.path}/names"), 500, "internal-server-error")
    written = capsys.readouterr().err
    assert "ZeroDivisionError" in written
    assert str(table.seats[0].token) not in written
    assert "sword" not in written


def test_the_store_away_is_503(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("no answer from redis://:password@store")

    for name in ("read", "ping"):
        monkeypatch.setattr(MemoryLog, name, away)
    for answer in (table.anyone.get("/readyz"), table.seats[0].get(f"{table.path}/view?viewer=seat:0")):
        problem(answer, 503, "store-away")
        assert answer.headers["Retry-After"] == "1"
        assert "password" not in answer.text
    assert table.anyone.get("/healthz").json == {"status": "ok"}


def test_a_store_without_room_refuses_writes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a look would write: who is there is not noted, and a deadline that has passed is not played."""
    table = house.opened(house.app(), settings={"first_player": 0, "trigger_count": 0}, clocks={"move_ms": 30_000})
    seat = table.awaited[0]
    move = table.moves(seat)["legal"][0]["move"]
    log = table.anyone.client.application.config["SERVICE"].log

    def full(*_: Any, **__: Any) -> Any:
        raise StoreFull("no room behind redis://:password@store")

    for name in ("append", "append_together", "record_visit", "check_room", "save_snapshot", "set_wake_flag"):
        monkeypatch.setattr(MemoryLog, name, full)
    log.advance_clock(60_000)
    answer = table.move(seat, move)
    problem(answer, 507, "store-full")
    assert "password" not in answer.text
    ready: Any = table.anyone.get("/readyz").json
    assert (ready["status"], ready["store"]) == ("ok", "full")
    for path in (f"view?viewer=seat:{seat}", f"seats/{seat}/moves", f"seats/{seat}/situation", "entries"):
        assert table.seats[seat].get(f"{table.path}/{path}").status_code == 200
    waited = table.seats[seat].get(f"{table.path}/entries?viewer=seat:{seat}&after=999", Prefer="wait=1")
    assert waited.status_code == 200
    stood = table.version
    monkeypatch.undo()
    table.anyone.get(table.path)
    assert table.version > stood, "what was due is played once there is room"


@pytest.mark.parametrize(
    ("why", "status", "slug"),
    [
        ("frozen", 423, "log-frozen"), ("fork", 423, "log-frozen"), ("gone", 410, "archived"),
        ("toobig", 413, "entry-too-large"), ("fenced", 503, "store-away"),
    ],
)  # fmt: skip
def test_a_log_that_takes_no_entry(
    table: Table, monkeypatch: pytest.MonkeyPatch, why: str, status: int, slug: str
) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise MatchUnavailable(why)

    monkeypatch.setattr(type(table.anyone.client.application.config["SERVICE"]), "make_move", away)
    problem(table.move(0, {"type": "mc.pass"}), status, slug)


def test_a_frozen_match_is_read_and_not_written(app: Flask) -> None:
    table = house.opened(app)
    seat = table.awaited[0]
    move = table.moves(seat)["legal"][0]["move"]
    app.config["SERVICE"].log.freeze_match(table.match)
    problem(table.move(seat, move), 423, "log-frozen")
    assert table.seats[0].get(f"{table.path}/view?viewer=seat:0").status_code == 200


def test_limits_say_what_they_are() -> None:
    app = house.app(RATES={**house.FREE, "dry_runs": 2, "reads": 8, "joins": 3, "matches": 2})
    table = house.opened(app)
    seat, path = 0, f"{table.path}/seats/0/moves/check"
    for _ in range(2):
        assert table.seats[seat].post(path, {"move": {"type": "mc.pass"}}).status_code == 200
    refused = table.seats[seat].post(path, {"move": {"type": "mc.pass"}})
    body = problem(refused, 429, "too-many-requests")
    assert (body["limit"], body["seconds"]) == (2, 60)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert table.seats[1].post(path.replace("/0/", "/1/"), {"move": {"type": "mc.pass"}}).status_code == 200

    for _ in range(1):
        problem(table.anyone.post("/v1/join", {"code": "AAAAAA"}), 404, "unknown-code")
    problem(table.anyone.post("/v1/join", {"code": "AAAAAA"}), 429, "too-many-requests")
    body = {"game": "monster_combat", "seats": [{"kind": "bot"}] * 2}
    assert table.anyone.post("/v1/matches", body).status_code == 201
    hourly = problem(table.anyone.post("/v1/matches", body), 429, "too-many-requests")
    assert hourly["seconds"] == 3600
    assert table.anyone.get("/healthz").status_code == 200


def test_what_is_known_already_and_health_cost_nothing() -> None:
    app = house.app(RATES={**house.FREE, "reads": 4})
    person = Person(app.test_client(), "rfs_" + "p" * 43)
    table = house.opened(app, visibility="public")
    fresh = Person(app.test_client(), table.seats[1].token)
    tag = fresh.get(f"{table.path}/view").headers["ETag"]
    for _ in range(30):
        assert fresh.get(f"{table.path}/view", If_None_Match=tag).status_code == 304
        assert person.get("/healthz").status_code == 200
    for _ in range(3):
        assert fresh.get(f"{table.path}/view").status_code == 200
    problem(fresh.get(f"{table.path}/view"), 429, "too-many-requests")
    for _ in range(4):
        assert person.get("/nowhere").status_code == 404
    problem(person.get("/nowhere"), 429, "too-many-requests")


def test_a_new_token_for_every_request_buys_little() -> None:
    app = house.app(RATES={**house.FREE, "reads": 1})
    answers = [
        Person(app.test_client(), f"rfs_{number:043d}").get("/v1/games").status_code
        for number in range(limits.ADDRESS_FACTOR + 2)
    ]
    assert answers == [200] * limits.ADDRESS_FACTOR + [429] * 2


def test_begin_here(app: Flask) -> None:
    anyone = Person(app.test_client())
    index: Any = anyone.get("/").json
    assert anyone.get(index["contract"]).status_code == 200
    for path in index["games"].values():
        assert anyone.get(path).status_code == 200
    assert anyone.get("/openapi.json").json["info"]["version"] == index["contract_version"]  # type: ignore[index]
    assert index["version"] == referee.__version__
    ready = anyone.get("/readyz").json
    assert ready == {"status": "ok", "store": "ok", "queue": "none", "workers": {}, "lag": 0}


def test_what_the_lobby_lists_has_the_form_that_the_contract_names() -> None:
    app = house.app()
    for start in (False, True):
        house.opened(app, visibility="public", start=start)
    over = house.opened(app, visibility="public")
    ended(app, over)
    led(app)
    anyone = Person(app.test_client())
    listed: Any = anyone.get("/v1/matches").json
    assert sorted(row["status"] for row in listed["items"]) == ["finished", "lobby", "running"]
    fit("Lobby", listed)
    (outcome,) = (row["outcome"] for row in listed["items"] if row["outcome"])
    assert outcome == anyone.get(over.path).json["outcome"]  # type: ignore[index]
    german: Any = anyone.get("/v1/matches?status=finished&lang=de").json
    assert list(german["items"][0]["outcome"]["reason"]) == ["de"]


def test_the_lobby_lists_public_matches_from_the_projection() -> None:
    log = MemoryLog()
    app = house.app(desks.service(log))
    anyone = Person(app.test_client())
    empty: Any = anyone.get("/v1/matches").json
    assert empty == {"items": [], "next_cursor": None, "as_of": "a"}
    names = [f"{number:02d}-{'a' * 26}" for number in (3, 1, 2, 40)]
    from referee.eventstore.contract import ProjectionWrite

    for at, name in enumerate(names):
        row = {
            "match": name, "game": "monster_combat", "variant": "V1", "status": "lobby" if at else "running",
            "free_seats": at, "visibility": "private" if at == 2 else "public", "version": 1, "seats": [], "awaits": [],
            "outcome": None,
        }  # fmt: skip
        write = ProjectionWrite("hset", "matches", name, json.dumps(row).encode())
        assert log.apply_projection(int(name[:2]), "lobby", 1, 0, 5, [write])
    listed: Any = anyone.get("/v1/matches").json
    assert [row["match"] for row in listed["items"]] == [names[1], names[0], names[3]]
    with app.app_context():
        assert consistency_token.decode_consistency_token(listed["as_of"]) == {1: 5, 2: 5, 3: 5, 40: 5}
    page = anyone.get("/v1/matches?limit=2")
    assert page.json["next_cursor"] == names[0]  # type: ignore[index]
    rest: Any = anyone.get(page.headers["Link"].partition("<")[2].partition(">")[0]).json
    assert [row["match"] for row in rest["items"]] == [names[3]]
    for query, expected in (("status=running", [names[0]]), ("free_seats=2", [names[3]]), ("game=none", [])):
        found: Any = anyone.get(f"/v1/matches?{query}").json
        assert [row["match"] for row in found["items"]] == expected


def test_an_app_without_a_desk_asks_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("REFEREE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("REFEREE_STORE_URL", "fake://test-api")
    monkeypatch.setenv("REFEREE_LOG_LEVEL", "error")
    monkeypatch.setenv("REFEREE_RATE_WRITES", "77")
    app = create_app()
    assert app.config["RATES"]["writes"] == 77
    table = house.opened(app)
    assert table.moves(table.awaited[0])["legal"]
    again = create_app()
    assert Person(again.test_client(), table.seats[0].token).get(f"{table.path}/view?viewer=seat:0").status_code == 200


def test_moments_are_written_as_rfc_3339() -> None:
    assert format_time(0) == "1970-01-01T00:00:00.000Z"
    assert format_time(1_763_665_445_120) == "2025-11-20T19:04:05.120Z"


def test_readiness_tells_of_the_queue_and_of_what_the_lobby_has_still_to_take_in(app: Flask) -> None:
    app.config["QUEUE_STATE"] = lambda: {"queue": "away", "workers": {}}
    table = house.opened(app)
    answer = table.anyone.get("/readyz")
    assert answer.status_code == 200
    ready: Any = answer.json
    assert ready["queue"] == "away"
    assert ready["lag"] == table.version


def test_a_refusal_whose_words_lie_in_a_store_that_is_away_is_503(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store may be gone between the look at the match and at the entries that the caller missed."""
    seat, version = table.awaited[0], table.version

    def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("no answer")

    monkeypatch.setattr("api.http.problems.views.list_entries", away)
    move = {"type": "mc.play", "card": "sword"}
    problem(table.move(seat, move, seen=version + 5), 503, "store-away")
