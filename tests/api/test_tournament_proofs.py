"""Receipts and proofs of a tournament's log: every write has one, and all of them fit one history."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from flask import Flask

from referee.transparency.merkle import leaf_hash, verify_consistency, verify_inclusion
from tests.api.contracted import fit
from tests.api.evenings import Evening, opened, taken
from tests.api.house import Person, problem
from tests.api.signed import STORE, raw, signed_app, told


@pytest.fixture
def app() -> Flask:
    return signed_app()


@pytest.fixture
def evening(app: Flask) -> Evening:
    made = opened(app, host_plays=False)
    made.enter(3)
    return made


def test_the_receipts_of_an_evening_fit_one_history(app: Flask) -> None:
    anyone = Person(app.test_client())
    body = {"game": "monster_combat", "plays": "reported", "decks": "deposited"}
    made = taken(anyone.post("/v1/tournaments", body))
    evening = Evening(app, made["tournament"], Person(anyone.client, made["token"]), made["invitations"][0]["code"])
    notes = [made["receipt"]]
    for number in range(2):
        joined = taken(anyone.post("/v1/join", {"code": evening.code, "name": "A"}))
        evening.players.append(Person(anyone.client, joined["token"]))
        notes.append(joined["receipt"])
        deck = taken(
            evening.players[-1].put(f"{evening.path}/players/{number}/deck", {"cards": {"sword": 2}}), 200
        )  # fmt: skip
        notes.append(deck["receipt"])
    notes += [evening.give(evening.host, kind)["receipt"] for kind in ("start", "pair")]
    found = [told(note, evening.id) for note in notes]
    last = found[-1]
    assert [each.size for each in found] == list(range(1, len(notes) + 1))
    for note, early in zip(notes, found, strict=True):
        proof = taken(anyone.get(f"{evening.path}/proofs/consistency?from={early.size}&to={last.size}"), 200)
        fit("Consistency", proof)
        assert verify_consistency(early.size, last.size, [raw(each) for each in proof["path"]], early.root, last.root)
        again = taken(anyone.get(f"{evening.path}/receipts/{early.size}"), 200)
        assert (again["note"], again["origin"]) == (note, f"{STORE}/{evening.id}")


def test_every_entry_is_proved_to_be_in_the_log_and_shows_no_more_than_the_public_part(evening: Evening) -> None:
    last = told(taken(evening.anyone.get(f"{evening.path}/checkpoint"), 200)["note"], evening.id)
    for by in (evening.anyone, evening.players[0], evening.host):
        for version in range(1, last.size + 1):
            proof = taken(by.get(f"{evening.path}/proofs/inclusion?version={version}"), 200)
            fit("Inclusion", proof)
            leaf = leaf_hash(proof["envelope"].encode())
            assert base64.b64encode(leaf).decode() == proof["leaf"]
            assert verify_inclusion(leaf, version - 1, last.size, [raw(each) for each in proof["path"]], last.root)
            (stored,) = evening.service.log.read_entries(evening.id, version - 1, 1)
            assert proof["envelope"] == stored.envelope.decode()


def test_a_checkpoint_is_the_note_alone_as_plain_text(evening: Evening) -> None:
    found: Any = evening.anyone.get(f"{evening.path}/checkpoint")
    assert found.headers["ETag"] == f'"v{found.json["size"]}"'
    alone = evening.anyone.get(f"{evening.path}/checkpoint", Accept="text/plain")
    assert (alone.mimetype, alone.text) == ("text/plain", found.json["note"])


def test_what_there_is_not_cannot_be_proved(evening: Evening) -> None:
    size = evening.service.load(evening.id).version
    for path in (f"receipts/{size + 1}", f"proofs/inclusion?version={size + 1}", f"proofs/consistency?from={size + 1}"):
        problem(evening.anyone.get(f"{evening.path}/{path}"), 404, "unknown-version")
    problem(evening.anyone.get(f"{evening.path}/proofs/inclusion?version=2&size=1"), 422, "invalid-input")
    problem(evening.anyone.get(f"{evening.path}/proofs/consistency?from=2&to=1"), 422, "invalid-input")
    gone = f"/v1/tournaments/07-T{'z' * 26}"
    for path in ("checkpoint", "receipts/1", "proofs/inclusion?version=1", "proofs/consistency?from=1"):
        problem(evening.anyone.get(f"{gone}/{path}"), 404, "unknown-tournament")
