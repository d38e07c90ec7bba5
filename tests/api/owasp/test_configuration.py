"""OWASP API 2023, 7 to 10: no address is fetched for anybody, verbs and headers are as told, no route is forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import problem
from tests.api.owasp.places import CALLS, HERE, LET_IN, Everybody, everybody

VERBS = ("GET", "PUT", "POST", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "LOCK", "QUERY")
PATHS = sorted({call.template for call in CALLS.values()})
# calls that take an address for the server to call: the test file of what they refuse
FETCHES = dict.fromkeys(
    ("makeWebhook", "changeWebhook", "makePlayerWebhook", "makePushSubscription"),
    "tests/infrastructure/test_hook_addresses.py",
)
ADDRESS = re.compile(r"ur[il]\b|href|callback|webhook|endpoint|redirect|host(name)?$", re.IGNORECASE)
FETCHERS = re.compile(
    r"^\s*(?:import|from)\s+(requests|httpx|urllib\.request|urllib3|http\.client|aiohttp|socket)\b", re.MULTILINE
)
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def there() -> Everybody:
    return everybody("public")


def members(schema: Any, contract: dict[str, Any], seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    """Every member of a schema by its name, through references and unions."""
    if isinstance(schema, list):
        for part in schema:
            yield from members(part, contract, seen)
    elif isinstance(schema, dict):
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen:
            yield from members(contract["components"]["schemas"][name], contract, seen | {name})
        for key, part in schema.get("properties", {}).items():
            yield key, part
        for key, part in schema.items():
            if key not in ("example", "examples", "discriminator", "enum", "const"):
                yield from members(list(part.values()) if key == "properties" else part, contract, seen)


def test_no_call_takes_an_address_to_fetch_unless_its_refusals_are_tested(app: Flask) -> None:
    contract, takers = app.config["CONTRACT"](), set()
    for path, item in contract["paths"].items():
        for operation in item.values():
            if not isinstance(operation, dict):
                continue
            bodies = operation.get("requestBody", {}).get("content", {}).values()
            for media in bodies:
                for name, part in members(media["schema"], contract):
                    if ADDRESS.search(name) or str(part.get("format", "")).startswith(("uri", "iri", "hostname")):
                        takers.add(operation["operationId"])
        assert "{url" not in path
    assert takers == set(FETCHES), "say in FETCHES which tests hold that private addresses are refused"
    for file in FETCHES.values():
        assert (ROOT / file).is_file()


def test_the_api_itself_calls_nobody() -> None:
    """What calls others belongs to the workers, behind the check of addresses."""
    found = {path.name for path in (ROOT / "api").rglob("*.py") if FETCHERS.search(path.read_text("utf-8"))}
    assert found == set()


@pytest.mark.parametrize("template", PATHS)
def test_a_path_has_its_verbs_and_no_other(there: Everybody, template: str) -> None:
    allowed = {call.method: call for call in CALLS.values() if call.template == template}
    one, before = next(iter(allowed.values())), there.state()
    path, host = one.path(there.table.match), there.people["host"]
    for verb in VERBS:
        if verb in allowed:
            continue
        for overriding in ({}, {"X-HTTP-Method-Override": one.method}, {"X-Method-Override": one.method}):
            headers = {"Authorization": f"Bearer {host.token}", "Idempotency-Key": house.fresh(), **overriding}
            answer = host.client.open(f"{path}?_method={one.method}", method=verb, headers=headers)
            problem(answer, 405, "method-not-allowed")
            named = {each.strip() for each in answer.headers["Allow"].split(",")}
            assert named - {"HEAD", "OPTIONS"} == set(allowed)
    assert there.state() == before


def test_options_tell_the_same_to_everybody(there: Everybody) -> None:
    for match in (there.table.match, "07-" + "x" * 26):
        for who in ("nobody", "seat 0", "host"):
            answer = there.people[who].ask("OPTIONS", f"/v1/matches/{match}")
            assert answer.status_code == 200
            assert answer.data == b""
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "PATCH", "DELETE"}


@pytest.mark.parametrize("name", [name for name, call in HERE.items() if call.method == "GET" and "stream" not in name])
def test_head_is_get_without_its_body(there: Everybody, name: str) -> None:
    call = CALLS[name]
    path = call.path(there.table.match)
    for who in ("nobody", LET_IN[call.place][0]):
        got, head = (there.people[who].ask(method, path, X_Request_Id="same") for method in ("GET", "HEAD"))
        assert head.data == b""
        assert head.status_code == got.status_code
        assert head.mimetype == got.mimetype


@pytest.mark.parametrize("name", HERE)
def test_every_answer_carries_its_headers_whoever_asks(there: Everybody, name: str) -> None:
    for who in ("nobody", "garbage", "spectator"):
        answer = CALLS[name].by(there.people[who], there.table.match, Origin="https://elsewhere.example")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Request-Id"]
        kept = (
            "max-age" if name in ("getDocsFile", "getPageFile") else "no-cache"
        )  # files of the program itself, the same for all
        assert kept in answer.headers["Cache-Control"] or "no-store" in answer.headers["Cache-Control"]
        assert not [key for key, _ in answer.headers if key.lower().startswith("access-control-")]
        assert "Set-Cookie" not in answer.headers
        assert "X-Powered-By" not in answer.headers


def test_a_preflight_of_another_site_is_answered_without_leave(there: Everybody) -> None:
    asks = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    for call in CALLS.values():
        answer = there.people["nobody"].client.options(call.path(there.table.match), headers=asks)
        assert not [key for key, _ in answer.headers if key.lower().startswith("access-control-")], call.name


def test_nothing_of_a_debugger_is_served(app: Flask) -> None:
    assert not app.debug
    assert not app.testing
    assert app.static_folder is None
    anyone = app.test_client()
    for path in ("/console", "/?__debugger__=yes&cmd=resource&f=style.css", "/static/x", "/.git/config", "/.env",
                 "/admin", "/debug", "/server-status", "/v2/games", "/v1", "/swagger.json", "/api"):  # fmt: skip
        assert anyone.get(path).status_code in (404, 422), path


def test_every_route_is_in_the_contract_under_one_version(app: Flask) -> None:
    contract = app.config["CONTRACT"]()
    service = {"/", "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json", "/problems/{slug}", "/docs"}
    service |= {"/docs/{file}", "/verify.py", "/verify.html", "/{scene}", "/app/{digest}/{asset}"}
    for path, item in contract["paths"].items():
        assert path.startswith("/v1/") or path in service, path
        for method, operation in item.items():
            if method in ("get", "put", "post", "patch", "delete"):
                assert not operation.get("deprecated"), (method, path)
    assert contract["servers"] == [{"url": "/"}]
    assert contract["security"] == [{"bearer": []}], "a call that says nothing needs a token"
    assert set(contract["components"]["securitySchemes"]) == {"bearer"}


def test_a_private_answer_is_kept_by_nobody(there: Everybody) -> None:
    for call in HERE.values():
        if call.place not in ("open", "see") and call.method == "GET":
            answer = call.by(there.people[LET_IN[call.place][0]], there.table.match)
            assert answer.headers["Cache-Control"] == "private, no-store" or "stream" in call.name, call.name
            assert "no-store" in answer.headers["Cache-Control"]
