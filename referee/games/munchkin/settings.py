"""The settings of a match: time limits and rule variants.

Clauses: MK-8.7, MK-11.5, MK-15.4, MK-20.5.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.settings import build_switch_schema, build_time_limit_schema

PRINTED_WINDOW_MS = 2600  # what page 4 of the rulebook says, for players at one table
CLAIM_WINDOW_MS = 8000  # what players at screens and phones need to read a claim and answer it


def _build_window_schema(says: str, usual: int = PRINTED_WINDOW_MS) -> dict[str, Any]:
    return build_time_limit_schema(says, least=250, default=usual)


SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "claim_window_ms": _build_window_schema(
            "How long the others may act before a kill counts, in ms; 2600 as the rulebook says; null: "
            "`turn_timeout_ms` (MK-15.4).",
            CLAIM_WINDOW_MS,
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
