"""The cards of one place as a position says them: names, a number, or both; left out: unknown, never empty."""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions.schema_check import Error, error
from referee.engine.zones import Cards, arranged, is_back

BACK = "?"
SOME = "?some"  # an unknown number of cards
MANY = 1000


def cards_of(said: Any) -> Cards:
    """The cards of a place by what a position says of it; backs for what it only counts."""
    if isinstance(said, int):
        return (BACK,) * said
    if isinstance(said, list):
        return arranged(said)
    known = said.get("cards", [])
    more = (BACK,) * (said.get("count", len(known)) - len(known))
    return arranged((*known, *more, *((SOME,) if said.get("more") else ())))


def written(cards: Cards, counted: bool) -> Any:
    """What a position says of the cards of a place; None if it leaves the place out. `counted`: backs are a number."""
    if cards == (SOME,):
        return None
    listed = [card for card in cards if card != SOME]
    if SOME in cards:
        return {"cards": listed, "more": True}
    return len(listed) if counted and listed and all(map(is_back, listed)) else listed


def miscounted(pointer: str, said: Any) -> list[Error]:
    """The error of a place that lists more cards than it counts."""
    if isinstance(said, dict) and said.get("count", MANY) < len(said.get("cards", ())):
        return [error(f"{pointer}/count", f"{len(said['cards'])} cards are listed already")]
    return []


def emptied(said: list[str], zones: dict[str, Cards], places: set[str]) -> tuple[dict[str, Cards], list[Error]]:
    """The places of which the referee still knows that cards have lain there, and what is wrong with what is said."""
    errors = [
        error(f"/emptied/{at}", "cards lie there" if zones.get(place) else "no such place")
        for at, place in enumerate(said)
        if zones.get(place) or place not in places
    ]
    return dict.fromkeys(said, ()), errors
