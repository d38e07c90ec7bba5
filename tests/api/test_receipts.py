"""Every accepted write is answered with a signed checkpoint that has the write in it, and all of them fit together."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from api.resources.health.routes import load_contract
from referee.games import load_games
from referee.transparency.merkle import leaf_hash, verify_consistency, verify_inclusion
from tests.api import house
from tests.api.contracted import close_answers
from tests.api.house import Person, Table, problem
from tests.api.signed import STORE, raw, receipt_of, signed_app, told
from tests.doubles.party import PARTY

NOT_IN_THE_LOG = {  # what adds no entry: codes and standing passes lie beside the log, a check stores nothing
    "makeInvitation", "withdrawInvitation", "deleteStandingPasses", "checkMove",
    "makeStreamTicket",
}  # fmt: skip


@pytest.fixture
def app() -> Flask:
    return signed_app()


def about_matches(made: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The writes of the contract that are about a match."""
    return {
        operation["operationId"]: operation
        for path, item in made["paths"].items()
        for method, operation in item.items()
        if method in ("post", "put", "patch", "delete") and path.startswith(("/v1/matches", "/v1/join"))
    }


def test_every_write_to_a_log_promises_its_receipt(app: Flask) -> None:
    made = load_contract(app)
    writes, schemas = about_matches(made), close_answers(made["components"])["schemas"]
    assert set(writes) > NOT_IN_THE_LOG
    for name, operation in writes.items():
        if name in NOT_IN_THE_LOG:
            continue
        for status, answer in operation["responses"].items():
            if status.startswith("2"):
                answer = made["components"]["responses"].get(answer.get("$ref", "").rpartition("/")[2], answer)
                body = answer.get("content", {}).get("application/json", {}).get("schema", {})
                fields = schemas[body["$ref"].rpartition("/")[2]] if body else {}
                promised = "receipt" in fields.get("required", ()) or "Receipt" in answer.get("headers", {})
                assert promised, (name, status)


def test_the_receipts_of_a_whole_evening_fit_one_history(app: Flask) -> None:
    anyone = Person(app.test_client())
    chairs = [{"kind": "human"}, {"kind": "human"}]
    made: Any = anyone.post("/v1/matches", {"game": "monster_combat", "seats": chairs, "visibility": "public"})
    host, match = Person(anyone.client, made.json["token"]), made.json["match"]
    path = f"/v1/matches/{match}"
    notes = [receipt_of(made)]

    def done(answer: Any) -> Any:
        assert answer.status_code < 300, answer.text
        note = receipt_of(answer)
        stands = host.get(path).json["version"]  # type: ignore[index]
        assert told(notes[-1], match).size < told(note, match).size <= stands
        notes.append(note)
        return answer

    def table() -> Table:
        return Table(match, anyone, host, tuple(people), ())

    def now() -> str:
        return f'"v{host.get(path).json["version"]}"'  # type: ignore[index]

    people: list[Person] = []
    done(host.patch(path, {"visibility": "private"}, If_Match=now()))
    done(host.patch(path, {"seats": [{"kind": "human"}, {"kind": "human"}]}, If_Match=now()))
    for invitation in made.json["invitations"]:
        joined = done(anyone.post("/v1/join", {"code": invitation["code"]}))
        people.append(Person(anyone.client, joined.json["token"]))
    done(people[0].put(f"{path}/seats/0/proxy", {"by": "host"}))
    done(people[1].delete(f"{path}/seats/1/player"))
    done(host.put(f"{path}/seats/1/bot", {"level": 0}))
    done(host.delete(f"{path}/seats/1/bot"))
    code: Any = host.post(f"{path}/invitations", {"role": "seat:1"}).json
    people[1] = Person(anyone.client, done(anyone.post("/v1/join", {"code": code["code"]})).json["token"])
    done(host.post(f"{path}/start", If_Match=now()))
    for _ in range(4):
        seat = next(each for each in table().awaited if isinstance(each, int))
        done(table().move(seat, table().moves(seat)["legal"][0]["move"]))
    done(people[1].delete(f"{path}/seats/1/player"))
    done(host.put(f"{path}/seats/1/bot", {"level": 0}))
    number = host.get(path).json["seats"][1]["proposal"]["proposal"]  # type: ignore[index]
    done(people[0].post(f"{path}/seats/1/bot/proposals/{number}/consents", {"grant": False}))
    done(host.post(f"{path}/end", {"reason": "abandoned"}, If_Match=now()))
    size = told(notes[-1], match).size
    for note in notes:
        early = told(note, match)
        proof: Any = host.get(f"{path}/proofs/consistency?from={early.size}&to={size}").json
        steps = [raw(step) for step in proof["path"]]
        assert verify_consistency(early.size, size, steps, early.root, told(notes[-1], match).root)
    assert len(notes) > 15


def test_a_withdrawn_match_gives_its_last_receipt_and_the_same_again(app: Flask) -> None:
    table = house.opened(app, start=False)
    first = table.host.delete(table.path, If_Match=f'"v{table.version}"')
    again = table.host.delete(table.path, If_Match='"v3"')
    assert told(receipt_of(first), table.match).size == 4
    assert receipt_of(again) == receipt_of(first)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_who_only_looks_on_is_given_no_receipt(app: Flask) -> None:
    table = house.opened(app)
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    assert table.anyone.post("/v1/join", {"code": code["code"]}).json["receipt"] is None  # type: ignore[index]


def test_a_pass_that_is_made_at_once_by_a_standing_one_gives_its_receipt_again_and_again(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(load_games(), "party", PARTY)
    table = house.opened(app, "party", 3)
    both = {"kinds": ["applause", "encore"], "until": "match"}

    def put(seat: int, key: str) -> Any:
        path = f"{table.path}/seats/{seat}/standing-passes"
        return table.seats[seat].put(path, both, Idempotency_Key=key).json

    assert put(0, "quiet")["receipt"] is None, "no window is open"
    table.move(0, {"type": "toy.play", "card": "cake"})
    note = put(2, "at-once")["receipt"]
    said = told(note, table.match)
    entry: Any = table.host.get(f"{table.path}/entries/{said.size}").json
    assert (entry["seat"], entry["version"]) == (2, table.version)
    put(1, "others")
    assert table.version > said.size
    assert put(2, "at-once")["receipt"] == note
    assert put(0, "quiet")["receipt"] is None


# -- asking for them ---------------------------------------------------------------------------------------------------


@pytest.fixture
def table(app: Flask) -> Table:
    return house.opened(app, visibility="public")


def test_a_checkpoint_is_what_the_log_comes_to_as_json_and_as_a_note_alone(table: Table) -> None:
    found = table.anyone.get(f"{table.path}/checkpoint")
    body: Any = found.json
    said = told(body["note"], table.match)
    assert (said.size, said.root) == (body["size"], raw(body["root"]))
    assert body["size"] == table.version
    assert body["origin"] == f"{STORE}/{table.match}"
    assert found.headers["ETag"] == f'"v{table.version}"'
    alone = table.anyone.get(f"{table.path}/checkpoint", Accept="text/plain")
    assert alone.text == body["note"]
    assert alone.mimetype == "text/plain"
    assert table.anyone.get(f"{table.path}/checkpoint", If_None_Match=found.headers["ETag"]).status_code == 304
    problem(table.anyone.get(f"{table.path}/checkpoint", Accept="text/css"), 406, "not-acceptable")


def test_the_receipt_of_a_version_is_that_which_its_write_was_answered_with(table: Table) -> None:
    seat = next(each for each in table.awaited if isinstance(each, int))
    answer: Any = table.move(seat, table.moves(seat)["legal"][0]["move"]).json
    asked: Any = table.anyone.get(f"{table.path}/receipts/{answer['entry']['version']}").json
    assert asked["note"] == answer["receipt"]
    for version in range(1, table.version + 1):
        found: Any = table.anyone.get(f"{table.path}/receipts/{version}", Accept="text/plain")
        assert told(found.text, table.match).size == version
    problem(table.anyone.get(f"{table.path}/receipts/{table.version + 1}"), 404, "unknown-version")
    problem(table.anyone.get(f"{table.path}/receipts/0"), 404, "not-found")


def test_every_entry_is_shown_to_be_in_the_log_at_every_size_since(table: Table) -> None:
    for size in range(1, table.version + 1):
        note = table.anyone.get(f"{table.path}/receipts/{size}", Accept="text/plain").text
        root = told(note, table.match).root
        for version in range(1, size + 1):
            found: Any = table.anyone.get(f"{table.path}/proofs/inclusion?version={version}&size={size}").json
            leaf = leaf_hash(found["envelope"].encode())
            assert (raw(found["leaf"]), raw(found["root"]), found["note"]) == (leaf, root, note)
            assert verify_inclusion(leaf, version - 1, size, [raw(step) for step in found["path"]], root)
            assert f'"version":{version}' in found["envelope"]


def test_an_entry_in_which_somebody_says_something_in_german_is_shown_too(table: Table) -> None:
    seat = next(each for each in table.awaited if isinstance(each, int))
    about = table.move(seat, table.moves(seat)["legal"][0]["move"]).json["entry"]["version"]  # type: ignore[index]
    said = {"about": about, "claim": "other", "statement": "Der Würfel lag schräg \N{DIE FACE-4}", "seat": seat}
    opened = table.seats[seat].post(f"{table.path}/disputes", said)
    assert opened.status_code == 201, opened.text
    version = opened.json["entry"]["version"]  # type: ignore[index]
    found: Any = table.anyone.get(f"{table.path}/proofs/inclusion?version={version}").json
    assert "Würfel lag schräg" in found["envelope"]
    path = [raw(step) for step in found["path"]]
    assert verify_inclusion(leaf_hash(found["envelope"].encode()), version - 1, found["size"], path, raw(found["root"]))


@pytest.mark.parametrize(
    ("asked", "status", "slug", "pointer"),
    [
        ("inclusion", 422, "invalid-input", "/version"),
        ("inclusion?version=0", 422, "invalid-input", "/version"),
        ("inclusion?version=-1", 422, "invalid-input", "/version"),
        ("inclusion?version=1&size=0", 422, "invalid-input", "/size"),
        ("inclusion?version=3&size=2", 422, "invalid-input", "/version"),
        ("inclusion?version=99", 404, "unknown-version", None),
        ("inclusion?version=1&size=99", 404, "unknown-version", None),
        ("inclusion?version=1&more=1", 422, "invalid-input", "/more"),
        ("consistency", 422, "invalid-input", "/from"),
        ("consistency?from=0&to=2", 422, "invalid-input", "/from"),
        ("consistency?from=1&to=0", 422, "invalid-input", "/to"),
        ("consistency?from=3&to=2", 422, "invalid-input", "/from"),
        ("consistency?from=1&to=99", 404, "unknown-version", None),
        ("consistency?from=99", 404, "unknown-version", None),
        ("consistency?from=1e9", 422, "invalid-input", "/from"),
        ("consistency?from=99999999999999999999", 422, "invalid-input", "/from"),
    ],
)
def test_a_proof_of_what_is_not_there_names_what_is_wrong(
    table: Table, asked: str, status: int, slug: str, pointer: str | None
) -> None:
    body = problem(table.anyone.get(f"{table.path}/proofs/{asked}"), status, slug)
    if pointer is not None:
        assert [each["pointer"] for each in body["errors"]] == [pointer]


def test_onlookers_who_come_late_get_no_checkpoint_of_what_they_do_not_see_yet(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=2)
    seen = table.version - 2
    late: Any = table.anyone.get(f"{table.path}/checkpoint")
    assert (late.json["size"], late.headers["ETag"]) == (seen, f'"v{seen}"')
    for asked in (
        f"receipts/{seen + 1}", f"proofs/inclusion?version={seen + 1}", f"proofs/inclusion?version=1&size={seen + 1}",
        f"proofs/consistency?from=1&to={seen + 1}", f"proofs/consistency?from={seen + 1}",
    ):  # fmt: skip
        problem(table.anyone.get(f"{table.path}/{asked}"), 404, "unknown-version")
        assert table.seats[0].get(f"{table.path}/{asked}").status_code == 200
        assert table.host.get(f"{table.path}/{asked}").status_code == 200
    shown: Any = table.anyone.get(f"{table.path}/proofs/inclusion?version=1").json
    assert shown["size"] == seen
    assert table.anyone.get(f"{table.path}/proofs/consistency?from=1").json["to"] == seen  # type: ignore[index]
    table.end("abandoned")
    assert table.anyone.get(f"{table.path}/checkpoint").json["size"] == seen + 5  # type: ignore[index]


def test_of_a_private_match_strangers_learn_nothing(app: Flask) -> None:
    table, other = house.opened(app), house.opened(app)
    for asked in ("checkpoint", "receipts/1", "proofs/inclusion?version=1", "proofs/consistency?from=1"):
        for stranger in (table.anyone, other.seats[0], other.host):
            problem(stranger.get(f"{table.path}/{asked}"), 404, "unknown-match")
        assert table.seats[1].get(f"{table.path}/{asked}").status_code == 200


def test_a_log_that_was_changed_is_not_vouched_for_and_a_frozen_one_that_is_sound_is(app: Flask, table: Table) -> None:
    log = app.config["SERVICE"].log
    log.freeze_match(table.match)
    assert table.anyone.get(f"{table.path}/checkpoint").status_code == 200
    kept = log._matches[table.match].log
    entry = kept[1]
    kept[1] = type(entry)(entry.version, entry.envelope.replace(b'"at":', b'"at":1'), entry.sealed, entry.root)
    app.config["PROVER"]._cached_leaves.clear()
    last = table.version
    for asked in ("checkpoint", f"receipts/{last}", "proofs/inclusion?version=1", "proofs/consistency?from=1"):
        problem(table.anyone.get(f"{table.path}/{asked}"), 423, "log-frozen")
    assert table.anyone.get(f"{table.path}/receipts/1").status_code == 200, "what comes before it still stands"


def test_an_entry_that_is_changed_after_it_was_hashed_here_is_seen_too(app: Flask, table: Table) -> None:
    assert table.anyone.get(f"{table.path}/proofs/inclusion?version=2").status_code == 200
    kept = app.config["SERVICE"].log._matches[table.match].log
    entry = kept[1]
    kept[1] = type(entry)(entry.version, entry.envelope.replace(b'"at":', b'"at":1'), entry.sealed, entry.root)
    problem(table.anyone.get(f"{table.path}/proofs/inclusion?version=2"), 423, "log-frozen")


def test_a_store_that_lost_entries_is_not_told_by_what_was_known_of_it(app: Flask, table: Table) -> None:
    before: Any = table.anyone.get(f"{table.path}/proofs/inclusion?version=1").json
    log = app.config["SERVICE"].log
    log._matches[table.match].log.pop()
    size = before["size"]
    problem(table.anyone.get(f"{table.path}/receipts/{size}"), 404, "unknown-version")
    shown: Any = table.anyone.get(f"{table.path}/receipts/{size - 1}").json
    assert shown["size"] == size - 1
