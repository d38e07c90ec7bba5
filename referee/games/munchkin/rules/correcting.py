"""The table after a correction by hand: what is noted of cards goes with where they lie (MK-6.6, MK-7.2, MK-7.12)."""

from __future__ import annotations

from collections import Counter

from referee.engine.events import replace_fields
from referee.games.munchkin.components import HANDS, PLAYS
from referee.games.munchkin.state import Table


def reconcile_table(table: Table) -> Table:
    """The table with nothing in use, attached or fresh that does not lie where it would have to."""
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
