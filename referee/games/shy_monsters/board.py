"""The board of Shy Monsters: what is drawn of a table."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from referee.engine.parts.boards import Board, BoardCard, BoardPile, Boards
from referee.games.shy_monsters.components import ENTRANCE, FLOOR_COUNT, MONSTERS, format_spot
from referee.games.shy_monsters.rules.building import BuildFloor
from referee.games.shy_monsters.rules.exploring import HeroTurn
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, Tile, hand_zone, undiscovered_zone

Role = Literal["dungeon_master", "hero"]


class ShyMonstersSeat(TypedDict):
    """A player and the role in the running game."""

    seat: int
    role: Annotated[Role | None, "Null before the roles are drawn"]
    wins: Annotated[int, "The games of the match that this player has won"]
    hand: Annotated[BoardPile | None, "The cards in hand; only the dungeon master holds any"]


class DungeonTile(TypedDict):
    """A card of the floor."""

    x: Annotated[int, "To the right; the entrance lies at 0, 0"]
    y: Annotated[int, "Downwards"]
    place: Annotated[str, "The place in words, as questions name it: (column|row)"]
    kind: Annotated[Literal["entrance", "corridor", "exit", "monster"] | None, "Null: the card lies face down"]
    card: Annotated[BoardCard | None, "Null for the entrance"]
    is_up: bool | None
    is_alive: Annotated[bool | None, "Of a monster that is up: whether it lives"]
    is_active: Annotated[bool | None, "Of a monster that is up: whether it attacks"]
    turned: Annotated[int | None, "Its place in the order in which cards were turned up on this floor"]


class Skills(TypedDict):
    """What the hero can do once a floor: whether it is still unused."""

    attack: bool | None
    jump: bool | None


class ShyMonstersBoard(Board):
    """The table of Shy Monsters."""

    game: Literal["shy_monsters"]
    phase: Annotated[Literal["building", "exploring"] | None, "Null between floors"]
    match_game: Annotated[int, "The number of the running game in the match"]
    match_games: int
    floor: Annotated[int | None, "The number of the floor; 0 before the first"]
    floors: int
    seats: list[ShyMonstersSeat]
    tiles: Annotated[list[DungeonTile] | None, "The cards of the floor in rows from the top; null: nobody knows"]
    hero: Annotated[list[int] | None, "Where the hero stands: x, y"]
    skills: Skills
    quiet_moves: Annotated[int | None, "Moves of the hero in a row that turned nothing up"]


class ShyMonstersBoards(Boards):
    """Draws the tables of Shy Monsters."""

    shape = ShyMonstersBoard

    def draw(self, view: Dungeon, viewer: int, variant: str) -> ShyMonstersBoard:
        """Return the board of a view."""
        aside = () if view.dungeon_master is None else (undiscovered_zone(view.dungeon_master),)
        middle = self.draw_middle(view, variant, (PILE,))
        return {
            **middle,
            "piles": [*middle["piles"], *(self.draw_pile(view, place) for place in (DISCOVERED, *aside))],
            "game": "shy_monsters",
            "phase": find_phase(view),
            "match_game": view.game,
            "match_games": view.games,
            "floor": view.floor,
            "floors": FLOOR_COUNT,
            "seats": [self.draw_player(view, seat) for seat in range(2)],
            "tiles": None if view.tiles is None else [self.draw_tile(view, tile) for tile in view.tiles],
            "hero": None if view.pawn is None else list(view.pawn),
            "skills": {"attack": view.attack, "jump": view.jump},
            "quiet_moves": view.idle,
        }

    def draw_player(self, view: Dungeon, seat: int) -> ShyMonstersSeat:
        """Return a player."""
        is_master = view.dungeon_master == seat
        role: Role | None = None if view.dungeon_master is None else "dungeon_master" if is_master else "hero"
        return {
            "seat": seat,
            "role": role,
            "wins": sum(result.winner == seat for result in view.results),
            "hand": self.draw_pile(view, hand_zone(seat)) if is_master else None,
        }

    def draw_tile(self, view: Dungeon, tile: Tile) -> DungeonTile:
        """Return a card of the floor."""
        turned = view.turned or ()
        return {
            "x": tile.x,
            "y": tile.y,
            "place": format_spot(tile.x, tile.y),
            "kind": find_kind(tile),
            "card": None if tile.card == ENTRANCE else self.draw_card(tile.card, f"tile:{tile.x},{tile.y}"),
            "is_up": tile.up,
            "is_alive": tile.alive,
            "is_active": tile.active,
            "turned": turned.index(tile.spot) + 1 if tile.spot in turned else None,
        }


def find_kind(tile: Tile) -> Any:
    """Return what kind of card a tile is, or None if the viewer does not know."""
    if tile.card in MONSTERS:
        return "monster"
    return tile.card if tile.card in ("entrance", "corridor", "exit") else None


def find_phase(view: Dungeon) -> Literal["building", "exploring"] | None:
    """Return whether a floor is being built or explored."""
    for step in reversed(view.agenda):
        if isinstance(step, BuildFloor):
            return "building"
        if isinstance(step, HeroTurn):
            return "exploring"
    return None
