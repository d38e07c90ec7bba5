"""The log of roots and the keys over HTTP: open to all, and nothing of a private match in it that names it."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from referee.audit.bundles.files import parse_public_key
from referee.infrastructure.root_publisher import RootPublisher
from referee.repository.proofs import Prover
from referee.transparency.key_chain import ChainKey, RootLeaf, sign_statement, verify_statement
from referee.transparency.merkle import compute_root_of_leaves, leaf_hash, verify_consistency, verify_inclusion
from referee.transparency.receipts import Checkpoint, Signer, compute_key_id, verify_note
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.signed import SIGNER, STORE, raw, signed_app, told

ROOTS = "/v1/roots"
INCLUSION = f"{ROOTS}/proofs/inclusion"


@pytest.fixture
def app() -> Flask:
    return signed_app()


@pytest.fixture
def anyone(app: Flask) -> Person:
    return Person(app.test_client())


def ended(app: Flask, **body: Any) -> Table:
    """A match that is over."""
    table = house.opened(app, **body)
    end = table.end("agreed")
    assert end.status_code == 201, end.text
    return table


def published(app: Flask, table: Table) -> None:
    """What the workers do once it is over."""
    service = app.config["SERVICE"]
    size = service.load_match(table.match).version
    root = Prover(service.log).load_verified_root(table.match, size)
    app.config["PUBLISHER"].publish_root(RootLeaf(table.match, size, root, "finished"))


def checkpoint(anyone: Person) -> Checkpoint:
    """The latest, found to be signed."""
    found: Any = anyone.get(f"{ROOTS}/checkpoint").json
    said = verify_note(found["note"], [SIGNER.public], f"{STORE}/roots")
    assert (said.size, said.root, said.origin) == (found["size"], raw(found["root"]), found["origin"])
    return said


def test_a_fresh_server_has_a_log_of_one_key(anyone: Person) -> None:
    said = checkpoint(anyone)
    listed: Any = anyone.get(ROOTS).json
    assert said.size == listed["size"] == len(listed["items"]) == 1
    assert raw(listed["items"][0]["hash"]) == said.root
    assert listed["next_cursor"] is None
    alone = anyone.get(f"{ROOTS}/checkpoint", Accept="text/plain")
    assert verify_note(alone.text, [SIGNER.public]) == said


def test_what_a_match_came_to_is_shown_under_the_checkpoint(app: Flask, anyone: Person) -> None:
    before = checkpoint(anyone)
    tables = [ended(app, visibility="public") for _ in range(5)]
    for table in tables:
        problem(anyone.get(f"{INCLUSION}?match={table.match}"), 404, "not-published")
        published(app, table)
    now = checkpoint(anyone)
    assert now.size == 6
    for table in tables:
        found: Any = anyone.get(f"{INCLUSION}?match={table.match}").json
        path = [raw(step) for step in found["path"]]
        assert verify_inclusion(leaf_hash(found["leaf"].encode()), found["index"], found["size"], path, now.root)
        assert verify_note(found["note"], [SIGNER.public], f"{STORE}/roots") == now
        leaf = json.loads(found["leaf"])
        receipt: Any = anyone.get(f"{table.path}/checkpoint").json
        own = told(receipt["note"], table.match)
        assert (leaf["match"], leaf["size"], leaf["root"]) == (table.match, own.size, own.root.hex())
        assert leaf["status"] == "finished"
    grown: Any = anyone.get(f"{ROOTS}/proofs/consistency?from={before.size}").json
    assert grown["to"] == now.size
    assert verify_consistency(before.size, now.size, [raw(step) for step in grown["path"]], before.root, now.root)
    first: Any = anyone.get(f"{INCLUSION}?match={tables[0].match}&size=3").json
    assert first["size"] == 3
    problem(anyone.get(f"{INCLUSION}?match={tables[4].match}&size=3"), 404, "not-published")


def test_whoever_follows_the_leaves_sees_that_none_goes(app: Flask, anyone: Person) -> None:
    for _ in range(6):
        published(app, ended(app))
    hashes: list[bytes] = []
    cursor: int | None = 0
    while cursor is not None:
        answer: Any = anyone.get(f"{ROOTS}?after={cursor}&limit=3")
        page = answer.json
        assert [item["index"] for item in page["items"]] == list(range(cursor, cursor + len(page["items"])))
        hashes += [raw(item["hash"]) for item in page["items"]]
        cursor = page["next_cursor"]
        link = None if cursor is None else f'<{ROOTS}?after={cursor}&limit=3>; rel="next"'
        assert answer.headers.get("Link") == link
    assert (len(hashes), compute_root_of_leaves(hashes)) == (7, checkpoint(anyone).root)
    beyond: Any = anyone.get(f"{ROOTS}?after=99").json
    assert beyond == {"items": [], "size": 7, "next_cursor": None}


def test_a_private_match_is_a_hash_to_everybody_else(app: Flask, anyone: Person) -> None:
    table, other = ended(app), ended(app)
    published(app, table)
    asked = f"{INCLUSION}?match={table.match}"
    for stranger in (anyone, other.host, other.seats[0], Person(anyone.client, "rfs_" + "A" * 43)):
        problem(stranger.get(asked), 404, "unknown-match")
    unknown = problem(anyone.get(f"{INCLUSION}?match=07-{'z' * 26}"), 404, "unknown-match")
    hidden = problem(anyone.get(asked), 404, "unknown-match")
    assert {**unknown, "request_id": ""} == {**hidden, "request_id": ""}, "as if there were none"
    for own in (table.host, *table.seats):
        assert own.get(asked).status_code == 200
    said = anyone.get(ROOTS).text + anyone.get(f"{ROOTS}/checkpoint").text
    assert table.match not in said


@pytest.mark.parametrize(
    ("asked", "status", "slug"),
    [
        ("?after=-1", 422, "invalid-input"),
        ("?limit=0", 422, "invalid-input"),
        ("?limit=201", 422, "invalid-input"),
        ("/proofs/inclusion", 422, "invalid-input"),
        ("/proofs/inclusion?match=nothing", 422, "invalid-input"),
        (f"/proofs/inclusion?match=99-{'a' * 26}", 422, "invalid-input"),
        ("/proofs/consistency", 422, "invalid-input"),
        ("/proofs/consistency?from=0", 422, "invalid-input"),
        ("/proofs/consistency?from=2", 404, "unknown-size"),
        ("/proofs/consistency?from=1&to=2", 404, "unknown-size"),
        ("/proofs/consistency?from=1&to=0", 422, "invalid-input"),
    ],
)
def test_what_is_not_there_or_no_number_is_refused(anyone: Person, asked: str, status: int, slug: str) -> None:
    problem(anyone.get(ROOTS + asked), status, slug)


def test_sizes_that_come_in_the_wrong_order_name_the_field(app: Flask, anyone: Person) -> None:
    published(app, ended(app, visibility="public"))
    body = problem(anyone.get(f"{ROOTS}/proofs/consistency?from=2&to=1"), 422, "invalid-input")
    assert body["errors"][0]["pointer"] == "/from"
    match = ended(app, visibility="public").match
    problem(anyone.get(f"{INCLUSION}?match={match}&size=99"), 404, "unknown-size")


def test_a_damaged_log_of_roots_is_not_shown_and_matches_go_on(app: Flask, anyone: Person) -> None:
    table = ended(app, visibility="public")
    published(app, table)
    app.config["SERVICE"].log._root_nodes.clear()
    problem(anyone.get(f"{INCLUSION}?match={table.match}"), 423, "roots-damaged")
    problem(anyone.get(ROOTS), 423, "roots-damaged")
    assert anyone.get(f"{table.path}/checkpoint").status_code == 200
    house.opened(app)


# -- keys --------------------------------------------------------------------------------------------------------------


def test_the_key_is_told_in_every_form_that_tools_read(anyone: Person) -> None:
    found: Any = anyone.get("/v1/keys").json
    (key,) = found["keys"]
    assert found["store"] == STORE
    assert raw(key["public"]) == SIGNER.public
    assert key["fingerprint"] == hashlib.sha256(SIGNER.public).hexdigest()
    assert key["pem"] == SIGNER.encode_public_pem()
    assert (key["until"], key["statement"], key["vouched"], key["signs"]) == (None, None, True, True)
    assert key["verifier_key"] == SIGNER.encode_verifier_key(f"{STORE}/roots")
    assert key["verifier_keys"] == {
        name: SIGNER.encode_verifier_key(name) for name in (f"{STORE}/roots", f"{STORE}/keys")
    }
    match = "07-" + "a" * 26
    of_match: Any = anyone.get(f"/v1/keys?match={match}").json
    name, number, encoded = of_match["keys"][0]["verifier_key"].split("+", 2)
    assert name == f"{STORE}/{match}"
    assert number == compute_key_id(name, SIGNER.public).hex()
    assert base64.b64decode(encoded) == b"\x01" + SIGNER.public
    forms = of_match["keys"][0]["verifier_keys"]
    assert list(forms) == [f"{STORE}/roots", f"{STORE}/keys", f"{STORE}/{match}"]
    assert all(parse_public_key(form) == SIGNER.public for form in forms.values())
    problem(anyone.get("/v1/keys?match=nothing"), 422, "invalid-input")


def test_after_a_rotation_the_chain_leads_from_an_old_receipt_to_a_new_one(app: Flask, anyone: Person) -> None:
    table = house.opened(app, visibility="public")
    old = table.anyone.get(f"{table.path}/checkpoint", Accept="text/plain").text
    log, publisher = app.config["SERVICE"].log, app.config["PUBLISHER"]
    publisher.ensure_key_published()
    new = Signer(Ed25519PrivateKey.from_private_bytes(bytes([7] * 32)))
    log.advance_clock(1000)
    named = ChainKey(new.public, log.now(), sign_statement(SIGNER, STORE, new.public, log.now()))
    publisher.publish_successor(named, SIGNER.public)
    publisher.signer = new
    app.config["SERVICE"].sign = lambda match, size, root: new.sign_receipt(f"{STORE}/{match}", size, root)
    keys: Any = anyone.get("/v1/keys").json["keys"]  # type: ignore[index]
    assert [key["signs"] for key in keys] == [False, True]
    assert [key["vouched"] for key in keys] == [True, True]
    assert keys[0]["until"] == keys[1]["since"]
    trusted = raw(keys[0]["public"])
    assert verify_statement(keys[1]["statement"], [trusted], STORE).public == raw(keys[1]["public"])
    fresh = table.anyone.get(f"{table.path}/checkpoint", Accept="text/plain").text
    assert verify_note(old, [trusted]) == verify_note(fresh, [raw(keys[1]["public"])])
    assert RootPublisher(log, new, STORE).load_chain() == publisher.ensure_key_published()


def test_a_key_that_nothing_vouches_for_is_shown_as_such(app: Flask, anyone: Person) -> None:
    anyone.get("/v1/keys")
    app.config["PUBLISHER"].signer = Signer(Ed25519PrivateKey.from_private_bytes(bytes([9] * 32)))
    keys: Any = anyone.get("/v1/keys").json["keys"]  # type: ignore[index]
    assert [(key["vouched"], key["signs"]) for key in keys] == [(True, False), (False, True)]
