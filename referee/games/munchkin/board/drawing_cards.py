"""Draw cards, and places where nothing but cards lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from referee.engine.parts.boards import UNSPECIFIC_BACKS, board_place, count_cards
from referee.engine.rulings import Undetermined
from referee.engine.zones import Cards
from referee.games.munchkin.board.cards import MunchkinCard, MunchkinPile, MunchkinPlace
from referee.games.munchkin.components import BOOK, PLACE_LABELS
from referee.games.munchkin.state import Table

T = TypeVar("T")


def draw_card(card: str, place: str, number: int = 1) -> MunchkinCard:
    """Return a card that is known by name. `number` counts equal cards at its place."""
    return {"id": f"{board_place(place)}.{card}.{number}", "card": card, "name": BOOK.names.get(card), "back": ""}


def number_known_cards(cards: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the cards that are known by name, each with its number among equal ones."""
    seen: dict[str, int] = {}
    for card in cards:
        if card not in UNSPECIFIC_BACKS:
            seen[card] = seen.get(card, 0) + 1
            yield card, seen[card]


def draw_cards(cards: Iterable[str], place: str) -> list[MunchkinCard]:
    """Return those of some cards at a place that are known by name."""
    return [draw_card(card, place, number) for card, number in number_known_cards(cards)]


def draw_place(view: Table, place: str) -> MunchkinPlace:
    """Return a place with the number of its cards."""
    return {"place": board_place(place), "label": PLACE_LABELS[place], "count": count_cards(view.cards_at(place))}


def draw_pile(view: Table, place: str) -> MunchkinPile:
    """Return the cards at a place."""
    return {**draw_place(view, place), "cards": draw_cards(view.cards_at(place), place)}


def draw_hand(view: Table, place: str, fresh: Cards) -> MunchkinPile:
    """Return a hand.

    MK-6.6: A card just received (`fresh`) may be put into play at once.
    """
    pile = draw_pile(view, place)
    left = list(fresh)
    for drawn in pile["cards"]:
        if drawn["card"] in left:
            left.remove(drawn["card"])
            drawn["marks"] = ["just_received"]
    return pile


def find_if_known(find: Callable[..., T], *args: Any) -> T | None:
    """Return what a function says of a view, or None if the view does not say enough."""
    try:
        return find(*args)
    except Undetermined:
        return None
