"""Worlds that a seat cannot tell apart: what is hidden from it, permuted.

A card takes the place of a card of the same deck of the League; under a C-place lies a crush card for which just so
many dice are burned. Whoever made the own deck, by a draft or by a list, knows what is in it, though not in which
order; the other's list is hidden, and says in the other world what is in the deck there. Clauses: CC-ZONE-3,
CC-AMB-14, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1, CC-AMB-7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from referee.cards.carrying_out import CarryOut
from referee.cards.questions import Together
from referee.cards.words import Value, Values
from referee.games.creature_crush.faces import X
from referee.games.creature_crush.material import DECKS, DRAFTS, POOL, SEAT_OF, SEATS, box, face, plain
from referee.games.creature_crush.rules.decks import READY, BringingDecks
from referee.games.creature_crush.state import Table
from referee.kernel.agenda import Step
from referee.kernel.facts import changed
from referee.kernel.zones import Cards, arranged, census, is_back, open_to

Shuffle = Callable[[list[Any]], list[Any]]
Slot = tuple[str, int]  # a place, and which of its cards


def otherwise(state: Table, seat: int, shuffle: Shuffle) -> Table:
    return state
