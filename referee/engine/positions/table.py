"""The table of a game's written positions: a row for each member.

JSON Schema, check of the form, reader and writer follow from the rows, which the games write.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from referee.engine.codec import DecodeError
from referee.engine.positions.contradictions import Contradiction
from referee.engine.positions.form import (
    DisplayNames,
    SchemaError,
    build_error,
    find_form_errors,
    find_schema_errors,
    read_display_names,
    suggest_name,
)
from referee.engine.positions.rows import Group, Position, Row, write_rows
from referee.engine.positions.schema import Schema, object_schema
from referee.engine.positions.shapes import keep_value
from referee.engine.rulings import ContradictoryPosition, MalformedInput

S = TypeVar("S")
Census = dict[str, Any]


@dataclass(frozen=True)
class PositionTable(Generic[S]):
    """The written positions of a game, or of a variant with the cards of an edition.

    `rows`: in the order of the schema. One of them is called `question`.
    `build`: returns the state that a position describes, with any contradictions. May raise DecodeError.
    `find_contradictions`: finds what in this state cannot be.
    `checks`: find what does not belong together in a position whose members are well formed. Each is asked only if
    those before it have found nothing.
    `list_parts`: returns the parts of a position that are written at a question. None: all of them always are.
    `names`: what players call the cards. A position may use these names too.
    `expand_names`: returns a written position with the full names of what its edition calls by shorter ones.
    """

    title: str
    says: str
    rows: tuple[Row, ...]
    build: Callable[[Position], S]
    find_contradictions: Callable[[S, Position], list[Contradiction]]
    checks: tuple[Callable[[Position], Iterable[SchemaError]], ...] = ()
    list_parts: Callable[[Any], Sequence[str]] | None = None
    names: DisplayNames = field(default_factory=dict)
    expand_names: Callable[[Any], Any] = keep_value

    @cached_property
    def schema(self) -> Schema:
        """The JSON Schema of a position."""
        needed = [row.name for row in self.rows if row.needed]
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            **object_schema(self.says, needed, **{row.name: row.schema for row in self.rows}),
        }

    @cached_property
    def pointers(self) -> dict[str, str]:
        """The JSON pointers of all zones that positions write."""
        return {place: pointer for row in self.rows for place, pointer in row.list_zones("")}

    def find_form_errors(self, written: Any) -> list[SchemaError]:
        """Find what is wrong with the form of a position, each as `{pointer, detail}`."""
        seats = next((row.name for row in self.rows if isinstance(row, Group) and row.count_seats), "")
        return find_form_errors(self.schema, written, seats)

    def decode(self, written: Any) -> S:
        """Return the state that a position describes.

        Raises MalformedInput if its form is wrong, ContradictoryPosition if it cannot be.
        """
        state, wrong = self.examine(written)
        if wrong:
            raise ContradictoryPosition(wrong)
        return state

    def examine(self, written: Any) -> tuple[S, list[Contradiction]]:
        """Return the state that a position describes, and its contradictions.

        Raises MalformedInput.
        """
        written = self.expand_names(written)
        written = read_display_names(self.schema, written, self.names) if self.names else written
        errors = self.find_form_errors(written)
        position = Position(self.rows, written)
        for check in self.checks:
            errors = errors or list(check(position))
        if errors:
            raise MalformedInput(errors)
        try:
            state = self.build(position)
        except DecodeError as unreadable:
            raise MalformedInput([build_error(unreadable.pointer, unreadable.detail)]) from None
        return state, self.find_contradictions(state, position)

    def encode(self, state: S) -> dict[str, Any]:
        """Return the position that describes a state, without what is unknown.

        `decode` restores the state.
        """
        if self.list_parts is None:
            return write_rows(self.rows, state)
        question = next(row for row in self.rows if row.name == "question")
        parts = self.list_parts(question.find_value(state))
        return write_rows((row for row in self.rows if row.part in parts), state)


@dataclass(frozen=True)
class Positions(Generic[S]):
    """The written positions of a game: tables, examples and census.

    `build_table`: returns the table of a variant and an edition.
    `variants`: all of them, the usual one first. A position says which only if there are several.
    `editions`: all of them. `usual_edition`: the game's own, "" if it has no others, which no position names then.
    `find_variant`: returns the variant and the edition of a state.
    `examples`: returns a position for every question of a variant.
    `take_census`: returns whether the cards of a state can be together, and which places to count again.
    """

    build_table: Callable[[str, str], PositionTable[S]]
    find_variant: Callable[[S], tuple[str, str]]
    examples: Callable[[str], list[dict[str, Any]]]
    take_census: Callable[[S, list[Contradiction]], Census]
    variants: tuple[str, ...] = ("standard",)
    editions: Collection[str] = ("",)
    usual_edition: str = ""

    def schema(self, variant: str, edition: str = "") -> Schema:
        """Return the JSON Schema of a position of a variant, with the cards of an edition."""
        return self.build_table(variant, edition or self.usual_edition).schema

    def find_table(self, written: Any) -> PositionTable[S]:
        """Return the table of the variant and the edition that a position names.

        Raises MalformedInput. If the variant is unknown, it names what else is wrong in every variant.
        """
        said: dict[str, Any] = written if isinstance(written, dict) else {}
        usual, edition = self.variants[0], self.usual_edition and said.get("edition", self.usual_edition)
        variant = said.get("variant", usual) if len(self.variants) > 1 else usual
        errors = list(find_schema_errors({"enum": [*self.variants]}, variant, "/variant"))
        if edition not in [*self.editions]:
            detail = f"no such edition{suggest_name(edition, self.editions)}"
            raise MalformedInput([*errors, build_error("/edition", detail)])
        if errors:
            tables = ((each, self.build_table(each, edition)) for each in self.variants)
            first, *others = (table.find_form_errors(said | {"variant": each}) for each, table in tables)
            raise MalformedInput([*errors, *(error for error in first if all(error in other for other in others))])
        return self.build_table(variant, edition)

    def decode(self, written: Any) -> S:
        """Return the state that a position describes.

        Raises MalformedInput or ContradictoryPosition.
        """
        return self.find_table(written).decode(written)

    def encode(self, state: S) -> dict[str, Any]:
        """Return the position that describes a state.

        `decode` restores the state.
        """
        return self.build_table(*self.find_variant(state)).encode(state)
