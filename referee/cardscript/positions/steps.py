"""Pending steps in a position: as the referee keeps them, or a short form that stands for the very same steps."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.schema_check import suggest_name
from referee.engine.codec import DecodeError, decode_named, encode
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.engine.zones import is_back

JsonObject = dict[str, Any]
Steps = tuple[Step, ...]


def encode_steps(steps: Steps) -> list[Any]:
    """Steps as a position lists what waits beneath a question, nearest first."""
    return [encode(step) for step in reversed(steps)]


def decode_steps(said: list[Any]) -> Steps:
    """The steps that wait beneath a question, the lowest first. Raises DecodeError."""
    return tuple(decode_named(each, Step, f"/pending_steps/{at}") for at, each in enumerate(said))[::-1]


def encode_question(
    table: Any,
    proposals: Mapping[type[Step], Callable[[Any, Any], JsonObject]],
    built: Callable[[JsonObject, Any], Steps],
    bottom: Callable[[Any, Steps], Steps],
) -> JsonObject:
    """The members `question` and `pending_steps` of a position; the latter not where all is as usual.

    A short form, as `proposals` has it for the open step, is taken only if it reads back (`built`) to the very same
    steps. `bottom` says what usually waits beneath some steps.
    """
    if not table.agenda:
        return {"question": None}
    top = table.agenda[-1]
    propose = proposals.get(type(top))
    said = propose(table, top) if propose is not None else {}
    try:
        found = built(said, table) if said else ()
    except (DecodeError, Undetermined):
        found = ()
    if found and table.agenda[-len(found) :] == found:
        question, steps = said, found
    else:
        question, steps = encode(top), (top,)
    rest = table.agenda[: len(table.agenda) - len(steps)]
    return {"question": question} | ({} if rest == bottom(table, steps) else {"pending_steps": encode_steps(rest)})


def decode_values(said: dict[str, list[Any]]) -> dict[str, Values]:
    """What names stand for, as a text keeps it."""
    return {name: tuple(given) for name, given in said.items()}


def check_step_fields(
    data: Any, fields: dict[str, Callable[[Any], str]], pointer: str, free: tuple[str, ...] = ()
) -> None:
    """Raises DecodeError where a field of an encoded step does not hold what its name promises, with its place.

    `fields` says of a field by its name what is wrong with a value, empty if nothing is; in what stands under the names
    of `free` anything may be.
    """
    if isinstance(data, dict):
        for name, part in data.items():
            if name in free:
                continue
            for at, value in enumerate(part) if isinstance(part, list) else [(None, part)]:
                place = f"{pointer}/{name}" if at is None else f"{pointer}/{name}/{at}"
                if isinstance(value, dict):
                    check_step_fields(value, fields, place, free)
                elif name in fields and (wrong := fields[name](value)):
                    raise DecodeError(place, wrong)


def build_seat_check(seats: int, least: int = 0) -> Callable[[Any], str]:
    """What is wrong with a value where a seat should stand."""

    def wrong(value: Any) -> str:
        is_seat = type(value) is not int or least <= value < seats
        return "" if is_seat else f"seats go from 0 to {seats - 1}"

    return wrong


def build_card_check(known: Container[str]) -> Callable[[Any], str]:
    """What is wrong with a value where a card, a back or nothing should stand."""

    def wrong(value: Any) -> str:
        if not isinstance(value, str) or not value or is_back(value) or value in known:
            return ""
        return f"no card is called {value!r}{suggest_name(value, known)}"

    return wrong
