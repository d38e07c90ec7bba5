"""What a report on a free text needs of Creature Crush."""

from __future__ import annotations

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StepPushed
from referee.games.creature_crush.components import DECKS
from referee.games.creature_crush.rules.drawing import CardDrawing
from referee.games.creature_crush.state import Table


def draw_reported_cards(_table: Table, seat: int, source: str, count: int) -> Event:
    """Return the event with which a player begins to draw from the own deck.

    Raises IllegalMove for another one.
    """
    if source not in ("", DECKS[seat]):
        raise IllegalMove("no_such_draw", "CARDS-FREE-2", seat=seat)
    return StepPushed(CardDrawing(seat, count))


def list_settable_values(table: Table) -> tuple[str, ...]:
    """Return the pointers of the values that a report may set: damage."""
    return tuple(f"/damage/{creature}" for creature in table.places_by_creature)
