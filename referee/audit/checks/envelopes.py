"""Envelopes and parts of a stranger's bundle, as data: no text is taken for anything but its one proper form."""

from __future__ import annotations

from typing import Any

import orjson

from referee.engine.codec import SAFE, canonical
from referee.eventstore.contract import LARGEST

ENVELOPE: dict[str, type | tuple[type, ...]] = {
    "match": str, "version": int, "at": int, "seat": int, "actor": str, "rules": str, "edition": str, "clauses": list,
    "move": (dict, type(None)), "events": list, "commitments": dict,
}  # fmt: skip
PART: dict[str, type | tuple[type, ...]] = {"move": ENVELOPE["move"], "events": list, "view_hash": str}


class BadEntry(ValueError):
    """A text is no envelope, or no part of an entry; the message says why."""


def envelope(text: str) -> dict[str, Any]:
    """The data of an envelope. Raises BadEntry."""
    data = _object(text)
    _shaped(data, ENVELOPE)
    if not all(isinstance(each, str) for each in (*data["clauses"], *data["commitments"].values())):
        raise BadEntry("a clause or a commitment is no text")
    return data


def part(text: str) -> dict[str, Any]:
    """The data of what somebody saw of an entry. Raises BadEntry."""
    data = _object(text)
    _shaped({"view_hash": "", **data}, PART)
    return data


def _shaped(data: dict[str, Any], shape: dict[str, Any]) -> None:
    if odd := data.keys() ^ shape.keys():
        raise BadEntry(f"a field is missing, or too many: {', '.join(sorted(odd))[:100]}")
    for name, kind in shape.items():
        if not isinstance(data[name], kind) or isinstance(data[name], bool):
            raise BadEntry(f"the field {name} is malformed")


def _object(text: str) -> dict[str, Any]:
    """A JSON object of whole numbers that other readers read alike, in canonical form: no key twice, no other spelling,
    no deep nesting."""
    raw = text.encode("utf-8", "replace")
    if len(raw) > LARGEST:
        raise BadEntry("it is longer than an entry can be")
    try:
        data = orjson.loads(raw)
        again = canonical(data)
    except (orjson.JSONDecodeError, TypeError):  # orjson writes what is nested too deep no more
        raise BadEntry("it is no JSON") from None
    if not isinstance(data, dict):
        raise BadEntry("it is no object")
    _whole(data)
    if again != raw:
        raise BadEntry("it is not in its one proper form")
    return data


def _whole(data: Any) -> None:
    """Raises BadEntry where a number is no whole one, or too large."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, float) or (type(value) is int and not -SAFE < value < SAFE):
            raise BadEntry("a number in it is no whole one, or too large")
