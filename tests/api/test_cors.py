"""Pages of other origins: off by default; by an allow-list, for every route, without credentials."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.api import house
from tests.api.house import Person, problem

FRIEND, V6 = "https://table.example", "http://[::1]:8080"
EXPOSED = {
    *("ETag", "Location", "Link", "Retry-After", "X-Request-Id", "Idempotency-Replayed", "Preference-Applied"),
    *("Receipt", "Deprecation", "Sunset", "WWW-Authenticate"),
}
ALLOWED = {
    "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Prefer",
    "X-Request-Id",
}  # fmt: skip
SAMPLES = {
    "match": "07-" + "m" * 26, "seat": "0", "mover": "chance", "name": "monster_combat", "int": "1", "word": "w",
    "window": "1.0", "player": "pl-" + "p" * 26, "deck": "fast", "edition": "w", "remedy": "leave",
    "bundle": "bd-" + "b" * 26, "scene": "join", "file": "main.js",
    "tournament": "07-T" + "t" * 26, "export": "report.trf",
}  # fmt: skip


@pytest.fixture
def friendly() -> Flask:
    return house.app(CORS_ORIGINS=(FRIEND, V6))


def routes(app: Flask) -> list[tuple[str, str]]:
    """Every route as an address that leads there, with each of its methods."""
    found = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(\w+)(?:\([^)]*\))?:\w+>", lambda part: SAMPLES[part[1]], rule.rule)
        assert "<" not in path
        found += [(path, method) for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"})]
    return found


def preflight(app: Flask, path: str, method: str, origin: str = FRIEND, headers: str = "") -> TestResponse:
    return app.test_client().options(
        path,
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": headers or ", ".join(sorted(ALLOWED)).lower(),
        },
    )


def listed(value: str | None) -> set[str]:
    return {word.strip().lower() for word in (value or "").split(",") if word.strip()}


def test_it_is_off_by_default_for_every_route(app: Flask) -> None:
    for path, method in routes(app):
        answer = preflight(app, path, method)
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")], path
        assert "Origin" not in answer.vary


def test_a_preflight_passes_for_every_route_with_every_header_of_the_contract(friendly: Flask) -> None:
    asked = routes(friendly)
    assert any(path.endswith("/seats/chance/moves") for path, _ in asked)
    for path, method in asked:
        answer = preflight(friendly, path, method)
        assert answer.status_code == 200, (path, method, answer.text)
        assert answer.headers["Access-Control-Allow-Origin"] == FRIEND
        assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
        assert listed(answer.headers["Access-Control-Allow-Headers"]) == {name.lower() for name in ALLOWED}
        assert answer.headers["Access-Control-Max-Age"] == "600"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Origin" in answer.vary


def test_no_other_header_is_allowed(friendly: Flask) -> None:
    answer = preflight(friendly, "/v1/matches", "POST", headers="X-Other, Cookie, Prefer")
    assert listed(answer.headers["Access-Control-Allow-Headers"]) == {"prefer"}


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example", "https://tableXexample", "https://table.example.evil.example", "http://table.example",
        "https://table.example:444", "https://sub.table.example", "null", "http://[::2]:8080",
    ],
)  # fmt: skip
def test_another_origin_is_told_nothing_of_it(friendly: Flask, origin: str) -> None:
    answers = [
        preflight(friendly, "/v1/games", "GET", origin),
        friendly.test_client().get("/v1/games", headers={"Origin": origin}),
    ]
    for answer in answers:
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
        assert "Origin" in answer.vary


@pytest.mark.parametrize("origin", [FRIEND, V6])
def test_what_is_answered_may_be_read_errors_too(friendly: Flask, origin: str) -> None:
    anyone = Person(friendly.test_client())
    for path in ("/v1/games", "/nowhere", "/v1/matches/07-" + "m" * 26 + "/view"):
        answer = anyone.get(path, Origin=origin)
        assert answer.headers.getlist("Access-Control-Allow-Origin") == [origin]
        assert listed(answer.headers["Access-Control-Expose-Headers"]) == {name.lower() for name in EXPOSED}
        assert "Access-Control-Allow-Credentials" not in answer.headers
    problem(anyone.get("/nowhere", Origin=origin), 404, "not-found")


def test_without_an_origin_nothing_is_allowed_and_caches_are_warned(friendly: Flask) -> None:
    answer = Person(friendly.test_client()).get("/v1/games")
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Origin" in answer.vary


def test_a_stream_may_be_read(friendly: Flask) -> None:
    table = house.opened(friendly, visibility="public")
    stream = table.anyone.get(f"{table.path}/stream", Origin=FRIEND)
    assert stream.headers["Access-Control-Allow-Origin"] == FRIEND
    assert "Origin" in stream.vary
    stream.close()


def test_preflights_use_up_nobodys_reads_and_nobodys_tries_to_join() -> None:
    app = house.app(CORS_ORIGINS=(FRIEND,), RATES={**house.FREE, "reads": 3, "joins": 1})
    for _ in range(9):
        assert preflight(app, "/v1/games", "GET").status_code == 200
        assert preflight(app, "/v1/join", "POST").status_code == 200
    assert Person(app.test_client()).get("/v1/games").status_code == 200
    problem(Person(app.test_client()).post("/v1/join", {"code": "ZZZZZZ"}), 404, "unknown-code")
    for _ in range(30):
        last = preflight(app, "/v1/games", "GET")
    assert last.status_code == 429, "ten times the reads of a token, by address"
