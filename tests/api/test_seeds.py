"""Seeds of the seats over HTTP, in matches of the first scheme: revealed before the start, seen by everybody."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from flask import Flask

from referee.eventstore.memory.log import MemoryLog
from tests.api import house
from tests.api.house import Person, Table, fresh, problem

pytestmark = pytest.mark.usefixtures("first_scheme")
SEED = "00112233445566778899aabbccddeeff"
OTHER = "ffeeddccbbaa99887766554433221100ff"


def bound(seed: str) -> str:
    return hashlib.sha256(b"referee/v1/seed|" + bytes.fromhex(seed)).hexdigest()


def joins(table: Table, seat: int, **body: Any) -> Person:
    joined = table.anyone.post("/v1/join", {"code": table.codes[seat], **body})
    assert joined.status_code == 201, joined.text
    return Person(table.anyone.client, joined.json["token"])  # type: ignore[index]


def puts(person: Person, table: Table, seat: int, **body: Any) -> Any:
    return person.put(f"{table.path}/seats/{seat}/seed", body)


def seeds(table: Table) -> Any:
    return table.host.get(table.path).json["seeds"]  # type: ignore[index]


def starts(table: Table) -> Any:
    return table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"')


@pytest.fixture
def lobby(app: Flask) -> Table:
    return house.opened(app, start=False, join=False, visibility="public")


def test_a_seat_commits_as_it_joins_or_later_and_reveals_before_the_start(lobby: Table) -> None:
    one, two = joins(lobby, 0, seed_commitment=bound(SEED)), joins(lobby, 1)
    later = puts(two, lobby, 1, commitment=bound(OTHER))
    assert later.status_code == 200, later.text
    assert {"seat": 1, "commitment": bound(OTHER), "seed": None}.items() <= later.json.items()
    assert later.json["receipt"]
    assert later.headers["ETag"] == f'"v{later.json["version"]}"'
    hidden = [{"seat": at, "commitment": bound(each), "seed": None} for at, each in enumerate((SEED, OTHER))]
    assert lobby.anyone.get(lobby.path).json["seeds"] == hidden  # type: ignore[index]
    refused = problem(starts(lobby), 409, "seeds-hidden")
    assert "Player 1 and Player 2" in refused["detail"]
    key = fresh()
    for replayed in (None, "true", "true"):
        shown = one.put(f"{lobby.path}/seats/0/seed", {"reveal": SEED}, Idempotency_Key=key)
        assert (shown.status_code, shown.json["seed"]) == (200, SEED)  # type: ignore[index]
        assert shown.headers.get("Idempotency-Replayed") == replayed
    assert puts(two, lobby, 1, reveal=OTHER).status_code == 200
    assert [each["seed"] for each in seeds(lobby)] == [SEED, OTHER]
    assert starts(lobby).status_code == 201
    again = one.put(f"{lobby.path}/seats/0/seed", {"reveal": SEED}, Idempotency_Key=key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
    problem(puts(one, lobby, 0, reveal=SEED), 409, "already-started")
    told = [event for entry in lobby.anyone.get(f"{lobby.path}/entries").json["items"] for event in entry["events"]]  # type: ignore[index]
    kinds = [event["type"] for event in told if "Seed" in event["type"]]
    assert kinds == ["table.SeedCommitted", "table.SeedCommitted", "table.SeedRevealed", "table.SeedRevealed"]
    assert seeds(lobby) == lobby.anyone.get(lobby.path).json["seeds"]  # type: ignore[index]


def test_a_table_without_seeds_is_as_it_was(lobby: Table) -> None:
    joins(lobby, 0)
    joins(lobby, 1)
    assert seeds(lobby) == []
    assert starts(lobby).status_code == 201
    match: Any = lobby.host.get(lobby.path).json
    assert (match["generation"], match["commitments"]) == (0, [match["commitment"]])


def test_what_does_not_fit_is_refused_and_changes_nothing(lobby: Table) -> None:
    one = joins(lobby, 0, seed_commitment=bound(SEED))
    two = joins(lobby, 1)
    version = lobby.version
    problem(puts(one, lobby, 0, reveal=OTHER), 409, "seed-mismatch")
    problem(puts(two, lobby, 1, reveal=OTHER), 409, "seed-unbound")
    problem(puts(two, lobby, 0, reveal=SEED), 403, "not-your-seat")
    problem(puts(lobby.host, lobby, 0, commitment=bound(OTHER)), 403, "not-your-seat")
    problem(puts(one, lobby, 7, reveal=SEED), 404, "unknown-seat")
    for body in (
        {}, {"reveal": SEED, "commitment": bound(SEED)}, {"reveal": SEED[:30]}, {"reveal": SEED + "0"},
        {"reveal": SEED.upper()}, {"reveal": "00" * 65}, {"reveal": None}, {"reveal": 7}, {"commitment": "0" * 63},
        {"commitment": bound(SEED).upper()}, {"commitment": bound(SEED) + "\n"}, {"seed": SEED},
    ):  # fmt: skip
        problem(one.put(f"{lobby.path}/seats/0/seed", body), 422, "invalid-input")
    assert lobby.version == version
    assert puts(one, lobby, 0, reveal=SEED).status_code == 200
    problem(puts(one, lobby, 0, reveal=SEED), 409, "seed-shown-already")
    problem(puts(two, lobby, 1, commitment=bound(OTHER)), 409, "seeds-revealed")
    assert lobby.version == version + 1


def test_a_code_is_not_used_up_where_the_seed_comes_too_late(lobby: Table) -> None:
    one = joins(lobby, 0, seed_commitment=bound(SEED))
    assert puts(one, lobby, 0, reveal=SEED).status_code == 200
    late = {"code": lobby.codes[1], "seed_commitment": bound(OTHER)}
    problem(lobby.anyone.post("/v1/join", late), 409, "seeds-revealed")
    joins(lobby, 1)
    assert starts(lobby).status_code == 201
    assert [each["seat"] for each in seeds(lobby)] == [0]


def test_only_a_seat_brings_a_seed(lobby: Table) -> None:
    invitation: Any = lobby.host.post(f"{lobby.path}/invitations", {"role": "arbiter"}).json
    wrong = {"code": invitation["code"], "seed_commitment": bound(SEED)}
    refused = problem(lobby.anyone.post("/v1/join", wrong), 422, "invalid-input")
    assert refused["errors"][0]["pointer"] == "/seed_commitment"
    joined = lobby.anyone.post("/v1/join", {"code": invitation["code"]})
    assert joined.status_code == 201, joined.text


def test_a_seat_that_is_taken_while_the_match_runs_brings_no_seed(app: Flask) -> None:
    table = house.opened(app)
    assert table.seats[1].delete(f"{table.path}/seats/1/player").status_code == 204
    invitation: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:1"}).json
    late = {"code": invitation["code"], "seed_commitment": bound(SEED)}
    problem(table.anyone.post("/v1/join", late), 409, "already-started")
    assert table.anyone.post("/v1/join", {"code": invitation["code"]}).status_code == 201


def test_who_is_sent_away_with_a_hidden_seed_holds_up_nobody(lobby: Table) -> None:
    one = joins(lobby, 0, seed_commitment=bound(SEED))
    joins(lobby, 1, seed_commitment=bound(OTHER))
    assert puts(one, lobby, 0, reveal=SEED).status_code == 200
    problem(starts(lobby), 409, "seeds-hidden")
    assert lobby.host.delete(f"{lobby.path}/seats/1/player").status_code == 204
    invitation: Any = lobby.host.post(f"{lobby.path}/invitations", {"role": "seat:1"}).json
    assert lobby.anyone.post("/v1/join", {"code": invitation["code"]}).status_code == 201
    assert starts(lobby).status_code == 201
    assert [(each["seat"], each["seed"]) for each in seeds(lobby)] == [(0, SEED)]


def test_a_join_with_a_seed_that_died_half_way_is_finished_by_its_repetition(
    app: Flask, lobby: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also once others have revealed theirs meanwhile, and play has begun: what was written stands."""
    key, body = fresh(), {"code": lobby.codes[0], "seed_commitment": bound(SEED)}
    with monkeypatch.context() as broken:
        broken.setattr(MemoryLog, "put_grant", lambda *_: 1 / 0)
        problem(lobby.anyone.post("/v1/join", body, Idempotency_Key=key), 500, "internal-server-error")
    two = joins(lobby, 1, seed_commitment=bound(OTHER))
    assert puts(two, lobby, 1, reveal=OTHER).status_code == 200
    version = lobby.version
    joined: Any = lobby.anyone.post("/v1/join", body, Idempotency_Key=key)
    assert joined.status_code == 201, joined.text
    assert lobby.version == version
    one = Person(lobby.anyone.client, joined.json["token"])
    assert puts(one, lobby, 0, reveal=SEED).status_code == 200
    assert starts(lobby).status_code == 201


def test_at_a_table_with_real_cards_and_dice_seeds_do_no_harm(app: Flask) -> None:
    table = house.opened(app, "munchkin", 3, start=False, join=False, chance="table", visibility="public")
    people = [joins(table, seat, seed_commitment=bound(SEED + f"{seat:02x}")) for seat in range(3)]
    for seat, person in enumerate(people):
        assert puts(person, table, seat, reveal=SEED + f"{seat:02x}").status_code == 200
    assert starts(table).status_code == 201
    assert len(seeds(table)) == 3
    found: Any = people[1].get(f"{table.path}/openings?viewer=seat:1").json
    assert len(found["items"]) == table.version
