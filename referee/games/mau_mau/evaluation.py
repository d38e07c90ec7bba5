"""How well a seat stands, for bots, in hundredths of a hand card. No rule uses it."""

from __future__ import annotations

from collections import Counter

from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.mau_mau.components import rank_of, suit_of
from referee.games.mau_mau.moves import WishSuit
from referee.games.mau_mau.state import Table

CARD_COSTS = {"7": 95, "8": 95, "jack": 85}  # what a card in hand costs; one that helps later costs less
PLAIN_CARD_COST = 100
RIVAL_CARD_WORTH = 20  # what a card in another hand is worth, and a card that is due for sevens
HELD_SUIT_WORTH = 10  # what each card of a wished suit is worth that the player holds


def evaluate_state(table: Table, seat: int) -> int:
    """Return how well a seat stands. Raises Undetermined."""
    own = sum(CARD_COSTS.get(rank_of(card), PLAIN_CARD_COST) for card in table.hand_of(seat))
    others = sum(len(table.hand_of(other)) for other in range(table.rules.seats) if other != seat)
    return RIVAL_CARD_WORTH * (others + table.cards_due) - own


def expected_gain(table: Table, seat: int, move: Move) -> int:
    """Return what a wish promises: that the player can follow it. Raises Undetermined."""
    if not isinstance(move, WishSuit):
        return 0
    held = Counter(suit_of(card) for card in table.hand_of(seat) if not is_back(card) and rank_of(card) != "jack")
    return HELD_SUIT_WORTH * held[move.suit]
