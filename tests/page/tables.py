"""Tables that are opened over the API, so that a test begins where its scene does."""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from tests.page.browsing import Device


@dataclass
class OpenTable:
    """A match that has begun, and who holds what."""

    base: str
    match: str
    game: str
    host: str
    tokens: list[str]  # by seat; those of bots are empty

    def read(self, path: str, seat: int | None = None, language: str = "de") -> Any:
        token = self.host if seat is None else self.tokens[seat]
        return request(self.base, "GET", f"/v1/matches/{self.match}{path}", token=token, language=language)

    def move(self, seat: int | str, move: dict[str, Any], by: int | None = None) -> Any:
        token = self.tokens[seat if isinstance(seat, int) else by or 0]
        return request(self.base, "POST", f"/v1/matches/{self.match}/seats/{seat}/moves", {"move": move}, token)

    def play_others(self, seat: int) -> None:
        """Makes the first legal move for all others until the table waits for this seat."""
        while (asked := self.read("")["awaits"]) and seat not in asked:
            other = asked[0]
            legal = self.read(f"/seats/{other}/moves", other)["legal"]
            self.move(other, next(each for each in legal if each["flag"] != "gives_up")["move"])

    def give(self, device: Device, seat: int) -> None:
        """Puts a seat into the memory of a device, as joining does, and opens it."""
        saved = [{"match": self.match, "role": f"seat:{seat}", "seat": seat, "game": self.game, "at": 1}]
        saved[0]["token"] = self.tokens[seat]
        device.open("/")
        device.page.evaluate("saved => localStorage.setItem('referee.seats', saved)", json.dumps(saved))
        device.open(f"/play#{self.match}/{seat}")
        device.page.locator("h1.turn").wait_for()


def request(
    base: str,
    method: str,
    path: str,
    body: Any = None,
    token: str = "",
    version: int | None = None,
    language: str = "de",
) -> Any:
    headers = {"Accept-Language": language}
    if method != "GET":
        headers["Idempotency-Key"] = secrets.token_hex(16)
    if body is not None:
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if version is not None:
        headers["If-Match"] = f'"v{version}"'
    data = None if body is None else json.dumps(body).encode()
    sent = urllib.request.Request(base + path, data, headers, method=method)
    with urllib.request.urlopen(sent, timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def open_table(base: str, names: list[str], bots: int = 0, **body: Any) -> OpenTable:
    """Opens a match, seats everybody and starts it."""
    seats = [{"kind": "human"}] * len(names) + [{"kind": "bot", "level": 1}] * bots
    opened = request(base, "POST", "/v1/matches", {"seats": seats, **body})
    tokens = []
    for invitation, name in zip(opened["invitations"], names, strict=True):
        joined = request(base, "POST", "/v1/join", {"code": invitation["code"], "name": name})
        tokens.append(joined["token"])
    path = f"/v1/matches/{opened['match']}"
    version = request(base, "GET", path, token=opened["token"])["version"]
    request(base, "POST", f"{path}/start", token=opened["token"], version=version)
    return OpenTable(base, opened["match"], body["game"], opened["token"], tokens + [""] * bots)
