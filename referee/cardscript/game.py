"""The base class of games with card texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar

from referee.cardscript.books.catalog import is_invented
from referee.cardscript.books.loader import CardLibrary, ParsedBook
from referee.cardscript.free_text.games import register_game
from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.table import CardRules
from referee.engine.events import Event
from referee.engine.game import Game, Setup
from referee.engine.parts.narration import Narration
from referee.engine.rulebook.editions import CardBook
from referee.engine.steps import State, Step


class CardNarration(Narration):
    """Tells of cards and their texts."""

    unnarrated_events: ClassVar[tuple[type[Event], ...]] = (NameBound,)  # bookkeeping of a running text


class CardGame(Game):
    """A game with card texts. A subclass names its `rules_type` and its `library`."""

    rules_type: ClassVar[type[CardRules]]
    library: ClassVar[CardLibrary[Any]]
    places: ClassVar[Collection[str]] = ()  # the names of all places, of each seat that there can be
    open_piles: ClassVar[tuple[str, ...]] = ()  # where any card may come to lie openly, whatever its kind
    single_places: ClassVar[Collection[str]] = ()  # where at most one card lies

    def __init__(self) -> None:
        super().__init__()
        register_game(self)

    def build_opening(self, rules: Any, /) -> State:
        """Return the table before anything has happened, from the agreed rules."""
        raise TypeError(f"{self.name} does not define its opening table")

    def begin_turn(self, state: Any, seat: int, /) -> State:
        """Return the table as the turn of a seat is about to begin. Raises ValueError."""
        raise TypeError(f"{self.name} does not define how a turn begins")

    def agreed_settings(self, setup: Setup) -> dict[str, Any]:
        """Return the fields of `rules_type` that come from the settings."""
        return setup.settings

    def build_table(self, setup: Setup) -> State:
        """Return the table before any shuffle.

        Raises MalformedInput if the setup is wrong.
        """
        setup = self.complete_setup(setup)
        at_table = setup.is_at_table("deck")
        return self.build_opening(
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

    def give_turn(self, state: Any, seat: int) -> State:
        """Return the table as the turn of a seat is about to begin. Raises ValueError."""
        if not state.turns:
            raise ValueError("no turn has begun yet")
        return self.begin_turn(state, seat)

    # -- free texts: what a report may change --------------------------------------------------------------------------

    def is_place(self, table: Any, name: str) -> bool:
        """Return whether this table has a place of this name, used or not."""
        seat = name[-1:]
        return name in table.zones or (
            name in self.places and (not seat.isdigit() or int(seat) < self.count_seats(table))
        )

    def find_place_of_unseen(self, _source: str, target: str, _card: str, /) -> str:
        """Return where a card goes that its player could not see, or nothing.

        Nothing: it may not go there. `card` is a back where nobody knows it yet.
        """
        return target if ":" in target or target in self.open_piles else ""

    def list_settable_values(self, _table: Any, /) -> Iterable[str]:
        """Return the pointers of the public values that a report may set."""
        return ()

    def decide_reported_win(self, table: Any, /) -> Iterable[Event]:
        """Return the events by which somebody wins at once as a report leaves the table."""
        return ()

    def draw_reported_cards(self, table: Any, seat: int, source: str, count: int, /) -> Event:
        """Return the event with which a seat begins to draw cards of a deck.

        Raises IllegalMove if there is no such deck.
        """
        raise TypeError(f"{self.name} does not define how cards are drawn")

    def mark_reported_step(self, _table: Any, step: Step, /) -> Step:
        """Return a step that follows from a report, marked so that it sets off no text.

        `table` is as the report leaves it.
        """
        return step

    def disclose_reported_cards(self, table: Any, seat: int, /) -> Iterable[Event]:
        """Return the steps in which new cards of a seat are read to the referee.

        There are none unless a bot holds them at a real table.
        """
        raise TypeError(f"{self.name} does not define how hands are read")

    # -- card books ----------------------------------------------------------------------------------------------------

    def parse_card_book(self, book: CardBook) -> ParsedBook[Any]:
        """Return the faces and texts that a book means. Raises CardBookError."""
        return self.library.parse_book(book)

    def register_card_book(self, book: CardBook, understood: ParsedBook[Any]) -> None:
        """Make the cards of a book known to the rules."""
        self.library.register_book(book, understood)

    def count_invented_cards(self) -> int:
        """Return how many of the game's own cards are marked as inventions."""
        return sum(map(is_invented, self.cards))

    def cards_of_edition(self, edition: str) -> tuple[dict[str, Any], ...]:
        """Return the cards of an edition, the game's own first. Raises KeyError."""
        return self.library.by_edition[edition or self.edition]
