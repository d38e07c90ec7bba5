"""The table after a correction by hand: what is marked on a creature goes with it off the field (CC-AMB-27)."""

from __future__ import annotations

from referee.engine.events import replace_fields
from referee.games.creature_crush.events.zone_changes import clear_marks
from referee.games.creature_crush.state import Table


def reconcile_table(table: Table) -> Table:
    """The table without marks of creatures that are on no field, and of crush cards that lie no more."""
    marked = {*table.damage, *table.lasting, *table.acted, *table.ready, *table.entered}
    gone = tuple(sorted(card for card in marked if card not in table.places_by_creature))
    stands: Table = clear_marks(table, gone)
    return replace_fields(stands, paid={place: dice for place, dice in stands.paid.items() if stands.card_at(place)})
