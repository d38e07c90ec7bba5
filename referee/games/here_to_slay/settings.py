"""The settings of a match: switchable rulings and time limits.

Rulings: HTS-AMB-4, -5, -9, -15, -24, -37, -45, -67, -71 and -76.
"""

from __future__ import annotations

from typing import Any


def _build_switch_schema(default: bool, says: str) -> dict[str, Any]:
    return {"type": "boolean", "default": default, "description": says}


def _build_choice_schema(says: str, *values: str) -> dict[str, Any]:
    return {"enum": list(values), "default": values[0], "description": says}


def _build_time_limit_schema(says: str) -> dict[str, Any]:
    limits = {"type": "integer", "minimum": 1000, "maximum": 7 * 24 * 3600 * 1000}
    return {"anyOf": [limits, {"type": "null"}], "default": None, "description": says}


SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "leader_choice": _build_choice_schema(
            "How leaders are picked: in turn, or at once (HTS-AMB-71).", "roll", "at_once"
        ),
        "challenge_immediate": _build_switch_schema(
            True, "Whether cards played immediately can be challenged (HTS-AMB-4)."
        ),
        "challenge_out_of_turn": _build_switch_schema(
            False, "Whether cards played out of turn can be challenged (HTS-AMB-5)."
        ),
        "fist_when_challenged": _build_switch_schema(
            False, "Whether The Fist of Reason also helps the player who is challenged (HTS-AMB-9)."
        ),
        "targets": _build_choice_schema(
            "When targets are named: before modifiers are played, or after the roll succeeds (HTS-AMB-15).",
            "before_window",
            "after_success",
        ),
        "free_roll_counts": _build_switch_schema(
            True, "Whether the free roll counts as the hero's roll of that turn (HTS-AMB-24)."
        ),
        "sabretooth_before_doll": _build_switch_schema(
            True, "Whether the player who destroys decides before the Doll takes effect (HTS-AMB-37)."
        ),
        "unpayable_play": _build_choice_schema(
            "Whether magic may be played if its cost cannot be paid in full (HTS-AMB-45).", "allow", "forbid"
        ),
        "mega_slime_from": _build_choice_schema(
            "When Mega Slime first gives its point (HTS-AMB-67).", "at_once", "next_turn"
        ),
        "window_ms": _build_time_limit_schema(
            "How long challenges and modifiers may be played, in ms; null: until everybody has passed."
        ),
        "decision_ms": _build_time_limit_schema(
            "How long a player has for an answer or an action, in ms; null: no limit (HTS-AMB-76)."
        ),
    },
}
