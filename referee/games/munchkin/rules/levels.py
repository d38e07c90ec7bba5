"""Levels that cards give and take. Kills are handled elsewhere.

Only a kill gives level 10. Clauses: MK-3.2, MK-3.5, MK-4.2, MK-18.4, MK-19.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.games.munchkin.components import TOP_LEVEL
from referee.games.munchkin.events.course import LevelsGained, LevelsLost
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.state import Table


def gain_levels(table: Table, seat: int, count: int, card: str) -> Iterator[Event]:
    """Yield the events with which a card gives levels.

    MK-4.2: A gain of levels other than by a kill stops at 9, and what would go beyond is lost.
    """
    level = table.levels[seat]
    more = min(count, TOP_LEVEL - 1 - level)
    if more > 0:
        yield LevelsGained(seat, more, level + more, card)
    else:
        yield EffectLapsed(card, "gain_levels", seat)


def lose_levels(table: Table, seat: int, count: int, card: str) -> Iterator[Event]:
    """Yield the events with which a card takes levels.

    MK-3.2: Nobody's level goes below 1.
    MK-18.4: Levels that would be lost below 1 are simply not lost.
    """
    level = table.levels[seat]
    less = min(count, level - 1)
    if less > 0:
        yield LevelsLost(seat, less, level - less, card)
    else:
        yield EffectLapsed(card, "lose_levels", seat)
