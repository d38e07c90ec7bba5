"""Reconciliation of the table after a correction by hand.

Clauses: MK-6.6, MK-7.2, MK-7.12.
"""

from __future__ import annotations

from collections import Counter

from referee.engine.events import replace_fields
from referee.games.munchkin.components import HANDS, PLAYS
from referee.games.munchkin.state import Table


def reconcile_table(table: Table) -> Table:
    """Return the table without notes about cards that no longer lie in their place.

    The notes say which items are in use, what is attached to them, and which hand cards were just received.
    """
    lying = {card for place in PLAYS for card in table.cards_at(place)}
    fresh = {}
    for seat, cards in table.fresh.items():
        left = Counter(cards) & Counter(table.cards_at(HANDS[int(seat)]))
        if kept := tuple(card for card in dict.fromkeys(cards) for _ in range(left[card])):
            fresh[seat] = kept
    return replace_fields(
        table,
        equipped=tuple(card for card in table.equipped if card in lying),
        attached={item: card for item, card in table.attached.items() if item in lying and card in lying},
        fresh=fresh,
    )
