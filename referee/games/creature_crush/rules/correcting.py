"""Reconcile the table after a correction by hand.

CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
"""

from __future__ import annotations

from referee.engine.events import replace_fields
from referee.games.creature_crush.events.zone_changes import clear_marks
from referee.games.creature_crush.state import Table


def reconcile_table(table: Table) -> Table:
    """Remove the marks of creatures on no field, and of crush cards that lie nowhere."""
    marked = {*table.damage, *table.lasting, *table.acted, *table.ready, *table.entered}
    gone = tuple(sorted(card for card in marked if card not in table.places_by_creature))
    cleared: Table = clear_marks(table, gone)
    paid, saved = (
        {place: dice for place, dice in of.items() if cleared.card_at(place)} for of in (cleared.paid, cleared.saved)
    )
    return replace_fields(cleared, paid=paid, saved=saved)
