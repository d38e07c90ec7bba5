"""What may lie on a floor, from what the hero sees, and how likely each of it is.

SM-BUILD-1: Six cards are laid: three corridors, the exit and two monsters.
SM-AMB-18: Monsters are not used again. So those that were up before lie nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations

from referee.games.shy_monsters.components import (
    CORRIDOR,
    ENTRANCE,
    EXIT,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    Spot,
    is_comfortable,
)
from referee.games.shy_monsters.evaluation import estimate_danger
from referee.games.shy_monsters.reckoning.walks import BEATEN, DEADLY, DOWN, NOWHERE, OPEN, WAY_OUT, Cards, World
from referee.games.shy_monsters.rules.ending import is_known_deadly
from referee.games.shy_monsters.state import Dungeon, Tile

# A greedy dungeon master lays the most dangerous of forty floors. So a floor on which a random walk ends in death
# less often than 6,000 of 10,000 times is hardly ever met, one of 7,000 about three times and one of 10,000 about
# forty times as often as if floors were drawn by lot. Measured over 12,000 floors.
LOT_WEIGHT = 0.1  # that the floor was laid without any regard to danger
SAFE, DANGEROUS, MOST_DANGEROUS = 6_000, 7_000, 10_000
DANGEROUS_WEIGHT, MOST_DANGEROUS_WEIGHT = 3.0, 38.0


def list_cards(dungeon: Dungeon, spots: Sequence[Spot]) -> Cards:
    """Return what the hero knows of each card of the floor. Raises Undetermined."""
    return tuple(judge_tile(dungeon.board[spot]) for spot in spots)


def judge_tile(tile: Tile) -> int:
    """Return what the hero knows of a card. Raises Undetermined."""
    if not tile.is_up():
        return DOWN
    face = tile.get_face()
    if face == EXIT:
        return WAY_OUT
    if face in (CORRIDOR, ENTRANCE):
        return OPEN
    return DEADLY if is_known_deadly(tile) else BEATEN


def imagine_worlds(dungeon: Dungeon, spots: tuple[Spot, ...]) -> list[World]:
    """Return all that may lie down on the floor, weighted. Raises Undetermined."""
    board = dungeon.board
    down = [index for index, spot in enumerate(spots) if not board[spot].is_up()]
    up = {index: tile.card for index, spot in enumerate(spots) if (tile := board[spot]).is_up() and tile.is_monster()}
    met = {*dungeon.get_discovered_monsters(), *up.values()}
    may_lie = tuple(monster for monster in MONSTERS if monster not in met)
    at_home = list_comforts(spots)
    exits = [index for index, spot in enumerate(spots) if board[spot].is_up() and board[spot].card == EXIT]
    found: dict[tuple[int, int, int, bool, bool], float] = {}
    hidden = max(0, MONSTERS_PER_FLOOR - len(up))
    for places in combinations(down, hidden):
        for way_out in [NOWHERE] if exits else [index for index in down if index not in places]:
            for who in permutations(may_lie, hidden):
                comfort = [at_home[monster][place] for monster, place in zip(who, places, strict=True)]
                first, second, *_ = (*places, NOWHERE, NOWHERE)
                first_comfort, second_comfort, *_ = (*comfort, False, False)
                key = (way_out, first, second, first_comfort, second_comfort)
                found[key] = found.get(key, 0) + 1
    there = {index: at_home[card][index] for index, card in up.items()}
    return [
        World(*key, count * weigh_floor(spots, (exits or [key[0]])[0], list_monsters(key, there)))
        for key, count in found.items()
    ]


def list_monsters(key: tuple[int, int, int, bool, bool], up: dict[int, bool]) -> tuple[tuple[int, bool], ...]:
    """Return where both monsters of a floor lie, and whether comfortably."""
    hidden = {place: comfort for place, comfort in zip(key[1:3], key[3:], strict=True) if place != NOWHERE}
    return tuple(sorted((up | hidden).items()))


@lru_cache(maxsize=64)
def list_comforts(spots: tuple[Spot, ...]) -> dict[str, tuple[bool, ...]]:
    """Return for each monster whether it is comfortable on each of these places."""
    board = frozenset(spots)
    return {monster: tuple(is_comfortable(monster, spot, board) for spot in spots) for monster in MONSTERS}


@lru_cache(maxsize=8192)
def weigh_floor(spots: tuple[Spot, ...], way_out: int, monsters: tuple[tuple[int, bool], ...]) -> float:
    """Return how much likelier than by lot it is that somebody lays this floor."""
    at = [spots[place] for place, _ in monsters]
    home = [spots[place] for place, comfort in monsters if comfort]
    danger = estimate_danger(spots, spots[way_out], at, home)
    if danger <= DANGEROUS:
        rank = DANGEROUS_WEIGHT * max(0, danger - SAFE) / (DANGEROUS - SAFE)
    else:
        above = (danger - DANGEROUS) / (MOST_DANGEROUS - DANGEROUS)
        rank = DANGEROUS_WEIGHT + above * (MOST_DANGEROUS_WEIGHT - DANGEROUS_WEIGHT)
    return LOT_WEIGHT + (1 - LOT_WEIGHT) * rank
