"""The table of Mau-Mau: plain data. Every pile is listed from the top down.

What a position leaves out is None, or `?some` in a place: an unknown number of cards. Code that needs it raises
Undetermined.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.rulings import Undetermined
from referee.engine.zones import Cards, ZonedState, is_back
from referee.games.mau_mau.components import DECK, DISCARD, HANDS, Rules, rank_of

SOME = "?some"


@dataclass(frozen=True)
class Table(ZonedState):
    """Everything on the table.

    `due`: how many cards the sevens on top ask for. `wish`: the suit that is wished, empty for none. `turns`: how many
    have begun.
    """

    rules: Rules = field(default_factory=Rules)
    due: int | None = 0
    wish: str | None = ""
    turns: int = 0

    @property
    def top(self) -> str:
        """The card on top of the discard pile. Raises Undetermined."""
        cards = self.cards_at(DISCARD)
        if not cards or is_back(cards[0]):
            raise Undetermined("which_card_on_top")
        return cards[0]

    @property
    def draw_pile(self) -> Cards:
        """The cards of the draw pile. Raises Undetermined."""
        if SOME in self.cards_at(DECK):
            raise Undetermined("how_many_to_draw_from")
        return self.cards_at(DECK)

    @property
    def cards_due(self) -> int:
        """How many cards the sevens on top ask for. Raises Undetermined.

        MM-SEVEN-1: After a seven the next player draws two cards.
        """
        if self.due is None and rank_of(self.top) == "7":
            raise Undetermined("how_many_are_due")
        return self.due or 0

    @property
    def wished_suit(self) -> str:
        """The suit that is wished, or an empty string. Raises Undetermined.

        MM-JACK-2: The next card that is played must have the suit wished.
        """
        if self.wish is None and rank_of(self.top) == "jack":
            raise Undetermined("which_suit_is_wished")
        return self.wish or ""

    def hand_of(self, seat: int) -> Cards:
        """Return the cards that a seat holds. Raises Undetermined."""
        hand = self.cards_at(HANDS[seat])
        if SOME in hand:
            raise Undetermined("which_cards", seat=seat)
        return hand

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """Return the seat some places after another, clockwise (MM-TURN-1)."""
        return (seat + steps) % self.rules.seats
