"""How a combat ends (MK-16.9, MK-17.9, MK-20.4)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.games.munchkin.components import COMBAT, CURSES, FACES
from referee.games.munchkin.events.combat import CombatEnded
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table


def end_combat(table: Table, how: str) -> Iterator[Event]:
    """Yield the events with which a combat ends.

    The caller pops the step on top.
    MK-16.9: Killed monsters, enhancers and one-shots of the combat are discarded.
    MK-17.9: When all rolls are settled, the monsters and all else that lies in the combat are discarded.
    """
    yield from discard_cards(table, COMBAT, table.cards_in_combat())
    for seat in table.running_combat.fighters:
        over = [card for card in table.curses_of(seat) if lasts_until(card, "next_combat_end")]
        yield from discard_cards(table, CURSES[seat], over)
    yield CombatEnded(how)


def lasts_until(curse: str, until: str) -> bool:
    """Return whether a lasting curse ends at this moment.

    MK-20.4: A curse on the next combat counts for the combat that is running.
    """
    stays = FACES[curse].stays
    return stays is not None and stays.until == until
