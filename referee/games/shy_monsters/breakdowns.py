"""The numbers of Shy Monsters, each with the card and the clause it comes from.

They are read off the floor as the viewer saw it just before the event. Clauses: SM-HERO-EXPLORE-1, SM-HERO-JUMP-1,
SM-ACT-2, SM-AMB-17, SM-DESTROY-1, SM-DESTROY-2, SM-BUILD-1, SM-COURSE-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.breakdown import Term, count_event_fields, sum_terms
from referee.engine.events import Event
from referee.games.shy_monsters.components import (
    CLAIMABLE_IDLE_MOVES,
    FLOOR_COUNT,
    START_SPOT,
    Spot,
    adjacent_spots,
    format_spot,
)
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    FloorBegun,
    FloorDestroyed,
    HeroExplored,
    HeroJumped,
    MonstersDrawn,
)
from referee.games.shy_monsters.state import Dungeon


def explain_event(floor: Any, event: Event) -> tuple[Term, ...]:
    """Return the numbers of an event, each explained by its parts."""
    match event:
        case HeroExplored():
            steps = Term(
                1, "number.steps", "SM-HERO-EXPLORE-1", params={"way": format_route(floor.pawn, (event.x, event.y))}
            )
            return (steps, *explain_idle_moves(floor))
        case HeroJumped():
            skipped = Term(1, "number.skipped", "SM-HERO-JUMP-1", params={"over": format_spot(*event.over)})
            steps = Term(
                2, "number.steps", "SM-HERO-JUMP-1", params={"way": format_route(floor.pawn, (event.x, event.y))}
            )
            return (steps, skipped, *explain_idle_moves(floor))
        case CardTurnedUp(is_active=bool()):
            return (explain_fear(floor, event),)
        case FloorBegun(floor=number):
            return (Term(number, "number.floor", "SM-COURSE-1", params={"floors": FLOOR_COUNT}),)
        case MonstersDrawn(put=put):
            return (Term(len(put), "number.drawn", "SM-BUILD-1"),)
        case FloorDestroyed(found=found):
            seen = Term(len(found), "number.discovered", "SM-DESTROY-1")
            hidden = Term(event.undiscovered_count, "number.undiscovered", "SM-DESTROY-2")
            return (sum_terms("number.monsters", "SM-BUILD-1", (seen, hidden)),)
    return count_event_fields(event)


def format_route(start: Spot | None, end: Spot) -> str:
    """Write from where to where the hero goes."""
    return f"{format_spot(*(start or START_SPOT))} → {format_spot(*end)}"


def explain_idle_moves(floor: Dungeon) -> Iterator[Term]:
    """Count the hero's moves in a row, this one included, that turned nothing up.

    Yield nothing if the number before this move is unknown.
    """
    if floor.idle is not None:
        before = Term(floor.idle, "number.idle_before", "SM-AMB-17")
        this = Term(1, "number.this_move", "SM-AMB-17")
        yield sum_terms("number.idle", "SM-AMB-17", (before, this), limit=CLAIMABLE_IDLE_MOVES)


def explain_fear(floor: Dungeon, event: CardTurnedUp) -> Term:
    """Count the monsters that are up side by side with one that is being turned up.

    SM-ACT-2: A monster that is turned up beside another one panics.
    """
    tiles = [floor.board[spot] for spot in adjacent_spots((event.x, event.y)) if spot in floor.board]
    near = [
        Term(1, "number.neighbour", "SM-ACT-2", tile.card, {"at": format_spot(*tile.spot)})
        for tile in tiles
        if tile.is_up() and tile.is_monster()
    ]
    return sum_terms("number.neighbours", "SM-ACT-2", near, event.card)
