"""The settings of a match: switchable rulings and time limits.

Rulings: HTS-AMB-4, -5, -9, -15, -24, -32, -37, -45, -67, -71 and -76.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.settings import build_switch_schema, build_time_limit_schema
from referee.engine.game import LEFT_OUT_BY_DEFAULT


def _build_choice_schema(says: str, *values: str) -> dict[str, Any]:
    return {"enum": list(values), "default": values[0], "description": says}


SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "leader_choice": _build_choice_schema(
            "How leaders are picked: in turn, or at once (HTS-AMB-71).", "roll", "at_once"
        ),
        "challenge_immediate": build_switch_schema(
            "Whether cards played immediately can be challenged (HTS-AMB-4).", default=True
        ),
        "challenge_out_of_turn": build_switch_schema("Whether cards played out of turn can be challenged (HTS-AMB-5)."),
        "fist_when_challenged": build_switch_schema(
            "Whether The Fist of Reason also helps the player who is challenged (HTS-AMB-9)."
        ),
        "targets": _build_choice_schema(
            "When targets are named: before modifiers are played, or after the roll succeeds (HTS-AMB-15).",
            "before_window",
            "after_success",
        ),
        "free_roll_counts": build_switch_schema(
            "Whether the free roll counts as the hero's roll of that turn (HTS-AMB-24).", default=True
        ),
        "sabretooth_before_doll": build_switch_schema(
            "Whether the player who destroys decides before the Doll takes effect (HTS-AMB-37).", default=True
        ),
        "unpayable_play": _build_choice_schema(
            "Whether magic may be played if its cost cannot be paid in full (HTS-AMB-45).", "allow", "forbid"
        ),
        "mega_slime_from": _build_choice_schema(
            "When Mega Slime first gives its point (HTS-AMB-67).", "at_once", "next_turn"
        ),
        "good_items_at_home": {
            **build_switch_schema(
                "Whether good items may only be put under heroes of the player's own party (HTS-AMB-32)."
            ),
            LEFT_OUT_BY_DEFAULT: True,
        },
        "window_ms": build_time_limit_schema(
            "How long challenges and modifiers may be played, in ms; null: until everybody has passed."
        ),
        "decision_ms": build_time_limit_schema(
            "How long a player has for an answer or an action, in ms; null: no limit (HTS-AMB-76)."
        ),
    },
}
