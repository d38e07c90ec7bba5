"""The cards of one place as a position says them: names, a number, or both; left out: unknown, never empty."""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions.schema_check import SchemaError, build_error
from referee.engine.zones import Cards, arrange_cards, is_back

BACK = "?"
UNCOUNTED_CARDS = "?some"  # an unknown number of cards
UNLIMITED_COUNT = 1000


def decode_pile(said: Any) -> Cards:
    """The cards of a place by what a position says of it; backs for what it only counts."""
    if isinstance(said, int):
        return (BACK,) * said
    if isinstance(said, list):
        return arrange_cards(said)
    known = said.get("cards", [])
    more = (BACK,) * (said.get("count", len(known)) - len(known))
    return arrange_cards((*known, *more, *((UNCOUNTED_CARDS,) if said.get("more") else ())))


def encode_pile(cards: Cards, counted: bool) -> Any:
    """What a position says of the cards of a place; None if it leaves the place out. `counted`: backs are a number."""
    if cards == (UNCOUNTED_CARDS,):
        return None
    listed = [card for card in cards if card != UNCOUNTED_CARDS]
    if UNCOUNTED_CARDS in cards:
        return {"cards": listed, "more": True}
    return len(listed) if counted and listed and all(map(is_back, listed)) else listed


def find_count_errors(pointer: str, said: Any) -> list[SchemaError]:
    """The error of a place that lists more cards than it counts."""
    if isinstance(said, dict) and said.get("count", UNLIMITED_COUNT) < len(said.get("cards", ())):
        return [build_error(f"{pointer}/count", f"{len(said['cards'])} cards are listed already")]
    return []


def decode_emptied_places(
    said: list[str], zones: dict[str, Cards], places: set[str]
) -> tuple[dict[str, Cards], list[SchemaError]]:
    """The places of which the referee still knows that cards have lain there, and what is wrong with what is said."""
    errors = [
        build_error(f"/emptied/{at}", "cards lie there" if zones.get(place) else "no such place")
        for at, place in enumerate(said)
        if zones.get(place) or place not in places
    ]
    return dict.fromkeys(said, ()), errors
