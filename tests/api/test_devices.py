"""Devices of an account: logged in by a link that is good once, good at every table, logged out alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from referee.service.rights import device_tokens
from tests.api import house
from tests.api.ended import account, table_of
from tests.api.house import Person, Table, problem
from tests.api.streaming import Heard, quick

LATER = 10 * 60 * 1000


def linked(player: str, person: Person) -> dict[str, Any]:
    """A link to another device of an account."""
    made = person.post(f"/v1/players/{player}/device-links")
    assert made.status_code == 201, made.text
    return dict(made.json)  # type: ignore[arg-type]


def added(player: str, person: Person, **body: Any) -> tuple[str, Person]:
    """Another device of an account: its id, and the person who holds it."""
    made = Person(person.client).post("/v1/devices", {"secret": linked(player, person)["secret"], **body})
    assert made.status_code == 201, made.text
    return made.json["device"], Person(person.client, made.json["token"])  # type: ignore[index]


def test_a_link_logs_one_device_in_once(app: Flask) -> None:
    ada, first = account(app, "Ada")
    link, nobody, key = linked(ada, first), Person(first.client), house.fresh()
    assert re.fullmatch("[A-Z0-9]{27}", link["secret"])
    assert link["url"].endswith(f"/join#device={link['secret']}")
    assert link["qr"].startswith("<svg")
    body = {"secret": link["secret"], "label": "phone"}
    made: Any = nobody.post("/v1/devices", body, Idempotency_Key=key)
    again = nobody.post("/v1/devices", body, Idempotency_Key=key)
    assert (made.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, made.json, "true")
    assert re.fullmatch(r"rfd_[A-Za-z0-9_-]{43}", made.json["token"])
    problem(nobody.post("/v1/devices", body), 410, "device-link-void")
    problem(nobody.post("/v1/devices", {"secret": "A" * 27}), 410, "device-link-void")
    phone = Person(first.client, made.json["token"])
    assert phone.get(f"/v1/players/{ada}").json["name"] == "Ada"  # type: ignore[index]
    listed: Any = phone.get(f"/v1/players/{ada}/devices").json["items"]  # type: ignore[index]
    assert [(each["label"], each["first"], each["current"]) for each in listed] == [
        (None, True, False), ("phone", False, True),
    ]  # fmt: skip
    kept = repr((app.config["SERVICE"].log._items, app.config["SERVICE"].log._invitations))
    assert made.json["token"] not in kept
    assert link["secret"] not in kept


def test_a_repeated_request_for_a_link_makes_no_second_one(app: Flask) -> None:
    ada, first = account(app)
    key, path = house.fresh(), f"/v1/players/{ada}/device-links"
    made, again = (first.post(path, Idempotency_Key=key) for _ in range(2))
    assert again.json == made.json
    assert again.headers["Idempotency-Replayed"] == "true"


def test_devices_are_the_owners_alone_and_not_without_number(app: Flask) -> None:
    (ada, first), (_, other) = account(app), account(app)
    device, phone = added(ada, first)
    for stranger, status, slug in ((Person(first.client), 401, "unauthorized"), (other, 403, "not-your-account")):
        problem(stranger.post(f"/v1/players/{ada}/device-links"), status, slug)
        problem(stranger.get(f"/v1/players/{ada}/devices"), status, slug)
        problem(stranger.delete(f"/v1/players/{ada}/devices/{device}"), status, slug)
    for _ in range(9):
        added(ada, phone)
    link = linked(ada, first)
    refused = Person(first.client).post("/v1/devices", {"secret": link["secret"]})
    problem(refused, 409, "devices-full")
    assert first.delete(f"/v1/players/{ada}/devices/{device}").status_code == 204
    problem(first.delete(f"/v1/players/{ada}/devices/{device}"), 404, "unknown-device")
    assert Person(first.client).post("/v1/devices", {"secret": link["secret"]}).status_code == 201


def test_an_account_is_good_at_the_seats_that_joined_with_it(app: Flask) -> None:
    ada, first = account(app, "Ada")
    table = table_of(app, first, None)
    _, phone = added(ada, first)
    seat, other = f"{table.path}/seats/0", f"{table.path}/view?viewer=seat:1"
    for person in (first, phone):
        shown = person.get(f"{seat}/situation")
        assert shown.json == table.seats[0].get(f"{seat}/situation").json
        problem(person.get(other), 403, "not-your-seat")
    mover = next(at for at in table.awaited if isinstance(at, int))
    if mover == 0:
        move = phone.get(f"{seat}/moves").json["legal"][0]["move"]  # type: ignore[index]
        assert phone.post(f"{seat}/moves", {"move": move}).status_code == 201


def test_an_account_is_good_for_the_matches_that_it_opened(app: Flask) -> None:
    ada, first = account(app, "Ada")
    _, phone = added(ada, first)
    opened: Any = first.post("/v1/matches", {"game": "monster_combat", "seats": [{"kind": "human"}] * 2}).json
    path = f"/v1/matches/{opened['match']}"
    assert phone.patch(path, {"visibility": "public"}, If_Match="*").status_code == 200
    problem(account(app)[1].patch(path, {"visibility": "private"}, If_Match="*"), 401, "unauthorized")
    joined = phone.post("/v1/join", {"code": opened["invitations"][0]["code"]})
    assert joined.status_code == 201
    assert phone.get(f"{path}/view?viewer=seat:0").status_code == 200
    assert phone.post(f"{path}/invitations", {"role": "spectator"}).status_code == 201


def test_a_seat_that_another_takes_is_lost_to_the_account(app: Flask) -> None:
    (_, first), (_, other) = account(app), account(app)
    table = table_of(app, first, None)
    assert first.delete(f"{table.path}/seats/0/player").status_code == 204
    problem(first.get(f"{table.path}/view?viewer=seat:0"), 401, "unauthorized")
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:0"}).json
    assert other.post("/v1/join", {"code": code["code"]}).status_code == 201
    problem(first.get(f"{table.path}/view?viewer=seat:0"), 401, "unauthorized")
    assert other.get(f"{table.path}/view?viewer=seat:0").status_code == 200


def test_a_lost_phone_is_logged_out_everywhere_and_the_account_keeps_its_seats(app: Flask) -> None:
    ada, first = account(quick(app), "Ada")
    table = table_of(app, first, None, visibility="private")
    _, phone = added(ada, first)
    lost: Any = phone.get(f"/v1/players/{ada}/devices").json["items"][0]  # type: ignore[index]
    stream = Heard(first.get(f"{table.path}/stream?viewer=seat:0"))
    assert stream.now()
    assert phone.delete(f"/v1/players/{ada}/devices/{lost['id']}").status_code == 204
    stream.rest()  # it ends
    for token in (first, table.seats[0]):
        problem(token.get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")
    problem(first.get(f"/v1/players/{ada}"), 401, "unauthorized")
    assert phone.get(f"{table.path}/view?viewer=seat:0").status_code == 200
    assert phone.delete(f"{table.path}/seats/0/player").status_code == 204
    problem(phone.get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")


def test_a_deleted_account_and_its_devices_are_good_for_nothing(app: Flask) -> None:
    ada, first = account(app, "Ada")
    table, (_, phone), link = table_of(app, first, None, visibility="private"), added(ada, first), linked(ada, first)
    assert phone.delete(f"/v1/players/{ada}").status_code == 204
    for person in (first, phone):
        problem(person.get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")
    problem(Person(first.client).post("/v1/devices", {"secret": link["secret"]}), 410, "device-link-void")
    assert app.config["SERVICE"].log._items == {}


def logged_out(ada: str, person: Person, device: str) -> None:
    """Logs a device of an account out, with another one."""
    assert person.delete(f"/v1/players/{ada}/devices/{device}").status_code == 204


def joined(person: Person, table: Table, role: str, key: str) -> tuple[str, Person]:
    """A role at a table, got by a code: the code, and who holds the new token."""
    code: Any = table.host.post(f"{table.path}/invitations", {"role": role}).json
    welcome: Any = person.post("/v1/join", {"code": code["code"]}, Idempotency_Key=key)
    assert welcome.status_code == 201, welcome.text
    return code["code"], Person(person.client, welcome.json["token"])


MATCH = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2}


def test_the_host_token_of_a_lost_phone_is_void_and_the_account_is_host(app: Flask) -> None:
    ada, first = account(app, "Ada")
    device, lost = added(ada, first)
    key, own = house.fresh(), first.post("/v1/matches", MATCH).json
    opened: Any = lost.post("/v1/matches", MATCH, Idempotency_Key=key).json
    path, host = f"/v1/matches/{opened['match']}", Person(first.client, opened["token"])
    seated: Any = host.post("/v1/join", {"code": opened["invitations"][0]["code"]}).json
    assert seated["token"] == opened["token"], "the token shown holds the seat"
    logged_out(ada, first, device)
    for call in ("", "/view?viewer=seat:0", "/seats/0/moves"):
        problem(host.get(f"{path}{call}"), 404, "unknown-match")
    problem(Person(first.client).post("/v1/matches", MATCH, Idempotency_Key=key), 401, "unauthorized")
    problem(host.get(path), 404, "unknown-match")
    assert first.patch(path, {"visibility": "public"}, If_Match="*").status_code == 200
    assert first.delete(f"{path}/seats/0/player").status_code == 204
    problem(host.post(f"{path}/invitations", {"role": "spectator"}), 401, "unauthorized")
    assert Person(first.client, own["token"]).get(f"/v1/matches/{own['match']}").status_code == 200  # type: ignore[index]


@pytest.mark.parametrize("role", ["spectator", "arbiter", "auditor"])
def test_whatever_a_lost_phone_got_at_a_table_is_void_and_the_others_go_on(app: Flask, role: str) -> None:
    ada, first = account(app, "Ada")
    (device, lost), key = added(ada, first), house.fresh()
    table = house.opened(app, visibility="private")
    code, token = joined(lost, table, role, key)
    _, watching = joined(token, table, "spectator", house.fresh())  # with the token of the table
    _, other = joined(first, table, "spectator", house.fresh())
    logged_out(ada, first, device)
    for _ in range(2):
        for void in (token, watching):
            problem(void.get(table.path), 404, "unknown-match")
        again = Person(first.client).post("/v1/join", {"code": code}, Idempotency_Key=key)
        assert again.status_code >= 400, "a repeated call makes the token no good again"
    for good in (other, first, *table.seats, table.host):
        assert good.get(table.path).status_code == 200


def test_a_link_that_a_lost_phone_has_made_logs_nobody_in(app: Flask) -> None:
    ada, first = account(app)
    device, lost = added(ada, first)
    link, own = linked(ada, lost), linked(ada, first)
    logged_out(ada, first, device)
    nobody = Person(first.client)
    problem(nobody.post("/v1/devices", {"secret": link["secret"]}), 410, "device-link-void")
    assert nobody.post("/v1/devices", {"secret": own["secret"]}).status_code == 201


def test_a_lost_phone_is_logged_out_of_a_rematch_too(app: Flask) -> None:
    ada, first = account(app)
    device, lost = added(ada, first)
    table = table_of(app, lost, None, visibility="private")
    assert table.end().status_code in (200, 201)
    new: Any = table.seats[0].post(f"{table.path}/rematch").json
    path = f"/v1/matches/{new['match']}"
    assert table.seats[0].get(path).status_code == 200
    logged_out(ada, first, device)
    problem(table.seats[0].get(path), 404, "unknown-match")
    assert first.get(path).status_code == 200
    assert table.seats[1].get(path).status_code == 200


def test_of_very_many_tables_the_oldest_token_is_logged_out(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_tokens, "MAX_HELD", 2)
    ada, first = account(app)
    made: list[Any] = [first.post("/v1/matches", MATCH).json for _ in range(3)]

    def good() -> list[int]:
        hosts = [(Person(first.client, each["token"]), f"/v1/matches/{each['match']}") for each in made]
        return [host.get(path).status_code for host, path in hosts]

    assert good() == [404, 200, 200]
    assert first.get(f"/v1/matches/{made[0]['match']}").status_code == 200
    _, other = added(ada, first)
    logged_out(ada, other, first.get(f"/v1/players/{ada}/devices").json["items"][0]["id"])  # type: ignore[index]
    assert good() == [404] * 3
