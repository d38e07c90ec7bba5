"""Determinization: states that a seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.events import replace_fields
from referee.engine.zones import arrange_cards, count_unnamed_copies, is_back, is_open_to, list_copies
from referee.games.here_to_slay.components import MONSTERS
from referee.games.here_to_slay.state import Table


def determinize_table(state: Table, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Table:
    """Return another table that this seat cannot tell from this one.

    Monsters are permuted among monsters, other hidden cards among each other. At a real table only some cards are
    named. Any unnamed copy of the box may take their place.
    """
    zones, boxes = dict(state.zones), state.rules.boxes
    hidden = sorted(place for place in state.zones if not is_open_to(place, seat))
    for box, places in (
        (boxes.monsters, [place for place in hidden if place == MONSTERS]),
        (boxes.main, [place for place in hidden if place != MONSTERS]),
    ):
        pool = list(list_copies(+count_unnamed_copies(box, state)))
        pool += [card for place in places for card in state.zones[place] if not is_back(card)]
        mixed = shuffle(pool)
        for place in places:
            zones[place] = arrange_cards(card if is_back(card) else mixed.pop() for card in state.zones[place])
    return replace_fields(state, zones=zones)
