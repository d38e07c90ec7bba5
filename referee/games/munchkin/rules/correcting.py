"""The table after a correction by hand: what is noted of cards goes with where they lie (MK-6.6, MK-7.2, MK-7.12)."""

from __future__ import annotations

from collections import Counter

from referee.engine.events import changed
from referee.games.munchkin.components import HANDS, PLAYS
from referee.games.munchkin.state import Table


def in_line(table: Table) -> Table:
    """The table with nothing in use, attached or fresh that does not lie where it would have to."""
    lying = {card for place in PLAYS for card in table.place(place)}
    fresh = {}
    for seat, cards in table.fresh.items():
        left = Counter(cards) & Counter(table.place(HANDS[int(seat)]))
        if kept := tuple(card for card in dict.fromkeys(cards) for _ in range(left[card])):
            fresh[seat] = kept
    return changed(
        table,
        equipped=tuple(card for card in table.equipped if card in lying),
        attached={item: card for item, card in table.attached.items() if item in lying and card in lying},
        fresh=fresh,
    )
