"""Correct by hand who is to move.

SM-COURSE-1: On each floor the dungeon master builds, the hero explores, and the floor is destroyed. So the seats take
    no turns.
"""

from __future__ import annotations

from referee.engine.events import replace_fields
from referee.engine.seats import Seat
from referee.games.shy_monsters.state import Dungeon


def give_turn(state: Dungeon, seat: int) -> Dungeon:
    """Return the table with a pending question of this seat open again.

    The steps above that question are dropped. Raises ValueError if no pending question waits for the seat.
    """
    for at in range(len(state.agenda), 0, -1):
        if Seat(seat) in state.agenda[at - 1].awaited_seats(state):
            return replace_fields(state, agenda=state.agenda[:at])
    raise ValueError(f"nothing is pending that seat {seat} would have to answer on this floor")
