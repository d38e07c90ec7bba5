"""The table of a game with card texts: rules, zones, and what card texts need.

A place whose cards a position leaves out holds `?some`. Code that needs those cards raises Undetermined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.cardscript.language.primitives import Program
from referee.cardscript.moves import ChooseCards
from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.zones import Cards, ZonedState, backs_of, count_copies

if TYPE_CHECKING:
    from referee.cardscript.language.interpreter import Execution

UNCOUNTED_CARDS = "?some"  # an unknown number of cards
HAND_PLACES = tuple(f"hand:{seat}" for seat in range(10))


@dataclass(frozen=True)
class CardRules:
    """What every game with card texts agrees on before a match.

    `cards_at_table`: real cards are dealt. The referee sees their backs, and names only for the seats in `named`.
    """

    seats: int = 2
    edition: str = "printed"
    cards_at_table: bool = False
    dice_at_table: bool = False
    named: tuple[int, ...] = ()

    def knows_hand_of(self, seat: int) -> bool:
        """Return whether the referee knows what a seat holds. Real hands are unknown."""
        return not self.cards_at_table or seat in self.named

    def hears_hand_of(self, seat: int) -> bool:
        """Return whether the real cards of a seat are read to the referee."""
        return self.cards_at_table and seat in self.named

    def lay_face_down(self, cards: Cards) -> Cards:
        """Return cards as they lie on a face-down pile: backs if they are real."""
        return backs_of(cards) if self.cards_at_table else cards


@dataclass(frozen=True)
class CardTable(ZonedState):
    """A table whose cards have texts.

    Games say where the texts are, which cards there are, and who sits there.
    """

    rules: CardRules = field(default_factory=CardRules)

    # -- places ----------------------------------------------------------------------------------------------------

    def cards_in_hand(self, seat: int) -> Cards:
        """Return the hand of a player as this table knows it: names, or backs."""
        return self.zones.get(HAND_PLACES[seat], ())

    def count_cards_at(self, place: str) -> int:
        """Return how many cards lie at a place. Raises Undetermined."""
        there = self.zones.get(place, ())
        if UNCOUNTED_CARDS in there:
            raise Undetermined("how_many_cards", place=place)
        return len(there)

    def open_cards_at(self, place: str) -> Cards:
        """Return the cards that lie open at a place. Raises Undetermined."""
        there = self.zones.get(place, ())
        if UNCOUNTED_CARDS in there:
            raise Undetermined("which_cards", place=place)
        return there

    # -- what may lie behind a back (KERNEL-CENSUS-1) --------------------------------------------------------------

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """Return the cards that may lie behind the backs of a place, with their copies."""
        raise NotImplementedError

    @remember()
    def free_copies(self, place: str) -> Counter[str]:
        """Return how many copies of each card could lie behind the backs of a place.

        The empty place stands for cards that nobody has named in the open. The result is remembered, because it is
        looked up for every card of a hand, and must not be changed.
        """
        return self.count_free_copies(place)

    def count_free_copies(self, place: str) -> Counter[str]:
        """Return the possible cards of a place less those named in the open or there.

        A game that knows more subtracts more.
        """
        left = count_copies(self.possible_cards(place), self)
        for name, cards in self.zones.items():
            if ":" not in name or name == place:
                for card in cards:
                    if card in left:
                        left[card] -= 1
        return left

    def check_cards_together(self, place: str, cards: Cards) -> None:
        """Raise IllegalMove if the backs of a place cannot be all these cards at once.

        Each card by itself is known to be possible.
        """

    # -- texts -----------------------------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """Return the lines of one text of a card. Raises KeyError."""
        raise NotImplementedError

    def other_seats(self, seat: int) -> tuple[int, ...]:
        """Return the other players, clockwise from the next one."""
        raise NotImplementedError

    def decision_time(self) -> int | None:
        """Return how long a player has for an answer, in ms, or None for no limit."""
        return None

    def rank_answer(self, move: Move) -> tuple[int, str]:
        """Return the rank of an answer in the fixed order used for absent players.

        Answers are ordered by seat, then by name. Of answers with cards, the shortest comes first.
        """
        if isinstance(move, ChooseCards):
            return len(move.cards), str(move.cards)
        fields = {name: value for name, value in vars(move).items() if name != "seat"}
        return getattr(move, "seat", 0), str(sorted(fields.items()))

    def resolve_declared_targets(self, text: Execution) -> Iterator[Event]:
        """Yield what follows once all targets of a text are declared."""
        yield from ()

    # -- interjections ---------------------------------------------------------------------------------------------

    def seats_that_may_interject(self) -> frozenset[Seat]:
        """Return the seats that may interject, whatever question is open."""
        return frozenset()

    def possible_interjections(self, seat: Seat) -> Iterable[Move]:
        """Yield the moves with which a seat may interject, legal ones and near misses."""
        return ()

    def is_interjection(self, move: Move) -> bool:
        """Return whether this move is an interjection."""
        return False

    def check_interjection(self, seat: Seat, move: Move) -> None:
        """Raise IllegalMove unless the seat may interject with this move."""

    def apply_interjection(self, seat: Seat, move: Move) -> Iterator[Event]:
        """Yield the events of an interjection."""
        yield from ()
