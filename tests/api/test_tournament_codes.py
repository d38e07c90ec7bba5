"""What the page of a tournament asks for besides: pictures of codes, who comes to a call, penalties in words."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api.contracted import fit
from tests.api.evenings import Evening, opened, taken, wait
from tests.api.house import problem


@pytest.fixture
def evening(app: Flask) -> Evening:
    made = opened(app, host_plays=False, system="swiss", rounds=2)
    made.appoint("floor")  # who enters later has accepted the office
    made.enter(4)
    return made


def test_the_host_sees_the_picture_of_a_code_and_how_many_may_still_use_it(evening: Evening) -> None:
    made = taken(evening.host.post(f"{evening.path}/invitations", {"role": "floor", "uses": 2}))
    path = f"{evening.path}/invitations/{made['id']}"
    seen = taken(evening.host.get(path), 200)
    assert (seen["role"], seen["code"], seen["url"], seen["uses_left"]) == ("floor", made["code"], made["url"], 2)
    assert seen["url"].endswith(f"/join#{made['code']}/floor")
    assert seen["qr"].startswith("<svg")
    taken(evening.anyone.post("/v1/join", {"code": made["code"], "name": "Kim"}))
    assert taken(evening.host.get(path), 200)["uses_left"] == 1
    taken(evening.anyone.post("/v1/join", {"code": made["code"], "name": "Lou"}))
    assert taken(evening.host.get(path), 200)["uses_left"] == 0
    for other in (evening.players[0], evening.officers["floor"]):
        problem(other.get(path), 403, "forbidden")
    problem(evening.host.get(f"{evening.path}/invitations/{'a' * len(made['id'])}"), 404, "unknown-invitation")


def list_invitations(evening: Evening, query: str = "") -> list[dict[str, Any]]:
    body = taken(evening.host.get(f"{evening.path}/invitations{query}"), 200)
    fit("ListedInvitations", body)
    found: list[dict[str, Any]] = body["items"]
    return found


def test_the_host_alone_lists_the_invitations_that_are_good_without_their_codes(evening: Evening) -> None:
    path = f"{evening.path}/invitations"
    floor = taken(evening.host.post(path, {"role": "committee", "uses": 2, "minutes": 10}))
    head = taken(evening.host.post(path, {"role": "player", "minutes": 5}, Idempotency_Key="twice"))
    assert taken(evening.host.post(path, {"role": "player", "minutes": 5}, Idempotency_Key="twice")) == head
    taken(evening.anyone.post("/v1/join", {"code": floor["code"], "name": "Kim"}))
    first, second, *rest = list_invitations(evening)
    assert (first["id"], first["role"], first["uses_left"]) == (head["id"], "player", 1)
    assert second == {"id": floor["id"], "role": "committee", "uses_left": 1, "expires_at": floor["expires_at"]}
    assert sorted((each["role"], each["uses_left"]) for each in rest) == [("floor", 0), ("player", 60)]
    assert evening.code not in str(rest)
    for other in (evening.players[0], evening.officers["floor"]):
        problem(other.get(path), 403, "forbidden")
    problem(evening.anyone.get(path), 401, "unauthorized")
    assert evening.host.delete(f"{path}/{floor['id']}").status_code == 204
    assert list_invitations(evening)[0]["id"] == head["id"]
    assert floor["id"] not in str(list_invitations(evening))
    wait(evening, 5 * 60_000)
    assert [each["role"] for each in list_invitations(evening)] == [each["role"] for each in rest]


def test_the_invitations_come_in_pages(evening: Evening) -> None:
    path = f"{evening.path}/invitations"
    for minutes in (1, 2, 3):
        taken(evening.host.post(path, {"role": "committee", "minutes": minutes}))
    whole = list_invitations(evening)
    assert len(whole) == 5
    answer = evening.host.get(f"{path}?limit=2")
    assert answer.headers["Link"] == f'<{path}?limit=2&after=2>; rel="next"'
    pages = [list_invitations(evening, f"?limit=2&after={after}") for after in (0, 2, 4)]
    assert [each for page in pages for each in page] == whole


def test_after_the_start_nobody_is_invited_to_play(evening: Evening) -> None:
    path = f"{evening.path}/invitations"
    made = taken(evening.host.post(path, {"role": "player"}, Idempotency_Key="early"))
    evening.give(evening.host, "start")
    refused = problem(evening.host.post(path, {"role": "player"}), 409, "command-refused")
    assert refused["ruling"]["clauses"][0]["id"] == "TOURNAMENT-ENTRY-1"
    assert taken(evening.host.post(path, {"role": "player"}, Idempotency_Key="early")) == made
    taken(evening.host.post(path, {"role": "committee"}))
    evening.give(evening.host, "pair")
    evening.play_round()
    evening.give(evening.host, "pair")
    evening.play_round()
    evening.give(evening.host, "end")
    for role in ("player", "committee"):
        refused = problem(evening.host.post(path, {"role": role}), 409, "command-refused")
        assert refused["ruling"]["clauses"][0]["id"] == "TOURNAMENT-END-1"


def test_a_repeated_opening_makes_no_withdrawn_code_good_again(app: Flask) -> None:
    evening = opened(app, key="opening-of-an-evening-twice")
    (first,) = list_invitations(evening)
    assert evening.host.delete(f"{evening.path}/invitations/{first['id']}").status_code == 204
    opened(app, key="opening-of-an-evening-twice")
    problem(evening.anyone.post("/v1/join", {"code": evening.code, "name": "Kim"}), 404, "unknown-code")
    assert list_invitations(evening) == []


def test_everybody_sees_which_official_comes_to_a_call(evening: Evening) -> None:
    evening.give(evening.host, "start")
    evening.give(evening.host, "pair")
    number = evening.give(evening.players[0], "call", reason="rules")["entry"]
    assert evening.read_view()["claims"] == []
    evening.give(evening.officers["floor"], "claim", item=f"call:{number}")
    (claim,) = evening.read_view(evening.players[1])["claims"]
    assert (claim["item"], claim["officer"]) == (f"call:{number}", evening.officer("floor"))


def test_sheets_are_written_as_spreadsheets_read_them(evening: Evening) -> None:
    path = f"{evening.path}/exports/pairings.csv"
    assert evening.anyone.get(path).text.startswith("table,seat,player,name")
    assert evening.anyone.get(f"{path}?form=semicolon").text.startswith("\ufefftable;seat;player;name")
    problem(evening.anyone.get(f"{path}?form=xlsx"), 422, "invalid-input")


def test_a_penalty_says_its_infraction_to_those_who_may_know_it(evening: Evening) -> None:
    evening.give(evening.host, "start")
    evening.give(evening.host, "pair")
    evening.give(evening.officers["floor"], "penalize", player=0, infraction="late", grade="warning")
    (own,) = evening.read_view(evening.players[0])["penalties"]
    assert own["says"] == {"en": "late for a round", "de": "zu spät zur Runde"}
    evening.give(evening.officers["floor"], "penalize", player=0, infraction="late", grade="game_loss")
    (public,) = evening.read_view()["penalties"]
    assert (public["grade"], public["infraction"], public["says"]) == ("game_loss", None, None)


def test_a_second_head_is_not_even_invited(app: Flask, evening: Evening) -> None:
    sent = evening.host.post(f"{evening.path}/invitations", {"role": "head"}, Accept_Language="de")
    assert "Es gibt schon eine Turnierleitung" in problem(sent, 409, "command-refused")["detail"]
    other = opened(app, host_plays=True)
    path = f"{other.path}/invitations"
    first = taken(other.host.post(path, {"role": "head"}, Idempotency_Key="twice"))
    assert taken(other.host.post(path, {"role": "head"}, Idempotency_Key="twice")) == first
    told = problem(other.host.post(path, {"role": "head"}), 409, "command-refused")
    assert (told["ruling"]["reason"]["en"], "still open" in told["detail"]) == (told["detail"], True)
    assert other.host.delete(f"{path}/{first['id']}").status_code == 204
    code = taken(other.host.post(path, {"role": "head"}))["code"]
    taken(other.anyone.post("/v1/join", {"code": code, "name": "Kim"}))
    told = problem(other.host.post(path, {"role": "head"}), 409, "command-refused")
    assert told["ruling"]["clauses"][0]["id"] == "TOURNAMENT-OFFICE-1"
    taken(other.host.post(path, {"role": "floor"}))
