"""Signed moves over HTTP: the key of a device, the root to sign with, what is written and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from referee.docs.clients.referee_client import DeviceKey
from referee.engine.codec import encode_canonical
from referee.transparency.device_signatures import compute_move_digest, is_signed_by, render_signed_text
from referee.transparency.refusals import verify_refusal
from tests.api import house
from tests.api.house import Person, Table, problem

KEY = DeviceKey(bytes(range(32)))


@pytest.fixture
def table(app: Flask) -> Table:
    return house.opened(app, visibility="public")


def find_awaited(table: Table) -> int:
    return next(at for at in table.awaited if isinstance(at, int))


def look(table: Table, seat: int) -> tuple[int, str, Any]:
    """Version, root and a legal move of a seat."""
    said: Any = table.seats[seat].get(f"{table.path}/seats/{seat}/situation").json
    return said["version"], said["root"], said["moves"]["legal"][0]["move"]


def name_key(table: Table, seat: int, key: DeviceKey = KEY) -> Any:
    return table.seats[seat].put(f"{table.path}/seats/{seat}/key", {"key": key.public})


def test_a_device_names_its_key_and_everybody_sees_it(table: Table) -> None:
    named = name_key(table, 0)
    assert named.status_code == 200, named.text
    assert named.json["receipt"]
    keys = [each["device_key"] for each in table.anyone.get(table.path).json["seats"]]  # type: ignore[index]
    assert keys == [KEY.public, None]


def test_a_signed_move_is_written_with_its_signature_and_others_learn_nothing_that_opens_it(table: Table) -> None:
    seat = find_awaited(table)
    name_key(table, seat)
    version, root, move = look(table, seat)
    assert re.fullmatch("[0-9a-f]{64}", root)
    body = {"move": move, "seen": version, "signed": KEY.sign(table.match, seat, version, root, move)}
    made: Any = table.seats[seat].post(f"{table.path}/seats/{seat}/moves", body)
    assert made.status_code == 201, made.text
    (signed,) = [each for each in made.json["entry"]["events"] if each["type"] == "table.MoveSigned"]
    assert signed["nonce"] == body["signed"]["nonce"]
    entry: Any = table.anyone.get(f"{table.path}/entries/{made.json['entry']['version']}").json
    (shown,) = [each for each in entry["events"] if each["type"] == "table.MoveSigned"]
    assert shown == {**signed, "nonce": ""}
    text = render_signed_text(table.match, seat, version, root, "", signed["digest"])
    assert is_signed_by(KEY.public, text, shown["signature"])


def test_a_signature_that_does_not_fit_is_told_with_the_clause_and_nothing_is_written(table: Table) -> None:
    seat = find_awaited(table)
    name_key(table, seat)
    version, root, move = look(table, seat)
    other = DeviceKey().sign(table.match, seat, version, root, move)
    said = problem(
        table.seats[seat].post(f"{table.path}/seats/{seat}/moves", {"move": move, "seen": version, "signed": other}),
        409,
        "signature-misfit",
    )
    assert [clause["id"] for clause in said["ruling"]["clauses"]] == ["TABLE-SIGN-1"]
    assert look(table, seat)[0] == version


def test_a_signed_move_has_to_name_the_version_it_was_decided_on(table: Table) -> None:
    seat = find_awaited(table)
    name_key(table, seat)
    version, root, move = look(table, seat)
    body = {"move": move, "signed": KEY.sign(table.match, seat, version, root, move)}
    said = problem(table.seats[seat].post(f"{table.path}/seats/{seat}/moves", body), 422, "invalid-input")
    assert [each["pointer"] for each in said["errors"]] == ["/seen"]


@pytest.mark.parametrize("signed", [{}, {"nonce": "00" * 16}, {"nonce": "x", "signature": "00" * 64}, "x", None])
def test_a_malformed_signature_is_told_by_its_field(table: Table, signed: Any) -> None:
    seat = find_awaited(table)
    version, _, move = look(table, seat)
    body = {"move": move, "seen": version, "signed": signed}
    said = problem(table.seats[seat].post(f"{table.path}/seats/{seat}/moves", body), 422, "invalid-input")
    assert all(each["pointer"].startswith("/signed") for each in said["errors"])


def test_the_host_who_moves_for_a_seat_cannot_sign_for_it(app: Flask) -> None:
    table = house.opened(app)
    seat = find_awaited(table)
    name_key(table, seat)
    table.seats[seat].put(f"{table.path}/seats/{seat}/proxy", {"by": "host"})
    version, root, move = look(table, seat)
    body = {"move": move, "seen": version, "signed": KEY.sign(table.match, seat, version, root, move)}
    problem(table.host.post(f"{table.path}/seats/{seat}/moves", body), 409, "signature-misfit")


def test_only_the_seat_itself_names_its_key(table: Table) -> None:
    for person in (table.seats[1], table.host, table.anyone):
        refused = person.put(f"{table.path}/seats/0/key", {"key": KEY.public})
        assert refused.status_code in (401, 403), refused.text
    problem(table.seats[0].put(f"{table.path}/seats/0/key", {"key": "x"}), 422, "invalid-input")


def test_the_answer_to_a_move_tells_the_root_after_it(table: Table) -> None:
    seat = find_awaited(table)
    person: Person = table.seats[seat]
    version, root, _ = look(table, seat)
    preferred: Any = person.post(
        f"{table.path}/seats/{seat}/moves", {"move": look(table, seat)[2]}, Prefer="return=representation"
    ).json
    after = preferred["situation"]
    assert after["version"] > version
    assert after["root"] != root
    assert after["root"] == person.get(f"{table.path}/seats/{seat}/situation").json["root"]  # type: ignore[index]


def test_the_entry_that_names_a_key_is_told_to_everybody(table: Table) -> None:
    name_key(table, 0)
    for viewer in ("", "?viewer=seat:1"):
        who = table.seats[1] if viewer else table.anyone
        items: Any = who.get(f"{table.path}/entries{viewer}").json["items"]  # type: ignore[index]
        assert any(event["type"] == "table.DeviceKeyNamed" for entry in items for event in entry["events"])


def test_the_refusal_of_a_signed_move_comes_as_a_signed_note(app: Flask) -> None:
    table = house.opened(app, "here_to_slay")
    seat = find_awaited(table)
    name_key(table, seat)
    version, root, _ = look(table, seat)
    move = {"type": "hts.roll_for", "hero": "no-such-hero"}
    signed = KEY.sign(table.match, seat, version, root, move)
    path = f"{table.path}/seats/{seat}/moves"
    said = problem(table.seats[seat].post(path, {"move": move, "seen": version, "signed": signed}), 409, "illegal-move")
    refusal = verify_refusal(said["refusal"], [app.config["PUBLISHER"].signer.public])
    assert (refusal.match, refusal.seat, refusal.version, refusal.root) == (table.match, seat, version, root)
    assert refusal.digest == compute_move_digest(signed["nonce"], encode_canonical(move))
    assert list(refusal.clauses) == [clause["id"] for clause in said["ruling"]["clauses"]]
    for unusual in ({"Prefer": "wait=0"}, {"Accept": "application/json;q=0.5"}):  # which Flask answers
        body = {"move": move, "seen": version, "signed": signed}
        assert problem(table.seats[seat].post(path, body, **unusual), 409, "illegal-move")["refusal"] == said["refusal"]
    unsigned = problem(table.seats[seat].post(path, {"move": move, "seen": version}), 409, "illegal-move")
    assert "refusal" not in unsigned
