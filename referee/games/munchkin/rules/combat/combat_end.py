"""How a combat ends: what lies in it is discarded, and curses for one combat are over (MK-16.9, MK-17.9, MK-20.4)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.games.munchkin.components import COMBAT, CURSES, FACES
from referee.games.munchkin.events.combat import CombatEnded
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table


def end_combat(table: Table, how: str) -> Iterator[Event]:
    """The facts with which a combat ends: all that lies in it is discarded, curses for one combat are over
    (MK-16.9, MK-17.9). The step on top closes itself."""
    yield from discard_cards(table, COMBAT, table.cards_in_combat())
    for seat in table.running_combat.fighters:
        over = [card for card in table.curses_of(seat) if _lasts_one_combat(card)]
        yield from discard_cards(table, CURSES[seat], over)
    yield CombatEnded(how)


def _lasts_one_combat(curse: str) -> bool:
    """Whether a lasting curse ends with the next combat (MK-20.4)."""
    stays = FACES[curse].stays
    return stays is not None and stays.until == "next_combat_end"
