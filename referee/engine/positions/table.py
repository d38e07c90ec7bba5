"""The table of a game's written positions: a row for each member.

JSON Schema, check of the form, reader and writer follow from the rows, which the games write.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from referee.engine.codec import DecodeError
from referee.engine.positions.contradictions import Contradiction
from referee.engine.positions.form import (
    NO_DISPLAY_NAMES,
    NO_SUCH_MEMBER,
    DisplayNames,
    NameReader,
    SchemaError,
    build_error,
    build_name_reader,
    find_form_errors,
    find_schema_errors,
    find_schema_names,
    read_any_names,
    suggest_name,
)
from referee.engine.positions.rows import Group, Position, Row, write_rows
from referee.engine.positions.schema import Schema, object_schema
from referee.engine.positions.shapes import keep_value
from referee.engine.rulings import MAX_ERRORS, ContradictoryPosition, MalformedInput

S = TypeVar("S")
UNKNOWN = (NO_SUCH_MEMBER, "unknown name", "unknown value")  # how an error begins that another variant may explain
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
    names: DisplayNames = NO_DISPLAY_NAMES
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
        return find_form_errors(self.schema, written, seats, self.names)

    def read_names(self, written: Any) -> Any:
        """Return a written position under the full names of cards.

        They stand in place of short names and display names.
        """
        written = self.expand_names(written)
        return written if self.name_reader is None else self.name_reader(written)

    @cached_property
    def name_reader(self) -> NameReader | None:
        """What reads the display names of cards. None: there are none."""
        return build_name_reader(self.schema, self.names, self.known_names) if self.names.meant else None

    @cached_property
    def known_names(self) -> frozenset[str]:
        """The names that positions may write at any place."""
        return frozenset(find_schema_names(self.schema))

    def read_names_beside(self, written: Any) -> Any:
        """Return data written beside a position under the full names of cards."""
        return read_any_names(self.expand_names(written), self.known_names, self.names)

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
        written = self.read_names(written)
        errors = self.find_form_errors(written)
        position = Position(self.rows, written)
        try:
            for check in self.checks:
                errors = errors or list(check(position))
            if errors:
                raise MalformedInput(errors)
            try:
                state = self.build(position)
            except DecodeError as unreadable:
                raise MalformedInput([build_error(unreadable.pointer, unreadable.detail)]) from None
            return state, self.find_contradictions(state, position)
        finally:
            position.forget()

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
        edition, variant = self.usual_edition and said.get("edition", self.usual_edition), self._find_variant(written)
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
        written = self._leave_out_only_variant(written)
        with self._explaining_variants(written):
            return self.find_table(written).decode(written)

    def examine(self, written: Any) -> tuple[S, list[Contradiction]]:
        """Return the state that a position describes, and its contradictions.

        Raises MalformedInput.
        """
        written = self._leave_out_only_variant(written)
        with self._explaining_variants(written):
            return self.find_table(written).examine(written)

    def _leave_out_only_variant(self, written: Any) -> Any:
        """Return a position without its variant if the game has no other."""
        if len(self.variants) > 1 or not isinstance(written, dict) or written.get("variant") != self.variants[0]:
            return written
        return {name: part for name, part in written.items() if name != "variant"}

    def _find_variant(self, written: Any) -> Any:
        """Return the variant that a position names, or else the usual one.

        It may be unknown.
        """
        usual = self.variants[0]
        return written.get("variant", usual) if isinstance(written, dict) and len(self.variants) > 1 else usual

    @contextmanager
    def _explaining_variants(self, written: Any) -> Iterator[None]:
        """Say of each unknown member or name within whether another variant knows it."""
        try:
            yield
        except ContradictoryPosition:
            raise
        except MalformedInput as wrong:
            read = self._find_variant(written)
            is_unknown = any(error["detail"].startswith(UNKNOWN) for error in wrong.errors)
            if not is_unknown or len(self.variants) == 1 or read not in self.variants:
                raise
            raise MalformedInput(
                self._explain_variants(written, read, [dict(error) for error in wrong.errors])
            ) from None

    def _explain_variants(
        self, written: dict[str, Any], read: str, errors: Iterable[Mapping[str, Any]]
    ) -> list[SchemaError]:
        """Return the errors, and say whether another variant has what is unknown.

        `read`: the variant of the position.
        """
        wrong_in = {variant: self._find_wrong_places(written, variant) for variant in self.variants if variant != read}
        meant = ', which is meant if "variant" is missing' if read == self.variants[0] else ""
        explained = []
        for error in errors:
            pointer, detail = error["pointer"], error["detail"]
            at_fault = {pointer[:end] for end in range(len(pointer) + 1) if pointer[end : end + 1] in ("", "/")}
            having = [variant for variant, places in wrong_in.items() if not at_fault & places]
            if detail.startswith(UNKNOWN) and having:
                there = " and ".join(having) if len(having) < 3 else "others"
                detail = f"{detail.partition(';')[0]} in variant {read}{meant}; it belongs to {there}"
            explained.append({**error, "detail": detail})
        return explained

    def _find_wrong_places(self, written: dict[str, Any], variant: str) -> set[str]:
        """Return the pointers of what is wrong with the form of a position in a variant.

        If errors may have been left out, that is the whole position.
        """
        table = self.build_table(variant, self.usual_edition and written.get("edition", self.usual_edition))
        found = table.find_form_errors(table.read_names({**written, "variant": variant}))
        return {""} if len(found) == MAX_ERRORS else {error["pointer"] for error in found}

    def encode(self, state: S) -> dict[str, Any]:
        """Return the position that describes a state.

        `decode` restores the state.
        """
        return self.build_table(*self.find_variant(state)).encode(state)
