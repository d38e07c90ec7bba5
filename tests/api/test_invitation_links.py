"""Links: one for all free seats and one for onlookers; the page that they open says what to do and leaks nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from api.resources.invitations.links import render_qr_code
from referee.service.rights import tokens
from tests.api import house
from tests.api.ended import account
from tests.api.house import Person, Table, problem
from tests.api.test_pages import HTML, Asked


def invited(table: Table, role: str = "seat:any", **body: Any) -> dict[str, Any]:
    made = table.host.post(f"{table.path}/invitations", {"role": role, "link": True, **body})
    assert made.status_code == 201, made.text
    return dict(made.json)  # type: ignore[arg-type]


def test_a_link_has_more_than_128_bits_and_fills_all_free_seats(app: Flask) -> None:
    table = house.opened(app, seats=3, join=False, start=False)
    link = invited(table)
    assert len(tokens.CODE_ALPHABET) ** len(link["code"]) > 2**128
    assert link["url"].endswith(f"/join#{link['code']}")
    assert table.anyone.post("/v1/join", {"code": table.codes[1]}).status_code == 201
    key, body = house.fresh(), {"code": link["code"], "name": "Ada"}
    first, again = (table.anyone.post("/v1/join", body, Idempotency_Key=key) for _ in range(2))
    assert first.json["role"] == "seat:0"  # type: ignore[index]
    assert again.json == first.json
    second: Any = table.anyone.post("/v1/join", {"code": link["code"].lower()}).json
    assert second["role"] == "seat:2"
    problem(table.anyone.post("/v1/join", {"code": link["code"]}), 409, "no-free-seat")
    seat = Person(table.anyone.client, second["token"])
    assert seat.delete(f"{table.path}/seats/2/player").status_code == 204
    assert table.anyone.post("/v1/join", {"code": link["code"]}).json["role"] == "seat:2"  # type: ignore[index]


def test_a_link_to_a_seat_lives_as_long_as_the_lobby(app: Flask) -> None:
    table = house.opened(app, join=False, start=False)
    link, log = invited(table), app.config["SERVICE"].log
    now = log.now
    log.now = lambda: now() + 20 * 24 * 3600 * 1000
    for _ in range(2):
        assert table.anyone.post("/v1/join", {"code": link["code"]}).status_code == 201
    assert table.host.post(f"{table.path}/start", If_Match="*").status_code == 201
    problem(table.anyone.post("/v1/join", {"code": link["code"]}), 410, "code-expired")


def test_a_join_that_broke_off_gets_the_seat_that_it_had_taken(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.opened(app, seats=3, join=False, start=False)
    link, log, key = invited(table), app.config["SERVICE"].log, house.fresh()

    def broken(*_: Any) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patched:
        patched.setattr(log, "put_grant", broken)
        assert table.anyone.post("/v1/join", {"code": link["code"]}, Idempotency_Key=key).status_code == 500
    other: Any = table.anyone.post("/v1/join", {"code": link["code"]}).json
    first: Any = table.anyone.post("/v1/join", {"code": link["code"]}, Idempotency_Key=key).json
    assert (first["role"], other["role"]) == ("seat:0", "seat:1")
    for joined in (first, other):
        person = Person(table.anyone.client, joined["token"])
        assert person.get(f"{table.path}/view?viewer=seat:{joined['seats'][0]}").status_code == 200


def test_a_link_lets_onlookers_in_and_takes_an_accounts_seat(app: Flask) -> None:
    table = house.opened(app, visibility="private", join=False, start=False)
    ada, person = account(app, "Ada")
    joined: Any = person.post("/v1/join", {"code": invited(table)["code"]}).json
    assert joined["role"] == "seat:0"
    assert app.config["SERVICE"].log.read_links([table.match]) == {table.match: {2: ada}}
    onlookers = invited(table, "spectator")
    for _ in range(2):
        seen: Any = table.anyone.post("/v1/join", {"code": onlookers["code"]}).json
        assert Person(table.anyone.client, seen["token"]).get(f"{table.path}/view").status_code == 200


def test_a_withdrawn_link_is_good_for_nothing_and_its_qr_holds_it(app: Flask) -> None:
    table = house.opened(app, join=False, start=False)
    link = invited(table)
    assert table.host.get(f"{table.path}/invitations/{link['id']}/qr.svg").mimetype == "image/svg+xml"
    assert table.host.delete(f"{table.path}/invitations/{link['id']}").status_code == 204
    assert table.anyone.post("/v1/join", {"code": link["code"]}).status_code == 404


@pytest.mark.parametrize("role", ["spectator", "arbiter", "auditor"])
def test_a_link_without_a_seat_names_its_role(app: Flask, role: str) -> None:
    table = house.opened(app, join=False, start=False)
    link = invited(table, role)
    assert link["url"].endswith(f"/join#{link['code']}/{role}")
    assert render_qr_code(link["url"]) == table.host.get(f"{table.path}/invitations/{link['id']}/qr.svg").data


@pytest.mark.parametrize(
    ("called", "named"),
    [
        ("127.0.0.1:8080", "http://192.0.2.7:8080"),
        ("localhost:8080", "http://192.0.2.7:8080"),
        ("[::1]:8080", "http://192.0.2.7:8080"),
        ("table.local:8080", "http://table.local:8080"),
    ],
)
def test_a_link_made_at_a_loopback_address_names_one_that_phones_reach(app: Flask, called: str, named: str) -> None:
    app.config["LAN_URL"] = "http://192.0.2.7:8080"
    table = house.opened(app, join=False, start=False)
    made: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:any"}, Host=called).json
    assert made["url"] == f"{named}/join#{made['code']}"


@pytest.mark.parametrize("path", ["/join", "/"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_a_link_opens_is_a_page_that_says_what_to_do(app: Flask, path: str, lang: str) -> None:
    answer = Person(app.test_client()).get(path, Accept=HTML, Accept_Language=lang)
    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert answer.headers["Content-Language"] == lang
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    page = Asked()
    page.feed(answer.text)
    assert not page.inline
    assert all(each.startswith("/app/") for each in page.found)
    assert f'<html lang="{lang}">' in answer.text
    assert len(re.findall("<h1>", answer.text)) == 1
    assert "{" not in answer.text
