"""Pickers: what stands for legal moves that are too many to list.

A picker says which fields a move of its kind has, and what may be chosen for each. It may allow more than the rules do:
then the move that was put together is judged like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.rulebook.book import Text

LONGEST_LIST = 16  # moves of one kind that are listed one by one
LONGEST_TEXT = 64


def condense_moves(
    game: Game, moves: Sequence[Move], patterns: Iterable[dict[str, Any]]
) -> tuple[list[Move], list[Any]]:
    """Return the moves to be listed, and the pickers for the others.

    Of a kind with many moves none is listed. `patterns` describe kinds of which not even all moves are known.
    """
    by_kind: dict[type[Move], list[Move]] = {}
    for move in moves:
        by_kind.setdefault(type(move), []).append(move)
    described = {pattern["type"]: pattern for pattern in patterns}
    pickers, listed = [], []
    for kind, alike in by_kind.items():
        if len(alike) <= LONGEST_LIST and kind.TAG not in described:
            listed += alike
        elif kind.TAG not in described:
            choices = [_collect_choice(part.name, alike) for part in fields(kind)]  # type: ignore[arg-type]
            pickers.append({"type": kind.TAG, "says": game.narration.describe_move_kind(kind), "choices": choices})
    return listed, [*pickers, *(pattern_to_picker(pattern) for pattern in described.values())]


def _collect_choice(name: str, moves: Iterable[Move]) -> dict[str, Any]:
    """Return what the moves have for one field."""
    values = list(dict.fromkeys(_freeze(encode(move)[name]) for move in moves))
    if not any(isinstance(value, tuple) for value in values):
        return {"field": name, "kind": "one", "values": values, "least": None, "most": None}
    sizes = [len(value) for value in values if isinstance(value, tuple)]
    parts = list(dict.fromkeys(part for value in values if isinstance(value, tuple) for part in value))
    return {"field": name, "kind": "several", "values": parts, "least": min(sizes), "most": max(sizes)}


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list | tuple) else value


def pattern_to_picker(pattern: dict[str, Any]) -> dict[str, Any]:
    """Return a pattern of a step (`Step.move_patterns`) as a picker."""
    says: Text = pattern["says"]
    choices = [_schema_to_choice(name, schema) for name, schema in pattern["fields"].items()]
    return {"type": pattern["type"], "says": says, "choices": choices}


def _schema_to_choice(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a field as a choice."""
    kind, values, least, most = "one", [], None, None
    inner = schema.get("items", {})
    match schema.get("type"):
        case "array" if "properties" in inner:
            kind, values = "places", inner["properties"]["card"]["enum"]
            least, most = schema.get("minItems", 0), schema.get("maxItems")
        case "array":
            kind, values = "several", inner.get("enum", [])
            least, most = schema.get("minItems", 0), schema.get("maxItems")
        case "integer":
            kind, least, most = "number", schema["minimum"], schema["maximum"]
        case "boolean":
            values = [False, True]
        case "string" if "enum" not in schema:
            kind, most = "text", schema.get("maxLength", LONGEST_TEXT)
        case _:
            values = [schema["const"]] if "const" in schema else schema["enum"]
    return {"field": name, "kind": kind, "values": list(values), "least": least, "most": most}
