"""The cards of one place as a position writes them: names, a number, or both.

What is left out is unknown, never empty.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions.schema_check import SchemaError, build_error
from referee.engine.zones import Cards, arrange_cards, is_back

BACK = "?"
UNCOUNTED_CARDS = "?some"  # an unknown number of cards
UNLIMITED_COUNT = 1000


def decode_pile(data: Any) -> Cards:
    """Return the cards of a place from its form in a position.

    Cards that are only counted become backs.
    """
    if isinstance(data, int):
        return (BACK,) * data
    if isinstance(data, list):
        return arrange_cards(data)
    known = data.get("cards", [])
    more = (BACK,) * (data.get("count", len(known)) - len(known))
    return arrange_cards((*known, *more, *((UNCOUNTED_CARDS,) if data.get("more") else ())))


def encode_pile(cards: Cards, counted: bool) -> Any:
    """Return what a position says of the cards of a place, or None to leave it out.

    `counted`: write backs as a number.
    """
    if cards == (UNCOUNTED_CARDS,):
        return None
    listed = [card for card in cards if card != UNCOUNTED_CARDS]
    if UNCOUNTED_CARDS in cards:
        return {"cards": listed, "more": True}
    return len(listed) if counted and listed and all(map(is_back, listed)) else listed


def find_count_errors(pointer: str, data: Any) -> list[SchemaError]:
    """Return the error of a place that lists more cards than it counts."""
    if isinstance(data, dict) and data.get("count", UNLIMITED_COUNT) < len(data.get("cards", ())):
        return [build_error(f"{pointer}/count", f"this cannot be less than the {len(data['cards'])} cards listed")]
    return []


def decode_emptied_places(
    data: list[str], zones: dict[str, Cards], places: set[str]
) -> tuple[dict[str, Cards], list[SchemaError]]:
    """Return the places that are known to have become empty, and the errors in them."""
    errors = [
        build_error(f"/emptied/{at}", "cards lie there, so it is not empty" if zones.get(place) else "no such place")
        for at, place in enumerate(data)
        if zones.get(place) or place not in places
    ]
    return dict.fromkeys(data, ()), errors
