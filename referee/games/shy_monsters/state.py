"""The table of Shy Monsters: plain data, and properties in the rulebook's words. It decides nothing.

What a position leaves out stands as None or as a missing place; whoever reads it raises Unknown with the question to
ask. A dungeon card that lies down and is not known stands as its back. Clauses: SM-STATE-1, SM-STATE-2.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from referee.engine.rulings import Unknown
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, Zoned
from referee.games.shy_monsters.components import BACK, FACES, MONSTERS, REACH, START, Spot, beside

PLACE = {"minimum": -REACH, "maximum": REACH}  # SM-STATE-3
PILE, DISCOVERED = "pile:", "discovered"


def hand_of(master: int) -> str:
    """The place of the dungeon master's hand."""
    return f"hand:{master}"


def aside_of(master: int) -> str:
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
        """Whether it lies face up. Raises Unknown."""
        if self.up is None:
            raise Unknown("is_the_card_up", x=self.x, y=self.y)
        return self.up

    def face(self) -> str:
        """The face of a card that is up. Raises Unknown."""
        if self.card == BACK:
            raise Unknown("which_card_lies_up", x=self.x, y=self.y)
        return self.card

    def is_monster(self) -> bool:
        """Whether the face of this up card is a monster. Raises Unknown."""
        return self.face() in MONSTERS

    def lives(self) -> bool:
        """Whether this up monster lives. Raises Unknown."""
        if self.alive is None:
            raise Unknown("is_the_monster_alive", card=self.card, x=self.x, y=self.y)
        return self.alive

    def kills(self) -> bool:
        """Whether this up card is a monster that kills who enters it: active and alive (SM-ACT-0). Raises Unknown."""
        if not self.is_monster():
            return False
        if self.active is None:
            if self.alive is False:
                return False
            raise Unknown("is_the_monster_active", card=self.card, x=self.x, y=self.y)
        return self.active and self.lives()


@dataclass(frozen=True, slots=True)
class Result:
    """How one game of the match ended: who won it, and by what."""

    winner: int
    how: str


@dataclass(frozen=True)
class Dungeon(Zoned):
    """Everything on the table. A view, a table of real cards and a written position are dungeons with backs."""

    games: int = 1  # games in the match (SM-AMB-1)
    at_table: bool = False  # real cards: faces are reported as they are turned up
    named: tuple[int, ...] = ()  # seats whose hand is named to the referee although the cards are real
    game: int = 0  # number of the running game
    results: tuple[Result, ...] = ()  # of the games that are over
    dungeon_master: int | None = None
    floor: int | None = 0  # 1 to 3; 0 before the first
    tiles: tuple[Tile, ...] | None = ()  # the entrance and the six cards laid, in rows from the top
    pawn: Spot | None = START
    attack: bool | None = True  # whether the skill is still ready on this floor (SM-HERO-SKILL-1)
    jump: bool | None = True
    turned: tuple[Spot, ...] | None = ()  # the places turned up on this floor, in order (SM-STATE-1)
    idle: int | None = 0  # hero moves in a row that turned nothing up (SM-AMB-17)

    @property
    def master(self) -> int:
        """The seat of the dungeon master. Raises Unknown."""
        if self.dungeon_master is None:
            raise Unknown("who_is_dungeon_master")
        return self.dungeon_master

    @property
    def hero(self) -> int:
        """The seat of the hero (SM-MAT-1). Raises Unknown."""
        return 1 - self.master

    @property
    def floor_number(self) -> int:
        """The number of the floor. Raises Unknown."""
        if self.floor is None:
            raise Unknown("which_floor")
        return self.floor

    @property
    def at(self) -> Spot:
        """Where the hero stands. Raises Unknown."""
        if self.pawn is None:
            raise Unknown("where_is_the_hero")
        return self.pawn

    @cached_property
    def board(self) -> dict[Spot, Tile]:
        """The cards of the floor by their places. Raises Unknown."""
        if self.tiles is None:
            raise Unknown("where_do_cards_lie")
        return {tile.spot: tile for tile in self.tiles}

    @property
    def monsters_up(self) -> Cards:
        """The monsters turned up on this floor, in the order of their places (SM-DESTROY-1). Raises Unknown."""
        return tuple(tile.card for tile in self.board.values() if tile.is_up() and tile.is_monster())

    def attack_ready(self) -> bool:
        """Whether the attack is not yet used on this floor. Raises Unknown."""
        if self.attack is None:
            raise Unknown("is_the_attack_ready")
        return self.attack

    def jump_ready(self) -> bool:
        """Whether the jump is not yet used on this floor. Raises Unknown."""
        if self.jump is None:
            raise Unknown("is_the_jump_ready")
        return self.jump

    def hand(self) -> Cards:
        """What the dungeon master holds, as this table knows it. Raises Unknown."""
        if hand_of(self.master) not in self.zones:
            raise Unknown("which_cards_are_held")
        return self.zones[hand_of(self.master)]

    def discovered(self) -> Cards:
        """The monsters seen on earlier floors. Raises Unknown."""
        if DISCOVERED not in self.zones:
            raise Unknown("which_monsters_came_before")
        return self.zones[DISCOVERED]

    def frightened(self, spot: Spot) -> bool:
        """Whether a monster turned up on this place now panics (SM-ACT-2, SM-ACT-2a, SM-AMB-14).

        Every monster that is up side by side frightens, dead or harmless as it may be. Raises Unknown.
        """
        tiles = [self.board[other] for other in beside(spot) if other in self.board]
        return any(tile.is_up() and tile.is_monster() for tile in tiles)

    def with_tile(self, tile: Tile) -> tuple[Tile, ...]:
        """The floor with one card changed."""
        return tuple(tile if old.spot == tile.spot else old for old in self.board.values())

    def seen_by(self, seat: int) -> Any:
        """What this seat sees: the dungeon master the whole floor, all others the faces that are up (SM-STATE-2).

        Where real cards are named for a bot, whoever reports its cards has them in hand, so chance sees them.
        """
        if seat == CHANCE and self.at_table and self.dungeon_master in self.named:
            return self
        seen = super().seen_by(seat)
        if self.tiles is None or (self.dungeon_master is not None and seat == self.dungeon_master):
            return seen
        return replace(seen, tiles=tuple(map(face_down, self.tiles)))


def face_down(tile: Tile) -> Tile:
    """A card of the floor as somebody sees it who does not know what lies down."""
    if tile.up or tile.card == BACK:
        return tile
    return Tile(tile.x, tile.y, BACK, tile.up, tile.active, tile.alive)
