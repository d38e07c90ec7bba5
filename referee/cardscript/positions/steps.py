"""Pending steps in a position: as stored, or in a short form that stands for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from referee.cardscript.language.primitives import Values
from referee.engine.codec import DecodeError, decode_named, encode, escape_name, quote_value
from referee.engine.positions.form import suggest_name
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.engine.zones import is_back

JsonObject = dict[str, Any]
Steps = tuple[Step, ...]


def encode_steps(steps: Steps) -> list[Any]:
    """Return the steps beneath a question as a position lists them, nearest first."""
    return [encode(step) for step in reversed(steps)]


def decode_steps(data: list[Any]) -> Steps:
    """Return the steps beneath a question, the lowest first. Raises DecodeError."""
    return tuple(decode_named(each, Step, f"/pending_steps/{at}") for at, each in enumerate(data))[::-1]


def encode_question(
    table: Any,
    proposals: Mapping[type[Step], Callable[[Any, Any], JsonObject]],
    built: Callable[[JsonObject, Any], Steps],
    bottom: Callable[[Any, Steps], Steps],
) -> JsonObject:
    """Return the members `question` and `pending_steps` of a position.

    A short form of the open step, as `proposals` builds it, is used only if `built` turns it back into the very same
    steps. `bottom` returns the steps that usually wait beneath. `pending_steps` is left out if it holds just these.
    """
    if not table.agenda:
        return {"question": None}
    top = table.agenda[-1]
    propose = proposals.get(type(top))
    proposal = propose(table, top) if propose is not None else {}
    try:
        found = built(proposal, table) if proposal else ()
    except (DecodeError, Undetermined):
        found = ()
    if found and table.agenda[-len(found) :] == found:
        question, steps = proposal, found
    else:
        question, steps = encode(top), (top,)
    rest = table.agenda[: len(table.agenda) - len(steps)]
    return {"question": question} | ({} if rest == bottom(table, steps) else {"pending_steps": encode_steps(rest)})


def decode_values(data: dict[str, list[Any]]) -> dict[str, Values]:
    """Return what names stand for, in the form that a text keeps."""
    return {name: tuple(given) for name, given in data.items()}


def check_step_fields(
    data: Any, fields: dict[str, Callable[[Any], str]], pointer: str, free: tuple[str, ...] = ()
) -> None:
    """Raise DecodeError if a field of an encoded step holds a wrong value.

    `fields` maps a field name to a function that returns what is wrong with a value, or nothing. Fields in `free` may
    hold anything.
    """
    if isinstance(data, dict):
        for name, part in data.items():
            if name in free:
                continue
            for at, value in enumerate(part) if isinstance(part, list) else [(None, part)]:
                place = f"{pointer}/{escape_name(name)}" + ("" if at is None else f"/{at}")
                if isinstance(value, dict):
                    check_step_fields(value, fields, place, free)
                elif name in fields and (wrong := fields[name](value)):
                    raise DecodeError(place, wrong)


def build_seat_check(seats: int, least: int = 0) -> Callable[[Any], str]:
    """Return a check that says what is wrong with a value that should be a seat."""

    def wrong(value: Any) -> str:
        is_seat = type(value) is not int or least <= value < seats
        return "" if is_seat else f"seats are numbered from 0 to {seats - 1}"

    return wrong


def build_card_check(known: Collection[str]) -> Callable[[Any], str]:
    """Return a check that says what is wrong with a value that should be a card.

    A back or an empty value passes too.
    """

    def wrong(value: Any) -> str:
        if not isinstance(value, str) or not value or is_back(value) or value in known:
            return ""
        return f"unknown card {quote_value(value)}{suggest_name(value, known)}"

    return wrong
