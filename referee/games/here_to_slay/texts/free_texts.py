"""What a report on a free text needs of Here to Slay."""

from __future__ import annotations

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.games.here_to_slay.components import DECK
from referee.games.here_to_slay.rules.drawing import draw_cards
from referee.games.here_to_slay.state import Table


def draw_reported_cards(table: Table, seat: int, source: str, count: int) -> Event:
    """Return the event with which a player begins to draw.

    Raises IllegalMove for another deck than the main one.
    """
    if source not in ("", DECK) or seat in table.gone:
        raise IllegalMove("no_such_draw", "CARDS-FREE-2", seat=seat)
    return draw_cards(table, seat, count)


def list_settable_values(_table: Table) -> tuple[str, ...]:
    """Return the pointers of the values that a report usually sets: the action points."""
    return ("/points",)
