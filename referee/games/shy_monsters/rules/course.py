"""The course of a match: roles, games and floors.

Clauses: SM-SETUP-1 to SM-SETUP-3, SM-COURSE-1, SM-DESTROY-1 to SM-DESTROY-5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import ChanceStep, RandomBelow, Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, require_move
from referee.games.shy_monsters.components import (
    BACK,
    BASE_HAND,
    FLOOR_COUNT,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    REVEALS_PER_FLOOR,
)
from referee.games.shy_monsters.events import FloorBegun, FloorDestroyed, GameSetUp, MonstersDrawn, RolesGiven
from referee.games.shy_monsters.moves import RolesDrawn
from referee.games.shy_monsters.rules.building import BuildFloor, DrawMonsters
from referee.games.shy_monsters.rules.ending import finish_game
from referee.games.shy_monsters.rules.exploring import RevealCards, Walk
from referee.games.shy_monsters.state import PILE, Dungeon, hand_zone


@named("sm.DrawRoles")
@dataclass(frozen=True)
class DrawRoles(ChanceStep):
    """Lots decide the roles, because the players have not agreed on them.

    SM-SETUP-3: Who takes which role is left to the players.
    SM-AMB-1: The players agree on the roles, or the roles are drawn.
    """

    device: ClassVar[str] = "cards"
    clauses: ClassVar[tuple[str, ...]] = ("SM-SETUP-3", "SM-AMB-1")

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        return (RolesDrawn(0), RolesDrawn(1))

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        check_drawn_role(require_move(move, RolesDrawn))

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, RolesDrawn)
        yield RolesGiven(move.dungeon_master)
        yield StepPopped()

    def draw_outcome(self, state: Dungeon, below: RandomBelow) -> Move:
        return RolesDrawn(below(2))


def check_drawn_role(move: RolesDrawn) -> None:
    """Check that the dungeon master sits at the table. Raises IllegalMove if not.

    SM-MAT-1: Two players have different roles.
    """
    if move.dungeon_master not in (0, 1):
        raise IllegalMove("no_such_seat_for_the_role", "SM-MAT-1", "SM-AMB-1")


@named("sm.ShufflePile")
@dataclass(frozen=True)
class ShufflePile(Shuffle):
    """The six monsters are shuffled into the pile. Real cards are shuffled by hand.

    SM-SETUP-1: The dungeon master shuffles the six monsters into a face-down pile.
    """

    device: ClassVar[str] = "cards"
    clauses: ClassVar[tuple[str, ...]] = ("SM-SETUP-1",)


@named("sm.Match")
@dataclass(frozen=True)
class PlayMatch(Step):
    """The bottom step of a match, which sets up each of its games.

    SM-SETUP-1: The dungeon master shuffles the monsters and takes the three corridors and the exit into the hand.
    SM-AMB-1: In a match of two games the roles change for the second one.
    """

    clauses: ClassVar[tuple[str, ...]] = ("SM-SETUP-1", "SM-SETUP-2", "SM-AMB-1")

    def resolve(self, state: Dungeon) -> Iterator[Event]:
        over = len(state.results)
        if over >= state.games:
            yield StepPopped()
            return
        pile = (BACK,) * len(MONSTERS) if state.at_table else MONSTERS
        yield GameSetUp(over + 1, state.master if over == 0 else state.hero, pile, BASE_HAND)
        yield StepPushed(PlayFloors())
        yield StepPushed(ShufflePile(PILE))


@named("sm.Floors")
@dataclass(frozen=True)
class PlayFloors(Step):
    """The floors of a game: destroy the floor just left and begin the next one.

    SM-COURSE-1: There are three floors. On each, the dungeon master builds, the hero explores, and the floor is
        destroyed.
    SM-DESTROY-5: After the third floor nothing is built any more, and the hero has won.
    """

    clauses: ClassVar[tuple[str, ...]] = ("SM-COURSE-1", "SM-DESTROY-5", "SM-END-1")

    def resolve(self, state: Dungeon) -> Iterator[Event]:
        if state.floor_number == FLOOR_COUNT:
            yield from finish_game(state, state.hero, "escaped")
            return
        if state.floor_number > 0:
            yield destroy_floor(state)
        yield FloorBegun(state.floor_number + 1)
        drawn = state.cards_at(PILE)[:MONSTERS_PER_FLOOR]
        named_later = state.at_table and state.master in state.named
        if not named_later:
            yield MonstersDrawn(PILE, hand_zone(state.master), drawn, drawn)
        yield StepPushed(Walk())
        yield StepPushed(RevealCards(REVEALS_PER_FLOOR[state.floor_number]))
        yield StepPushed(BuildFloor())
        if named_later:
            yield StepPushed(DrawMonsters())


def destroy_floor(state: Dungeon) -> FloorDestroyed:
    """Build the event that takes the floor up.

    SM-DESTROY-2: Neither the names nor the places of monsters that stayed down become known.
    SM-AMB-21: Only the number of undiscovered monsters is public.
    """
    found = state.face_up_monsters
    down = tuple(tile.card for tile in state.board.values() if not tile.is_up() and tile.card in MONSTERS)
    hidden = down + (BACK,) * (MONSTERS_PER_FLOOR - len(found) - len(down))
    return FloorDestroyed(state.master, found, hidden, BASE_HAND, by_case=True)
