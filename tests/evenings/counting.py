"""Plays the scripted evenings of both games and counts their writes."""

from __future__ import annotations

from tests.api import house
from tests.evenings import here_to_slay, munchkin
from tests.evenings.evening import Evening

EVENINGS = {"here_to_slay": here_to_slay, "munchkin": munchkin}


def count_writes(game: str, together: bool) -> Evening:
    """One evening, played to its end."""
    script = EVENINGS[game]
    found = Evening(script.sit_down(house.app()), together)
    for turn in script.evening():
        found.plays(turn)
    return found
