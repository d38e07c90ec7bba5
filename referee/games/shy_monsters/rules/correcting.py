"""Who is to move after a correction by hand. The seats take no turns: each has a part of every floor (SM-COURSE-1)."""

from __future__ import annotations

from referee.engine.events import replace_fields
from referee.engine.seats import Seat
from referee.games.shy_monsters.state import Dungeon


def give_turn(state: Dungeon, seat: int) -> Dungeon:
    """The table with a pending question of this seat on top; what lies upon it is dropped.

    Raises ValueError where nothing is pending that the seat would have to answer.
    """
    for at in range(len(state.agenda), 0, -1):
        if Seat(seat) in state.agenda[at - 1].awaited_seats(state):
            return replace_fields(state, agenda=state.agenda[:at])
    raise ValueError(f"nothing is pending that seat {seat} would have to answer on this floor")
