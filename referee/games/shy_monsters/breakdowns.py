"""The numbers of Shy Monsters, each with the card and the clause it comes from.

They are read off the floor as a reader saw it just before the fact. Clauses: SM-HERO-EXPLORE-1, SM-HERO-JUMP-1,
SM-ACT-2, SM-AMB-17, SM-DESTROY-1, SM-DESTROY-2, SM-BUILD-1, SM-COURSE-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.breakdown import Number, added_up, counted
from referee.engine.events import Event
from referee.games.shy_monsters.components import FLOORS, IDLE, START, Spot, beside
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    FloorBegun,
    FloorDestroyed,
    HeroExplored,
    HeroJumped,
    MonstersDrawn,
)
from referee.games.shy_monsters.state import Dungeon


def reckoned(floor: Any, fact: Event) -> tuple[Number, ...]:
    """The numbers of a fact."""
    match fact:
        case HeroExplored():
            steps = Number(1, "number.steps", "SM-HERO-EXPLORE-1", params={"way": way(floor.pawn, (fact.x, fact.y))})
            return (steps, *idle(floor))
        case HeroJumped():
            skipped = Number(1, "number.skipped", "SM-HERO-JUMP-1", params={"over": place(fact.over)})
            steps = Number(2, "number.steps", "SM-HERO-JUMP-1", params={"way": way(floor.pawn, (fact.x, fact.y))})
            return (steps, skipped, *idle(floor))
        case CardTurnedUp(active=bool()):
            return (fear(floor, fact),)
        case FloorBegun(floor=number):
            return (Number(number, "number.floor", "SM-COURSE-1", params={"floors": FLOORS}),)
        case MonstersDrawn(put=put):
            return (Number(len(put), "number.drawn", "SM-BUILD-1"),)
        case FloorDestroyed(found=found):
            seen = Number(len(found), "number.discovered", "SM-DESTROY-1")
            hidden = Number(fact.count, "number.undiscovered", "SM-DESTROY-2")
            return (added_up("number.monsters", "SM-BUILD-1", (seen, hidden)),)
    return counted(fact)


def place(spot: Spot) -> str:
    """A place as it is written everywhere."""
    return f"{spot[0]},{spot[1]}"


def way(start: Spot | None, end: Spot) -> str:
    """From where to where the hero goes."""
    return f"{place(start or START)} → {place(end)}"


def idle(floor: Dungeon) -> Iterator[Number]:
    """The hero's moves in a row that turned nothing up, this one among them; nothing where they are not known."""
    if floor.idle is not None:
        before = Number(floor.idle, "number.idle_before", "SM-AMB-17")
        this = Number(1, "number.this_move", "SM-AMB-17")
        yield added_up("number.idle", "SM-AMB-17", (before, this), limit=IDLE)


def fear(floor: Dungeon, fact: CardTurnedUp) -> Number:
    """How many monsters lie up side by side with one that is turned up: a single one frightens it."""
    tiles = [floor.board[spot] for spot in beside((fact.x, fact.y)) if spot in floor.board]
    near = [
        Number(1, "number.neighbour", "SM-ACT-2", tile.card, {"at": place(tile.spot)})
        for tile in tiles
        if tile.is_up() and tile.is_monster()
    ]
    return added_up("number.neighbours", "SM-ACT-2", near, fact.card)
