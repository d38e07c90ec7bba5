"""The table of Shy Monsters: plain data, and properties in the rulebook's words. It decides nothing.

What a position leaves out stands as None or as a missing place; whoever reads it raises Unknown with the question to
ask. A dungeon card that lies down and is not known stands as its back. Clauses: SM-STATE-1, SM-STATE-2.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, ZonedState
from referee.games.shy_monsters.components import BACK, FACES, MAX_DISTANCE, MONSTERS, START_SPOT, Spot, adjacent_spots

PLACE = {"minimum": -MAX_DISTANCE, "maximum": MAX_DISTANCE}  # SM-STATE-3
PILE, DISCOVERED = "pile:", "discovered"


def hand_zone(master: int) -> str:
    """The place of the dungeon master's hand."""
    return f"hand:{master}"


def undiscovered_zone(master: int) -> str:
    """The place of the undiscovered monsters; the dungeon master who laid them down knows them (SM-DESTROY-2)."""
    return f"undiscovered:{master}"


@dataclass(frozen=True, slots=True)
class Laid:
    """A dungeon card on its place, as the dungeon master lays it; a back where only the place is told."""

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)
    card: str = field(metadata={"enum": [*FACES, BACK]})


@dataclass(frozen=True, slots=True)
class Tile:
    """A dungeon card of the floor. `active` and `alive` belong to monsters that are up (SM-STATE-1)."""

    x: int
    y: int
    card: str
    up: bool | None = False
    active: bool | None = None
    alive: bool | None = None

    @property
    def spot(self) -> Spot:
        """Its place."""
        return (self.x, self.y)

    def is_up(self) -> bool:
        """Whether it lies face up. Raises Undetermined."""
        if self.up is None:
            raise Undetermined("is_the_card_up", x=self.x, y=self.y)
        return self.up

    def get_face(self) -> str:
        """The face of a card that is up. Raises Undetermined."""
        if self.card == BACK:
            raise Undetermined("which_card_lies_up", x=self.x, y=self.y)
        return self.card

    def is_monster(self) -> bool:
        """Whether the face of this up card is a monster. Raises Undetermined."""
        return self.get_face() in MONSTERS

    def is_alive(self) -> bool:
        """Whether this up monster lives. Raises Undetermined."""
        if self.alive is None:
            raise Undetermined("is_the_monster_alive", card=self.card, x=self.x, y=self.y)
        return self.alive

    def is_deadly(self) -> bool:
        """Whether this up card is a monster that kills who enters it: active and alive (SM-ACT-0). Raises
        Undetermined."""
        if not self.is_monster():
            return False
        if self.active is None:
            if self.alive is False:
                return False
            raise Undetermined("is_the_monster_active", card=self.card, x=self.x, y=self.y)
        return self.active and self.is_alive()


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game of the match ended: who won it, and by what."""

    winner: int
    how: str


@dataclass(frozen=True)
class Dungeon(ZonedState):
    """Everything on the table. A view, a table of real cards and a written position are dungeons with backs."""

    games: int = 1  # games in the match (SM-AMB-1)
    at_table: bool = False  # real cards: faces are reported as they are turned up
    named: tuple[int, ...] = ()  # seats whose hand is named to the referee although the cards are real
    game: int = 0  # number of the running game
    results: tuple[GameResult, ...] = ()  # of the games that are over
    dungeon_master: int | None = None
    floor: int | None = 0  # 1 to 3; 0 before the first
    tiles: tuple[Tile, ...] | None = ()  # the entrance and the six cards laid, in rows from the top
    pawn: Spot | None = START_SPOT
    attack: bool | None = True  # whether the skill is still ready on this floor (SM-HERO-SKILL-1)
    jump: bool | None = True
    turned: tuple[Spot, ...] | None = ()  # the places turned up on this floor, in order (SM-STATE-1)
    idle: int | None = 0  # hero moves in a row that turned nothing up (SM-AMB-17)

    @property
    def master(self) -> int:
        """The seat of the dungeon master. Raises Undetermined."""
        if self.dungeon_master is None:
            raise Undetermined("who_is_dungeon_master")
        return self.dungeon_master

    @property
    def hero(self) -> int:
        """The seat of the hero (SM-MAT-1). Raises Undetermined."""
        return 1 - self.master

    @property
    def floor_number(self) -> int:
        """The number of the floor. Raises Undetermined."""
        if self.floor is None:
            raise Undetermined("which_floor")
        return self.floor

    @property
    def hero_spot(self) -> Spot:
        """Where the hero stands. Raises Undetermined."""
        if self.pawn is None:
            raise Undetermined("where_is_the_hero")
        return self.pawn

    @cached_property
    def board(self) -> dict[Spot, Tile]:
        """The cards of the floor by their places. Raises Undetermined."""
        if self.tiles is None:
            raise Undetermined("where_do_cards_lie")
        return {tile.spot: tile for tile in self.tiles}

    @property
    def face_up_monsters(self) -> Cards:
        """The monsters turned up on this floor, in the order of their places (SM-DESTROY-1). Raises Undetermined."""
        return tuple(tile.card for tile in self.board.values() if tile.is_up() and tile.is_monster())

    def is_attack_ready(self) -> bool:
        """Whether the attack is not yet used on this floor. Raises Undetermined."""
        if self.attack is None:
            raise Undetermined("is_the_attack_ready")
        return self.attack

    def is_jump_ready(self) -> bool:
        """Whether the jump is not yet used on this floor. Raises Undetermined."""
        if self.jump is None:
            raise Undetermined("is_the_jump_ready")
        return self.jump

    def get_hand(self) -> Cards:
        """What the dungeon master holds, as this table knows it. Raises Undetermined."""
        if hand_zone(self.master) not in self.zones:
            raise Undetermined("which_cards_are_held")
        return self.zones[hand_zone(self.master)]

    def get_discovered_monsters(self) -> Cards:
        """The monsters seen on earlier floors. Raises Undetermined."""
        if DISCOVERED not in self.zones:
            raise Undetermined("which_monsters_came_before")
        return self.zones[DISCOVERED]

    def is_frightened_at(self, spot: Spot) -> bool:
        """Whether a monster turned up on this place now panics (SM-ACT-2, SM-ACT-2a, SM-AMB-14).

        Every monster that is up side by side frightens, dead or harmless as it may be. Raises Undetermined.
        """
        tiles = [self.board[other] for other in adjacent_spots(spot) if other in self.board]
        return any(tile.is_up() and tile.is_monster() for tile in tiles)

    def replace_tile(self, tile: Tile) -> tuple[Tile, ...]:
        """The floor with one card changed."""
        return tuple(tile if old.spot == tile.spot else old for old in self.board.values())

    def view_for(self, seat: int) -> Any:
        """What this seat sees: the dungeon master the whole floor, all others the faces that are up (SM-STATE-2).

        Where real cards are named for a bot, whoever reports its cards has them in hand, so chance sees them.
        """
        if seat == CHANCE and self.at_table and self.dungeon_master in self.named:
            return self
        seen = super().view_for(seat)
        if self.tiles is None or (self.dungeon_master is not None and seat == self.dungeon_master):
            return seen
        return replace(seen, tiles=tuple(map(turn_face_down, self.tiles)))


def turn_face_down(tile: Tile) -> Tile:
    """A card of the floor as somebody sees it who does not know what lies down."""
    if tile.up or tile.card == BACK:
        return tile
    return Tile(tile.x, tile.y, BACK, tile.up, tile.active, tile.alive)
