"""A box of Here to Slay with all cards of the game, in which the table carries out every text as it is written."""

from __future__ import annotations

import json
from typing import Any

import yaml

from referee.games.here_to_slay.components import CARD_ENTRIES

NAME = "free_box"
AS_WRITTEN = [{"do": "as_written"}]
KEPT = (
    "id", "kind", "class", "name", "text", "copies", "roll", "options", "requires", "slay", "fight_back", "min_players",
)  # fmt: skip
ENTRIES: dict[str, dict[str, Any]] = {entry["id"]: dict(entry) for _, entry in CARD_ENTRIES}


def write_card(entry: dict[str, Any]) -> dict[str, Any]:
    """A card of the game as a free text; what would hold all the time is only printed.

    `again` repeats a choice, which a free text has none of.
    """
    card = {key: entry[key] for key in KEPT if key in entry}
    card |= {key: AS_WRITTEN for key in ("does", "penalty", "reward") if key in entry}
    for key in ("whenever", "instead"):
        if key in entry:
            parts = entry[key] if isinstance(entry[key], list) else [entry[key]]
            card[key] = [
                {**{word: says for word, says in part.items() if word != "again"}, "does": AS_WRITTEN} for part in parts
            ]
    if "action" in entry:
        card["action"] = {**entry["action"], "does": AS_WRITTEN}
    return card


def write_free_box() -> str:
    """The text of the book."""
    cards = [write_card(entry) for entry in ENTRIES.values()]
    book = {"book": NAME, "game": "here_to_slay", "title": "Free Box", "cards": cards}
    return yaml.safe_dump(json.loads(json.dumps(book)), allow_unicode=True, sort_keys=False)
