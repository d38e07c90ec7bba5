"""Written positions: the form in which people and programs write a table down."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from referee.engine.codec import decode_named, encode
from referee.engine.events import Move
from referee.engine.parts import GamePart
from referee.engine.positions.counting import CensusFinding
from referee.engine.positions.failures import blame_question
from referee.engine.positions.table import Positions
from referee.engine.rulings import MAX_ERRORS
from referee.engine.steps import State

if TYPE_CHECKING:
    from referee.engine.game import Game

Position = dict[str, Any]


class PositionFormat(GamePart):
    """The written positions of a game, with the `readings` that hold in them."""

    def __init__(self, game: Game, tables: Positions[Any] | None) -> None:
        super().__init__(game)
        self._tables = tables

    @property
    def tables(self) -> Positions[Any]:
        """The tables of positions. Raises TypeError if the game has none."""
        if self._tables is None:
            raise TypeError(f"{self.game.name} has no positions")
        return self._tables

    def build_schema(self, variant: str, edition: str = "") -> dict[str, Any]:
        """Return the JSON Schema of a position as a person writes it.

        Raises KeyError if the edition is not installed. If it is empty, the game's own is meant.
        """
        if edition and edition not in self.game.list_editions():
            raise KeyError(edition)
        return self.game.add_interpretation_schema(self.tables.schema(variant, edition))

    def read_names(self, data: Position) -> Position:
        """Return a position with the names of the game in place of display names.

        Raises MalformedInput.
        """
        written, _ = self.game.split_position(data)
        read: Position = self.tables.find_table(written).read_names(written)
        return {**read, **({"readings": data["readings"]} if "readings" in data else {})}

    def find_schema(self, data: Position) -> dict[str, Any]:
        """Return the JSON Schema of the variant and the edition that a position names.

        Raises MalformedInput.
        """
        return self.tables.find_table(self.game.split_position(data)[0]).schema

    def build_examples(self, variant: str) -> list[Position]:
        """Return an example position for every question that the game asks."""
        return list(self.tables.examples(variant))

    def decode_position(self, data: Position) -> State:
        """Return the state that a position describes, with its `readings` applied.

        What the position leaves out is unknown. Raises MalformedInput, ContradictoryPosition or UnjudgeablePosition.
        """
        with blame_question():
            read: State = self.game.decode_with_interpretations(data, self.tables.decode)
        return read

    def encode_position(self, state: Any) -> Position:
        """Return the position that describes a state.

        `decode_position` turns it into an equal state.
        """
        return self.game.add_interpretations(state, self.tables.encode(state))

    def check_census(self, data: Position) -> dict[str, Any]:
        """Return whether the cards of a position can exist together.

        The result is `{possible, contradictions, recounts}`, with no more than MAX_ERRORS contradictions.

        Raises MalformedInput or UnjudgeablePosition.
        """
        written, readings = self.game.split_position(data)
        with blame_question():
            state, wrong = self.tables.examine(written)
            census = self.tables.take_census(self.game.apply_interpretations(state, readings), wrong)
        return {**census, "contradictions": census["contradictions"][:MAX_ERRORS]}

    def find_surplus_cards(self, state: State) -> list[CensusFinding]:
        """Return the cards that a state names more often than they exist.

        Each is a finding of the census.
        """
        found = self.tables.take_census(state, [])["contradictions"]
        return [each for each in found if each.get("card") and each["counted"] > each["copies"]]

    def read_names_beside(self, data: Position, written: Any) -> Any:
        """Return data that a person wrote beside a position, under the names of the game.

        Cards, and what else has a name, may be called as in the position.
        """
        return self.tables.find_table(self.game.split_position(data)[0]).read_names_beside(written)

    def read_move_names(self, data: Position, move: Move) -> Move:
        """Return a move written beside a position, under the names of the game.

        Its fields of free text stay as they are.
        """
        encoded = encode(move)
        worded = {each.name: encoded[each.name] for each in fields(move) if each.metadata.get("free_text")}  # type: ignore[arg-type]
        named = {**self.read_names_beside(data, encoded), **worded, "type": encoded["type"]}
        return move if named == encoded else decode_named(named, Move)
