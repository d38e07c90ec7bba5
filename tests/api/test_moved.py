"""A match that has moved, at the API of the server that it left: read as before, and nothing is written any more."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from referee.eventstore.memory.log import MemoryLog
from referee.transfer.payload import encode_payload
from referee.transfer.service import transfer_match
from tests.api import ended, house
from tests.api.house import Person, Table, problem
from tests.api.test_archived import PLACES
from tests.service import house as desks
from tests.transfer.movers import agreed_by_all

HOME = "https://b.example/"


class Left:
    """A match under way that left its server, and what everybody was told before."""

    def __init__(self) -> None:
        self.memory = MemoryLog()
        self.service = desks.service(self.memory)
        self.app: Flask = house.app(self.service)
        self.table: Table = ended.table_of(self.app, None, None, visibility="private")
        self.invited = self.table.host.post(
            f"{self.table.path}/invitations", {"role": "spectator", "uses": 2, "minutes": 5}
        ).json
        agreed_by_all(self.service, self.table.match, HOME)
        self.before = self.seen()
        transfer_match(
            self.service, self.table.match, "aaa", lambda *told: encode_payload(self.service, *told), new_home=HOME
        )

    def seen(self) -> list[Any]:
        """What a seat and a host read of it."""
        places = ("view?viewer=seat:0&version=4", "entries?limit=4", "names")
        return [self.table.seats[0].get(f"{self.table.path}/{place}").json for place in places]

    def writes(self) -> Iterator[tuple[str, str]]:
        """The calls that write to a match: method and address."""
        adapter = self.app.url_map.bind("localhost")
        for rule in self.app.url_map.iter_rules():
            values = {name: PLACES.get(name, 1) for name in rule.arguments} | {"match": self.table.match}
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS", "GET"}):
                if "match" in rule.arguments:
                    yield method, adapter.build(rule.endpoint, values)


@pytest.fixture(scope="module")
def left() -> Left:
    return Left()


@pytest.mark.clause("TABLE-HOME-1")
def test_every_write_is_410_and_names_the_new_home(left: Left) -> None:
    before, wrote = left.memory.read_transfer_payload(left.table.match), 0
    for method, path in left.writes():
        found = left.table.host.ask(method, path, {} if method != "DELETE" else None, If_Match="*")
        if found.status_code in (403, 404):  # not the host's to do, whatever the state
            found = left.table.seats[0].ask(method, path, {} if method != "DELETE" else None, If_Match="*")
        assert problem(found, 410, "match-moved")["new_home"] == HOME, (method, path)
        wrote += 1
    assert wrote > 17
    assert left.memory.read_transfer_payload(left.table.match) == before


def test_it_is_read_as_before_and_says_where_it_goes_on(left: Left) -> None:
    assert left.seen() == left.before
    for person in (left.table.host, left.table.seats[0]):
        told: Any = person.get(left.table.path).json
        assert (told["status"], told["new_home"], told["awaits"], told["deadline"]) == ("moved", HOME, [], None)
    assert left.table.anyone.get(left.table.path).status_code in (401, 404)
    ended.led(left.app)
    listed: Any = left.table.anyone.get("/v1/matches?status=moved").json
    assert listed["items"] == [], "it is private"


def test_no_code_lets_anybody_in_any_more(left: Left) -> None:
    assert left.invited is not None
    joined = left.table.anyone.post("/v1/join", {"code": left.invited["code"]})
    assert problem(joined, 410, "match-moved")["new_home"] == HOME
    assert left.memory.find_invitation(left.invited["code"])[1] == 2  # type: ignore[index]


def test_a_stranger_is_not_told_that_a_private_match_has_moved(left: Left) -> None:
    nowhere = f"/v1/matches/{left.table.match[:-1]}{'a' if left.table.match[-1] != 'a' else 'b'}"
    stranger = Person(left.table.anyone.client, "rft_" + "x" * 43)
    for person in (left.table.anyone, stranger):
        for place in ("", "/start", "/end", "/seats/0/moves", "/disputes", "/invitations"):
            ask = person.get if not place else person.post
            answers = [ask(base + place) for base in (left.table.path, nowhere)]
            here, there = ({**(each.json or {}), "instance": "", "request_id": ""} for each in answers)
            assert here == there
            assert here["status"] in (401, 404)


def test_the_hash_that_binds_what_goes_along_tells_nothing_of_it(left: Left) -> None:
    told: Any = left.table.seats[0].get(f"{left.table.path}/entries?after=0&limit=100").json
    (fact,) = [event for entry in told["items"] for event in entry["events"] if event["type"] == "table.MatchMoved"]
    bare = left.memory.find_departed_payload(left.table.match)
    assert bare is not None
    assert fact["luggage"] == hashlib.sha256(bare).hexdigest()
    assert b'"salt":"' in bare
    assert left.table.seats[0].token.encode() not in bare
