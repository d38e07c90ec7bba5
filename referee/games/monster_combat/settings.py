"""The settings of a match, with their texts for players."""

from __future__ import annotations

from typing import Any

from referee.engine.game import LEFT_OUT_BY_DEFAULT
from referee.games.monster_combat.components import BOOK, EVENT_CARDS, PLAYING_CARDS


def build_setting_schema(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Add a setting's name and description for players to its schema."""
    texts = {
        "title": BOOK.render_text(f"setting.{name}", "en"),
        "description": BOOK.render_text(f"setting.{name}.says", "en"),
    }
    return {**texts, **schema}


FORMS: dict[str, dict[str, Any]] = {
    "trigger_mode": {"enum": ["marked_backs", "extra_cards"], "default": "marked_backs"},
    "trigger_count": {"type": "integer", "minimum": 0, "maximum": 57, "default": 20},
    "trigger_backs": {
        "anyOf": [
            {"enum": ["spread", "spread_in_v1", "not_counted"]},
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    card: {"type": "integer", "minimum": 0, "maximum": copies} for card, copies in PLAYING_CARDS.items()
                },
            },
        ],
        "default": "spread",
        LEFT_OUT_BY_DEFAULT: True,
    },
    "event_copies": {"enum": sorted(EVENT_CARDS), "default": "equal"},
    "v2_immunity_until": {
        "enum": ["own_next_turn_start", "own_next_event_checked"],
        "default": "own_next_turn_start",
    },
    "first_player": {
        "anyOf": [{"const": "drawn"}, {"type": "integer", "minimum": 0, "maximum": 6}],
        "default": "drawn",
    },
}
SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {name: build_setting_schema(name, form) for name, form in FORMS.items()},
}
