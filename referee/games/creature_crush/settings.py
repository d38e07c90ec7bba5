"""The settings of a match: time limits, and the quiet turns that end it.

CC-AMB-4: After 40 turns in a row without any change (`quiet_turns`) the match is drawn.
"""

from __future__ import annotations

from typing import Any

SHORTEST_MS, LONGEST_MS = 250, 7 * 24 * 3600 * 1000

SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "response_window_ms": {
            "anyOf": [{"type": "integer", "minimum": SHORTEST_MS, "maximum": LONGEST_MS}, {"type": "null"}],
            "default": None,
            "description": (
                "How long a player has to flip a crush card in answer to an event, in ms; null: "
                "`turn_timeout_ms` (CC-CHAIN-4)."
            ),
        },
        "turn_timeout_ms": {
            "anyOf": [{"type": "integer", "minimum": 1000, "maximum": LONGEST_MS}, {"type": "null"}],
            "default": None,
            "description": "How long a player has for anything else, in ms; null: no limit (CARDS-TIME-1).",
        },
        "quiet_turns": {
            "type": "integer", "minimum": 10, "maximum": 1000, "default": 40,
            "description": "The number of turns in a row without any change after which a match is drawn (CC-AMB-4).",
        },
    },
}  # fmt: skip
