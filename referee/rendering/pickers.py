"""Pickers: what stands for legal moves that are too many to list.

A picker says which fields a move of its kind has, and what may be chosen for each. It may allow more than the rules do:
then the move that was put together is judged like any other.
"""

from __future__ import annotations

from collections import Counter
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
    complete = {kind for kind, pattern in described.items() if not pattern.get("beside")}
    pickers, listed = [], []
    for kind, alike in by_kind.items():
        if len(alike) <= LONGEST_LIST and kind.TAG not in complete:
            listed += alike
        elif kind.TAG not in described:
            choices = [_collect_choice(part.name, alike) for part in fields(kind)]  # type: ignore[arg-type]
            says = game.narration.describe_move_kind(kind)
            pickers.append({"type": kind.TAG, "says": says, "move": encode(alike[0]), "choices": choices})
    return listed, [*pickers, *(pattern_to_picker(pattern) for pattern in described.values())]


def _collect_choice(name: str, moves: Iterable[Move]) -> dict[str, Any]:
    """Return what the moves have for one field."""
    values = list(dict.fromkeys(_freeze(encode(move)[name]) for move in moves))
    lists = [value for value in values if isinstance(value, tuple)]
    if not lists:
        return {"field": name, "kind": "one", "values": values, "copies": None, "least": None, "most": None}
    copies: Counter[Any] = Counter()
    for value in lists:
        copies |= Counter(value)
    return {
        "field": name,
        "kind": "several",
        "values": [*copies],
        "copies": [*copies.values()],
        "least": min(map(len, lists)),
        "most": max(map(len, lists)),
    }


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list | tuple) else value


def pattern_to_picker(pattern: dict[str, Any]) -> dict[str, Any]:
    """Return a pattern of a step (`Step.move_patterns`) as a picker."""
    says: Text = pattern["says"]
    choices = [_schema_to_choice(name, schema) for name, schema in pattern["fields"].items()]
    move = {"type": pattern["type"], **{choice["field"]: _draft_value(choice) for choice in choices}}
    return {"type": pattern["type"], "says": says, "move": move, "choices": choices}


def _draft_value(choice: dict[str, Any]) -> Any:
    """Return what stands for a choice until one is made."""
    match choice["kind"]:
        case "one":
            return choice["values"][0]
        case "number":
            return choice["least"]
        case "text":
            return ""
        case _:
            return []


def _schema_to_choice(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a field as a choice."""
    kind, values, copies, least, most = "one", [], None, None, None
    inner = schema.get("items", {})
    match schema.get("type"):
        case "array":
            kind = "places" if "properties" in inner else "changes" if inner.get("type") == "object" else "several"
            inner = inner["properties"]["card"] if kind == "places" else inner
            values, copies = inner.get("enum", []), inner.get("copies")
            if schema.get("uniqueItems"):
                copies = [1] * len(values)
            least, most = schema.get("minItems", 0), schema.get("maxItems")
        case "integer":
            kind, least, most = "number", schema["minimum"], schema["maximum"]
        case "boolean":
            values = [False, True]
        case "string" if "enum" not in schema:
            kind, most = "text", schema.get("maxLength", LONGEST_TEXT)
        case _:
            values = [schema["const"]] if "const" in schema else schema["enum"]
    choice = {"field": name, "kind": kind, "values": list(values), "copies": copies, "least": least, "most": most}
    return {**choice, **({"parts": schema["parts"]} if "parts" in schema else {})}
