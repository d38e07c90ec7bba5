"""A position for every question that Shy Monsters asks."""

from __future__ import annotations

from typing import Any

STAIRS = ["Ea..", ".bc.", "..de", "...f"]
EXAMPLES: tuple[dict[str, Any], ...] = (
    {"question": "roles"},
    {"question": "shuffle", "dungeon_master": 0},
    {"question": "monsters", "dungeon_master": 1, "floor": 1, "cards": "table", "named": [1]},
    {
        "question": "build",
        "dungeon_master": 0,
        "floor": 2,
        "hand": ["corridor", "corridor", "corridor", "exit", "kraken", "dragon"],
        "discovered": ["mantis"],
        "undiscovered": ["gargoyle"],
    },
    {"question": "build", "dungeon_master": 0, "floor": 1, "cards": "table"},
    {
        "question": "reveal",
        "dungeon_master": 0,
        "floor": 1,
        "plan": {"rows": ["Eab", "cde", "f.."], "cards": {"d": "vampire_bat"}, "up": ["d"]},
    },
    {
        "question": "explore",
        "dungeon_master": 0,
        "floor": 2,
        "plan": {"rows": STAIRS, "cards": {"a": "corridor", "b": "basilisk"}, "up": ["a", "b"]},
        "turned_up": ["a", "b"],
        "hero": "a",
        "attack_ready": True,
        "jump_ready": False,
        "idle_moves": 1,
        "discovered": ["mantis", "dragon"],
    },
    {
        "question": "turn_up",
        "dungeon_master": 0,
        "floor": 3,
        "cards": "table",
        "plan": {"rows": ["Eabcdef"], "up": []},
        "turn_up": {"at": "b", "because": "entered", "over": "a", "attack": True},
        "attack_ready": False,
        "jump_ready": False,
        "discovered": ["mantis", "dragon"],
    },
    {
        "question": "turn_up",
        "dungeon_master": 0,
        "floor": 1,
        "cards": "table",
        "plan": {"rows": ["Eab", "cde", "f.."], "up": []},
        "turn_up": {"at": "f", "because": "revealed"},
    },
)
