"""The event that moves cards in states that may leave cards out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.engine.events import replace_fields
from referee.engine.zones import Cards, Moved, arrange_cards, remove_cards


def remove_if_known(there: Cards, took: Cards) -> Cards:
    """Return the cards of a place without those taken.

    `?some`, an unknown number of cards, never runs out.
    """
    try:
        return remove_cards(there, took)
    except ValueError:
        if "?some" not in there:
            raise
        left = list(there)
        for card in took:
            if card in left:
                left.remove(card)
        return tuple(left)


@dataclass(frozen=True)
class CardsMoved(Moved):
    """Cards moved from one place to another, in a state that may leave cards out."""

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        zones[self.source] = remove_if_known(zones.get(self.source, ()), self.took)
        zones[self.target] = arrange_cards((*zones.get(self.target, ()), *self.put))
        return replace_fields(state, zones=zones)
