"""Positions of other editions: adapt the schema, and expand the book's card names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS_WITHOUT_CARDS = (  # members that never hold cards
    "asks", "kind", "type", "part", "called", "secret", "edition", "settings", "note", "stage", "side",
    "picks",
)  # fmt: skip


def adapt_schema_to_edition(schema: Any, own: Mapping[str, str], cards: Mapping[str, str], more: int) -> Any:
    """Return a schema for the game's own cards adapted to another edition.

    `own` and `cards` map each card to its kind. Wherever own cards may be named, the edition's cards of the same kinds
    may be named instead. Limits on numbers of cards grow by `more`.
    """
    if isinstance(schema, list):
        return [adapt_schema_to_edition(part, own, cards, more) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: adapt_schema_to_edition(part, own, cards, more) for key, part in schema.items()}
    named = [name for name in schema.get("enum", ()) if name in own] if isinstance(schema.get("enum"), list) else []
    if named:
        kinds = {own[name] for name in named}
        others = [name for name in schema["enum"] if name not in own]
        found["enum"] = [*(card for card, kind in cards.items() if kind in kinds), *others]
    if "maxItems" in schema and _holds_cards(schema.get("items"), own):
        found["maxItems"] += more
    if any(isinstance(part, dict) and part.get("type") == "array" for part in schema.get("anyOf", ())):
        counts = [part for part in found["anyOf"] if part.get("type") == "integer"]
        counts += [part["properties"]["count"] for part in found["anyOf"] if "count" in part.get("properties", {})]
        for part in counts:
            part["maximum"] += more
    return found


def _holds_cards(items: Any, own: Mapping[str, str]) -> bool:
    if isinstance(items, dict):
        return bool(own.keys() & {*items.get("enum", ())}) or _holds_cards([*items.values()], own)
    return isinstance(items, list) and any(_holds_cards(part, own) for part in items)


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
