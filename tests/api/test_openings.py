"""What is hidden in the log can be checked: a seat's part while the match runs, all of it once it is over."""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.chance import ShuffleResult
from referee.transparency import randomness as verifier
from referee.transparency.randomness import ServerRandomSource
from tests.api import house
from tests.api.disputing import Court, court
from tests.api.house import Person, Table, problem

KEY = bytes(range(32))


def real(game: str = "monster_combat", seats: int = 2, chance: str = "server", **body: Any) -> Court:
    """A running match whose draws and salts are the server's own."""
    return court(game, chance, seats, ServerRandomSource(KEY), **body)


def committed(here: Court) -> dict[int, dict[str, str]]:
    """The commitments in the log, as everybody gets them with the proofs."""
    stored = here.service.log.read_entries(here.table.match)
    return {entry.version: json.loads(entry.envelope)["commitments"] for entry in stored}


def fits(opening: dict[str, Any]) -> bool:
    hashed = hashlib.sha256(bytes.fromhex(opening["salt"]) + opening["part"].encode()).hexdigest()
    return bool(hashed == opening["commitment"])


def listed(person: Person, path: str, limit: int = 200) -> list[dict[str, Any]]:
    """All openings, page by page."""
    found: list[dict[str, Any]] = []
    link: str | None = f"{path}&limit={limit}"
    while link:
        page = person.get(link)
        assert page.status_code == 200, page.text
        assert page.headers["Cache-Control"] == "private, no-store"
        body: Any = page.json
        found += body["items"]
        told = page.headers.get("Link", "")
        link = told[1 : told.index(">")] if told else None
        assert (link is None) == (body["next_cursor"] is None)
    return found


def ends(table: Table) -> int:
    done: Any = table.end("agreed", placement=[[0], [1]])
    assert done.status_code == 201, done.text
    return int(done.json["entry"]["version"])


def goes_back(here: Court, about: int) -> Any:
    """Play goes back to before an entry, by a ruling of the host's."""
    number = here.open(0, about, "other")["dispute"]
    done = here.ruled(number)
    assert done.status_code == 201, done.text
    return done.json


@pytest.mark.parametrize(("game", "chance"), [("monster_combat", "server"), ("here_to_slay", "table")])
def test_while_the_match_runs_a_seat_checks_that_the_log_holds_what_it_was_shown(game: str, chance: str) -> None:
    here = real(game, chance=chance)
    here.play(6)
    said = committed(here)
    for seat, person in enumerate(here.table.seats):
        found = listed(person, f"{here.table.path}/openings?viewer=seat:{seat}", 4)
        assert [each["version"] for each in found] == list(range(1, here.table.version + 1))
        shown: Any = person.get(f"{here.table.path}/entries?viewer=seat:{seat}&limit=200&steps=true").json
        for opening, entry in zip(found, shown["items"], strict=True):
            assert fits(opening)
            assert opening["commitment"] == said[opening["version"]][str(seat)]
            assert opening["generation"] == 0
            part = json.loads(opening["part"])
            assert [event["type"] for event in part["events"]] == [event["type"] for event in entry["events"]]
    problem(here.table.seats[0].get(f"{here.table.path}/openings?viewer=seat:1"), 403, "not-your-seat")
    problem(here.table.anyone.get(f"{here.table.path}/openings?viewer=seat:1"), 401, "unauthorized")


def test_the_salts_of_a_seat_open_no_part_of_another() -> None:
    """Not even where the parts of both are the same text."""
    here = real("monster_combat", 3)
    here.play(8)
    mine = listed(here.table.seats[0], f"{here.table.path}/openings?viewer=seat:0")
    salts = [bytes.fromhex(each["salt"]) for each in mine]
    assert len(set(salts)) == len(salts)
    for version, said in committed(here).items():
        parts = {each["part"] for each in mine if each["version"] == version}
        for seat in ("1", "2", "full"):
            for part in parts:
                assert not any(hashlib.sha256(salt + part.encode()).hexdigest() == said[seat] for salt in salts)


def test_whoever_takes_a_seat_over_checks_what_it_saw_before() -> None:
    here = real()
    here.play(4)
    path = f"{here.table.path}/openings?viewer=seat:1"
    assert here.table.seats[1].delete(f"{here.table.path}/seats/1/player").status_code == 204
    invitation: Any = here.table.host.post(f"{here.table.path}/invitations", {"role": "seat:1"}).json
    problem(here.table.seats[1].get(path), 401, "unauthorized")
    joined: Any = here.table.anyone.post("/v1/join", {"code": invitation["code"]}).json
    found = listed(Person(here.table.anyone.client, joined["token"]), path)
    assert len(found) == here.table.version
    assert all(map(fits, found))


@pytest.mark.clause("TABLE-END-1")
def test_after_the_end_everybody_checks_everything_and_not_before() -> None:
    here = real()
    here.play(6)
    path = f"{here.table.path}/openings?viewer=full"
    invitation: Any = here.table.host.post(f"{here.table.path}/invitations", {"role": "auditor"}).json
    joined: Any = here.table.anyone.post("/v1/join", {"code": invitation["code"]}).json
    auditor = Person(here.table.anyone.client, joined["token"])
    for person in (*here.table.seats, auditor):
        problem(person.get(path), 409, "still-running")
    ends(here.table)
    for person in (here.table.host, here.table.anyone):
        assert person.get(path).status_code in (401, 403)
    said, match = committed(here), here.table.match
    for person in (*here.table.seats, auditor):
        body: Any = person.get(path).json
        (secret,) = body["secrets"]
        known = bytes.fromhex(secret["secret"])
        opened: Any = here.table.host.get(here.table.path).json
        assert verifier.compute_commitment(known) == secret["commitment"] == opened["commitment"]
        found = listed(person, path, 3)
        assert [each["version"] for each in found] == list(range(1, here.table.version + 1))
        for each in found:
            assert fits(each)
            assert each["commitment"] == said[each["version"]]["full"]
            assert bytes.fromhex(each["salt"]) == verifier.derive_salt(known, match, each["version"], "full")
    mine = listed(here.table.seats[1], f"{here.table.path}/openings?viewer=seat:1")
    assert all(bytes.fromhex(each["salt"]) == verifier.derive_salt(known, match, each["version"], 1) for each in mine)
    drawn = [json.loads(each["part"]) for each in found]
    orders = [part["move"]["order"] for part in drawn if part["move"] and part["move"]["type"] == "chance.shuffled"]
    assert orders, "the order of the deck is in the whole entries"


def test_a_stranger_redraws_from_the_disclosed_secret_and_the_seeds_what_the_server_drew() -> None:
    seeds = ["00112233445566778899aabbccddeeff", "ffeeddccbbaa9988776655443322110000"]
    here = real()
    table = house.opened(here.app, start=False, join=False)
    people = []
    for code, seed in zip(table.codes, seeds, strict=True):
        said = hashlib.sha256(b"referee/v1/seed|" + bytes.fromhex(seed)).hexdigest()
        joined: Any = table.anyone.post("/v1/join", {"code": code, "seed_commitment": said}).json
        people.append(Person(table.anyone.client, joined["token"]))
    for seat, seed in enumerate(seeds):
        assert people[seat].put(f"{table.path}/seats/{seat}/seed", {"reveal": seed}).status_code == 200
    assert table.host.post(f"{table.path}/start", If_Match="*").status_code == 201
    table = replace(table, seats=tuple(people))
    ends(table)
    body: Any = people[0].get(f"{table.path}/openings?viewer=full&limit=200").json
    secret = bytes.fromhex(body["secrets"][0]["secret"])
    mixed = json.dumps([[each["seat"], each["seed"]] for each in body["seeds"]], separators=(",", ":")).encode()
    redrawn = 0
    for entry in here.service.repository.load_entries(table.match):
        if isinstance(entry.move, ShuffleResult):
            match = here.service.load_version(table.match, entry.version - 1).match
            before: Any = match.state
            below = verifier.build_draw_source(
                secret, table.match, match.draws + 1, before.agenda[-1].question_name(), mixed, 2
            )
            pile = list(before.cards_at(before.agenda[-1].where))
            for last in range(len(pile) - 1, 0, -1):
                other = below(last + 1)
                pile[last], pile[other] = pile[other], pile[last]
            assert tuple(pile) == entry.move.order
            redrawn += 1
    assert redrawn


@pytest.mark.clause("TABLE-CHANCE-1")
def test_what_was_disclosed_at_an_end_predicts_nothing_once_a_remedy_goes_back_behind_it() -> None:
    here = real()
    here.play(6)
    path, seat = f"{here.table.path}/openings?viewer=full", here.table.seats[0]
    end = ends(here.table)
    body: Any = seat.get(f"{path}&limit=200").json
    known, view = bytes.fromhex(body["secrets"][0]["secret"]), seat.get(f"{here.table.path}/view?viewer=full").json
    back = goes_back(here, end)
    problem(seat.get(path), 409, "still-running")
    problem(seat.get(f"{here.table.path}/view?viewer=full"), 409, "still-running")
    match: Any = here.table.host.get(here.table.path).json
    assert (match["status"], match["generation"]) == ("running", 1)
    assert match["commitments"][0] == match["commitment"] == body["secrets"][0]["commitment"]
    told = [event for event in back["entry"]["events"] if event["type"] == "table.ChanceRenewed"]
    assert [(each["generation"], each["commitment"]) for each in told] == [(1, match["commitments"][1])]
    later = here.service.repository.load_entries(here.table.match, end)
    drawn = [entry for entry in later if isinstance(entry.move, ShuffleResult)]
    assert drawn, "whoever looked knew how the piles lay"
    for entry in drawn:
        before: Any = here.service.load_version(here.table.match, entry.version - 1).match.state
        for place, scheme in itertools.product(range(1, entry.version + 3), (1, 2)):
            purpose = before.agenda[-1].question_name()
            below = verifier.build_draw_source(known, here.table.match, place, purpose, scheme=scheme)
            assert before.agenda[-1].draw_outcome(before, below) != entry.move
    now: Any = here.service.load_match(here.table.match).match.state
    hidden = {
        place: list(now.cards_at(place)) for place in now.zones if place.endswith(":") and len(now.cards_at(place)) > 4
    }
    assert hidden
    assert isinstance(view, dict)
    assert all(view["table"]["zones"][place] != cards for place, cards in hidden.items())
    for each in listed(seat, f"{here.table.path}/openings?viewer=seat:0"):
        guessed = verifier.derive_salt(known, here.table.match, each["version"], 0)
        assert (guessed.hex() == each["salt"]) == (each["generation"] == 0)
        assert (each["version"] >= back["entry"]["version"]) == (each["generation"] == 1)
    again = ends(here.table)
    told_now: Any = seat.get(f"{path}&after={again - 2}").json
    assert [each["generation"] for each in told_now["items"]] == [1, 1]
    assert all(map(fits, told_now["items"]))
    secrets = [bytes.fromhex(each["secret"]) for each in told_now["secrets"]]
    assert [verifier.compute_commitment(each) for each in secrets] == match["commitments"]
    assert find_first_divergence(here.service.repository.load_entries(here.table.match)) is None


def test_an_arbiter_who_sees_all_cards_of_a_running_match_is_told_no_secret() -> None:
    here = real(courts={"arbiter_sees": "full", "levels": ["referee", "arbiter"]})
    here.play(5)
    arbiter = here.table.arbiter()
    about = next(
        entry.version for entry in reversed(here.service.repository.load_entries(here.table.match)) if entry.seat >= 0
    )
    number = here.open(0, about, "other")["dispute"]
    assert arbiter.get(f"{here.table.path}/view?viewer=full").status_code == 200, "he looks, and may"
    refused = arbiter.get(f"{here.table.path}/openings?viewer=full")
    problem(refused, 409, "still-running")
    secret = ServerRandomSource(KEY).secret(here.table.match).hex()
    assert secret not in refused.text
    assert here.ruled(number, arbiter, remedy="leave", upheld=False).status_code == 201
    problem(arbiter.get(f"{here.table.path}/openings?viewer=full"), 403, "full-view-only")


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=201", "upto=3", "after=1.0"])
def test_a_page_that_cannot_be_is_refused(app: Flask, query: str) -> None:
    table = house.opened(app)
    refused = problem(table.seats[0].get(f"{table.path}/openings?viewer=seat:0&{query}"), 422, "invalid-input")
    assert refused["errors"]


def test_beyond_the_log_there_is_nothing_to_open(app: Flask) -> None:
    table = house.opened(app)
    body: Any = table.seats[0].get(f"{table.path}/openings?viewer=seat:0&after=2147483647").json
    assert body == {"items": [], "next_cursor": None}
