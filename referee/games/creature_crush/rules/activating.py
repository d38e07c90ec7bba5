"""Activate a text of a card for a player (CC-CHAIN-3, CC-CHAIN-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.engine.zones import is_back
from referee.games.creature_crush.components import face_of
from referee.games.creature_crush.state import Table

COMMON_NAMES = ("me", "opponent", "this", "x")  # names that are bound for every text


def activate_text(
    table: Table, card: str, text: str, by: int, refs: Mapping[str, str] | None = None, x: int = 0
) -> Execution:
    """Activate a text of a card for the player `by`.

    `refs` are the cards that the text can use by name, `x` the dice burned for the card. The place of each creature is
    kept as `at/<name>`, because a step does nothing to a card that has left its place since.
    """
    bound: dict[str, Values] = {"me": (by,), "opponent": (1 - by,), "this": (card,), "x": (x,)}
    for name, value in {"this": card, **(refs or {})}.items():
        bound[name] = (value,)
        place = table.places_by_creature.get(value)
        if place is not None:
            bound[f"at/{name}"] = (place,)
    return Execution(card, text, by, 0, bound)


def activate_texts(table: Table, cards: Iterable[tuple[str, str, int]], **refs: str) -> tuple[Execution, ...]:
    """Activate this text of each card (card, text, possessor) that has one, in order."""
    return tuple(
        activate_text(table, card, text, by, refs)
        for card, text, by in cards
        if not is_back(card) and text in face_of(card).texts
    )
