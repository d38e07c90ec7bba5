"""Tables to draw: situations as the API gave them, in both languages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from referee.cli.table.drawing.words import Words
from referee.cli.table.state import TableState

HERE = Path(__file__).parent
GAMES = sorted(file.stem for file in (HERE / "situations").glob("*.json"))


@cache
def read_situation(game: str) -> Any:
    return json.loads((HERE / "situations" / f"{game}.json").read_text("utf-8"))


def sit_down(game: str, lang: str = "en") -> TableState:
    """The first seat, that has heard everything by the stream."""
    heard = read_situation(game)
    state = TableState("01-match", 0, Words(lang))
    state.take("about", ({"chance": {"deck": "server"}, "seats": []}, {0: "Ada", 1: "Björn"}))
    state.take("cards", heard["cards"])
    for entry in heard["entries"]:
        state.take("entry", entry)
    state.take("situation", heard["situation"])
    state.deadline = None  # it would be another one at each look
    state.take("near", (state.version, heard["near"]))
    return state


def plain_lines(lines: Any) -> list[str]:
    return [line.plain.rstrip() for line in lines]
