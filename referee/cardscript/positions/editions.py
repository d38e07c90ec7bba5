"""Positions of other editions: expand the book's card names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS_WITHOUT_CARDS = (  # members that never hold cards
    "asks", "kind", "type", "part", "called", "secret", "edition", "settings", "note", "stage", "side",
    "picks",
)  # fmt: skip


def expand_card_names(data: Any, names: Mapping[str, str]) -> Any:
    """Return a position with the cards of a book under their names outside the book.

    `names` maps each name in the book to the full one. Places that are named after a card (`under/stone_cat`) are
    expanded too.
    """
    if isinstance(data, dict):
        return {
            key: part if key in KEYS_WITHOUT_CARDS else expand_card_names(part, names) for key, part in data.items()
        }
    if isinstance(data, list):
        return [expand_card_names(part, names) for part in data]
    if isinstance(data, str):
        place, slash, card = data.rpartition("/")
        return f"{place}{slash}{names.get(card, card)}"
    return data
