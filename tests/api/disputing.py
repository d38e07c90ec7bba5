"""Disputes over HTTP, from opening to remedy, at the table of any game; by a referee that is broken, if one likes."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.service.appender import RandomSource
from tests.api import house
from tests.api.house import Person, Table, seen_as
from tests.api.test_playing import GIVING_UP
from tests.arbitration.playing import Referee, turn

GAMES = tuple(load_games())


@dataclass
class Court:
    """A running match whose players disagree, at a desk that can be broken."""

    service: Referee
    app: Flask
    table: Table
    dice: random.Random = field(default_factory=lambda: random.Random("disputes"))

    @property
    def seats(self) -> int:
        return len(self.table.seats)

    @property
    def disputes(self) -> str:
        return f"{self.table.path}/disputes"

    @property
    def going_on(self) -> bool:
        """Whether somebody can still be asked something."""
        return self.following() is not None

    def following(self) -> tuple[Seat, Move] | None:
        """What somebody could do next, that is no giving up; None if nothing is found."""
        for _ in range(200):
            found = turn(self.service, self.table.match, self.dice)
            if found is None or found[1].TAG not in GIVING_UP:
                return found
        return None

    def play(self, most: int) -> int:
        """Plays on by chance, so many moves at most; how many there were."""
        for made in range(most):
            found = self.following()
            if found is None:
                return made
            assert self.makes(*found).status_code == 201
        return most

    def makes(self, seat: Seat, move: Move, instead: tuple[Event, ...] | None = None) -> Any:
        """Somebody moves; what is written `instead` of what follows is a mistake of the referee's."""
        self.service.instead = instead
        if seat == CHANCE:
            return self.table.move("chance", encode(move), by=self.table.seats[0])
        return self.table.move(int(seat), encode(move))

    def open(self, seat: int, about: int, claim: str, **more: Any) -> dict[str, Any]:
        """Opens a dispute; what became of it, as the claimant sees it."""
        opened = self.table.seats[seat].post(self.disputes, {"about": about, "claim": claim, **more})
        assert opened.status_code == 201, opened.text
        number = opened.json["dispute"]["dispute"]
        assert number == opened.json["entry"]["version"]
        assert opened.headers["Location"] == f"{self.table.path}/disputes/{number}?viewer=seat:{seat}"
        return self.read(number, seat)

    def read(self, number: int, seat: int | None = None) -> dict[str, Any]:
        """A dispute as a seat sees it, or the onlookers."""
        person = self.table.anyone if seat is None else self.table.seats[seat]
        found = person.get(seen_as(f"{self.table.path}/disputes/{number}", seat))
        assert found.status_code == 200, found.text
        return dict(found.json)  # type: ignore[arg-type]

    def says(self, seat: int, number: int, what: str, **body: Any) -> Any:
        """A seat attests, votes, appeals."""
        return self.table.seats[seat].post(f"{self.disputes}/{number}/{what}", body)

    def attested(self, number: int, holds: bool = True) -> dict[str, Any]:
        """All who are asked attest the same, until that decides it."""
        while (found := self.read(number))["stage"] == "attesting":
            assert self.says(found["asks"][0], number, "attestations", holds=holds).status_code == 201
        return found

    def voted(self, number: int, remedy: str) -> dict[str, Any]:
        """All who are asked vote for the same remedy, until that decides it."""
        while (found := self.read(number))["stage"] == "voting":
            said = self.says(found["asks"][0], number, "votes", remedy=remedy)
            assert said.status_code == 201, said.text
        return found

    def ruled(self, number: int, by: Person | None = None, **body: Any) -> Any:
        """The host has the last word."""
        said = {"upheld": True, "remedy": "rewind", "clauses": ["TABLE-REMEDY-1"], "reason": "Back to it.", **body}
        return (by or self.table.host).post(f"{self.disputes}/{number}/rulings", said, If_Match="*")

    def settled(self, number: int) -> dict[str, Any]:
        """The dispute brought to a remedy that changes the course: by appeal if the entry stands, by testimony and
        vote, and where the table may not choose such a remedy by the host's word."""
        found = self.read(number)
        if found["stage"] == "ruled":
            said = self.says(found["decide"][0], number, "appeals", grounds="It was so.", clause="TABLE-REMEDY-1")
            assert said.status_code == 201, said.text
        found = self.attested(number)
        assert found["stage"] == "voting", found
        assert found["rulings"][-1]["verdict"] == "does_not_stand"
        offered = [each["remedy"] for each in found["remedies"] if each["offered"]]
        assert offered[0] == "leave"
        best = next((name for name in ("partial_fix", "rewind") if name in offered), None)
        if best is not None:
            return self.voted(number, best)
        back = self.ruled(number)
        assert back.status_code == 201, back.text
        return self.read(number)


def court(
    game: str, chance: str | dict[str, str] = "server", seats: int = 0, draws: RandomSource | None = None, **body: Any
) -> Court:
    """A running match of so many people, everybody at a phone, and a host who does not play;
    `chance` for all devices, or for each. `draws`: those
    of a server, instead of the tests' own."""
    service = Referee()
    if draws is not None:
        service.appender.draws, service.appender._salt = draws, draws.salt
    app = house.app(service)
    count = seats or min(3, load_games()[game].max_seats)
    devices = dict.fromkeys(load_games()[game].devices, chance) if isinstance(chance, str) else chance
    table = house.opened(app, game, count, chance=devices, visibility="public", **{"host_plays": False, **body})
    return Court(service, app, table)
