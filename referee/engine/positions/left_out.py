"""Find what a written position leaves out, and values that it may have.

Both follow from the schema of the position alone, so they hold for every game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import Any

from referee.engine.positions.form import is_meant_option
from referee.engine.positions.schema import ASSUMED, BACK, Schema

Path = tuple[str | int, ...]  # the steps from the position to a member
UNASKED = (
    "edition",
    "variant",
    "emptied",
    "plan",
    "pending",
    "pending_steps",
    "known",
    "secret",
    "named",
)  # never facts
MOST_VALUES = 60  # that are tried of one member
MOST_SMALL_NUMBERS = 13  # a range of no more numbers is tried whole
LIKELY_NUMBERS = (0, 1, 2, 3, 5, 10)  # of a larger range, with its ends
MOST_OF_A_LIST = 9  # entries, each of which is tried as a list by itself
MOST_SEATS_IN_ALL_ORDERS = 4


@dataclass(frozen=True)
class LeftOut:
    """A member that a position leaves out.

    `assumed`: every table assumes what it means. `has_cards`: it is a place where cards lie. `is_needed`: the schema
    requires it. `written`: what is written so far, if cards of a place are given only in part.
    """

    path: Path
    schema: Schema
    assumed: bool = False
    has_cards: bool = False
    is_needed: bool = False
    written: Any = None

    @property
    def name(self) -> str:
        """The name of the member."""
        return str(self.path[-1])


@dataclass(frozen=True)
class PossibleValues:
    """Values that a member may have. `are_all`: there are no others."""

    values: tuple[Any, ...]
    are_all: bool


def find_left_out(schema: Schema, written: Any, path: Path = (), assumed: bool = False) -> Iterator[LeftOut]:
    """Find each member that a position leaves out or gives only in part.

    Given in part are the cards of places.

    `assumed`: whether every table assumes what is left out within.
    """
    for option in schema.get("anyOf", ()):
        if is_meant_option(option, written):
            yield from find_left_out(option, written, path, assumed)
            return
    if isinstance(written, dict):
        for name, part in schema.get("properties", {}).items():
            if name in UNASKED:
                continue
            at, known, cards = (*path, name), assumed or ASSUMED in part, "x-seen-by" in part
            if name not in written and part.get("properties") and not part.get("required"):
                yield from find_left_out(part, {}, at, known)  # such as the settings, each of which may be left out
            elif name not in written:
                yield LeftOut(at, part, known, cards, name in schema.get("required", ()))
            elif cards and is_partly_known(written[name]):
                yield LeftOut(at, part, known, cards, written=written[name])
            else:
                yield from find_left_out(part, written[name], at, known)
    elif isinstance(written, list) and "items" in schema:
        for place, each in enumerate(written):
            yield from find_left_out(schema["items"], each, (*path, place), assumed)


def is_partly_known(cards: Any) -> bool:
    """Return whether the cards of a place are given only in part."""
    if isinstance(cards, list):
        return BACK in cards
    return type(cards) is int or (isinstance(cards, dict) and ("count" in cards or "more" in cards or not cards))


def write_member(written: Any, path: Path, value: Any) -> Any:
    """Return a position in which the member at a path has a value."""
    if not path:
        return value
    first, *rest = path
    if isinstance(written, list):
        return [write_member(each, tuple(rest), value) if at == first else each for at, each in enumerate(written)]
    return {**written, first: write_member(written.get(first, {}), tuple(rest), value)}


def list_values(member: LeftOut, seats: int, named: Sequence[str]) -> PossibleValues:
    """Return values that a member may have, likely ones first.

    `named`: the names of cards and other things in the position and the move, which are tried before others.
    """
    if member.written is not None:
        return PossibleValues(tuple(_complete_cards(member, named)), False)
    found = _list_values(member.schema, seats, named)
    values: list[Any] = []
    for value in islice(found.values, MOST_VALUES * 4):
        if value not in values:
            values.append(value)
    return PossibleValues(tuple(values[:MOST_VALUES]), found.are_all and len(values) <= MOST_VALUES)


def _complete_cards(member: LeftOut, named: Sequence[str]) -> Iterator[Any]:
    """Yield lists of cards that complete what is known of a place."""
    written = member.written
    known = written if isinstance(written, list) else written.get("cards", []) if isinstance(written, dict) else []
    faces = [card for card in known if card != BACK]
    count = written if isinstance(written, int) else written.get("count") if isinstance(written, dict) else len(known)
    if count is None:
        yield faces
        count = len(faces) + 1
    cards = [card for card in _find_names(member.schema) if not card.startswith(BACK)]
    cards.sort(key=lambda card: card not in named)
    lacking = max(count - len(faces), 0)
    for start in (0, 1, lacking, len(cards) // 3, 2 * len(cards) // 3):
        yield [*faces, *cards[start : start + lacking]]


def _find_names(schema: Schema) -> list[str]:
    """Return the names that a list of cards may hold."""
    for option in schema.get("anyOf", (schema,)):
        if "enum" in option.get("items", {}):
            return [each for each in option["items"]["enum"] if isinstance(each, str)]
    return []


def _list_values(schema: Schema, seats: int, named: Sequence[str]) -> PossibleValues:
    if "anyOf" in schema:
        options = [_list_values(option, seats, named) for option in schema["anyOf"]]
        # One of each option first, so that no option is lost where only some values are tried.
        firsts = [found.values[:3] for found in options]
        rests = [found.values[3:] for found in options]
        return PossibleValues(
            tuple(value for part in (*firsts, *rests) for value in part), all(found.are_all for found in options)
        )
    if "const" in schema:
        return PossibleValues((schema["const"],), True)
    if "enum" in schema:
        known = [each for each in schema["enum"] if not (isinstance(each, str) and each.startswith(BACK))]
        return PossibleValues(tuple(sorted(known, key=lambda each: each not in named)), len(known) <= MOST_VALUES)
    kind = schema.get("type")
    if kind == "boolean":
        return PossibleValues((False, True), True)
    if kind == "null":
        return PossibleValues((None,), True)
    if kind == "integer":
        return _list_numbers(schema, seats)
    if kind == "array":
        return _list_lists(schema, seats, named)
    if kind == "object":
        return _list_objects(schema, seats, named)
    return PossibleValues((), False)  # free text is no fact that decides


def _list_numbers(schema: Schema, seats: int) -> PossibleValues:
    low, high = schema.get("minimum", 0), schema.get("maximum", 0)
    if "x-seat" in schema:
        return PossibleValues(tuple(range(min(seats, high + 1))), True)
    if high - low < MOST_SMALL_NUMBERS:
        return PossibleValues(tuple(range(low, high + 1)), True)
    return PossibleValues(tuple({low: 0, **dict.fromkeys(n for n in LIKELY_NUMBERS if low < n < high), high: 0}), False)


def _list_lists(schema: Schema, seats: int, named: Sequence[str]) -> PossibleValues:
    items, least, most = schema.get("items", {}), schema.get("minItems", 0), schema.get("maxItems", 1)
    each = _list_values(items, seats, named).values
    if "x-seat" in items and seats <= MOST_SEATS_IN_ALL_ORDERS:
        groups = (list(part) for size in range(seats + 1) for part in combinations(range(seats), size))
        return PossibleValues(tuple(part for part in groups if least <= len(part) <= most), True)
    if least > 1:
        return PossibleValues((list(each[:least]), list(each[1 : least + 1])), False)
    short: list[list[Any]] = [[]] if least == 0 else []
    long = [list(each)] if "x-seat" in items and 1 < len(each) <= most else []
    some = (*each[: MOST_OF_A_LIST - 1], *each[MOST_OF_A_LIST - 1 :][-1:])
    return PossibleValues((*short, *([one] for one in some if most), *long), False)


def _list_objects(schema: Schema, seats: int, named: Sequence[str]) -> PossibleValues:
    members: Mapping[str, Schema] = schema.get("properties", {})
    needed = [name for name in schema.get("required", ()) if name in members]
    if "type" in needed:
        return PossibleValues((), False)  # a step as the referee stores it
    if not needed:
        return PossibleValues(({},) if "additionalProperties" in schema and not members else (), False)
    options = [_pick_typical(_list_values(members[name], seats, named)) for name in needed]
    found = islice(product(*options), MOST_VALUES)
    forms = tuple(dict(zip(needed, values, strict=True)) for values in found)
    return PossibleValues(forms, not members.keys() - {*needed})


def _pick_typical(found: PossibleValues) -> tuple[Any, ...]:
    """Return a few of the values, the first and the last among them."""
    values = found.values
    return values if len(values) <= 6 else (*values[:5], values[-1])
