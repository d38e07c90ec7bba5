"""What follows for a member that a position leaves out.

None means that it stays unknown.

Clauses: KERNEL-POSITION-1, SM-STATE-1.
"""

from __future__ import annotations

from dataclasses import replace

from referee.engine.positions.rows import Position
from referee.engine.zones import Cards
from referee.games.shy_monsters import components as box
from referee.games.shy_monsters.components import BACK, ENTRANCE, MONSTERS, Spot, adjacent_spots
from referee.games.shy_monsters.events import ONLY_ENTRANCE
from referee.games.shy_monsters.state import Tile

Tiles = tuple[Tile, ...]
BUILDING = ("shuffle", "monsters", "build")  # questions before a floor is laid


def is_before_first_move(p: Position) -> bool:
    """Return whether the hero has not moved yet on this floor."""
    return p["question"] in (*BUILDING, "reveal") or (p["turn_up"] or {}).get("because") == "revealed"


def infer_floor(p: Position) -> int | None:
    return 0 if p["question"] == "shuffle" else None


def infer_tiles(p: Position) -> Tiles | None:
    planned: Tiles | None = p["plan"]
    return ONLY_ENTRANCE if p["question"] in BUILDING else planned


def infer_hero(p: Position) -> Spot | None:
    """Infer the hero's place: the card just entered, or the entrance at first."""
    turn = p["turn_up"] or {}
    entered: Spot | None = turn["at"] if turn.get("because") == "entered" else None
    return entered or (box.START_SPOT if is_before_first_move(p) else None)


def infer_attack(p: Position) -> bool | None:
    """Infer whether the attack is ready.

    An attack under way or a kill has used it up. Before the first move it is ready.
    """
    struck = (p["turn_up"] or {}).get("attack") or any(tile.alive is False for tile in p["tiles"] or ())
    return False if struck else True if is_before_first_move(p) else None


def infer_jump(p: Position) -> bool | None:
    """Infer whether the jump is ready, as `infer_attack` does."""
    turn = p["turn_up"] or {}
    jumped = turn.get("over") is not None or turn.get("because") == "skipped"
    return False if jumped else True if is_before_first_move(p) else None


def infer_turned_up(p: Position) -> tuple[Spot, ...] | None:
    """Infer the order of the cards turned up, which follows if at most one is up."""
    laid = [tile for tile in p["tiles"] or () if tile.card != ENTRANCE]
    up = tuple(tile.spot for tile in laid if tile.up)
    is_known = p["tiles"] is not None and all(tile.up is not None for tile in laid)
    return up if is_known and len(up) < 2 else None


def infer_reveals_left(p: Position) -> int | None:
    """Count the cards still due after the one that is being turned up now."""
    if not p["floor"] or p["tiles"] is None or any(tile.up is None for tile in p["tiles"]):
        return None
    up = sum(tile.up for tile in p["tiles"]) - 1 + (p["question"] == "turn_up")
    return int(box.REVEALS_PER_FLOOR[p["floor"] - 1] - up)


def infer_idle_moves(p: Position) -> int | None:
    return 0 if is_before_first_move(p) else None


def infer_discovered(p: Position) -> Cards | None:
    return () if p["floor"] in (0, 1) else None


def infer_undiscovered(p: Position) -> Cards | None:
    """Count the monsters of earlier floors that were not discovered."""
    if p["floor"] is None or p["discovered"] is None:
        return None
    unseen: int = box.MONSTERS_PER_FLOOR * max(0, p["floor"] - 1) - len(p["discovered"])
    return (BACK,) * unseen


def infer_hand(p: Position) -> Cards | None:
    """Infer the hand: four cards and, to build with, two unknown monsters.

    While a floor lies, nothing is held.
    """
    held = {"shuffle": box.BASE_HAND, "monsters": box.BASE_HAND, "build": (*box.BASE_HAND, BACK, BACK), "over": None}
    return held.get(p["question"], ())


def infer_pile(p: Position) -> Cards | None:
    """Count the monsters that no floor has taken yet."""
    if p["floor"] is None:
        return None
    drawn: int = p["floor"] - (p["question"] == "monsters")
    return (BACK,) * (len(MONSTERS) - box.MONSTERS_PER_FLOOR * drawn)


def infer_game(p: Position) -> int:
    return len(p["results"]) + int(p["question"] != "over")


def infer_monsters(tiles: Tiles | None, turned: tuple[Spot, ...] | None, attack: bool | None) -> Tiles | None:
    """Return the floor with what follows for each monster that is up.

    That is whether the monster is active, and that it is alive if no attack was used.
    """
    if tiles is None:
        return None
    tiles = tuple(sorted(tiles, key=lambda tile: (tile.y, tile.x)))
    return tuple(
        replace(
            tile,
            active=infer_activity(tile, tiles, turned) if tile.active is None else tile.active,
            alive=True if tile.alive is None and attack else tile.alive,
        )
        if tile.up and tile.card in MONSTERS
        else tile
        for tile in tiles
    )


def infer_activity(tile: Tile, tiles: Tiles, turned: tuple[Spot, ...] | None) -> bool | None:
    """Return whether a monster that is up is active, or None if that does not follow.

    It follows from the floor and the order of turning up.
    """
    board = {other.spot: other for other in tiles}
    if not box.is_comfortable(tile.card, tile.spot, board):
        return False
    near = [board[spot] for spot in adjacent_spots(tile.spot) if spot in board and board[spot].up is not False]
    sure = [other.spot for other in near if other.up and other.card in MONSTERS]
    perhaps = [other.spot for other in near if other.card == BACK or (other.up is None and other.card in MONSTERS)]
    if not sure and not perhaps:
        return True
    if turned is None or tile.spot not in turned:
        return None
    before = turned[: turned.index(tile.spot)]
    if any(spot in before for spot in sure):
        return False
    return None if any(spot in before for spot in perhaps) else True
