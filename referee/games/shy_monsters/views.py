"""Tables that a seat cannot tell apart. What each seat sees: `Dungeon.view_for`.

SM-STATE-2: The hero sees the places of all cards, the faces that are up and the monsters up beside the area. The
    dungeon master sees the whole floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from referee.engine.events import replace_fields
from referee.engine.zones import arrange_cards
from referee.games.shy_monsters.components import BACK, MONSTERS
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, Tile

Shuffler = Callable[[list[Any]], list[Any]]


def determinize_dungeon(state: Dungeon, seat: int, shuffle: Shuffler) -> Dungeon:
    """Return another table that this seat cannot tell from the given one.

    Only the pile is hidden from the dungeon master. From all others it is hidden which monsters are in the pile, in the
    hand, on the floor and laid aside, and which of the cards that are down lies where.
    """
    if state.dungeon_master is not None and seat == state.dungeon_master:
        return replace_fields(state, zones={**state.zones, PILE: arrange_cards(shuffle(list(state.cards_at(PILE))))})
    hidden = [name for name in state.zones if name != DISCOVERED]
    tiles = state.tiles or ()
    monsters = [card for name in hidden for card in state.zones[name] if card in MONSTERS]
    monsters += [tile.card for tile in tiles if not tile.up and tile.card in MONSTERS]
    others = iter(shuffle(monsters))
    zones = dict(state.zones)
    for name in hidden:
        zones[name] = arrange_cards(shuffle(exchange_monsters(state.zones[name], others)))
    faces = exchange_monsters([tile.card for tile in tiles if not tile.up], others)
    known = iter(shuffle([face for face in faces if face != BACK]))
    return replace_fields(state, zones=zones, tiles=None if state.tiles is None else tuple(replace_faces(tiles, known)))


def exchange_monsters(cards: Any, others: Iterator[str]) -> list[str]:
    """Replace each monster among `cards` by the next of `others`."""
    return [next(others) if card in MONSTERS else card for card in cards]


def replace_faces(tiles: tuple[Tile, ...], faces: Iterator[str]) -> Iterator[Tile]:
    """Replace each known face that is down by the next of `faces`."""
    for tile in tiles:
        yield tile if tile.up or tile.card == BACK else replace(tile, card=next(faces))
