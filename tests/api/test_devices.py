"""Devices of an account: logged in by a link that is good once, good at every table, logged out alone."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

from tests.api import house
from tests.api.ended import account, table_of
from tests.api.house import Person, problem
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
    assert phone.delete(f"/v1/players/{ada}/devices/{lost['device']}").status_code == 204
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
