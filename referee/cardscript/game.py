"""The box of a game with card texts: how its table is opened, and what every such table can be asked.

What the games have to say for themselves they say in functions of their own, which the box knows as `GameParts`.
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
    """How a game reads and writes positions; see `Game.decode_position` and `Game.encode_position`."""

    def decode_position(self, data: dict[str, Any], /) -> State:
        """The table that a position describes. Raises MalformedInput, ContradictoryPosition."""

    def decode_unchecked(self, data: dict[str, Any], /) -> State:
        """The same, contradictions and all. Raises MalformedInput."""

    def encode_position(self, table: Any, /) -> dict[str, Any]:
        """The position that describes a table."""


class Evaluation(Protocol):
    """What tables and moves are worth to a seat; see `Game.evaluate_state` and `Game.expected_gain`."""

    def evaluate_state(self, table: Any, seat: int, /) -> int:
        """How well a seat stands. Raises Undetermined."""

    def expected_gain(self, table: Any, seat: int, move: Move, /) -> int:
        """What a move promises beyond what can be foreseen. Raises Undetermined."""


class Narration(Protocol):
    """What the texts about a fact or a move are chosen by and filled with; see `Game.text_variant` and
    `Game.text_parameters`."""

    def text_parameters(self, thing: Event | Move, /) -> dict[str, Any]:
        """What fills the placeholders."""

    def text_variant(self, thing: Event | Move, /) -> str:
        """Which of several texts fits; empty for the plain one."""


class Breakdown(Protocol):
    """The numbers of facts and of tables, line by line; see `Game.break_down_event` and `Game.compute_totals`."""

    def break_down_event(self, table: Any, event: Event, /) -> tuple[Term, ...]:
        """Those of a fact."""

    def compute_totals(self, table: Any, /) -> tuple[Term, ...]:
        """Those that stand on the table now."""


@dataclass(frozen=True)
class GameParts:
    """What a game with card texts brings: functions, and modules with several of them that belong together."""

    build_table: Callable[[Any], State]  # by the rules agreed on: the table before anything has happened
    find_outcome: Callable[[Any], Outcome | None]
    determinize: Callable[[Any, int, Callable[[list[Any]], list[Any]]], State]
    check_census: Callable[[Any], dict[str, Any]]  # of a table that may hold contradictions
    find_out_of_range: Callable[[Any], Iterable[OutOfRange]]  # the numbers on a table that cannot be
    build_position_examples: Callable[[str], list[dict[str, Any]]]  # of a variant
    position_schema: Callable[[str, str], dict[str, Any]]  # of a variant and an edition, raises KeyError
    give_turn: Callable[[Any, int], State]  # a table and a seat, raises ValueError
    position_format: PositionFormat
    evaluation: Evaluation
    narration: Narration
    breakdown: Breakdown
    reconcile_state: Callable[[Any], State] = lambda table: table


class CardGame(Game):
    """A game with card texts. Its class says what is agreed on (`rules_type`) and what it is made of (`parts`)."""

    rules_type: ClassVar[type[CardRules]]
    parts: ClassVar[GameParts]
    library: ClassVar[CardLibrary[Any]]
    unnarrated_events: ClassVar[tuple[type[Event], ...]] = ()  # the facts of which players read nothing

    def agreed_settings(self, setup: Setup) -> dict[str, Any]:
        """What the rules hold besides what is the same in all these games: the settings."""
        return setup.settings

    def build_table(self, setup: Setup) -> State:
        """The table before anything is shuffled. Raises MalformedInput where the setup does not fit."""
        setup = self.complete_setup(setup)
        if any(seat not in range(setup.seats) for seat in setup.named):
            raise MalformedInput([{"pointer": "/named", "detail": f"seats go from 0 to {setup.seats - 1}"}])
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
        """How many turns have begun."""
        return int(state.turns)

    def count_seats(self, state: Any) -> int:
        """How many play."""
        return int(state.rules.seats)

    def seat_on_turn(self, state: Any) -> int | None:
        """The seat on turn; None before the first turn."""
        return state.turn if state.turns else None

    def find_outcome(self, state: Any) -> Outcome | None:
        """How the match has ended, None while it goes on."""
        return self.parts.find_outcome(state)

    def give_turn(self, state: Any, seat: int) -> State:
        """The table as the turn of a seat is about to begin. Raises ValueError."""
        if not state.turns:
            raise ValueError("no turn has begun yet")
        return self.parts.give_turn(state, seat)

    def reconcile_state(self, state: Any) -> State:
        """The table after a correction by hand: what only repeats where cards lie says what is so now."""
        return self.parts.reconcile_state(state)

    # -- card books ----------------------------------------------------------------------------------------------------

    def parse_card_book(self, book: CardBook) -> ParsedBook[Any]:
        """What a book means: its faces and texts. Raises CardBookError."""
        return self.library.parse_book(book)

    def register_card_book(self, book: CardBook, understood: ParsedBook[Any]) -> None:
        """Makes the cards of a book known to the rules."""
        self.library.register_book(book, understood)

    def cards_of_edition(self, edition: str) -> tuple[dict[str, Any], ...]:
        """The cards of an edition, the game's own first. Raises KeyError."""
        return self.library.by_edition[edition or self.edition]

    # -- positions, and what bots ask ----------------------------------------------------------------------------------

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with the game's own cards."""
        return self.add_interpretation_schema(self.parts.position_schema(variant, self.edition))

    def position_schema_for(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError."""
        return self.add_interpretation_schema(self.parts.position_schema(variant, edition or self.edition))

    def decode_position(self, data: dict[str, Any]) -> State:
        """The table that a position describes. Raises MalformedInput, ContradictoryPosition."""
        read: State = self.decode_with_interpretations(data, self.parts.position_format.decode_position)
        return read

    def encode_position(self, state: Any) -> dict[str, Any]:
        """The position that describes a table."""
        return self.add_interpretations(state, self.parts.position_format.encode_position(state))

    def build_position_examples(self, variant: str) -> list[dict[str, Any]]:
        """A position for every question."""
        return self.parts.build_position_examples(variant)

    def check_census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Whether the cards of a position can be, and what to count again. Raises MalformedInput."""
        return self.parts.check_census(
            self.decode_with_interpretations(data, self.parts.position_format.decode_unchecked)
        )

    def find_out_of_range(self, state: Any) -> Iterable[OutOfRange]:
        """The numbers on a table that cannot be."""
        return self.parts.find_out_of_range(state)

    def determinize(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> State:
        """Another table that this seat cannot tell from this one."""
        return self.parts.determinize(state, seat, shuffle)

    def evaluate_state(self, view: Any, seat: int) -> int:
        """How well a seat stands. Raises Undetermined."""
        return self.parts.evaluation.evaluate_state(view, seat)

    def expected_gain(self, view: Any, seat: int, move: Move) -> int:
        """What a move promises beyond what can be foreseen. Raises Undetermined."""
        return self.parts.evaluation.expected_gain(view, seat, move)

    # -- what is told and reckoned -------------------------------------------------------------------------------------

    def describe_event(self, thing: Event | Move) -> Text | None:
        """A readable line about a fact or a move as its reader may see it; None where there is nothing to tell.

        A text `fact.<name>.<case>` or `move.<type>.<case>` goes before the one without a case.
        """
        if not thing.TAG.startswith((f"{self.prefix}.", "cards.")):
            return super().describe_event(thing)
        if isinstance(thing, (NameBound, *self.unnarrated_events)):  # `NameBound`: a name for the text that is running
            return None
        key = text_key(thing)
        special = f"{key}.{self.text_variant(thing)}"
        return self.rulebook.render_texts(
            special if self.rulebook.has_text(special) else key, **self.text_parameters(thing)
        )

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        return self.parts.narration.text_parameters(thing)

    def text_variant(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
        return self.parts.narration.text_variant(thing)

    def break_down_event(self, view: Any, event: Event) -> tuple[Term, ...]:
        """The numbers of a fact, line by line."""
        return self.parts.breakdown.break_down_event(view, event)

    def compute_totals(self, view: Any) -> tuple[Term, ...]:
        """The sums that stand on the table now, line by line."""
        return self.parts.breakdown.compute_totals(view)
