"""An app over a desk in memory, and people who call it: for tests of the API."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from api.app import create_app
from api.http.access import limits
from referee.engine.seats import BYSTANDER
from referee.service.hints import compute_hint
from referee.service.match_service import MatchService
from tests.service import house

SECRET = b"a secret for tests, thirty-two b."
FREE = dict.fromkeys(limits.DEFAULTS, 1_000_000)
COUNTERS = [itertools.count()]
COMPILED: dict[Any, Any] = {}
COMPILE: Any = Rule.compile
PARTS = ("_parts", "_trace", "_converters", "_build", "_build_unknown")  # what werkzeug compiles of a route


def compiled_once(rule: Rule) -> None:
    """Compiles a route for the first of all apps that have it: the others take over what was made of it.

    Each app would parse, and compile two functions of, every route: of the time of a test that has an app of its own,
    most.
    """
    assert rule.map is not None
    key = (rule.rule, rule.host, rule.subdomain, rule.merge_slashes, frozenset(rule.map.converters.items()))
    if rule.defaults or rule.map.host_matching:
        COMPILE(rule)
    elif key not in COMPILED:
        COMPILE(rule)
        made = {name: vars(rule)[name] for name in PARTS}
        builders = {name: made.pop(name).__func__ for name in ("_build", "_build_unknown")}  # each bound to its rule
        COMPILED[key] = made, builders, frozenset(rule.arguments)
    else:
        made, builders, arguments = COMPILED[key]
        vars(rule).update(made, **{name: build.__get__(rule, None) for name, build in builders.items()})
        rule.arguments |= arguments


if all(name in COMPILE.__code__.co_names for name in PARTS):  # no public part of werkzeug: else tests take longer
    Rule.compile = compiled_once  # type: ignore[method-assign]


def app(service: MatchService | None = None, **config: Any) -> Flask:
    """The app, with a desk of its own unless one is handed in, and no limits to speak of; hints need no worker."""
    desk = service or house.service()
    config = {"REQUEST_HINT": partial(compute_hint, desk), "OPEN_MATCHES_PER_ADDRESS": 1_000_000, **config}
    return create_app({"SERVICE": desk, "SECRET": SECRET, "RATES": FREE, "LOG_LEVEL": "error", **config})


def fresh() -> str:
    """A key that was not used before in this test; each test gets the same ones, and so the same matches."""
    return f"key-{next(COUNTERS[0]):032d}"


@dataclass(frozen=True)
class Person:
    """Somebody who calls the API with a token, or without."""

    client: FlaskClient
    token: str | None = None

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """One call; every write gets a fresh key unless one is given. `If_Match` and the like are headers."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if method != "GET":
            sent.setdefault("Idempotency-Key", fresh())
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        sent = {name: value for name, value in sent.items() if value}
        more = {} if body is None else {"data": body} if isinstance(body, bytes) else {"json": body}
        return self.client.open(path, method=method, headers=sent, **more)

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        return self.ask("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        return self.ask("PATCH", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        return self.ask("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> TestResponse:
        return self.ask("DELETE", path, **headers)


@dataclass(frozen=True)
class Table:
    """A match with everybody who belongs to it."""

    match: str
    anyone: Person
    host: Person
    seats: tuple[Person, ...]
    codes: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}"

    @property
    def version(self) -> int:
        return int(self.host.get(self.path).json["version"])  # type: ignore[index]

    @property
    def awaited(self) -> list[Any]:
        return list(self.host.get(self.path).json["awaits"])  # type: ignore[index]

    def end(self, reason: str = "abandoned", **body: Any) -> TestResponse:
        """The host proposes to end the match, and everybody agrees; the last answer."""
        said = self.host.post(f"{self.path}/end", {"reason": reason, **body}, If_Match="*")
        while said.status_code == 201 and (asked := said.json["ending"]) and asked["asks"]:  # type: ignore[index]
            consents = f"{self.path}/endings/{asked['ending']}/consents"
            said = self.seats[asked["asks"][0]].post(consents, {"grant": True})
        return said

    def arbiter(self, refusing: tuple[int, ...] = (), silent: tuple[int, ...] = ()) -> Person:
        """An arbiter who is invited now and whom all seats accept, but these."""
        code = self.host.post(f"{self.path}/invitations", {"role": "arbiter"}).json["code"]  # type: ignore[index]
        joined = self.anyone.post("/v1/join", {"code": code})
        assert joined.status_code == 201, joined.text
        official = joined.json["officials"][-1]  # type: ignore[index]
        for seat in official["asks"]:
            if seat not in silent:
                answer = {"grant": seat not in refusing}
                said = self.seats[seat].post(f"{self.path}/officials/{official['official']}/consents", answer)
                assert said.status_code == 200, said.text
        return Person(self.anyone.client, joined.json["token"])  # type: ignore[index]

    def moves(self, seat: int | str, by: Person | None = None) -> dict[str, Any]:
        """What a seat may do."""
        person = by or self.seats[int(seat)]
        found = person.get(f"{self.path}/seats/{seat}/moves?whole=true")
        assert found.status_code == 200, found.text
        return dict(found.json)  # type: ignore[arg-type]

    def move(self, seat: int | str, move: dict[str, Any], by: Person | None = None, **more: Any) -> TestResponse:
        """Makes a move; further body members and headers (with a capital) as they come."""
        headers = {name: value for name, value in more.items() if name[0].isupper()}
        rest = {name: value for name, value in more.items() if name[0].islower()}
        person = by or self.seats[int(seat)]
        return person.post(f"{self.path}/seats/{seat}/moves", {"move": move, **rest}, **headers)


def opened(
    app: Flask, game: str = "monster_combat", seats: int = 2, start: bool = True, join: bool = True, **body: Any
) -> Table:
    """A match that was opened, joined by everybody and started."""
    anyone = Person(app.test_client())
    chairs = body.pop("chairs", [{"kind": "human"}] * seats)
    made = anyone.post("/v1/matches", {"game": game, "seats": chairs, **body})
    assert made.status_code == 201, made.text
    host = Person(anyone.client, made.json["token"])  # type: ignore[index]
    codes = tuple(each["code"] for each in made.json["invitations"])  # type: ignore[index]
    people = []
    for code in codes if join else ():
        joined = anyone.post("/v1/join", {"code": code})
        assert joined.status_code == 201, joined.text
        people.append(Person(anyone.client, joined.json["token"]))  # type: ignore[index]
    table = Table(made.json["match"], anyone, host, tuple(people), codes)  # type: ignore[index]
    if start:
        started = host.post(f"{table.path}/start", If_Match=f'"v{table.version}"')
        assert started.status_code == 201, started.text
    return table


def seen_as(address: str, viewer: int | str | None = None) -> str:
    """An address as a viewer asks it: a seat by its number, `full`, or the public."""
    if viewer is None or viewer == BYSTANDER:
        return address
    named = viewer if viewer == "full" else f"seat:{viewer}"
    return f"{address}{'&' if '?' in address else '?'}viewer={named}"


def publish(person: Person, game: str, text: str | bytes, **headers: str) -> TestResponse:
    """Publishes a card book."""
    body = text.encode() if isinstance(text, str) else text
    return person.post(f"/v1/games/{game}/books", body, **{"Content_Type": "application/yaml", **headers})


def problem(response: TestResponse, status: int, slug: str) -> dict[str, Any]:
    """The problem document that a response has to be."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json", response.text
    body: dict[str, Any] = response.json  # type: ignore[assignment]
    assert body["type"] == f"/problems/{slug}", body
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["request_id"] == response.headers["X-Request-Id"]
    return body
