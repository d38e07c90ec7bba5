"""OWASP API 2023, 4 and 6: nothing that a client sends costs more than a little, and whatever is dear is counted."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import pytest
from flask import Flask

from api.app import BODY_LIMIT
from api.http import prefer
from tests.api import house
from tests.api.house import Person, Table, fresh, problem
from tests.api.owasp.places import CALLS, HERE, LET_IN, Call, Everybody, everybody

WRITES = [call for call in HERE.values() if call.body is not None]
SOON = 2.0  # seconds of processor time
LATE = 20.0  # seconds on the clock, for what would else wait for an hour


@pytest.fixture(scope="module")
def there() -> Everybody:
    """One match: what is too much is refused and leaves it as it was."""
    return everybody("public")


def sent(found: Everybody, call: Call, data: bytes) -> Any:
    """A raw body, by somebody who may call."""
    began = time.thread_time()  # what it costs, not how long others on the machine kept it waiting
    answer = call.raw(found.people[LET_IN[call.place][0]], found.table.match, data)
    assert time.thread_time() - began < SOON
    return answer


@pytest.mark.parametrize("call", WRITES, ids=str)
def test_a_body_too_large_too_deep_or_too_long_a_number_is_refused_at_once(there: Everybody, call: Call) -> None:
    before = there.state()
    key = next(iter(call.body), "a")
    problem(sent(there, call, b" " * (BODY_LIMIT + 1)), 413, "content-too-large")
    problem(sent(there, call, b'{"a": "' + b"x" * 10_000_000 + b'"}'), 413, "content-too-large")
    deep = ("[" * 30_000 + "]" * 30_000).encode()
    assert sent(there, call, deep).status_code in (400, 422)
    nested = json.dumps({key: json.loads("[" * 200 + "]" * 200)}).encode()
    assert sent(there, call, nested).status_code in (400, 422)
    objects = (f'{{"{key}":' + '{"a":' * 5000 + "1" + "}" * 5001).encode()
    assert sent(there, call, objects).status_code in (400, 422)
    for number in ("1" + "0" * 60_000, "1e400", "-1e400", "NaN", "Infinity", "0." + "1" * 60_000):
        answer = sent(there, call, f'{{"{key}": {number}}}'.encode())
        assert answer.status_code in (400, 422), (number[:10], answer.text[:200])
    many = json.dumps({f"k{index}": index for index in range(4000)}).encode()
    assert len(sent(there, call, many).data) < 1_000_000
    assert there.state() == before


def test_a_body_of_unknown_length_is_cut_off_as_well(there: Everybody) -> None:
    for length in ({"content_length": None}, {"content_length": 5}):
        stream = io.BytesIO(b'{"level": 0' + b" " * 10_000_000 + b"}")
        environ = {"wsgi.input_terminated": True} if length["content_length"] is None else {}
        person = there.people["host"]
        headers = {"Authorization": f"Bearer {person.token}", "Idempotency-Key": fresh()}
        answer = person.client.put(
            f"{there.table.path}/seats/0/bot", input_stream=stream, content_type="application/json", headers=headers,
            environ_overrides=environ, **length,
        )  # fmt: skip
        assert answer.status_code in (400, 413), answer.text


@pytest.mark.parametrize("given", ["0", "-1", "201", "1e3", "9" * 30, "٣", "1.0", " 5", "0x10", "5;6", ""])
def test_a_page_has_its_limit(there: Everybody, given: str) -> None:
    for path in ("/v1/matches?limit=", f"{there.table.path}/entries?limit="):
        problem(there.people["nobody"].get(path + given), 422, "invalid-input")


def test_a_page_is_no_longer_than_it_may_be(app: Flask) -> None:
    table = house.opened(app, start=False, visibility="public")
    for _ in range(60):  # a page has 50 unless told
        assert table.host.put(f"{table.path}/seats/0/proxy", {"by": "host"}).status_code == 403
        assert table.seats[0].put(f"{table.path}/seats/0/proxy", {"by": "host"}).status_code == 200
    page: Any = table.anyone.get(f"{table.path}/entries").json
    assert (len(page["items"]), page["next_cursor"]) == (50, 50)


def test_nobody_waits_longer_than_the_longest(there: Everybody, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("api.http.change_feed.Subscription.wait", lambda self, seconds: waits.append(seconds))
    monkeypatch.setattr(prefer, "LONGEST_WAIT", 0.2)
    last = there.table.version
    for given in ("wait=999999999", "wait=100000", 'wait="4000"'):
        began = time.monotonic()
        path = f"{there.table.path}/entries?after={last}"
        assert there.people["nobody"].get(path, Prefer=given).headers["Preference-Applied"] == "wait=0.2"
        assert time.monotonic() - began < LATE
    assert waits
    assert max(waits) <= 0.2
    for given in ("wait=-1", "wait=9999999999999", "wait=x", "wait", ",;,;" * 2000, "wait=1" * 5000):
        began = time.monotonic()
        assert there.people["nobody"].get(path, Prefer=given).status_code == 200
        assert time.monotonic() - began < LATE


HEADERS = ("If-Match", "If-None-Match", "Idempotency-Key", "Prefer", "Last-Event-ID", "Accept", "Accept-Language")
HOSTILE = ("a" * 60_000, '"v' * 20_000, ",".join(["*/*;q=0.1"] * 5000), '"' + "v1:" + "a" * 60_000, "é" * 100, "-" * 9)


@pytest.mark.parametrize("header", [*HEADERS, "Authorization", "X-Request-Id", "Origin", "Content-Type"])
def test_no_header_takes_long_to_read(there: Everybody, header: str) -> None:
    for value in HOSTILE:
        for method, path in (("GET", f"{there.table.path}/entries"), ("PUT", f"{there.table.path}/seats/0/proxy")):
            person = there.people["seat 0"]
            headers = {"Authorization": f"Bearer {person.token}", "Idempotency-Key": fresh(), header: value}
            began = time.thread_time()
            answer = person.client.open(path, method=method, headers=headers, json={"by": "everybody"})
            assert time.thread_time() - began < SOON
            assert answer.status_code in (200, 304, 400, 401, 406, 415, 422), (value[:10], answer.text[:200])


def test_a_search_is_a_search_for_words_and_no_pattern(there: Everybody) -> None:
    anyone = there.people["nobody"]
    for hostile in ("(a%2B)%2B$", "((a*)*)*", ".*", "%5C", "%00", "a" * 64, "%F0%9F%83%8F"):
        for path in ("/v1/games/monster_combat/clauses?q=", "/v1/games/here_to_slay/cards?q="):
            began = time.thread_time()
            answer = anyone.get(path + hostile)
            assert answer.status_code in (200, 422)
            if hostile == ".*":
                assert not answer.json["items"] if "items" in answer.json else True
            assert time.thread_time() - began < SOON
    problem(anyone.get("/v1/games/monster_combat/clauses?q=" + "a" * 10_000), 422, "invalid-input")


def test_long_and_strange_addresses_lead_nowhere_soon(there: Everybody) -> None:
    anyone = there.people["nobody"]
    strange = ("a" * 8000, "..%2f" * 500, "%2e%2e/%2e%2e/etc/passwd", "%00", "07-" + "a" * 4000, "//" * 500, "1" * 5000)
    for tail in strange:
        for base in ("/v1/games/", "/v1/matches/", f"{there.table.path}/entries/", f"{there.table.path}/seats/"):
            began = time.thread_time()
            answer = anyone.get(base + tail)
            assert answer.status_code in (301, 308, 401, 404), (base, tail[:20], answer.status_code)
            assert time.thread_time() - began < SOON


PASS = {"move": {"type": "mc.pass"}}
RULINGS = "/v1/games/monster_combat/rulings"
LIMITED = [  # which limit, how to use it up
    ("reads", lambda table: table.seats[0].get(table.path)),
    ("writes", lambda table: table.seats[0].put(f"{table.path}/seats/0/proxy", {"by": "nobody"})),
    ("dry_runs", lambda table: table.seats[0].post(f"{table.path}/seats/0/moves/check", PASS)),
    ("dry_runs", lambda table: table.anyone.post(RULINGS, CALLS["judgePosition"].body, X_Forwarded_For="192.0.2.7")),
    ("joins", lambda table: table.anyone.post("/v1/join", {"code": "ZZZZZZ"})),
    ("matches", lambda table: table.anyone.post("/v1/matches", CALLS["openMatch"].body)),
]  # fmt: skip


@pytest.mark.parametrize(("limit", "ask"), LIMITED, ids=["reads", "writes", "dry runs", "rulings", "joins", "matches"])
def test_whatever_is_dear_is_counted(limit: str, ask: Any) -> None:
    app = house.app(RATES={**house.FREE, limit: 5})
    with_seats = house.app(app.config["SERVICE"])  # joining and opening use up the limits, too
    made = house.opened(with_seats)
    table = Table(made.match, Person(app.test_client()), made.host, seats_at(app, made), made.codes)
    answers = [ask(table) for _ in range(8)]
    assert [answer.status_code == 429 for answer in answers] == [False] * 5 + [True] * 3
    told = problem(answers[-1], 429, "too-many-requests")
    assert told["limit"] == 5
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= told["seconds"]


def test_positions_are_judged_without_count_on_the_machine_itself_and_nowhere_else() -> None:
    body = CALLS["judgePosition"].body
    app = house.app(RATES={**house.FREE, "dry_runs": 5})
    here = Person(app.test_client())
    assert {here.post(RULINGS, body).status_code for _ in range(20)} == {200}
    for header in ({"Origin": "http://page.example"}, {"Forwarded": "for=192.0.2.7"}, {"Host": "page.example"}):
        answers = [here.post(RULINGS, body, **header).status_code for _ in range(6)]
        assert answers[-1] in (400, 403, 429), header
    far = app.test_client().post(RULINGS, json=body, environ_overrides={"REMOTE_ADDR": "192.0.2.9"})
    assert far.status_code == 200
    for _ in range(5):
        far = app.test_client().post(RULINGS, json=body, environ_overrides={"REMOTE_ADDR": "192.0.2.9"})
    assert far.status_code == 429


def seats_at(app: Flask, table: Table) -> tuple[Person, ...]:
    """The same people, who call another app over the same desk."""
    return tuple(Person(app.test_client(), person.token) for person in table.seats)
