"""Moving cards where a position may leave out which cards, or how many, lie somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.engine.events import replace_fields
from referee.engine.zones import Cards, Moved, arrange_cards
from referee.games.monster_combat.state import ANY, SOME


def remove_if_known(there: Cards, took: Iterable[str]) -> Cards:
    """The cards of a place less those taken. A card of unknown back gives way to any; `?some` never runs out.

    Raises ValueError if a card is not there.
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
    """Cards went from one place to another. As the kernel's, but it knows positions that leave cards out."""

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        zones[self.source] = remove_if_known(zones.get(self.source, ()), self.took)
        zones[self.target] = arrange_cards((*zones.get(self.target, ()), *self.put))
        return replace_fields(state, zones=zones)
