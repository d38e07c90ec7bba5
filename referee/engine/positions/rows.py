"""The rows of a table of positions: fields, and groups of fields.

A group holds what belongs to each seat, for example.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from referee.engine.positions.form import find_schema_errors
from referee.engine.positions.schema import ASSUMED, Schema, describe_schema, list_schema, object_schema
from referee.engine.positions.shapes import OMITTED, Shape
from referee.engine.zones import Cards

Found = dict[str, Any]  # attributes of the state by name; `zones` is one of them


@dataclass(frozen=True)
class Zone:
    """A zone in which the cards of a field lie.

    Its name says who sees them (`referee.engine.zones`).

    `place`: its name, or a function of the seat whose zone it is.
    `owner`: the field, and attribute of the state, that holds this seat, unless the field is one of each seat. As long
    as the seat is unknown there is no such zone.
    `absent`: what lies in a zone that the state does not have. None: unknown.
    """

    place: str | Callable[[int], str]
    owner: str = ""
    absent: Cards | None = ()

    def find_place(self, seat: int | None) -> str | None:
        """Return the name of the zone of a seat, or None if the seat is unknown."""
        if isinstance(self.place, str):
            return self.place
        return None if seat is None else self.place(seat)

    @property
    def seen_by(self) -> str:
        """Who sees the cards: everybody, owner or nobody."""
        _, colon, viewer = (self.find_place(0) or "").partition(":")
        return "everybody" if not colon else "owner" if viewer else "nobody"


@dataclass(frozen=True)
class BySeat:
    """An attribute that maps seats, written as text, to what is known of them."""

    name: str


@dataclass(frozen=True)
class Field:
    """A row of the table: one member of a written position.

    `on`: where the value stands on the table: an attribute of the state (`turn`, `rules.named`), a zone, or a function
    of the state that finds the value (the game's reader then has to put it there). None: it is another way to write a
    field, and only read. Of a field of each seat the attribute is a tuple by seat or `BySeat`, and the function gets
    the seat too.
    `left_out`: what a field means that is left out: a value, or a function of the position. None means unknown.
    `says`: its description.
    `usual`: a value, or a function that finds it like `on`, that is not written. Unknown values never are.
    `part`: the part of a position that it belongs to. A writer leaves out whole parts.
    `ignored_in`: the questions in which whatever is written counts as left out.
    `assumed`: every table assumes what it means if left out, so a quarrel is judged by that, and the answer says so.
    What is not assumed is asked for in a quarrel if it may change the answer. None: a usual value is assumed.
    """

    name: str
    shape: Shape
    on: str | Zone | BySeat | Callable[..., Any] | None
    left_out: Any
    says: str
    needed: bool = False
    usual: Any = None
    part: str = ""
    ignored_in: Container[str] = ()
    assumed: bool | None = None

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the member.

        `x-seen-by`: who sees the cards at the table. `default` is missing if nobody can write it, like nobody's seat.
        """
        seen = {"x-seen-by": self.on.seen_by} if isinstance(self.on, Zone) else {}
        known = not (self.needed or self.left_out is None or callable(self.left_out))
        usual = self.shape.write(self.left_out) if known else OMITTED
        may_be_written = usual is not OMITTED and not any(find_schema_errors(self.shape.schema, usual))
        more = seen | ({"default": usual} if may_be_written else {}) | ({ASSUMED: True} if self.is_assumed else {})
        return describe_schema(self.says, self.shape.schema) | more

    @property
    def is_assumed(self) -> bool:
        """Whether every table assumes what the field means if it is left out."""
        return self.usual is not None if self.assumed is None else self.assumed

    def find_meaning(self, position: Position) -> Any:
        """Return the value that a position means."""
        if self.name in position.written and not (self.ignored_in and position["question"] in self.ignored_in):
            return self.shape.read(position.written[self.name], position)
        return self.left_out(position) if callable(self.left_out) else self.left_out

    def read_into(self, found: Found, position: Position) -> None:
        """Enter the value that a position means under the attribute on which it stands."""
        on, seat = self.on, position.seat
        if isinstance(on, Zone):
            place = on.find_place(position[on.owner] if on.owner else seat)
            if place is not None and position[self.name] is not None:
                found["zones"][place] = position[self.name]
        elif isinstance(on, BySeat):
            held = found.setdefault(on.name, {})
            if position[self.name] is not None:
                held[str(seat)] = position[self.name]
        elif isinstance(on, str):
            *path, name = on.split(".")
            for part in path:
                found = found.setdefault(part, {})
            found[name] = position[self.name] if seat is None else (*found.get(name, ()), position[self.name])

    def find_value(self, state: Any, seat: int | None = None) -> Any:
        """Return the value on a table, or None if it is unknown."""
        if isinstance(self.on, Zone):
            place = self.on.find_place(getattr(state, self.on.owner) if self.on.owner else seat)
            return None if place is None else getattr(state, "zones", {}).get(place, self.on.absent)
        if isinstance(self.on, BySeat):
            return getattr(state, self.on.name).get(str(seat))
        if isinstance(self.on, str):
            value = attrgetter(self.on)(state)
            return value if seat is None else value[seat]
        return self.on and _find_by_function(self.on, state, seat)

    def write(self, state: Any, seat: int | None = None) -> Any:
        """Return what is written for a state, or OMITTED."""
        value = self.find_value(state, seat)
        usual = _find_by_function(self.usual, state, seat) if callable(self.usual) else self.usual
        return OMITTED if value is None or value == usual else self.shape.write(value)

    def list_zones(self, pointer: str, seat: int | None = None) -> Iterator[tuple[str, str]]:
        """Yield the zone of the field and its pointer."""
        place = self.on.find_place(seat) if isinstance(self.on, Zone) else None
        if place is not None:
            yield place, f"{pointer}/{self.name}"


def usual_field(name: str, shape: Shape, on: Any, usual: Any, says: str, assumed: bool | None = None) -> Field:
    """Return a field that is left out for its usual value, and then means it."""
    return Field(name, shape, on, usual, says, usual=usual, assumed=assumed)


def _find_by_function(find: Callable[..., Any], state: Any, seat: int | None) -> Any:
    return find(state) if seat is None else find(state, seat)


@dataclass(frozen=True)
class Group:
    """A row whose member is an object of fields, or a list of them by seat.

    `count_seats`: returns how many seats a state has. None: it is one object.
    `least`, `most`: how many seats there can be.
    `is_there`: returns whether a state has the object. If it is left out, there is none. None: it is always there.
    """

    name: str
    says: str
    fields: tuple[Field, ...]
    count_seats: Callable[[Any], int] | None = None
    least: int = 0
    most: int = 0
    seat_says: str = ""
    needed: bool = False
    part: str = ""
    is_there: Callable[[Any], bool] | None = None

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the member."""
        needed = [field.name for field in self.fields if field.needed]
        members = {field.name: field.schema for field in self.fields}
        if self.count_seats is None:
            return object_schema(self.says, needed, **members)
        return list_schema(self.says, object_schema(self.seat_says, needed, **members), self.least, self.most)

    def find_meaning(self, position: Position) -> Any:
        """Return what a position says inside, or a tuple of that by seat.

        None: there is no such object.
        """
        if self.is_there is not None and self.name not in position.written:
            return None
        if self.count_seats is None:
            return Position(self.fields, position.written.get(self.name, {}), position)
        written = position.written.get(self.name, ())
        return tuple(Position(self.fields, each, position, seat) for seat, each in enumerate(written))

    def read_into(self, found: Found, position: Position) -> None:
        """Enter the values that a position means under the attributes on which they stand."""
        inside = position[self.name]
        for each in (inside,) if isinstance(inside, Position) else inside or ():
            each.read_into(found)

    def find_value(self, state: Any, _seat: int | None = None) -> Any:
        """Return the state, on which the values stand in different places."""
        return state

    def write(self, state: Any, _seat: int | None = None) -> Any:
        """Return what is written for a state, or OMITTED."""
        if self.is_there is not None and not self.is_there(state):
            return OMITTED
        if self.count_seats is None:
            return write_rows(self.fields, state)
        return [write_rows(self.fields, state, seat) for seat in range(self.count_seats(state))]

    def list_zones(self, pointer: str, _seat: int | None = None) -> Iterator[tuple[str, str]]:
        """Yield the zones of the fields and their pointers."""
        for seat in range(self.most) if self.count_seats else (None,):
            at = f"{pointer}/{self.name}" if seat is None else f"{pointer}/{self.name}/{seat}"
            yield from (pair for field in self.fields for pair in field.list_zones(at, seat))


Row = Field | Group


def write_rows(rows: Iterable[Row], state: Any, seat: int | None = None) -> dict[str, Any]:
    """Return what rows write for a state."""
    written = {row.name: row.write(state, seat) for row in rows}
    return {name: part for name, part in written.items() if part is not OMITTED}


class Position:
    """A position being read: the meaning of each row by its name.

    A meaning is found when it is first asked for. A field that is left out may follow from others, and these from
    others again. What one seat says is a position too: `whole` is that which it is part of.
    """

    def __init__(
        self, rows: Iterable[Row], written: Mapping[str, Any], whole: Position | None = None, seat: int | None = None
    ) -> None:
        self.written, self.seat = written, seat
        self._whole = whole
        self._rows = {row.name: row for row in rows}
        self._values: dict[str, Any] = {}

    @property
    def whole(self) -> Position:
        """The position that this is part of, or itself."""
        return self if self._whole is None else self._whole

    def forget(self) -> None:
        """Forget what was found.

        Whole and parts hold each other, and would be freed only by a search for garbage.
        """
        self._values.clear()

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._rows[name].find_meaning(self)
        return self._values[name]

    def read_into(self, found: Found, parts: Container[str] | None = None) -> Found:
        """Enter what the position means into attributes of the state; return these.

        `parts`: the parts to read. None: all.
        """
        for row in self._rows.values():
            if parts is None or row.part in parts:
                row.read_into(found, self)
        return found

    def read_fields(self, parts: Container[str] | None = None) -> Found:
        """Return what the position, or some of its parts, means as attributes."""
        return self.read_into({"zones": {}}, parts)
