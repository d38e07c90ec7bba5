"""Whole tables that complete a view. What each seat sees: `Dungeon.view_for`.

SM-STATE-2: The hero sees the places of all cards, the faces that are up and the monsters up beside the area. The
    dungeon master sees the whole floor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.engine.cardtracking.determinization import Memory, list_hidden_places
from referee.engine.chance import RandomBelow, shuffle_cards
from referee.engine.events import replace_fields
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, arrange_cards
from referee.games.shy_monsters.components import BACK, BASE_HAND, MONSTERS
from referee.games.shy_monsters.state import PILE, Dungeon, hand_zone


def complete_dungeon(view: Dungeon, seat: int, below: RandomBelow, _memory: Memory) -> Dungeon:
    """Return a whole table of which this is the seat's view.

    What a seat remembers it also sees, so nothing is taken from its memory.

    SM-MAT-2: There are eleven dungeon cards, six different monsters among them.
    SM-BUILD-2: All six hand cards are laid out face down. So the corridors and the exit are on the floor or in hand.
    """
    if view.at_table and CHANCE in view.awaited_seats:
        return view  # somebody is to say what a card is
    tiles = view.tiles or ()
    down = [tile for tile in tiles if tile.card == BACK and not tile.up] if seat != view.dungeon_master else []
    known = {*(tile.card for tile in tiles), *(card for cards in view.zones.values() for card in cards)}
    monsters = iter(shuffle_cards([card for card in MONSTERS if card not in known], below))
    others = list_missing_base_cards(view)
    faces = iter(shuffle_cards(draw_faces(len(down), others, monsters), below))
    zones = dict(view.zones)
    hand = "" if view.dungeon_master is None else hand_zone(view.dungeon_master)
    for place in sorted(list_hidden_places(view, seat, view.at_table), key=lambda place: (place == PILE, place)):
        with_base = others if place == hand and not down else []
        cards = draw_faces(len(zones[place]), with_base, monsters)
        zones[place] = arrange_cards(shuffle_cards(cards, below))
    laid = tuple(replace(tile, card=next(faces)) if tile in down else tile for tile in tiles)
    return replace_fields(view, zones=zones, tiles=None if view.tiles is None else laid)


def list_missing_base_cards(view: Dungeon) -> list[str]:
    """Return the corridors and the exit that are not up on the floor.

    SM-DESTROY-3: The dungeon master takes all of them back after each floor.
    """
    left = list(BASE_HAND)
    for tile in view.tiles or ():
        if tile.card in left:
            left.remove(tile.card)
    return left


def draw_faces(count: int, base: list[str], monsters: Iterator[str]) -> Cards:
    """Return `count` cards: base cards, then monsters, then backs if none are left."""
    cards = list(base[:count])
    while len(cards) < count:
        cards.append(next(monsters, BACK))
    return tuple(cards)
