"""Worlds that a seat cannot tell apart: what is hidden from it, permuted back for back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.events import changed
from referee.engine.zones import arranged, census, is_back, open_to
from referee.games.here_to_slay.components import MONSTERS, pile
from referee.games.here_to_slay.state import Table


def otherwise(state: Table, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Table:
    """Another table that this seat cannot tell from this one. Monsters are permuted among monsters.

    At a real table only some cards are named: for them any unnamed copy of the box might lie there as well.
    """
    zones, boxes = dict(state.zones), state.rules.boxes
    hidden = sorted(place for place in state.zones if not open_to(place, seat))
    for box, places in (
        (boxes.monsters, [place for place in hidden if place == MONSTERS]),
        (boxes.main, [place for place in hidden if place != MONSTERS]),
    ):
        pool = list(pile(+census(box, state)))
        pool += [card for place in places for card in state.zones[place] if not is_back(card)]
        mixed = shuffle(pool)
        for place in places:
            zones[place] = arranged(card if is_back(card) else mixed.pop() for card in state.zones[place])
    return changed(state, zones=zones)
