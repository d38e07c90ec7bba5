"""The settings of a match: time limits and rule variants.

Clauses: MK-8.7, MK-11.5, MK-15.4, MK-20.5.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.settings import build_switch_schema, build_time_limit_schema


def _build_window_schema(says: str) -> dict[str, Any]:
    return build_time_limit_schema(says, least=250, default=2600)


SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "claim_window_ms": _build_window_schema(
            "How long the others may act before a kill counts, in ms; null: `turn_timeout_ms` (MK-15.4)."
        ),
        "curse_window_ms": _build_window_schema(
            "How long a victim has to respond to a curse, or a player to change a roll, in ms; null: "
            "`turn_timeout_ms` (MK-20.5)."
        ),
        "turn_timeout_ms": build_time_limit_schema(
            "How long a player has for anything else, in ms; null: no limit (MK-23.2)."
        ),
        "ride_sacrifice": build_switch_schema("Whether a ride may be given up to escape every monster (MK-8.7)."),
        "window_after_removal": build_switch_schema(
            "Whether a combat without monsters stays open until victory is claimed (MK-11.5)."
        ),
        "max_turns": {
            "type": "integer",
            "minimum": 10,
            "maximum": 100_000,
            "default": 200,
            "description": "The number of turns after which a match without a winner is drawn (MK-26.10).",
        },
    },
}
