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
    "description": "[x, y] counted from the entrance, x to the right and y down; or a letter of the plan, "
    "with E for the entrance.",
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
        "x": {**COORDINATE, "description": "The column: the entrance is 0, and numbers grow to the right."},
        "y": {**COORDINATE, "description": "The row: the entrance is 0, and numbers grow downwards."},
        "card": {
            "enum": [ENTRANCE, *FACES, BACK],
            "description": "The card; if ? or left out, it is unknown.",
        },
        "up": {"type": "boolean", "description": "Whether it lies face up."},
        "active": {"type": "boolean", "description": "For a monster that lies face up: whether it is active."},
        "alive": {"type": "boolean", "description": "For a monster that lies face up: whether it is alive."},
    },
}
PLAN = {
    "type": "object",
    "additionalProperties": False,
    "required": ["rows"],
    "description": "The floor drawn as rows of text, in place of `tiles`.",
    "properties": {
        "rows": {
            "type": "array",
            "items": {"type": "string"},
            "description": "E for the entrance, another letter for each other card, a dot where no card lies.",
        },
        "cards": {
            "type": "object",
            "additionalProperties": {"enum": [*FACES, BACK]},
            "description": "The card at each letter; a letter that is left out is unknown.",
        },
        "up": {
            "type": "array",
            "items": {"type": "string"},
            "description": "The letters of the cards that lie face up; if given, all others lie face down.",
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
    "description": "A position of Shy Monsters. A member that is left out is unknown, unless it follows from the rest.",
    "properties": {
        "question": {
            "enum": list(QUESTIONS),
            "description": "The open question. If the hero has no way left, SM-AMB-17 has ended the game: write "
            "`over` then, since explore would contradict the rules.",
        },
        "dungeon_master": {"type": "integer", "enum": [0, 1], "description": "The seat of the dungeon master."},
        "floor": {"type": "integer", "minimum": 0, "maximum": 3, "description": "The number of the floor."},
        "tiles": {"type": "array", "items": TILE, "description": "All seven cards of the floor, entrance included."},
        "plan": PLAN,
        "hero": {**PLACE, "description": "Where the hero stands."},
        "attack_ready": {"type": "boolean", "description": "Whether the attack is still unused on this floor."},
        "jump_ready": {"type": "boolean", "description": "Whether the jump is still unused on this floor."},
        "turned_up": {
            "type": "array",
            "items": PLACE,
            "description": "The places of the cards turned up on this floor, first to last, without the entrance.",
        },
        "reveals_left": {
            "type": "integer",
            "minimum": 0,
            "maximum": 2,
            "description": "How many cards the hero still has to turn up before moving.",
        },
        "idle_moves": {
            "type": "integer",
            "minimum": 0,
            "maximum": 1_000_000,
            "description": "How many moves in a row the hero has made without turning a card up.",
        },
        "turn_up": {
            "type": "object",
            "additionalProperties": False,
            "required": ["at", "because"],
            "description": "For the question turn_up: which card is turned up, and why.",
            "properties": {
                "at": {**PLACE, "description": "Where it lies."},
                "because": {"enum": list(REASONS), "description": "Why it is turned up."},
                "attack": {
                    "type": "boolean",
                    "description": "If entered: whether an attack was announced; false if the attack is still ready.",
                },
                "over": {
                    "oneOf": [*PLACE["oneOf"], {"type": "null"}],
                    "description": "If entered: the card skipped by a jump; null if there was no jump.",
                },
            },
        },
        "discovered": {
            "type": "array",
            "items": {"enum": list(MONSTERS)},
            "description": "The monsters from earlier floors that lie face up beside the floor.",
        },
        "undiscovered": {**PILE, "description": "Monsters laid aside unseen: how many, or which ones if known."},
        "hand": {
            "type": "array",
            "items": {"enum": [*FACES, BACK]},
            "description": "The dungeon master's hand; ? for each unknown card.",
        },
        "pile": {
            **PILE,
            "description": "The pile of monsters: how many, or which ones from the top down, with ? for unknown cards.",
        },
        "cards": {
            "enum": ["server", "table"],
            "description": "server (the default): the server deals; table: real cards are used.",
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
            "description": "How the finished games ended; none if left out.",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["winner", "how"],
                "properties": {
                    "winner": {"type": "integer", "enum": [0, 1], "description": "The seat that won."},
                    "how": {"enum": list(ENDS), "description": "How the game ended."},
                },
            },
        },
    },
}
