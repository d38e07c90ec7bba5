"""OWASP API 2023, 1, 2 and 5: every route × everybody who has no business there, and whoever has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.api.house import Person, problem
from tests.api.owasp.places import (
    CALLS,
    ELSEWHERE,
    HERE,
    LET_IN,
    MEMBERS,
    PLACES,
    SLUG,
    STRANGERS,
    Call,
    Everybody,
    everybody,
)

REFUSED = (401, 403)
ROOT = Path(__file__).parents[3]
# only who is let in is told so
NOTHING_THERE = ("unknown-window", "unknown-book", "no-such-dispute", "no-such-takeback", "no-such-deviation")
HIDDEN = ("unknown-match", "not-found")


@pytest.fixture(scope="module", params=["public", "private"])
def round_it(request: pytest.FixtureRequest) -> Everybody:
    """One match for all: those who are kept out leave it as it was, and each test looks whether they did."""
    return everybody(request.param)


def passes(answer: Any) -> bool:
    """Whether the call got past the door: refused by the table or the schema it may still be."""
    if "/problems/no-claimant" in answer.text:
        return True  # the rules of disputes say so (TABLE-DISPUTE-11), not the door
    return answer.status_code == 204 or (
        answer.status_code not in REFUSED
        and answer.mimetype
        in (
            *("application/json", "application/problem+json", "text/event-stream", "application/yaml", "image/svg+xml"),
            *("text/html", "text/plain", "application/x-ndjson", "text/x-python", "text/javascript"),
        )
    )


def test_every_route_has_its_place_and_the_contract_says_the_same() -> None:
    placed = [name for names in PLACES.values() for name in names]
    assert sorted(placed) == sorted(CALLS), "a call is placed that is not there"
    for call in CALLS.values():
        if call.place != "elsewhere":
            assert call.token == (call.place not in ("open", "see")), call.name
        assert call.method != "GET" or call.name.startswith(("get", "list", "stream"))


def test_what_asks_for_other_tokens_is_asked_of_everybody_elsewhere() -> None:
    said = "".join((ROOT / file).read_text("utf-8") for file in ELSEWHERE)
    for name in PLACES["elsewhere"]:
        stem = CALLS[name].template.partition("/{")[0]
        assert stem in said, name


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call.place == "elsewhere" and call.token])
def test_nobody_and_garbage_get_nowhere_where_other_tokens_are_asked_for(round_it: Everybody, name: str) -> None:
    before = round_it.state()
    for who in ("nobody", "garbage"):
        answer = CALLS[name].by(round_it.people[who], round_it.table.match)
        assert answer.status_code in (401, 403, 404), (who, answer.text)
    assert round_it.state() == before


@pytest.mark.parametrize("name", HERE)
def test_strangers_are_kept_out(round_it: Everybody, name: str) -> None:
    call, table = CALLS[name], round_it.table
    if call.place == "open":
        return assert_open(round_it, call)
    public = table.anyone.get(table.path).status_code == 200
    before = round_it.state()
    for who in STRANGERS:
        answer = call.by(round_it.people[who], table.match)
        if call.place == "see" and public:
            assert answer.status_code in (200, 201) or any(each in answer.text for each in NOTHING_THERE), (
                who,
                answer.text,
            )
        elif who == "nobody" and call.token:
            problem(answer, 401, "unauthorized")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        elif public:
            problem(answer, 401, "unauthorized")
        else:
            problem(answer, 404, "unknown-match")
    if name != "makeStreamTicket":  # those who may see a match may open its stream in a browser
        assert round_it.state() == before


def assert_open(round_it: Everybody, call: Call) -> None:
    """A call that is open to all looks at no token, be it good, dead or garbage."""
    for who in STRANGERS:
        answer = call.by(round_it.people[who], round_it.table.match)
        assert passes(answer), (who, answer.text)


@pytest.mark.parametrize("name", [name for name, call in HERE.items() if call.place != "open"])
def test_members_are_let_in_where_they_belong_and_nowhere_else(name: str) -> None:
    call, found = CALLS[name], everybody("private")
    start = before = found.state()
    for who in MEMBERS:
        if before != start:  # whoever was let in has changed the table
            found = everybody("private")
            start = before = found.state()
        answer = call.by(found.people[who], found.table.match)
        if who in LET_IN[call.place]:
            assert passes(answer), (who, answer.text)
            if answer.status_code == 404:
                assert answer.json["type"].removeprefix("/problems/") not in HIDDEN, (who, answer.text)
        else:
            problem(answer, 403, SLUG[call.place])
            assert found.state() == before
        before = found.state()


@pytest.mark.parametrize("name", [name for name, call in HERE.items() if call.body is not None and call.token])
def test_the_door_is_before_the_schema(round_it: Everybody, name: str) -> None:
    """Whoever may not call is not told what a good body would be."""
    call, outside = CALLS[name], set(MEMBERS) - set(LET_IN[CALLS[name].place])
    for who in (*STRANGERS, *sorted(outside)):
        answer = call.by(round_it.people[who], round_it.table.match, body={"no": {"such": ["field"]}})
        assert answer.status_code in (401, 403, 404), (who, answer.text)
        assert "errors" not in answer.json


@pytest.mark.parametrize("name", [name for name, call in HERE.items() if "{match}" in call.template])
def test_a_private_match_is_not_known_from_one_that_is_not_there(name: str) -> None:
    found = everybody("private")
    for who in STRANGERS:
        answers = [
            CALLS[name].by(found.people[who], match, Idempotency_Key="k" * 22, X_Request_Id="same")
            for match in (found.table.match, "07-" + "x" * 26)
        ]
        there, nowhere = (
            (each.status_code, {key: value for key, value in each.json.items() if key != "instance"})
            for each in answers
        )
        assert there == nowhere, who
        headers = [{key: value for key, value in each.headers.items() if key != "Content-Length"} for each in answers]
        assert headers[0] == headers[1], who


def test_a_token_counts_in_its_header_alone(round_it: Everybody) -> None:
    table, token = round_it.table, round_it.people["seat 0"].token
    path = f"{table.path}/view?viewer=seat:0"
    assert Person(table.anyone.client, token).get(path).status_code == 200
    for query in (f"&access_token={token}", f"&token={token}"):
        problem(table.anyone.get(path + query), 401, "unauthorized")
    table.anyone.client.set_cookie("token", token or "")
    table.anyone.client.set_cookie("Authorization", f"Bearer {token}")
    problem(table.anyone.get(path), 401, "unauthorized")
    for name in ("X-Authorization", "X-Api-Key", "X-Forwarded-User", "X-Original-Authorization"):
        problem(table.anyone.get(path, **{name: f"Bearer {token}"}), 401, "unauthorized")


@pytest.mark.parametrize("spoilt", ["", " ", "x", "\t", "=", "\u00e9", "A" * 10_000, "\x00"])
def test_a_token_that_is_almost_right_is_none(spoilt: str) -> None:
    found = everybody("public")
    path, token = f"{found.table.path}/view?viewer=seat:0", found.people["seat 0"].token or ""
    headers = [f"Bearer {token}{spoilt}x", f"Bearer {token[:-1]}{spoilt}", f"Bearer {token.upper()}", f"Basic {token}"]
    for header in headers:
        answer = found.table.anyone.client.get(path, headers={"Authorization": header})
        problem(answer, 401, "unauthorized")


def test_a_seat_of_one_match_is_no_seat_of_another_whatever_stands_in_the_body() -> None:
    found = everybody("public")
    mine, theirs = found.people["seat elsewhere"], found.table
    for body in ({"move": {"type": "mc.pass"}, "match": theirs.match}, {"move": {"type": "mc.pass"}}):
        problem(mine.post(f"{theirs.path}/seats/0/moves", body), 401, "unauthorized")


def test_an_invitation_is_known_by_its_own_match_alone() -> None:
    found = everybody("private")
    other, mine = found.people["host elsewhere"], found.table
    made: Any = mine.host.post(f"{mine.path}/invitations", {"role": "spectator"}).json
    elsewhere = next(match for match in found.app.config["SERVICE"].log._grants if match != mine.match)
    path = f"/v1/matches/{elsewhere}/invitations/{made['id']}"
    problem(other.delete(path), 404, "unknown-invitation")
    problem(other.get(f"{path}/qr.svg"), 404, "unknown-invitation")
    assert mine.host.get(f"{mine.path}/invitations/{made['id']}/qr.svg").status_code == 200
    problem(other.delete(f"{mine.path}/invitations/{made['id']}"), 404, "unknown-match")


def test_the_operator_sees_no_hand() -> None:
    found = everybody("public")
    operator = found.people["operator"]
    shown = (f"{what}?viewer={viewer}" for what in ("view", "entries") for viewer in ("seat:0", "full"))
    for path in ("seats/1/moves", *shown):
        problem(operator.get(f"{found.table.path}/{path}"), 401, "unauthorized")
