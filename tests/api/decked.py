"""A player who keeps decks."""

from __future__ import annotations

from typing import Any

from flask import Flask

from api.openapi.examples import REQUEST_EXAMPLES
from tests.api.ended import account
from tests.api.house import problem

BODY: dict[str, Any] = REQUEST_EXAMPLES["setDeck"]["league"]["value"]
CARDS: list[str] = BODY["cards"]


class Mine:
    """A player, and the addresses of what is his."""

    def __init__(self, app: Flask, name: str | None = None) -> None:
        self.id, self.person = account(app, name)
        self.decks = f"/v1/players/{self.id}/decks"

    def put(self, deck: str = "fast", body: Any = None, **headers: str) -> Any:
        return self.person.put(f"{self.decks}/{deck}", BODY if body is None else body, **headers)

    def get(self, deck: str = "fast", **headers: str) -> Any:
        return self.person.get(f"{self.decks}/{deck}", **headers)

    def delete(self, deck: str = "fast", **headers: str) -> Any:
        return self.person.delete(f"{self.decks}/{deck}", **headers)

    def listed(self) -> list[dict[str, Any]]:
        found: Any = self.person.get(self.decks)
        assert found.status_code == 200, found.text
        return list(found.json["items"])

    def refused(self, **changes: Any) -> dict[str, Any]:
        """What is told of a deck that differs from a good one in this."""
        told = problem(self.put(body={**BODY, **changes}), 422, "deck-refused")
        assert self.listed() == []
        return told
