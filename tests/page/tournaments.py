"""Tournaments that are opened over the API, so that a test begins where its scene does."""

from __future__ import annotations

import json
from typing import Any

from tests.page.browsing import Device
from tests.page.tables import request


class RefereedEvening:
    """A tournament that the referee runs, with its first round paired, and an official: Kim."""

    def __init__(self, base: str, names: tuple[str, ...] = ("Ada", "Ben"), form: dict[str, Any] | None = None) -> None:
        self.base, self.names = base, names
        body = {"game": "monster_combat", "host_plays": False, **(form or {})}
        made = request(base, "POST", "/v1/tournaments", body)
        self.id, self.host = made["tournament"], made["token"]
        floor = request(base, "POST", f"{self.path}/invitations", {"role": "floor"}, self.host)["code"]
        self.tokens = {"Kim": self.join(floor, "Kim")}  # before the players, who accept the office by entering
        for name in names:
            self.tokens[name] = self.join(made["invitations"][0]["code"], name)
        self.command("tournament.start")
        self.command("tournament.pair")
        self.match: str = self.list_tables()[0]["match"]

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    def join(self, code: str, name: str) -> str:
        token: str = request(self.base, "POST", "/v1/join", {"code": code, "name": name})["token"]
        return token

    def command(self, kind: str, by: str = "", **members: Any) -> None:
        """Give a command, as the host or as somebody."""
        token = self.tokens[by] if by else self.host
        request(self.base, "POST", f"{self.path}/commands", {"command": {"type": kind, **members}}, token)

    def list_tables(self) -> list[dict[str, Any]]:
        """The tables of the last round."""
        found: list[dict[str, Any]] = request(self.base, "GET", self.path)["rounds"][-1]["tables"]
        return found

    def rule(self, table: int, winner: int) -> None:
        """Rule how a table ended."""
        view = request(self.base, "GET", self.path)["rounds"][-1]
        losers = [each for each in view["tables"][table - 1]["players"] if each != winner]
        place = {"round": view["round"], "table": table, "forfeits": []}
        self.command("tournament.rule_result", placement=[[winner], losers], because="so they say", **place)

    def call(self, name: str, reason: str) -> None:
        """Let somebody call an official to the match."""
        token, path = self.tokens[name], f"/v1/matches/{self.match}"
        table = next(each for each in self.list_tables() if each["match"] == self.match)
        seat = table["players"].index(self.names.index(name))
        request(self.base, "POST", f"{path}/seats/{seat}/calls", {"reason": reason}, token)

    def give(self, browser: Any, name: str, **look: Any) -> Device:
        """Open the tournament on somebody's phone."""
        device = Device(browser, self.base, **look)
        saved = {"match": self.id, "role": "tournament", "seat": None, "game": "monster_combat", "at": 1}
        device.open("/")
        texts = json.dumps([{**saved, "token": self.tokens[name]}])
        device.page.evaluate("saved => localStorage.setItem('referee.seats', saved)", texts)
        device.open(f"/tournament#{self.id}")
        return device
