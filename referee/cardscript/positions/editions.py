"""Positions of other editions: the form with their cards in it, and cards written as their own book has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS_WITHOUT_CARDS = (  # what stands there is no card
    "asks", "kind", "type", "part", "called", "secret", "edition", "settings", "note", "stage", "side",
    "picks",
)  # fmt: skip


def adapt_schema_to_edition(schema: Any, own: Mapping[str, str], cards: Mapping[str, str], more: int) -> Any:
    """A schema made for the game's own cards, as one for the cards of another edition.

    `own` and `cards` have the kind of each card. Wherever own cards may be named, those of the edition may be that are
    of the same kinds; where cards are counted, there may be so many more.
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
    """A position in which the cards of a book are called as they are everywhere; `names` has what each is called in its
    own book. A place that is named after its card (`under/stone_cat`) is spelt out, too."""
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
