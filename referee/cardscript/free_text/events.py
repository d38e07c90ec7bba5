"""What follows from a report on a free text, as events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.free_text.games import find_game
from referee.engine.codec import OMIT_IF_EMPTY, decode, encode, named
from referee.engine.events import Event, replace_fields


@named("cards.CarriedOut")
@dataclass(frozen=True)
class TextCarriedOut(Event):
    """The player of a card has carried out its free text and listed `count` changes.

    CARDS-FREE-1: A text that no words say is carried out by its player, who lists what it changed.
    """

    seat: int
    card: str
    count: int
    more: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-FREE-1",)


@named("cards.MovedAsWritten")
@dataclass(frozen=True)
class CardMovedAsWritten(CardsMoved):
    """A card went to another place because a free text says so. It sets off nothing.

    CARDS-FREE-2: A report changes only what it lists. It sets off no other text.
    """

    seat: int
    top: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-FREE-2",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        if self.top:
            there = after.zones[self.target]
            after = replace_fields(after, zones={**after.zones, self.target: (*there[-1:], *there[:-1])})
        return find_game(after).reconcile_state(after)


@named("cards.SetAsWritten")
@dataclass(frozen=True)
class ValueSetAsWritten(Event):
    """A value that lies open to all was changed because a free text says so."""

    seat: int
    pointer: str
    to: int | bool | str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-FREE-2",)

    def apply(self, state: Any) -> Any:
        return replace_value(state, self.pointer, self.to)


def parse_pointer(pointer: str) -> list[str]:
    """Return the parts of a JSON pointer (RFC 6901)."""
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def find_value(data: Any, keys: list[str]) -> Any:
    """Return the value at the end of a way through data.

    Raises LookupError, ValueError or TypeError.
    """
    for key in keys:
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data


def replace_value(state: Any, pointer: str, value: Any) -> Any:
    """Return the state with another value at a pointer.

    A key of a mapping may be new. Raises LookupError, TypeError, or ValueError with a DecodeError among them.
    """
    keys, data = parse_pointer(pointer), encode(state)
    holder = find_value(data, keys[:-1])
    if isinstance(holder, list):
        at = int(keys[-1])
        if not 0 <= at < len(holder):
            raise IndexError(pointer)
        holder[at] = value
    elif isinstance(holder, dict):
        holder[keys[-1]] = value
    else:
        raise TypeError("a value has no parts")
    return decode(type(state), data)
