"""Envelopes and parts of a stranger's bundle, as data.

Only the canonical form of a text is accepted.
"""

from __future__ import annotations

from typing import Any

import orjson

from referee.engine.codec import MAX_SAFE_INTEGER, encode_canonical
from referee.eventstore.contract import MAX_ENTRY_BYTES

ENVELOPE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "match": str, "version": int, "at": int, "seat": int, "actor": str, "rules": str, "edition": str, "clauses": list,
    "move": (dict, type(None)), "events": list, "commitments": dict,
}  # fmt: skip
PART_FIELDS: dict[str, type | tuple[type, ...]] = {
    "move": ENVELOPE_FIELDS["move"], "events": list, "view_hash": str, "thought": dict,
}  # fmt: skip


class EntryFormatError(ValueError):
    """A text is no envelope, or no part of an entry; the message says why."""


def parse_envelope(text: str) -> dict[str, Any]:
    """Return the data of an envelope. Raises EntryFormatError."""
    data = _parse_object(text)
    _check_shape(data, ENVELOPE_FIELDS)
    if not all(isinstance(each, str) for each in (*data["clauses"], *data["commitments"].values())):
        raise EntryFormatError("a clause or a commitment is no text")
    return data


def parse_part(text: str) -> dict[str, Any]:
    """Return the data of what a viewer saw of an entry. Raises EntryFormatError."""
    data = _parse_object(text)
    _check_shape({"view_hash": "", "thought": {}, **data}, PART_FIELDS)
    return data


def _check_shape(data: dict[str, Any], shape: dict[str, Any]) -> None:
    if odd := data.keys() ^ shape.keys():
        raise EntryFormatError(f"a field is missing, or too many: {', '.join(sorted(odd))[:100]}")
    for name, kind in shape.items():
        if not isinstance(data[name], kind) or isinstance(data[name], bool):
            raise EntryFormatError(f"the field {name} is malformed")


def _parse_object(text: str) -> dict[str, Any]:
    """Return a JSON object in canonical form, which all readers read alike.

    It has no repeated keys, only whole numbers, and no deep nesting. Raises EntryFormatError.
    """
    raw = text.encode("utf-8", "replace")
    if len(raw) > MAX_ENTRY_BYTES:
        raise EntryFormatError("it is longer than an entry can be")
    try:
        data = orjson.loads(raw)
        again = encode_canonical(data)
    except (orjson.JSONDecodeError, TypeError):  # TypeError: orjson does not write what is nested too deep
        raise EntryFormatError("it is no JSON") from None
    if not isinstance(data, dict):
        raise EntryFormatError("it is no object")
    _check_numbers(data)
    if again != raw:
        raise EntryFormatError("it is not in canonical form")
    return data


def _check_numbers(data: Any) -> None:
    """Raise EntryFormatError if a number is not whole, or too large."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, float) or (type(value) is int and not -MAX_SAFE_INTEGER < value < MAX_SAFE_INTEGER):
            raise EntryFormatError("a number in it is no whole one, or too large")
