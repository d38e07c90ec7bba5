"""The table after a correction by hand: what is marked on a creature goes with it off the field (CC-AMB-27)."""

from __future__ import annotations

from referee.engine.events import changed
from referee.games.creature_crush.events.zone_changes import forgotten
from referee.games.creature_crush.state import Table


def in_line(table: Table) -> Table:
    """The table without marks of creatures that are on no field, and of crush cards that lie no more."""
    marked = {*table.damage, *table.lasting, *table.acted, *table.ready, *table.entered}
    gone = tuple(sorted(card for card in marked if card not in table.spots))
    stands: Table = forgotten(table, gone)
    return changed(stands, paid={place: dice for place, dice in stands.paid.items() if stands.at(place)})
