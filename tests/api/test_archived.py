"""Archived matches: everybody reads what he read before, from the disk; nobody writes; a lost file is told of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.audit.bundles.archiving import ARCHIVED, archive_match
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive, find_archive
from referee.service.match_service import MatchService
from tests.api import ended, house
from tests.api.house import Person, Table, problem
from tests.infrastructure.archiving import plain
from tests.service import house as desks

BESIDE = {  # what these write lies beside the log, or in that of another match
    *("makeInvitation", "withdrawInvitation", "openRematch"),
    "makeStreamTicket",
}
PLACES = {
    "seat": 0, "mover": 0, "version": 3, "entry": 3, "dispute": 99, "takeback": 99, "deviation": 99, "event": "3.0",
    "window": "3.0", "name": "monster_combat", "word": "x", "invitation": "x", "card": "x", "number": 99,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archived")


class Told:
    """A match that was played out, what everybody was told of it, and its archiving."""

    def __init__(self, folder: Path) -> None:
        self.memory = MemoryLog()
        self.service: MatchService = desks.service(attach_archive(self.memory, Archive(folder / "archive")))
        self.app: Flask = house.app(self.service)
        _, player = ended.account(self.app, "Ada")
        self.table: Table = ended.table_of(self.app, player, None, visibility="private")
        ended.ended(self.app, self.table)
        ended.led(self.app)
        self.memory.advance_clock(self.service.load_match(self.table.match).match.courts.claims_ms + 1)
        self.before = dict(self.answers())
        archive = find_archive(self.service.log)
        assert archive is not None
        self.archive = archive
        self.entries = self.memory.read(self.table.match).entries
        assert archive_match(self.service, self.archive, self.table.match, plain) == ARCHIVED
        assert self.memory.read_entries(self.table.match) == ()

    def people(self) -> Iterator[tuple[str, Person]]:
        yield "anyone", self.table.anyone
        yield "host", self.table.host
        yield "seat", self.table.seats[0]

    def calls(self, reads: bool) -> Iterator[tuple[str, str, str]]:
        """The calls about a match: method, address, operation."""
        adapter = self.app.url_map.bind("localhost")
        for rule in self.app.url_map.iter_rules():
            if "match" not in rule.arguments:
                continue
            values: dict[str, Any] = {name: PLACES.get(name, 1) for name in rule.arguments} | {
                "match": self.table.match
            }
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                if (method == "GET") == reads:
                    yield method, adapter.build(rule.endpoint, values), rule.endpoint.rpartition(".")[2]

    def answers(self) -> Iterator[tuple[tuple[str, str], Any]]:
        """What everybody is told now at every address."""
        for method, path, operation in self.calls(reads=True):
            if operation.startswith("stream"):
                continue
            for who, person in self.people():
                found = person.ask(method, path)
                body = found.json if found.is_json else found.text
                if isinstance(body, dict):
                    body.pop("request_id", None)
                yield (who, path), (found.status_code, found.headers.get("ETag"), body)


@pytest.fixture(scope="module")
def told(folder: Path) -> Told:
    return Told(folder)


def test_every_answer_about_an_archived_match_is_as_it_was(told: Told) -> None:
    told.service = desks.service(attach_archive(told.memory, Archive(told.archive.folder)))  # of another process
    told.app.config["SERVICE"] = told.service
    after = dict(told.answers())
    assert after.keys() == told.before.keys()
    assert sum(status == 200 for status, _, _ in told.before.values()) > 20
    for place, answer in told.before.items():
        assert after[place] == answer, place


def test_every_write_to_an_archived_match_is_410_and_leads_to_the_bundle(told: Told) -> None:
    wrote = 0
    for method, path, operation in told.calls(reads=False):
        if operation in BESIDE:
            continue
        found = told.table.host.ask(method, path, {} if method != "DELETE" else None, If_Match="*")
        if found.status_code in (403, 404):  # not the host's to do, whatever the state
            found = told.table.seats[0].ask(method, path, {} if method != "DELETE" else None, If_Match="*")
        assert problem(found, 410, "archived")["bundle"] == f"{told.table.path}/bundle", (method, path)
        wrote += 1
    assert wrote > 15
    assert told.memory.read(told.table.match).entries == ()


def test_an_archived_match_has_a_rematch(told: Told) -> None:
    made = told.table.seats[0].post(f"{told.table.path}/rematch")
    assert made.status_code == 201, made.text
    assert made.json["kept"] == [0, 1]  # type: ignore[index]
    assert told.table.seats[1].put(f"/v1/matches/{made.json['match']}/seats/1/player", {}).status_code == 200  # type: ignore[index]


def test_a_stranger_is_not_told_that_a_private_match_is_archived(told: Told) -> None:
    nowhere = f"/v1/matches/{told.table.match[:-1]}{'a' if told.table.match[-1] != 'a' else 'b'}"
    stranger = Person(told.table.anyone.client, "rft_" + "x" * 43)
    for person in (told.table.anyone, stranger):
        for place in ("/start", "/end", "/seats/0/moves", "/disputes"):
            answers = [person.post(base + place, {"reason": "abandoned"}) for base in (told.table.path, nowhere)]
            here, there = ({**(each.json or {}), "instance": "", "request_id": ""} for each in answers)
            assert here == there
            assert here["status"] in (401, 404)


def test_the_key_that_opened_an_archived_match_opens_no_other(told: Told) -> None:
    key = "opened-with-this-very-key"
    table = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2}
    first = told.table.anyone.post("/v1/matches", table, Idempotency_Key=key)
    host = Person(told.table.anyone.client, first.json["token"])  # type: ignore[index]
    match = first.json["match"]  # type: ignore[index]
    assert host.delete(f"/v1/matches/{match}", If_Match='"v1"').status_code == 204
    assert archive_match(told.service, told.archive, match, plain, now=True) == ARCHIVED
    again = told.table.anyone.post("/v1/matches", table, Idempotency_Key=key)
    assert problem(again, 410, "archived")["bundle"] == f"/v1/matches/{match}/bundle"
    other = {**table, "visibility": "public"}
    problem(told.table.anyone.post("/v1/matches", other, Idempotency_Key=key), 410, "archived")
    assert told.memory.read(match).entries == ()
    assert host.get(f"/v1/matches/{match}/entries").status_code == 200


def test_a_seat_of_an_archived_match_cannot_be_taken(told: Told) -> None:
    made = told.table.anyone.post("/v1/matches", {"game": "monster_combat", "seats": [{"kind": "human"}] * 2})
    opened: Any = made.json
    Person(told.table.anyone.client, opened["token"]).delete(f"/v1/matches/{opened['match']}", If_Match='"v1"')
    archive_match(told.service, told.archive, opened["match"], plain, now=True)
    joined = told.table.anyone.post("/v1/join", {"code": opened["invitations"][0]["code"]})
    assert problem(joined, 410, "archived")["bundle"] == f"/v1/matches/{opened['match']}/bundle"


def test_an_auditor_is_let_in_to_an_archived_match(told: Told) -> None:
    made = told.table.host.post(f"{told.table.path}/invitations", {"role": "auditor"})
    assert made.status_code == 201, made.text
    joined = told.table.anyone.post("/v1/join", {"code": made.json["code"]})  # type: ignore[index]
    auditor = Person(told.table.anyone.client, joined.json["token"])  # type: ignore[index]
    seen = auditor.get(f"{told.table.path}/entries?viewer=full&limit=200")
    assert seen.status_code == 200
    assert seen.json["items"][0]["version"] == 1  # type: ignore[index]


def test_a_stream_of_an_archived_match_tells_it_all_and_ends(told: Told) -> None:
    with told.table.seats[0].get(f"{told.table.path}/stream?viewer=seat:0", Last_Event_ID="0") as stream:
        text = stream.text
    assert text.count("event: entry") == len(told.entries)
    assert text.rstrip().rpartition("\n\n")[2].startswith("event: end")
    last = told.table.seats[0].get(f"{told.table.path}/stream?viewer=seat:0", Last_Event_ID=str(len(told.entries)))
    assert last.status_code == 204


def test_a_player_is_forgotten_in_archived_matches_too(folder: Path) -> None:
    memory = MemoryLog()
    service = desks.service(attach_archive(memory, Archive(folder / "forgotten")))
    app = house.app(service)
    name, player = ended.account(app, "Ada")
    table = ended.table_of(app, player, None, begin=False)
    assert table.host.delete(table.path, If_Match=f'"v{table.version}"').status_code == 204
    archive = find_archive(service.log)
    assert archive is not None
    assert archive_match(service, archive, table.match, plain, now=True) == ARCHIVED
    assert table.host.get(f"{table.path}/names").json["names"] == {"0": "Ada"}  # type: ignore[index]
    assert player.delete(f"/v1/players/{name}").status_code == 204
    assert table.host.get(f"{table.path}/names").json["names"] == {}  # type: ignore[index]
    assert b"Ada" not in b"".join(archive.read_lines(table.match))


@pytest.mark.parametrize("what", ["missing", "cut", "flipped", "another's"])
def test_a_lost_archive_is_423_until_the_file_is_back(folder: Path, what: str) -> None:
    memory = MemoryLog()
    archive = Archive(folder / what)
    app = house.app(desks.service(attach_archive(memory, archive)))
    tables = [house.opened(app, visibility="public") for _ in range(2)]
    for table in tables:
        table.end("abandoned")
        archive_match(app.config["SERVICE"], archive, table.match, plain, now=True)
    path, other = (archive.path_for(table.match) for table in tables)
    good = path.read_bytes()
    damaged = {
        "cut": good[:-9],
        "flipped": good[:99] + bytes([good[99] ^ 4]) + good[100:],
        "another's": other.read_bytes(),
    }
    path.unlink() if what == "missing" else path.write_bytes(damaged[what])
    fresh = Archive(archive.folder)
    app = house.app(desks.service(attach_archive(memory, fresh)))
    seat, host = (Person(app.test_client(), person.token) for person in (tables[0].seats[0], tables[0].host))
    for place in ("", "/view", "/entries", "/view?viewer=seat:0", "/names", "/stream", "/timeline", "/bundle"):
        problem(seat.get(tables[0].path + place), 423, "log-frozen")
    problem(host.post(f"{tables[0].path}/end", {"reason": "abandoned"}, If_Match="*"), 423, "log-frozen")
    assert seat.get(tables[1].path).status_code == 200
    assert seat.get("/readyz").json["archive"] == "wanting"  # type: ignore[index]
    path.write_bytes(good)
    assert seat.get(f"{tables[0].path}/view?viewer=seat:0").status_code == 200
    assert seat.get("/readyz").json["archive"] == "ok"  # type: ignore[index]
