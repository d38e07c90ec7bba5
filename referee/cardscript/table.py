"""The table of a game with card texts: what was agreed, what lies where, and what its card texts ask of it.

What a position leaves out stands in a place as `?some`; whoever reads such a thing raises Unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.cardscript.language.primitives import Program
from referee.cardscript.moves import ChooseCards
from referee.engine.events import Event, Move
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.zones import Cards, ZonedState

if TYPE_CHECKING:
    from referee.cardscript.language.interpreter import Execution

UNCOUNTED_CARDS = "?some"  # an unknown number of cards
HAND_PLACES = tuple(f"hand:{seat}" for seat in range(10))


@dataclass(frozen=True)
class CardRules:
    """What every game with card texts agrees on before a match: who plays, with which cards, and who holds them.

    `cards_at_table`: real cards are dealt; the referee sees backs, and names only of the seats in `named`.
    """

    seats: int = 2
    edition: str = "printed"
    cards_at_table: bool = False
    dice_at_table: bool = False
    named: tuple[int, ...] = ()

    def knows_hand_of(self, seat: int) -> bool:
        """Whether the referee knows what a seat holds: not where people hold real cards."""
        return not self.cards_at_table or seat in self.named


@dataclass(frozen=True)
class CardTable(ZonedState):
    """A table whose cards have texts. Games say where the texts stand, which cards there are, and who sits there."""

    rules: CardRules = field(default_factory=CardRules)

    # -- places ----------------------------------------------------------------------------------------------------

    def cards_in_hand(self, seat: int) -> Cards:
        """The hand of a player as this table knows it: names, or backs."""
        return self.zones.get(HAND_PLACES[seat], ())

    def count_cards_at(self, place: str) -> int:
        """How many cards lie at a place. Raises Undetermined."""
        there = self.zones.get(place, ())
        if UNCOUNTED_CARDS in there:
            raise Undetermined("how_many_cards", place=place)
        return len(there)

    def open_cards_at(self, place: str) -> Cards:
        """The cards that lie open at a place. Raises Undetermined."""
        there = self.zones.get(place, ())
        if UNCOUNTED_CARDS in there:
            raise Undetermined("which_cards", place=place)
        return there

    # -- what may lie behind a back (KERNEL-CENSUS-1) --------------------------------------------------------------

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """The cards that may lie behind the backs of a place, each with the copies there are of it."""
        raise NotImplementedError

    def free_copies(self, place: str) -> Counter[str]:
        """How many copies of each card could lie behind the backs of a place; of an empty name: what nobody has named
        in the open. Not to be changed: it is kept, for every card of a hand is looked up in it."""
        kept: dict[str, Counter[str]] = self.__dict__.setdefault("_free", {})
        if place not in kept:
            kept[place] = self.count_unnamed_copies(place)
        return kept[place]

    def count_unnamed_copies(self, place: str) -> Counter[str]:
        """The box of a place less what is named, in the open or there. A game that knows more takes off more."""
        left = Counter(dict(self.possible_cards(place)))
        for name, cards in self.zones.items():
            if ":" not in name or name == place:
                for card in cards:
                    if card in left:
                        left[card] -= 1
        return left

    def check_cards_together(self, place: str, cards: Cards) -> None:
        """Raises IllegalMove where each of these cards may lie behind a back of a place, but not all of them at
        once."""

    # -- texts -----------------------------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """The lines of one text of a card. Raises KeyError."""
        raise NotImplementedError

    def other_seats(self, seat: int) -> tuple[int, ...]:
        """The other players, clockwise from the next one."""
        raise NotImplementedError

    def decision_time(self) -> int | None:
        """How long a player has for an answer, in ms; None: as long as it takes."""
        return None

    def rank_answer(self, move: Move) -> tuple[int, str]:
        """Where an answer stands in the fixed order in which an absent player's is taken: by seat, then by name."""
        if isinstance(move, ChooseCards):
            return len(move.cards), str(move.cards)  # as few as may be
        fields = {name: value for name, value in vars(move).items() if name != "seat"}
        return getattr(move, "seat", 0), str(sorted(fields.items()))

    def resolve_declared_targets(self, text: Execution) -> Iterator[Event]:
        """What follows once all targets of a text are declared."""
        yield from ()

    # -- what cuts in ----------------------------------------------------------------------------------------------

    def seats_that_may_interject(self) -> frozenset[Seat]:
        """The seats that may cut in whatever is asked."""
        return frozenset()

    def possible_interjections(self, seat: Seat) -> Iterable[Move]:
        """The moves with which a seat may cut in, legal ones and near misses."""
        return ()

    def is_interjection(self, move: Move) -> bool:
        """Whether this is a move with which one cuts in."""
        return False

    def check_interjection(self, seat: Seat, move: Move) -> None:
        """Raises IllegalMove unless the seat may cut in with this."""

    def apply_interjection(self, seat: Seat, move: Move) -> Iterator[Event]:
        """The facts of cutting in."""
        yield from ()
