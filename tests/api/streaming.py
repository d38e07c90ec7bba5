"""An open stream in tests: read as far as is asked for; moves that stir it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.api.contracted import fit
from tests.api.house import Person, Table, seen_as
from tests.api.test_playing import GIVING_UP

BEAT = 0.15  # a stream that has nothing to say says so this often, so no test waits long for nothing


def quick(app: Flask) -> Flask:
    """The app, with streams whose hearts beat fast."""
    app.config["CHANGE_FEED"].beat = BEAT
    return app


@dataclass
class Told:
    """One server-sent event; `id` is None where it has none."""

    kind: str
    id: int | None
    data: Any


class Heard:
    """An open stream, read as far as is asked for."""

    def __init__(self, response: TestResponse, events: str = "MatchEvents") -> None:
        assert response.status_code == 200, response.text
        assert response.content_type == "text/event-stream; charset=utf-8"
        self.response, self.events = response, events
        self._chunks: Iterator[bytes] = iter(response.response)  # type: ignore[assignment]

    def batches(self) -> Iterator[list[Told]]:
        """What comes, chunk by chunk; an empty one is a heartbeat."""
        for chunk in self._chunks:
            found = []
            assert chunk.endswith(b"\n\n")
            for block in chunk.decode().split("\n\n")[:-1]:
                lines = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
                if set(lines) - {"retry"}:
                    number = int(lines["id"]) if "id" in lines else None
                    found.append(Told(lines["event"], number, json.loads(lines["data"])))
                    fit(self.events, {found[-1].kind: found[-1].data})
            yield found

    def now(self) -> list[Told]:
        """All that is told until there is nothing more to say."""
        found: list[Told] = []
        for number, batch in enumerate(self.batches()):
            if not batch and number:
                return found
            found += batch
        return found

    def until(self, version: int) -> list[Told]:
        """All that is told up to the entry of that version."""
        found: list[Told] = []
        for batch in self.batches():
            found += batch
            if any(told.id == version for told in batch):
                return found
        pytest.fail(f"the stream ended before {version}: {found}")

    def rest(self) -> list[Told]:
        """All that is told until the stream ends."""
        return [told for batch in self.batches() for told in batch]


@contextmanager
def open_stream(
    person: Person, match: str, viewer: int | str | None = None, after: int | None = None, send: str = ""
) -> Iterator[Heard]:
    """The stream of a viewer, left again in the end."""
    headers = {} if after is None else {"Last_Event_ID": str(after)}
    response = person.get(seen_as(f"{match}/stream" + (f"?send={send}" if send else ""), viewer), **headers)
    try:
        yield Heard(response)
    finally:
        response.close()


def entries(told: list[Told]) -> list[Any]:
    """The entries among what was told, each under the number of its version."""
    found = [each for each in told if each.kind == "entry"]
    assert all(each.id == each.data["version"] for each in found)
    return [each.data for each in found]


def moved(table: Table, dice: random.Random | None = None) -> int:
    """Some move of somebody who is awaited; the version after it and all that followed."""
    seat = next(seat for seat in table.awaited if isinstance(seat, int))
    options = [each["move"] for each in table.moves(seat)["legal"]]
    options = [move for move in options if move["type"] not in GIVING_UP] or options
    done = table.move(seat, dice.choice(options) if dice else options[0])
    assert done.status_code == 201, done.text
    return int(done.json["version"])  # type: ignore[index]


def ended(table: Table) -> None:
    done = table.end("abandoned")
    assert done.status_code == 201, done.text
