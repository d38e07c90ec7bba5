"""Changes of a fighter that also change the combat.

MK-13.2: A player who declined to help may be asked again once the combat has changed.
"""

from __future__ import annotations

from typing import Any

from referee.engine.events import replace_fields

PLAYER_PLACE_PREFIXES = ("play/", "town/", "ride/", "curse/")  # places whose cards count in the combat of their player


def mark_combat_changed(state: Any, seat: int) -> Any:
    """Return the table after something has happened to this player."""
    combat = state.combat
    if combat is None or not (combat.declined or combat.proposals) or seat not in combat.fighters:
        return state
    return replace_fields(state, combat=replace_fields(combat, declined=(), proposals=0))


def mark_combat_changed_at(state: Any, *places: str) -> Any:
    """Return the table after cards have come to these places, or left them."""
    if state.combat is None or not (state.combat.declined or state.combat.proposals):
        return state
    for place in places:
        if place.startswith(PLAYER_PLACE_PREFIXES):
            state = mark_combat_changed(state, int(place.partition("/")[2]))
    return state
