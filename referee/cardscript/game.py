"""The box of a game with card texts: how its table is opened, and what every such table can be asked.

What the games have to say for themselves they say in functions of their own, which the box knows as `Parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from referee.cardscript.books.loader import Library, Understood
from referee.cardscript.language.interpreter import Bound
from referee.cardscript.table import CardRules
from referee.engine.breakdown import Number
from referee.engine.cardtracking.ranges import Miscount
from referee.engine.events import Event, Move
from referee.engine.game import Game, Malformed, Outcome, Setup, text_key
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.editions import CardBook
from referee.engine.steps import State


class Positions(Protocol):
    """How a game reads and writes positions; see `Game.position` and `Game.written`."""

    def read(self, data: dict[str, Any], /) -> State:
        """The table that a position describes. Raises Malformed, Impossible."""

    def understood(self, data: dict[str, Any], /) -> State:
        """The same, contradictions and all. Raises Malformed."""

    def write(self, table: Any, /) -> dict[str, Any]:
        """The position that describes a table."""


class Pricing(Protocol):
    """What tables and moves are worth to a seat; see `Game.worth` and `Game.promise`."""

    def worth(self, table: Any, seat: int, /) -> int:
        """How well a seat stands. Raises Unknown."""

    def promise(self, table: Any, seat: int, move: Move, /) -> int:
        """What a move promises beyond what can be foreseen. Raises Unknown."""


class Telling(Protocol):
    """What the texts about a fact or a move are chosen by and filled with; see `Game.case` and `Game.said`."""

    def said(self, thing: Event | Move, /) -> dict[str, Any]:
        """What fills the placeholders."""

    def case(self, thing: Event | Move, /) -> str:
        """Which of several texts fits; empty for the plain one."""


class Reckoning(Protocol):
    """The numbers of facts and of tables, line by line; see `Game.reckoned` and `Game.sums`."""

    def reckoned(self, table: Any, fact: Event, /) -> tuple[Number, ...]:
        """Those of a fact."""

    def sums(self, table: Any, /) -> tuple[Number, ...]:
        """Those that stand on the table now."""


@dataclass(frozen=True)
class Parts:
    """What a game with card texts brings: functions, and modules with several of them that belong together."""

    laid_out: Callable[[Any], State]  # by the rules agreed on: the table before anything has happened
    outcome: Callable[[Any], Outcome | None]
    otherwise: Callable[[Any, int, Callable[[list[Any]], list[Any]]], State]
    census: Callable[[Any], dict[str, Any]]  # of a table that may hold contradictions
    miscounted: Callable[[Any], Iterable[Miscount]]  # the numbers on a table that cannot be
    examples: Callable[[str], list[dict[str, Any]]]  # of a variant
    schema: Callable[[str, str], dict[str, Any]]  # of a variant and an edition, raises KeyError
    turn_given: Callable[[Any, int], State]  # a table and a seat, raises ValueError
    positions: Positions
    pricing: Pricing
    telling: Telling
    reckoning: Reckoning
    in_line: Callable[[Any], State] = lambda table: table


class CardGame(Game):
    """A game with card texts. Its class says what is agreed on (`rules`) and what it is made of (`parts`)."""

    rules: ClassVar[type[CardRules]]
    parts: ClassVar[Parts]
    library: ClassVar[Library[Any]]
    untold: ClassVar[tuple[type[Event], ...]] = ()  # the facts of which players read nothing

    def agreed(self, setup: Setup) -> dict[str, Any]:
        """What the rules hold besides what is the same in all these games: the settings."""
        return setup.settings

    def open(self, setup: Setup) -> State:
        """The table before anything is shuffled. Raises Malformed where the setup does not fit."""
        setup = self.set_up(setup)
        if any(seat not in range(setup.seats) for seat in setup.named):
            raise Malformed([{"pointer": "/named", "detail": f"seats go from 0 to {setup.seats - 1}"}])
        at_table = setup.at_table("deck")
        return self.parts.laid_out(
            self.rules(
                seats=setup.seats,
                edition=setup.edition,
                cards_at_table=at_table,
                dice_at_table=setup.at_table("dice"),
                named=tuple(sorted(setup.named)) if at_table else (),
                **self.agreed(setup),
            )
        )

    def turn(self, state: Any) -> int:
        """How many turns have begun."""
        return int(state.turns)

    def seats_at(self, state: Any) -> int:
        """How many play."""
        return int(state.rules.seats)

    def on_turn(self, state: Any) -> int | None:
        """The seat on turn; None before the first turn."""
        return state.turn if state.turns else None

    def outcome(self, state: Any) -> Outcome | None:
        """How the match has ended, None while it goes on."""
        return self.parts.outcome(state)

    def turn_given(self, state: Any, seat: int) -> State:
        """The table as the turn of a seat is about to begin. Raises ValueError."""
        if not state.turns:
            raise ValueError("no turn has begun yet")
        return self.parts.turn_given(state, seat)

    def in_line(self, state: Any) -> State:
        """The table after a correction by hand: what only repeats where cards lie says what is so now."""
        return self.parts.in_line(state)

    # -- card books ----------------------------------------------------------------------------------------------------

    def understood(self, book: CardBook) -> Understood[Any]:
        """What a book means: its faces and texts. Raises Misprints."""
        return self.library.understood(book)

    def enter(self, book: CardBook, understood: Understood[Any]) -> None:
        """Makes the cards of a book known to the rules."""
        self.library.enter(book, understood)

    def cards_of(self, edition: str) -> tuple[dict[str, Any], ...]:
        """The cards of an edition, the game's own first. Raises KeyError."""
        return self.library.by_edition[edition or self.edition]

    # -- positions, and what bots ask ----------------------------------------------------------------------------------

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with the game's own cards."""
        return self.position_form(self.parts.schema(variant, self.edition))

    def schema_of(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError."""
        return self.position_form(self.parts.schema(variant, edition or self.edition))

    def position(self, data: dict[str, Any]) -> State:
        """The table that a position describes. Raises Malformed, Impossible."""
        read: State = self.position_read(data, self.parts.positions.read)
        return read

    def written(self, state: Any) -> dict[str, Any]:
        """The position that describes a table."""
        return self.position_written(state, self.parts.positions.write(state))

    def examples(self, variant: str) -> list[dict[str, Any]]:
        """A position for every question."""
        return self.parts.examples(variant)

    def census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Whether the cards of a position can be, and what to count again. Raises Malformed."""
        return self.parts.census(self.position_read(data, self.parts.positions.understood))

    def miscounted(self, state: Any) -> Iterable[Miscount]:
        """The numbers on a table that cannot be."""
        return self.parts.miscounted(state)

    def otherwise(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> State:
        """Another table that this seat cannot tell from this one."""
        return self.parts.otherwise(state, seat, shuffle)

    def worth(self, view: Any, seat: int) -> int:
        """How well a seat stands. Raises Unknown."""
        return self.parts.pricing.worth(view, seat)

    def promise(self, view: Any, seat: int, move: Move) -> int:
        """What a move promises beyond what can be foreseen. Raises Unknown."""
        return self.parts.pricing.promise(view, seat, move)

    # -- what is told and reckoned -------------------------------------------------------------------------------------

    def told(self, thing: Event | Move) -> Text | None:
        """A readable line about a fact or a move as its reader may see it; None where there is nothing to tell.

        A text `fact.<name>.<case>` or `move.<type>.<case>` goes before the one without a case.
        """
        if not thing.TAG.startswith((f"{self.prefix}.", "cards.")):
            return super().told(thing)
        if isinstance(thing, (Bound, *self.untold)):  # `Bound`: a name for the text that is running
            return None
        key = text_key(thing)
        special = f"{key}.{self.case(thing)}"
        return self.book.texts(special if self.book.has(special) else key, **self.said(thing))

    def said(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        return self.parts.telling.said(thing)

    def case(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
        return self.parts.telling.case(thing)

    def reckoned(self, view: Any, fact: Event) -> tuple[Number, ...]:
        """The numbers of a fact, line by line."""
        return self.parts.reckoning.reckoned(view, fact)

    def sums(self, view: Any) -> tuple[Number, ...]:
        """The sums that stand on the table now, line by line."""
        return self.parts.reckoning.sums(view)
