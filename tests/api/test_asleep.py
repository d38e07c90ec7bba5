"""Sleeping matches: everybody reads what he read before, and the first write wakes the match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.audit.bundles.archiving import ASLEEP, put_match_to_sleep
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.service.match_service import MatchService
from tests.api import house
from tests.api.house import Person, Table, fresh, problem
from tests.api.test_archived import PLACES
from tests.eventstore.writing import check_whole
from tests.infrastructure.archiving import plain
from tests.service import house as desks


class Resting:
    """A match that goes on, what everybody was told of it, and its sleep."""

    def __init__(self, folder: Path) -> None:
        self.memory = MemoryLog()
        self.archive = Archive(folder / "archive")
        self.service: MatchService = self.fresh_service()
        self.app: Flask = house.app(self.service)
        self.table: Table = house.opened(self.app, visibility="private")
        self.key = fresh()
        self.first = self.move(self.key)
        self.seat = self.table.seats[self.table.awaited[0]]

    def fresh_service(self) -> MatchService:
        return desks.service(attach_archive(self.memory, Archive(self.archive.folder)))

    def move(self, key: str = "") -> Any:
        """The first legal move of the seat that is awaited."""
        (seat, *_) = self.table.awaited
        place = f"{self.table.path}/seats/{seat}/moves"
        offered: Any = self.table.seats[seat].get(place).json
        self.last = seat, {"move": offered["legal"][0]["move"]}
        return self.table.seats[seat].post(place, self.last[1], Idempotency_Key=key or fresh())

    def sleep(self) -> None:
        done = put_match_to_sleep(self.service, self.archive, self.table.match, plain, self.memory.now() + 1)
        assert done == ASLEEP
        assert self.memory.read_entries(self.table.match) == ()
        self.app.config["SERVICE"] = self.fresh_service()  # of another process

    def answers(self) -> Iterator[tuple[tuple[str, str], Any]]:
        """What everybody is told now at every address."""
        adapter = self.app.url_map.bind("localhost")
        people = {"anyone": self.table.anyone, "host": self.table.host, "seat": self.table.seats[0]}
        for rule in self.app.url_map.iter_rules():
            operation = rule.endpoint.rpartition(".")[2]
            if "match" not in rule.arguments or "GET" not in (rule.methods or ()) or operation.startswith("stream"):
                continue
            values = {name: PLACES.get(name, 1) for name in rule.arguments} | {"match": self.table.match}
            path = adapter.build(rule.endpoint, values)
            for who, person in people.items():
                found = person.get(path)
                body = found.json if found.is_json else found.text
                if isinstance(body, dict):
                    body.pop("request_id", None)
                    assert body.pop("asleep", True) is True
                tag = None if operation == "getMatch" else found.headers.get("ETag")
                yield (who, path), (found.status_code, tag, body)


@pytest.fixture
def resting(tmp_path: Path) -> Resting:
    return Resting(tmp_path)


def test_every_answer_about_a_sleeping_match_is_as_it_was(resting: Resting) -> None:
    before = dict(resting.answers())
    resting.sleep()
    assert sum(status == 200 for status, _, _ in before.values()) > 20
    after = dict(resting.answers())
    for place, answer in before.items():
        assert after[place] == answer, place


def test_the_match_says_that_it_sleeps_until_a_move_wakes_it(resting: Resting) -> None:
    tag = resting.seat.get(resting.table.path).headers["ETag"]
    assert "asleep" not in resting.seat.get(resting.table.path).json
    resting.sleep()
    told = resting.seat.get(resting.table.path, If_None_Match=tag)
    assert (told.status_code, told.json["asleep"]) == (200, True)
    moved = resting.move()
    assert moved.status_code == 201, moved.text
    assert "asleep" not in resting.seat.get(resting.table.path).json
    assert check_whole(resting.memory, resting.table.match) == resting.table.version


def test_a_retry_after_the_sleep_gets_the_receipt_of_before(resting: Resting) -> None:
    seat, body = resting.last
    resting.sleep()
    place = f"{resting.table.path}/seats/{seat}/moves"
    again = resting.table.seats[seat].post(place, body, Idempotency_Key=resting.key)
    assert again.status_code == resting.first.status_code
    assert again.json["receipt"] == resting.first.json["receipt"]
    assert resting.service.load_match(resting.table.match).head.asleep


def test_who_has_no_business_there_wakes_nothing(resting: Resting) -> None:
    resting.sleep()
    stranger = Person(resting.table.anyone.client, "rfs_" + "x" * 43)
    for person in (resting.table.anyone, stranger):
        for place in ("/end", "/seats/0/moves", "/disputes", "/takebacks"):
            assert person.post(resting.table.path + place, {"reason": "abandoned"}).status_code in (401, 404)
    waiting = next(each for each in (0, 1) if each not in resting.table.awaited)
    refused = resting.table.seats[waiting].post(f"{resting.table.path}/seats/{waiting}/moves", resting.last[1])
    problem(refused, refused.status_code, refused.json["type"].rpartition("/")[2])  # type: ignore[index]
    assert resting.service.load_match(resting.table.match).head.asleep


def test_what_people_hold_beside_the_log_stays(resting: Resting) -> None:
    invited: Any = resting.table.host.post(f"{resting.table.path}/invitations", {"role": "spectator"}).json
    resting.sleep()
    joined = resting.table.anyone.post("/v1/join", {"code": invited["code"]})
    assert joined.status_code == 201, joined.text
    spectator = Person(resting.table.anyone.client, joined.json["token"])  # type: ignore[index]
    assert spectator.get(f"{resting.table.path}/board").status_code == 200
