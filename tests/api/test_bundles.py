"""Bundles over HTTP: each pair of eyes gets what it may see of a match, in a file that the verifier finds sound."""

from __future__ import annotations

import orjson
import pytest
from flask import Flask

from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle
from referee.audit.checks.verifier import check_bundle
from referee.engine.zones import is_back
from tests.api import house
from tests.api.ended import ended
from tests.api.house import Person, Table, problem
from tests.audit.house import BESIDE, SIGNER, service


@pytest.fixture
def app() -> Flask:
    return house.app(service(), BUNDLE_METADATA=lambda: BESIDE)


def got(person: Person, path: str) -> Bundle:
    answer = person.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/x-ndjson"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    return form.decode_bundle(answer.data.splitlines(keepends=True))


def moved(table: Table, times: int) -> None:
    """Somebody moves, so many times."""
    for _ in range(times):
        seat = int(table.awaited[0])
        moves = table.moves(seat)["legal"]
        assert table.move(seat, moves[0]["move"] if "move" in moves[0] else moves[0]).status_code == 201


def test_each_pair_of_eyes_gets_its_own_parts_and_no_others(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    moved(table, 3)
    public, own = got(table.anyone, f"{table.path}/bundle"), got(table.seats[1], f"{table.path}/bundle?viewer=seat:1")
    assert public.header.size == own.header.size == table.version
    assert not any(line.parts for line in public.entries)
    assert {part.who for line in own.entries for part in line.parts} == {"1"}
    assert not public.secrets
    assert not own.secrets
    assert not own.draws
    for bundle in (public, own):
        report = check_bundle(bundle, [SIGNER.public])
        assert report.findings == ()
        assert report.trusted
    events = [event for line in own.entries for event in orjson.loads(line.parts[0].part)["events"]]
    dealt = {seat: [event["put"] for event in events if event.get("target") == f"hand:{seat}"] for seat in (0, 1)}
    assert any(not is_back(card) for put in dealt[1] for card in put)
    assert dealt[0]
    assert all(is_back(card) for put in dealt[0] for card in put)


def test_the_parts_are_what_that_seat_was_told(app: Flask) -> None:
    table = house.opened(app)
    moved(table, 2)
    own = got(table.seats[0], f"{table.path}/bundle?viewer=seat:0")
    items = table.seats[0].get(f"{table.path}/entries?viewer=seat:0&steps=true").json["items"]  # type: ignore[index]
    for line, item in zip(own.entries, items, strict=True):
        told = [{k: v for k, v in event.items() if k not in ("n", "told")} for event in item["events"]]
        assert orjson.loads(line.parts[0].part)["events"] == told


def test_onlookers_are_told_as_late_as_of_the_log(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    moved(table, 2)
    public = got(table.anyone, f"{table.path}/bundle")
    assert public.header.size == len(public.entries) == table.version - 3
    assert check_bundle(public, [SIGNER.public]).is_sound
    assert str(table.version) not in public.checkpoints[0].note.splitlines()[1]
    own = got(table.seats[0], f"{table.path}/bundle?viewer=seat:0")
    assert own.header.size == table.version


def test_all_of_it_is_told_after_the_end_and_not_before(app: Flask) -> None:
    table = house.opened(app)
    problem(table.seats[0].get(f"{table.path}/bundle?viewer=full"), 409, "still-running")
    ended(app, table)
    whole = got(table.seats[0], f"{table.path}/bundle?viewer=full")
    assert whole.secrets
    assert whole.draws
    report = check_bundle(whole, [SIGNER.public])
    assert report.findings == ()
    assert {check.name for check in report.checks if check.state == "done"} >= {"openings", "rules", "chance", "census"}
    assert not got(table.host, f"{table.path}/bundle").secrets


def test_an_arbiter_who_looks_at_all_cards_takes_nothing_along(app: Flask) -> None:
    table = house.opened(app, courts={"arbiter_sees": "full", "levels": ["referee", "arbiter"]})
    moved(table, 1)
    about, arbiter = table.version, table.arbiter()
    claim = {"about": about, "claim": "other"}
    assert table.seats[1].post(f"{table.path}/disputes", claim).status_code == 201
    assert arbiter.get(f"{table.path}/view?viewer=full").status_code == 200
    problem(arbiter.get(f"{table.path}/bundle?viewer=full"), 409, "still-running")


def test_strangers_learn_nothing_of_a_private_match(app: Flask) -> None:
    table = house.opened(app)
    problem(table.anyone.get(f"{table.path}/bundle"), 404, "unknown-match")
    problem(table.seats[0].get(f"{table.path}/bundle?viewer=seat:1"), 403, "not-your-seat")
    problem(table.seats[0].get(f"{table.path}/bundle", Accept="application/json"), 406, "not-acceptable")
