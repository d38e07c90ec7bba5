"""The base class of games with card texts.

What differs between these games are functions of theirs, which the class finds in `GameParts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from referee.cardscript.books.loader import CardLibrary, ParsedBook
from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.table import CardRules
from referee.engine.breakdown import Term
from referee.engine.cardtracking.ranges import OutOfRange
from referee.engine.events import Event, Move
from referee.engine.game import Game, Outcome, Setup, text_key
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.editions import CardBook
from referee.engine.rulings import MalformedInput
from referee.engine.steps import State


class PositionFormat(Protocol):
    """How a game reads and writes positions.

    See `Game.decode_position` and `Game.encode_position`.
    """

    def decode_position(self, data: dict[str, Any], /) -> State:
        """Return the table that a position describes.

        Raises MalformedInput or ContradictoryPosition.
        """

    def decode_unchecked(self, data: dict[str, Any], /) -> State:
        """Return the table that a position describes, even if it contradicts itself.

        Raises MalformedInput.
        """

    def encode_position(self, table: Any, /) -> dict[str, Any]:
        """Return the position that describes a table."""


class Evaluation(Protocol):
    """What tables and moves are worth to a seat.

    See `Game.evaluate_state` and `Game.expected_gain`.
    """

    def evaluate_state(self, table: Any, seat: int, /) -> int:
        """Return how good a position is for a seat. Raises Undetermined."""

    def expected_gain(self, table: Any, seat: int, move: Move, /) -> int:
        """Return what a move is worth beyond its foreseeable events. Raises Undetermined."""


class Narration(Protocol):
    """What selects and fills the texts about an event or a move.

    See `Game.text_variant` and `Game.text_parameters`.
    """

    def text_parameters(self, thing: Event | Move, /) -> dict[str, Any]:
        """Return the values for the placeholders."""

    def text_variant(self, thing: Event | Move, /) -> str:
        """Return which of several texts fits. Empty means the plain one."""


class Breakdown(Protocol):
    """The numbers of events and tables, explained by their parts.

    See `Game.break_down_event` and `Game.compute_totals`.
    """

    def break_down_event(self, table: Any, event: Event, /) -> tuple[Term, ...]:
        """Return the numbers of an event."""

    def compute_totals(self, table: Any, /) -> tuple[Term, ...]:
        """Return the sums that stand on the table now."""


@dataclass(frozen=True)
class GameParts:
    """What a game with card texts provides: functions, and modules of functions."""

    build_table: Callable[[Any], State]  # from the agreed rules to the table before anything has happened
    find_outcome: Callable[[Any], Outcome | None]
    determinize: Callable[[Any, int, Callable[[list[Any]], list[Any]]], State]
    check_census: Callable[[Any], dict[str, Any]]  # takes a table that may contradict itself
    find_out_of_range: Callable[[Any], Iterable[OutOfRange]]  # takes a table or a view
    build_position_examples: Callable[[str], list[dict[str, Any]]]  # takes a variant
    position_schema: Callable[[str, str], dict[str, Any]]  # takes a variant and an edition, raises KeyError
    give_turn: Callable[[Any, int], State]  # takes a table and a seat, raises ValueError
    position_format: PositionFormat
    evaluation: Evaluation
    narration: Narration
    breakdown: Breakdown
    reconcile_state: Callable[[Any], State] = lambda table: table


class CardGame(Game):
    """A game with card texts. A subclass names its `rules_type` and its `parts`."""

    rules_type: ClassVar[type[CardRules]]
    parts: ClassVar[GameParts]
    library: ClassVar[CardLibrary[Any]]
    unnarrated_events: ClassVar[tuple[type[Event], ...]] = ()  # events that players are shown no line about

    def agreed_settings(self, setup: Setup) -> dict[str, Any]:
        """Return the fields of `rules_type` that come from the settings."""
        return setup.settings

    def build_table(self, setup: Setup) -> State:
        """Return the table before any shuffle.

        Raises MalformedInput if the setup is wrong.
        """
        setup = self.complete_setup(setup)
        if any(seat not in range(setup.seats) for seat in setup.named):
            raise MalformedInput([{"pointer": "/named", "detail": f"seats are numbered from 0 to {setup.seats - 1}"}])
        at_table = setup.is_at_table("deck")
        return self.parts.build_table(
            self.rules_type(
                seats=setup.seats,
                edition=setup.edition,
                cards_at_table=at_table,
                dice_at_table=setup.is_at_table("dice"),
                named=tuple(sorted(setup.named)) if at_table else (),
                **self.agreed_settings(setup),
            )
        )

    def turn_number(self, state: Any) -> int:
        """Return how many turns have begun."""
        return int(state.turns)

    def count_seats(self, state: Any) -> int:
        """Return the number of players."""
        return int(state.rules.seats)

    def seat_on_turn(self, state: Any) -> int | None:
        """Return the seat on turn, or None before the first turn."""
        return state.turn if state.turns else None

    def find_outcome(self, state: Any) -> Outcome | None:
        """Return how the match has ended, or None while it goes on."""
        return self.parts.find_outcome(state)

    def give_turn(self, state: Any, seat: int) -> State:
        """Return the table as the turn of a seat is about to begin. Raises ValueError."""
        if not state.turns:
            raise ValueError("no turn has begun yet")
        return self.parts.give_turn(state, seat)

    def reconcile_state(self, state: Any) -> State:
        """Return the table after a manual correction with its derived data updated."""
        return self.parts.reconcile_state(state)

    # -- card books ----------------------------------------------------------------------------------------------------

    def parse_card_book(self, book: CardBook) -> ParsedBook[Any]:
        """Return the faces and texts that a book means. Raises CardBookError."""
        return self.library.parse_book(book)

    def register_card_book(self, book: CardBook, understood: ParsedBook[Any]) -> None:
        """Make the cards of a book known to the rules."""
        self.library.register_book(book, understood)

    def cards_of_edition(self, edition: str) -> tuple[dict[str, Any], ...]:
        """Return the cards of an edition, the game's own first. Raises KeyError."""
        return self.library.by_edition[edition or self.edition]

    # -- positions and evaluation --------------------------------------------------------------------------------------

    def position_schema(self, variant: str) -> dict[str, Any]:
        """Return the JSON Schema of a position that is played with the game's own cards."""
        return self.add_interpretation_schema(self.parts.position_schema(variant, self.edition))

    def position_schema_for(self, variant: str, edition: str) -> dict[str, Any]:
        """Return the JSON Schema of a position that is played with an edition.

        Raises KeyError if the edition is not installed.
        """
        return self.add_interpretation_schema(self.parts.position_schema(variant, edition or self.edition))

    def decode_position(self, data: dict[str, Any]) -> State:
        """Return the table that a position describes.

        Raises MalformedInput or ContradictoryPosition.
        """
        read: State = self.decode_with_interpretations(data, self.parts.position_format.decode_position)
        return read

    def encode_position(self, state: Any) -> dict[str, Any]:
        """Return the position that describes a table."""
        return self.add_interpretations(state, self.parts.position_format.encode_position(state))

    def build_position_examples(self, variant: str) -> list[dict[str, Any]]:
        """Return an example position for every question."""
        return self.parts.build_position_examples(variant)

    def check_census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return whether the cards of a position can exist, and what to count again.

        Raises MalformedInput.
        """
        return self.parts.check_census(
            self.decode_with_interpretations(data, self.parts.position_format.decode_unchecked)
        )

    def find_out_of_range(self, state: Any) -> Iterable[OutOfRange]:
        """Yield the numbers on a table that the rules exclude."""
        return self.parts.find_out_of_range(state)

    def determinize(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> State:
        """Return another table that this seat cannot tell from this one."""
        return self.parts.determinize(state, seat, shuffle)

    def evaluate_state(self, view: Any, seat: int) -> int:
        """Return how good a position is for a seat. Raises Undetermined."""
        return self.parts.evaluation.evaluate_state(view, seat)

    def expected_gain(self, view: Any, seat: int, move: Move) -> int:
        """Return what a move is worth beyond its foreseeable events. Raises Undetermined."""
        return self.parts.evaluation.expected_gain(view, seat, move)

    # -- texts and breakdowns ------------------------------------------------------------------------------------------

    def describe_event(self, thing: Event | Move) -> Text | None:
        """Return a readable line about an event or a move, or None for bookkeeping.

        The event or move is as its viewer may know it. A text `fact.<name>.<variant>` or `move.<type>.<variant>` goes
        before the one without a variant.
        """
        if not thing.TAG.startswith((f"{self.prefix}.", "cards.")):
            return super().describe_event(thing)
        if isinstance(thing, (NameBound, *self.unnarrated_events)):  # `NameBound` is bookkeeping of a running text
            return None
        key = text_key(thing)
        special = f"{key}.{self.text_variant(thing)}"
        return self.rulebook.render_texts(
            special if self.rulebook.has_text(special) else key, **self.text_parameters(thing)
        )

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """Return the values for the placeholders of the texts about an event or a move."""
        return self.parts.narration.text_parameters(thing)

    def text_variant(self, thing: Event | Move) -> str:
        """Return which of several texts about an event or a move fits."""
        return self.parts.narration.text_variant(thing)

    def break_down_event(self, view: Any, event: Event) -> tuple[Term, ...]:
        """Return the numbers of an event, explained by their parts."""
        return self.parts.breakdown.break_down_event(view, event)

    def compute_totals(self, view: Any) -> tuple[Term, ...]:
        """Return the sums that stand on the table now, explained by their parts."""
        return self.parts.breakdown.compute_totals(view)
