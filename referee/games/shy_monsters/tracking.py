"""Where the cards of a table lie, as the census follows them through a match.

Clauses: KERNEL-CENSUS-1.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.rulebook.book import Text
from referee.engine.zones import Cards
from referee.games.shy_monsters.components import (
    CARD_COPIES,
    ENTRANCE,
    FLOOR_COUNT,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    format_spot,
)
from referee.games.shy_monsters.state import DISCOVERED, Dungeon

BOX, ASIDE = "box", "undiscovered:"


def collect_cards_by_place(state: Dungeon) -> dict[str, Cards]:
    """Return every card by its place. Each card of the floor has a place of its own.

    Before the box is unpacked, all cards are in the box.
    """
    if not state.zones:
        return {BOX: tuple(card for card, copies in CARD_COPIES.items() for _ in range(copies))}
    floor = {f"tile:{tile.x},{tile.y}": (tile.card,) for tile in state.tiles or () if tile.card != ENTRANCE}
    return {**state.zones, **floor}


def find_out_of_range(state: Dungeon) -> Iterator[OutOfRange]:
    """Find numbers of floors and of used monsters that cannot be.

    SM-COURSE-1: There are three floors.
    SM-AMB-18: Each floor takes two of the monsters left.
    """
    yield from check_range("census.floor", state.floor, 0, FLOOR_COUNT, "SM-COURSE-1")
    used = sum(len(cards) for place, cards in state.zones.items() if place.startswith((DISCOVERED, ASIDE)))
    earlier = MONSTERS_PER_FLOOR * max(0, (state.floor or 0) - 1)
    # the monsters of a floor just destroyed are aside before the next floor begins
    yield from check_range(
        "census.monsters_aside", used, 0, max(earlier, MONSTERS_PER_FLOOR * (state.floor or 0)), "SM-AMB-18"
    )
    up = [tile.card for tile in state.tiles or () if tile.card in MONSTERS]
    yield from check_range("census.monsters_of_a_floor", len(up), 0, MONSTERS_PER_FLOOR, "SM-BUILD-1")


PLACE_TEXTS: dict[str, Text] = {  # the places' names for players, by the part before the colon
    BOX: {"en": "box", "de": "Schachtel"},
    "pile": {"en": "pile of monsters", "de": "Monsterstapel"},
    "hand": {"en": "hand of the dungeon master", "de": "Hand des Herrn des Verlieses"},
    "undiscovered": {"en": "undiscovered monsters laid aside", "de": "beiseitegelegte unentdeckte Monster"},
    DISCOVERED: {"en": "discovered monsters", "de": "entdeckte Monster"},
    "tile": {"en": "card of the floor at", "de": "Karte des Stockwerks auf"},
}


def describe_place(place: str) -> Text:
    """Return what players call a place. A card of the floor is named by where it lies."""
    sort, _, at = place.partition(":")
    found = PLACE_TEXTS.get(sort, {"en": sort, "de": sort})
    if sort != "tile":
        return found
    x, _, y = at.partition(",")
    return {lang: f"{name} {format_spot(int(x), int(y))}" for lang, name in found.items()}
