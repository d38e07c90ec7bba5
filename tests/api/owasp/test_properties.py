"""OWASP API 2023, 3: nobody sets a property that is not his to set, and nobody is shown one that is not his to see."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.api import house
from tests.api.house import problem
from tests.api.owasp.places import HERE, LET_IN, MEMBERS, STRANGERS, Call, Everybody, everybody

SMUGGLED = ("taken", "host", "token", "role_of", "is_admin", "version", "status", "commitment", "__class__", "secret")
BODIES = [call for call in HERE.values() if call.body is not None]
POSITIONS = (
    "judgePosition",
    "countPosition",
    "listPositionMoves",
)  # the games read them; a wrong member has a pointer of their own
SECRET = re.compile(r"rfs_[A-Za-z0-9_-]{20}|whsec_|\b[0-9a-f]{128}\b")


@pytest.fixture(scope="module")
def there() -> Everybody:
    """One public match: refused bodies leave it as it was, and each test looks whether they did."""
    return everybody("public")


def spoilt(body: Any, extra: str, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """The body with one member too many, at each object in it."""
    if isinstance(body, dict):
        yield f"{pointer}/{extra}", {**body, extra: 1}
        for key, part in body.items():
            for where, changed in spoilt(part, extra, f"{pointer}/{key}"):
                yield where, {**body, key: changed}
    elif isinstance(body, list):
        for index, part in enumerate(body):
            for where, changed in spoilt(part, extra, f"{pointer}/{index}"):
                yield where, [*body[:index], changed, *body[index + 1 :]]


def caller(call: Call, found: Everybody) -> Any:
    """Somebody whom the call lets in."""
    return found.people[LET_IN[call.place][0] if call.place != "open" else "nobody"]


@pytest.mark.parametrize("call", BODIES, ids=str)
def test_no_member_is_smuggled_in(there: Everybody, call: Call) -> None:
    before, tried = there.state(), 0
    for extra in SMUGGLED:
        for pointer, body in spoilt(copy.deepcopy(call.body), extra):
            if call.name == "countPosition" and pointer.startswith("/position/question"):
                continue  # a census counts cards; what is asked it does not read
            answer = call.by(caller(call, there), there.table.match, body)
            slug = "position-malformed" if call.name in POSITIONS and "/position" in pointer else "invalid-input"
            told = problem(answer, 422, slug)
            assert [error["pointer"] for error in told["errors"]] == [pointer], told["errors"]
            tried += 1
    assert tried >= len(SMUGGLED)
    assert there.state() == before


@pytest.mark.parametrize("call", BODIES, ids=str)
def test_a_member_of_another_kind_is_refused(there: Everybody, call: Call) -> None:
    before = there.state()
    for key in call.body:
        for wrong in (None, [[]], {"$ne": ""}, "\u0000", 10**20, 1.5):
            if key in ("settings", "chance") and wrong == {"$ne": ""}:
                continue  # an object is the right kind there; what is in it, the test above looks at
            if (call.name, key, wrong) == ("makePlayer", "name", None):
                continue  # a player may have no name
            answer = call.raw(caller(call, there), there.table.match, json.dumps({**call.body, key: wrong}).encode())
            assert answer.status_code in (409, 422), (key, wrong, answer.text)
            if answer.status_code == 409:
                assert key == "position", (key, wrong, answer.text)
            else:
                assert all(error["pointer"].startswith(f"/{key}") for error in answer.json["errors"]), answer.text
    assert there.state() == before


def shown(found: Everybody) -> Iterator[tuple[str, str, Any]]:
    """Every answer to a read about the match, by everybody: the call, who asked, the answer."""
    for call in HERE.values():
        if call.method == "GET" and call.place != "open":
            for who in (*MEMBERS, *STRANGERS):
                yield call.name, who, call.by(found.people[who], found.table.match)


def test_no_read_shows_a_token_a_code_or_a_secret() -> None:
    found = everybody("public")
    made: Any = found.table.host.post(f"{found.table.path}/invitations", {"role": "auditor", "uses": 3}).json
    tokens = [person.token or "-" * 50 for person in found.people.values()]
    log = found.app.config["SERVICE"].log
    hidden = [
        *tokens,
        *log.read_grants(found.table.match),
        made["code"],
        made["id"],
        house.SECRET.decode(),
        "IDEMPOTENCY",
    ]
    for name, who, answer in shown(found):
        text = answer.get_data(as_text=True) if answer.mimetype != "text/event-stream" else ""
        text += str([value for key, value in answer.headers if key != "X-Request-Id"])
        assert not SECRET.search(text), (name, who)
        assert not [each for each in hidden if each in text], (name, who)


def test_every_answer_has_the_members_of_its_schema_and_no_more() -> None:
    """The schemas of answers are closed, and every answer to everybody fits its own."""
    found, checked = everybody("public"), 0
    contract = found.app.config["CONTRACT"]()
    validators: dict[str, Draft202012Validator] = {}
    for call in HERE.values():
        for who in (*MEMBERS, *STRANGERS) if call.place != "open" else ("nobody",):
            if call.method != "GET":
                continue
            answer = call.by(found.people[who], found.table.match)
            if answer.mimetype not in ("application/json", "application/problem+json"):
                continue
            responses = contract["paths"][call.template]["get"]["responses"]
            told = responses.get(str(answer.status_code), responses["default"])
            if "$ref" in told:
                told = contract["components"]["responses"][told["$ref"].rpartition("/")[2]]
            schema = told["content"][answer.mimetype]["schema"]
            if str(schema) not in validators:
                validators[str(schema)] = Draft202012Validator({**schema, "components": contract["components"]})
            errors = list(validators[str(schema)].iter_errors(answer.json))
            assert not errors, (call.name, who, errors[0].message)
            checked += 1
    assert checked > 200


def test_a_seat_is_shown_nothing_of_another_seats_view_hash_or_hand() -> None:
    found = everybody("public")
    hand: Any = found.people["seat 0"].get(f"{found.table.path}/view?viewer=seat:0").json
    for name, who, answer in shown(found):
        if who != "seat 0" and answer.mimetype == "application/json":
            assert hand["view_hash"] not in answer.text, (name, who)
