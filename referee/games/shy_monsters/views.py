"""Worlds that a seat cannot tell apart (SM-STATE-2). What each seat sees stands with the state: `Dungeon.seen_by`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from referee.engine.events import changed
from referee.engine.zones import arranged
from referee.games.shy_monsters.components import BACK, MONSTERS
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, Tile

Mix = Callable[[list[Any]], list[Any]]


def otherwise(state: Dungeon, seat: int, shuffle: Mix) -> Dungeon:
    """Another table that this seat cannot tell from this one.

    From the dungeon master only the pile is hidden. From all others: which monsters are in the pile, in the hand, on
    the floor and laid aside, and which of the cards that are down lies where.
    """
    if state.dungeon_master is not None and seat == state.dungeon_master:
        return changed(state, zones={**state.zones, PILE: arranged(shuffle(list(state.place(PILE))))})
    hidden = [name for name in state.zones if name != DISCOVERED]
    tiles = state.tiles or ()
    monsters = [card for name in hidden for card in state.zones[name] if card in MONSTERS]
    monsters += [tile.card for tile in tiles if not tile.up and tile.card in MONSTERS]
    others = iter(shuffle(monsters))
    zones = dict(state.zones)
    for name in hidden:
        zones[name] = arranged(shuffle(exchanged(state.zones[name], others)))
    faces = exchanged([tile.card for tile in tiles if not tile.up], others)
    known = iter(shuffle([face for face in faces if face != BACK]))
    return changed(state, zones=zones, tiles=None if state.tiles is None else tuple(lain(tiles, known)))


def exchanged(cards: Any, others: Iterator[str]) -> list[str]:
    """The cards with each monster replaced by the next of the others."""
    return [next(others) if card in MONSTERS else card for card in cards]


def lain(tiles: tuple[Tile, ...], faces: Iterator[str]) -> Iterator[Tile]:
    """The floor with each known face that is down replaced by the next of these."""
    for tile in tiles:
        yield tile if tile.up or tile.card == BACK else replace(tile, card=next(faces))
