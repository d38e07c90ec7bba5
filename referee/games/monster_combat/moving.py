"""Move cards even if a position leaves out which or how many cards lie somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.engine.events import replace_fields
from referee.engine.zones import Cards, Moved, arrange_cards
from referee.games.monster_combat.state import ANY, SOME


def remove_if_known(there: Cards, took: Iterable[str]) -> Cards:
    """Return the cards of a place without those taken.

    If a card taken is not there by name, a card of unknown back (`?any`) goes in its place. The number of cards behind
    `?some` is unknown and never runs out. Raises ValueError if a card is not there.
    """
    left = list(there)
    for card in took:
        if card in left:
            left.remove(card)
        elif ANY in left:
            left.remove(ANY)
        elif SOME not in left:
            raise ValueError(f"{card} does not lie there")
    return tuple(left)


@dataclass(frozen=True)
class MonsterCombatCardsMoved(Moved):
    """Cards went from one place to another.

    Unlike the kernel's `Moved`, it works for positions that leave cards out.
    """

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        zones[self.source] = remove_if_known(zones.get(self.source, ()), self.took)
        zones[self.target] = arrange_cards((*zones.get(self.target, ()), *self.put))
        return replace_fields(state, zones=zones)
