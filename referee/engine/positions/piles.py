"""The cards of one place as a position writes them: names, a number, or both.

What is left out is unknown, never empty.
"""

from __future__ import annotations

from typing import Any

from referee.engine.positions.form import SchemaError, build_error
from referee.engine.zones import Cards, arrange_cards

BACK = "?"
UNCOUNTED_CARDS = "?some"  # an unknown number of cards


def decode_pile(data: Any, unlisted: str = BACK) -> Cards:
    """Return the cards of a place from its form in a position.

    KERNEL-POSITION-1: An object that says nothing of the cards leaves them unknown, as if it were left out.

    `unlisted`: what stands for a card that is only counted.
    """
    if isinstance(data, int):
        return (unlisted,) * data
    if isinstance(data, list):
        return arrange_cards(data)
    if not data:
        return (UNCOUNTED_CARDS,)
    known = data.get("cards", [])
    more = (unlisted,) * (data.get("count", len(known)) - len(known))
    return arrange_cards((*known, *more, *((UNCOUNTED_CARDS,) if data.get("more") else ())))


def encode_pile(cards: Cards, counted: bool, unlisted: str = BACK) -> Any:
    """Return what a position says of the cards of a place, or None to leave it out.

    `counted`: write as a number what is only counted. Except for plain backs, such cards cannot be listed.
    """
    if cards == (UNCOUNTED_CARDS,):
        return None
    there = [card for card in cards if card != UNCOUNTED_CARDS]
    if counted and set(cards) == {unlisted}:
        return len(cards)
    listed = [card for card in there if card == BACK or card != unlisted]
    count = {"count": len(there)} if len(listed) < len(there) else {}
    more = {"more": True} if UNCOUNTED_CARDS in cards else {}
    return {"cards": listed, **count, **more} if count or more else listed


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
