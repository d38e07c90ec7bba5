"""The JSON Schema of a position as a person writes it."""

from __future__ import annotations

from typing import Any

from referee.games.shy_monsters.components import BACK, ENTRANCE, FACES, MAX_DISTANCE, MONSTERS

Data = dict[str, Any]

COORDINATE = {"type": "integer", "minimum": -MAX_DISTANCE, "maximum": MAX_DISTANCE}
QUESTIONS = ("roles", "shuffle", "monsters", "build", "reveal", "explore", "turn_up", "over")
ENDS = ("escaped", "killed", "conceded", "barred", "claimed")
BUILDING = ("shuffle", "monsters", "build")  # questions before a floor is laid
REASONS = ("revealed", "entered", "skipped")

PLACE = {
    "description": "[x, y] counted from the entrance, x to the right, y down; or a letter of the plan, E the entrance.",
    "oneOf": [
        {"type": "array", "items": COORDINATE, "minItems": 2, "maxItems": 2},
        {"type": "string", "minLength": 1, "maxLength": 1},
    ],
}
TILE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["x", "y"],
    "properties": {
        "x": {**COORDINATE, "description": "Column; the entrance is 0, to the right is more."},
        "y": {**COORDINATE, "description": "Row; the entrance is 0, downwards is more."},
        "card": {
            "enum": [ENTRANCE, *FACES, BACK],
            "description": "What lies there; ? or left out: not known.",
        },
        "up": {"type": "boolean", "description": "Whether it lies face up."},
        "active": {"type": "boolean", "description": "Of a monster that is up: whether it is active."},
        "alive": {"type": "boolean", "description": "Of a monster that is up: whether it lives."},
    },
}
PLAN = {
    "type": "object",
    "additionalProperties": False,
    "required": ["rows"],
    "description": "The floor drawn in rows of text, instead of tiles.",
    "properties": {
        "rows": {
            "type": "array",
            "items": {"type": "string"},
            "description": "A row a line: E the entrance, another letter for each other card, a dot where none lies.",
        },
        "cards": {
            "type": "object",
            "additionalProperties": {"enum": [*FACES, BACK]},
            "description": "What lies on each letter; a letter left out is not known.",
        },
        "up": {
            "type": "array",
            "items": {"type": "string"},
            "description": "The letters of the cards that are face up; then all others are down.",
        },
        "dead": {"type": "array", "items": {"type": "string"}, "description": "The letters of killed monsters."},
    },
}
PILE = {
    "oneOf": [{"type": "integer", "minimum": 0, "maximum": 6}, {"type": "array", "items": {"enum": [*MONSTERS, BACK]}}],
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["question"],
    "description": "A table of Shy Monsters. What is left out is unknown, unless it follows from the rest.",
    "properties": {
        "question": {
            "enum": list(QUESTIONS),
            "description": "What is asked now. A hero asked to explore has a way left: where SM-AMB-17 has ended the "
            "game already, the position cannot be, and `over` is written instead.",
        },
        "dungeon_master": {"type": "integer", "enum": [0, 1], "description": "The seat of the dungeon master."},
        "floor": {"type": "integer", "minimum": 0, "maximum": 3, "description": "The number of the floor."},
        "tiles": {"type": "array", "items": TILE, "description": "All seven cards of the floor, entrance included."},
        "plan": PLAN,
        "hero": {**PLACE, "description": "Where the hero stands."},
        "attack_ready": {"type": "boolean", "description": "Whether the attack is not used yet on this floor."},
        "jump_ready": {"type": "boolean", "description": "Whether the jump is not used yet on this floor."},
        "turned_up": {
            "type": "array",
            "items": PLACE,
            "description": "The places of the cards turned up on this floor, first to last; not the entrance.",
        },
        "reveals_left": {
            "type": "integer",
            "minimum": 0,
            "maximum": 2,
            "description": "How many cards the hero has still to turn up before moving.",
        },
        "idle_moves": {
            "type": "integer",
            "minimum": 0,
            "maximum": 1_000_000,
            "description": "How many moves of the hero in a row have turned nothing up.",
        },
        "turn_up": {
            "type": "object",
            "additionalProperties": False,
            "required": ["at", "because"],
            "description": "Of the question turn_up: which card was turned up, and why.",
            "properties": {
                "at": {**PLACE, "description": "Where it lies."},
                "because": {"enum": list(REASONS), "description": "Why it was turned up."},
                "attack": {
                    "type": "boolean",
                    "description": "If entered: whether an attack was announced; false if the attack is still ready.",
                },
                "over": {
                    "oneOf": [*PLACE["oneOf"], {"type": "null"}],
                    "description": "If entered: the card skipped by a jump; null, or the jump still ready: no jump.",
                },
            },
        },
        "discovered": {
            "type": "array",
            "items": {"enum": list(MONSTERS)},
            "description": "The monsters that lie up beside the area, from earlier floors.",
        },
        "undiscovered": {**PILE, "description": "Monsters laid aside unseen: how many, or which, as far as known."},
        "hand": {
            "type": "array",
            "items": {"enum": [*FACES, BACK]},
            "description": "The dungeon master's hand, as far as known.",
        },
        "pile": {**PILE, "description": "The pile of monsters: how many, or which from the top, as far as known."},
        "cards": {
            "enum": ["server", "table"],
            "description": "Whether the server deals, as if left out, or real cards lie on a table.",
        },
        "named": {
            "type": "array",
            "items": {"enum": [0, 1]},
            "description": "Seats whose real cards are named to the referee; none if left out.",
        },
        "games": {"type": "integer", "enum": [1, 2], "description": "Games in the match; 1 if left out."},
        "game": {"type": "integer", "minimum": 0, "maximum": 2, "description": "The number of the running game."},
        "results": {
            "type": "array",
            "description": "How the games that are over ended; none if left out.",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["winner", "how"],
                "properties": {
                    "winner": {"type": "integer", "enum": [0, 1], "description": "The seat that won."},
                    "how": {"enum": list(ENDS), "description": "By what."},
                },
            },
        },
    },
}
