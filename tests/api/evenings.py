"""Tournaments for tests of the API: opened, entered, started and played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from referee.eventstore.memory.log import MemoryLog
from referee.service.tournament_service import TournamentService
from referee.tournament.state import Tournament
from tests.api.contracted import fit
from tests.api.house import Person

REPORTED = {"game": "monster_combat", "plays": "reported"}


def taken(answer: Any, status: int = 201) -> dict[str, Any]:
    """The body of an answer that has to have this status."""
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json
    return found


@dataclass
class Evening:
    """A tournament with everybody who belongs to it; `officers` by their offices."""

    app: Flask
    id: str
    host: Person
    code: str
    players: list[Person] = field(default_factory=list)
    officers: dict[str, Person] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    @property
    def anyone(self) -> Person:
        return Person(self.host.client)

    @property
    def service(self) -> TournamentService:
        found: TournamentService = self.app.config["TOURNAMENTS"]
        return found

    @property
    def state(self) -> Tournament:
        return self.service.load(self.id).state

    def read_view(self, by: Person | None = None) -> dict[str, Any]:
        """The tournament as somebody sees it; it fits the contract."""
        body = taken((by or self.anyone).get(self.path), 200)
        fit("Tournament", body)
        return body

    def give(self, by: Person, kind: str, status: int = 201, **members: Any) -> dict[str, Any]:
        """Gives a command; headers begin with a capital."""
        headers = {name: members.pop(name) for name in [name for name in members if name[0].isupper()]}
        answer = by.post(f"{self.path}/commands", {"command": {"type": f"tournament.{kind}", **members}}, **headers)
        body = taken(answer, status)
        if status == 201:
            fit("ObeyedCommand", body)
        return body

    def enter(self, count: int, **more: Any) -> None:
        """Lets people in by the code."""
        for number in range(count):
            body = {"code": self.code, "name": f"Person {len(self.players)}", **more}
            joined = taken(self.anyone.post("/v1/join", body))
            self.players.append(Person(self.host.client, joined["token"]))
            assert (joined["match"], joined["tournament"], number >= 0) == ("", self.id, True)

    def appoint(self, *offices: str) -> None:
        """Invites officials, who come."""
        for office in offices:
            code = taken(self.host.post(f"{self.path}/invitations", {"role": office}))["code"]
            joined = taken(self.anyone.post("/v1/join", {"code": code, "name": office.capitalize()}))
            self.officers[office] = Person(self.host.client, joined["token"])

    def officer(self, office: str) -> int:
        """The number of an official."""
        return next(each.number for each in self.state.officers if each.office == office)

    def start(self) -> None:
        self.give(self.host, "start")
        self.give(self.host, "pair")

    def play_round(self) -> None:
        """Lets the first seat of each table win: it reports, the others sign."""
        one = self.state.current_round
        assert one is not None
        for table in one.tables:
            if table.final:
                continue
            place = {"round": one.number, "table": table.number}
            order = [[player] for player in table.players]
            self.give(self.players[table.players[0]], "report", **place, placement=order)
            for player in table.players[1:]:
                self.give(self.players[player], "answer_result", **place, agree=True)


def opened(app: Flask, key: str = "", **body: Any) -> Evening:
    """A tournament that was opened."""
    anyone = Person(app.test_client())
    made = taken(anyone.post("/v1/tournaments", {**REPORTED, **body}, **({"Idempotency_Key": key} if key else {})))
    (invitation,) = made["invitations"]
    return Evening(app, made["tournament"], Person(anyone.client, made["token"]), invitation["code"])


def quarrel(evening: Evening) -> tuple[str, int]:
    """Somebody at the first table moves and then disputes that; the match and the dispute."""
    table = evening.state.rounds[-1].tables[0]
    path = f"/v1/matches/{table.match}"
    seat = taken(evening.host.get(path), 200)["awaits"][0]
    player = evening.players[table.players[seat]]
    legal = taken(player.get(f"{path}/seats/{seat}/moves?whole=true"), 200)["legal"]
    moved = taken(player.post(f"{path}/seats/{seat}/moves", {"move": legal[0]["move"]}))
    body = {"about": moved["entry"]["version"], "claim": "other", "statement": "Look."}
    return table.match, int(taken(player.post(f"{path}/disputes", body))["version"])


def wait(evening: Evening, ms: int) -> None:
    """Lets so much time pass."""
    log = evening.service.log
    assert isinstance(log, MemoryLog)
    log.advance_clock(ms)
