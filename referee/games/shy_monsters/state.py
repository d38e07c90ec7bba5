"""The state of Shy Monsters: plain data, and properties in the rulebook's words.

It decides nothing. What a position leaves out is None or a missing place. Code that reads such a value raises
Undetermined with the question to ask. A card that lies down and is not known is stored as its back.

SM-STATE-1: Kept for each floor are the cards, the order in which they were turned up, the pawn, both skills, and of
    each monster that is up whether it lives and is active.
SM-STATE-2: The hero sees the places and the faces that are up, the dungeon master the whole floor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.engine.events import replace_fields
from referee.engine.remembering import remembered_property
from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, ZonedState
from referee.games.shy_monsters.components import BACK, FACES, MAX_DISTANCE, MONSTERS, START_SPOT, Spot, adjacent_spots

PLACE = {"minimum": -MAX_DISTANCE, "maximum": MAX_DISTANCE}  # SM-STATE-3
PILE, DISCOVERED = "pile:", "discovered"


def hand_zone(master: int) -> str:
    """Return the place of the dungeon master's hand."""
    return f"hand:{master}"


def undiscovered_zone(master: int) -> str:
    """Return the place of the undiscovered monsters, which their dungeon master knows.

    SM-DESTROY-2: The dungeon master lays monsters that stayed down face down beside the area.
    """
    return f"undiscovered:{master}"


@dataclass(frozen=True, slots=True)
class Laid:
    """A dungeon card on its place as laid, or a back if only the place is known."""

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)
    card: str = field(metadata={"enum": [*FACES, BACK]})


@dataclass(frozen=True, slots=True)
class Tile:
    """A dungeon card of the floor.

    `active` and `alive` are set only for monsters that are up.

    SM-STATE-1: Kept of each monster that is up are whether it lives and whether it is active.
    """

    x: int
    y: int
    card: str
    up: bool | None = False
    active: bool | None = None
    alive: bool | None = None

    @property
    def spot(self) -> Spot:
        """The place of the card."""
        return (self.x, self.y)

    def is_up(self) -> bool:
        """Return whether the card lies face up. Raises Undetermined."""
        if self.up is None:
            raise Undetermined("is_the_card_up", x=self.x, y=self.y)
        return self.up

    def get_face(self) -> str:
        """Return the face of a card that is up. Raises Undetermined."""
        if self.card == BACK:
            raise Undetermined("which_card_lies_up", x=self.x, y=self.y)
        return self.card

    def is_monster(self) -> bool:
        """Return whether this card, which is up, is a monster. Raises Undetermined."""
        return self.get_face() in MONSTERS

    def is_alive(self) -> bool:
        """Return whether this monster, which is up, lives. Raises Undetermined."""
        if self.alive is None:
            raise Undetermined("is_the_monster_alive", card=self.card, x=self.x, y=self.y)
        return self.alive

    def is_deadly(self) -> bool:
        """Return whether this card, which is up, kills a hero who enters it.

        Raises Undetermined.

        SM-ACT-0: A monster attacks only while it is active.
        """
        if not self.is_monster():
            return False
        if self.active is None:
            if self.alive is False:
                return False
            raise Undetermined("is_the_monster_active", card=self.card, x=self.x, y=self.y)
        return self.active and self.is_alive()


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game of the match ended: the winner, and in which way."""

    winner: int
    how: str


@dataclass(frozen=True)
class Dungeon(ZonedState):
    """Everything on the table.

    A view, a table of real cards and a written position are dungeons in which some cards are backs.
    """

    games: int = 1  # games in the match (SM-AMB-1)
    at_table: bool = False  # real cards: faces are reported as they are turned up
    named: tuple[int, ...] = ()  # seats whose hands are named to the referee although the cards are real
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
        """The seat of the hero. Raises Undetermined.

        SM-MAT-1: Two players have different roles, the dungeon master and the hero.
        """
        return 1 - self.master

    @property
    def floor_number(self) -> int:
        """The number of the floor. Raises Undetermined."""
        if self.floor is None:
            raise Undetermined("which_floor")
        return self.floor

    @property
    def hero_spot(self) -> Spot:
        """The place where the hero stands. Raises Undetermined."""
        if self.pawn is None:
            raise Undetermined("where_is_the_hero")
        return self.pawn

    @remembered_property("tiles")
    def board(self) -> dict[Spot, Tile]:
        """The cards of the floor by their places. Raises Undetermined."""
        if self.tiles is None:
            raise Undetermined("where_do_cards_lie")
        return {tile.spot: tile for tile in self.tiles}

    @property
    def face_up_monsters(self) -> Cards:
        """The monsters turned up on this floor, by place. Raises Undetermined.

        SM-DESTROY-1: The monsters turned up on this floor are laid face up beside the playing area.
        """
        return tuple(tile.card for tile in self.board.values() if tile.is_up() and tile.is_monster())

    def is_attack_ready(self) -> bool:
        """Return whether the attack is unused on this floor. Raises Undetermined."""
        if self.attack is None:
            raise Undetermined("is_the_attack_ready")
        return self.attack

    def is_jump_ready(self) -> bool:
        """Return whether the jump is unused on this floor. Raises Undetermined."""
        if self.jump is None:
            raise Undetermined("is_the_jump_ready")
        return self.jump

    def get_hand(self) -> Cards:
        """Return the dungeon master's hand, with backs if unknown. Raises Undetermined."""
        if hand_zone(self.master) not in self.zones:
            raise Undetermined("which_cards_are_held")
        return self.zones[hand_zone(self.master)]

    def get_discovered_monsters(self) -> Cards:
        """Return the monsters seen on earlier floors. Raises Undetermined."""
        if DISCOVERED not in self.zones:
            raise Undetermined("which_monsters_came_before")
        return self.zones[DISCOVERED]

    def is_frightened_at(self, spot: Spot) -> bool:
        """Return whether a monster turned up on this place now panics.

        Raises Undetermined.

        SM-ACT-2, SM-ACT-2a: Of two monsters side by side the one turned up second panics and cannot attack.
        SM-AMB-14: Every monster that is up side by side frightens, dead or harmless ones included.
        """
        tiles = [self.board[other] for other in adjacent_spots(spot) if other in self.board]
        return any(tile.is_up() and tile.is_monster() for tile in tiles)

    def replace_tile(self, tile: Tile) -> tuple[Tile, ...]:
        """Return the floor with one card changed."""
        return tuple(tile if old.spot == tile.spot else old for old in self.board.values())

    def view_for(self, seat: int) -> Any:
        """Return what this seat sees.

        SM-STATE-2: The dungeon master sees the whole floor, all others the faces that are up.

        If the real cards of a bot are named to the referee, the person who reports them has them in hand. Chance
        therefore sees them.
        """
        if seat == CHANCE and self.at_table and self.dungeon_master in self.named:
            return self
        seen = super().view_for(seat)
        if self.tiles is None or (self.dungeon_master is not None and seat == self.dungeon_master):
            return seen
        return replace_fields(seen, tiles=tuple(map(turn_face_down, self.tiles)))


def turn_face_down(tile: Tile) -> Tile:
    """Return a card of the floor as a viewer sees it who does not know the cards down."""
    if tile.up or tile.card == BACK:
        return tile
    return Tile(tile.x, tile.y, BACK, tile.up, tile.active, tile.alive)
