"""The settings of a match: time limits, and the quiet turns that end it.

CC-AMB-4: After 40 turns in a row without any change (`quiet_turns`) the match is drawn.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.settings import build_time_limit_schema

SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "response_window_ms": build_time_limit_schema(
            "How long a player has to flip a crush card in answer to an event, in ms; null: `turn_timeout_ms` "
            "(CC-CHAIN-4).",
            least=250,
        ),
        "turn_timeout_ms": build_time_limit_schema(
            "How long a player has for anything else, in ms; null: no limit (CARDS-TIME-1)."
        ),
        "quiet_turns": {
            "type": "integer", "minimum": 10, "maximum": 1000, "default": 40,
            "description": "The number of turns in a row without any change after which a match is drawn (CC-AMB-4).",
        },
    },
}  # fmt: skip
