"""The form of settings and positions as JSON Schema, with a text for every member."""

from __future__ import annotations

from typing import Any

from referee.games.monster_combat.components import BOOK, EVENT_CARDS, LAST_MONSTER, MAGNETS_BY_CARD, PLAYING_CARDS
from referee.games.monster_combat.state import FIRST_HAND_SIZE


def build_setting_schema(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Add a setting's name and description for players to its schema."""
    texts = {
        "title": BOOK.render_text(f"setting.{name}", "en"),
        "description": BOOK.render_text(f"setting.{name}.says", "en"),
    }
    return {**texts, **schema}


SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "trigger_mode": build_setting_schema(
            "trigger_mode", {"enum": ["marked_backs", "extra_cards"], "default": "marked_backs"}
        ),
        "trigger_count": build_setting_schema(
            "trigger_count", {"type": "integer", "minimum": 0, "maximum": 57, "default": 20}
        ),
        "event_copies": build_setting_schema("event_copies", {"enum": sorted(EVENT_CARDS), "default": "equal"}),
        "v2_immunity_until": build_setting_schema(
            "v2_immunity_until",
            {"enum": ["own_next_turn_start", "own_next_event_checked"], "default": "own_next_turn_start"},
        ),
        "first_player": build_setting_schema(
            "first_player",
            {"anyOf": [{"const": "drawn"}, {"type": "integer", "minimum": 0, "maximum": 6}], "default": "drawn"},
        ),
    },
}

SEAT = {"type": "integer", "minimum": 0, "maximum": 6}


def build_pile_schema(what: str, names: list[str]) -> dict[str, Any]:
    """Build the schema of the cards of one place."""
    listed = {"type": "array", "items": {"enum": names}}
    many = {"type": "integer", "minimum": 0, "maximum": 120}
    both = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "cards": {**listed, "description": "The cards that are known."},
            "count": {**many, "description": "How many cards there are in all."},
            "more": {"type": "boolean", "description": "Whether there are more cards, not counted here."},
        },
    }
    return {"description": what, "anyOf": [listed, many, both]}


PLAYING_CARD_NAMES = [name for card in PLAYING_CARDS for name in (card, f"{card}!trigger")] + [
    "trigger!trigger",
    "?",
    "?trigger",
]
EVENT_CARD_NAMES = [name for card in EVENT_CARDS["equal"] for name in (card, f"{card}!event")] + ["?event"]


def build_question_schema(what: str, says: str, free: tuple[str, ...] = (), **members: Any) -> dict[str, Any]:
    """Build the schema of one question.

    `free` members can be left out. They follow from the rest, or are asked for.
    """
    return {
        "type": "object",
        "description": says,
        "additionalProperties": False,
        "required": ["asks", *(name for name in members if name not in free)],
        "properties": {"asks": {"const": what}, **members},
    }


def build_seat_schema(says: str) -> dict[str, Any]:
    """Build the schema of a seat in a question."""
    return {**SEAT, "description": says}


def build_count_schema(says: str, most: int) -> dict[str, Any]:
    """Build the schema of a number in a question."""
    return {"type": "integer", "minimum": 1, "maximum": most, "description": says}


SEAT_ON_TURN = build_seat_schema("The seat asked; if left out, the active player.")
QUESTIONS = [
    build_question_schema("play", "Phase 3: play a card or pass.", ("seat",), seat=SEAT_ON_TURN),
    build_question_schema(
        "parry",
        "A player is attacked and may answer with a shield.",
        ("strength", "by"),
        seat=build_seat_schema("Who is attacked."),
        strength=build_count_schema("How many hearts the attack costs; if left out, as many as the attacker takes.", 9),
        by={
            "enum": ["sword", "event", "monster"],
            "description": "What attacks; if left out, it follows from the rest.",
        },
    ),
    build_question_schema(
        "lightning",
        "Lightning struck: the players attacked answer one after the other.",
        ("all_parried",),
        order={"type": "array", "items": SEAT, "description": "The seats that still have to answer, in order."},
        by=build_seat_schema("Who played it."),
        all_parried={"type": "boolean", "description": "Whether everybody so far has put down a shield."},
    ),
    build_question_schema(
        "discard_down",
        "The active player discards surplus cards at the end of the turn.",
        ("seat", "count"),
        seat=SEAT_ON_TURN,
        count=build_count_schema("How many; if left out, all cards above the hand limit.", 120),
    ),
    build_question_schema(
        "revive_draw", "A revived player may draw five cards.", seat=build_seat_schema("Who was revived.")
    ),
    build_question_schema("draw", "The card of phase 1 is drawn; chance answers.", ("seat",), seat=SEAT_ON_TURN),
    build_question_schema(
        "draw_more",
        "A card lets a player draw.",
        ("count",),
        seat=build_seat_schema("Who draws."),
        count=build_count_schema("How many.", FIRST_HAND_SIZE),
    ),
    build_question_schema(
        "deal",
        "A first hand is dealt.",
        ("count",),
        seat=build_seat_schema("The player who gets it."),
        count=build_count_schema("How many; if left out, as many as the hand lacks.", FIRST_HAND_SIZE),
    ),
    build_question_schema("event", "The top event card is turned up; chance answers.", ("seat",), seat=SEAT_ON_TURN),
    build_question_schema(
        "steal",
        "A thief takes cards unseen; chance answers.",
        ("count",),
        victim=build_seat_schema("Who loses them."),
        thief=build_seat_schema("Who gets them."),
        count=build_count_schema("How many; if left out, as the card last played says.", max(MAGNETS_BY_CARD.values())),
    ),
    build_question_schema("lose_hand", "A whole hand is discarded.", seat=build_seat_schema("Whose hand.")),
    build_question_schema("first_player", "The player who begins is drawn by lot."),
    build_question_schema(
        "shuffle", "A pile is shuffled.", where={"enum": ["deck:", "events:"], "description": "Which pile."}
    ),
]

SEAT_OR_NOBODY = {"anyOf": [SEAT, {"type": "null"}]}
MEMBERS: dict[str, dict[str, Any]] = {
    "variant": {"enum": ["V1", "V2"], "description": "V1: all against all. V2: all against the monsters."},
    "settings": {**SETTINGS, "description": "The settings of the match; each has its default if left out."},
    "cards": {"enum": ["server", "table"], "default": "server", "description": "The source of cards."},
    "named": {
        "type": "array",
        "items": SEAT,
        "description": "Seats whose hands are named to the referee at a real table.",
    },
    "players": {
        "type": "array",
        "minItems": 2,
        "maxItems": 7,
        "description": "The players in the order of their seats; the first is seat 0.",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "hearts": {"type": "integer", "minimum": 0, "maximum": 3, "description": "The number of full hearts."},
                "immune": {"type": "boolean", "description": "Whether the player is immune now."},
                "hand": build_pile_schema("The hand.", PLAYING_CARD_NAMES),
            },
        },
    },
    "draw_pile": build_pile_schema("The draw pile, from the top down.", PLAYING_CARD_NAMES),
    "top_of_draw_pile": {"enum": ["plain", "trigger", "none"], "description": "The back on top of the draw pile."},
    "discard": build_pile_schema("The discard pile, from the bottom up.", PLAYING_CARD_NAMES),
    "event_pile": build_pile_schema("The event pile.", EVENT_CARD_NAMES),
    "event_tray": build_pile_schema("The used events, the latest last.", EVENT_CARD_NAMES),
    "turn": {**SEAT_OR_NOBODY, "description": "Whose turn it is; null before the first turn."},
    "direction": {
        "enum": ["clockwise", "counterclockwise"],
        "description": "The direction of play. Clockwise: seat 1 comes after seat 0.",
    },
    "skipped": {**SEAT_OR_NOBODY, "description": "V1: who misses the next turn; null for nobody."},
    "monster": {
        "type": "object",
        "description": "V2: the active monster.",
        "additionalProperties": False,
        "properties": {
            "number": {
                "type": "integer",
                "minimum": 1,
                "maximum": LAST_MONSTER,
                "description": "The number of the monster.",
            },
            "hearts": {
                "type": "integer",
                "minimum": 0,
                "maximum": LAST_MONSTER,
                "description": "The hearts that it has left.",
            },
            "asleep_until": {
                **SEAT_OR_NOBODY,
                "description": "The seat on whose turn it wakes up; null if it is awake.",
            },
        },
    },
    "fallen": {
        "type": "array",
        "items": SEAT,
        "description": "The defeated players, in the order in which they were defeated.",
    },
    "question": {
        "anyOf": [*QUESTIONS, {"type": "null"}],
        "description": "The open question; null if the match is over.",
    },
    "pending": {
        "type": "array",
        "items": {"type": "object"},
        "description": "The steps beneath the question, nearest first; if left out, the usual ones of a turn.",
    },
}


def build_position_schema(variant: str) -> dict[str, Any]:
    """Return the JSON Schema of a position of a variant."""
    without = {"V1": {"monster"}, "V2": {"skipped"}}[variant]
    properties = {name: schema for name, schema in MEMBERS.items() if name not in without}
    properties["variant"] = {"const": variant, "description": MEMBERS["variant"]["description"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Monster Combat, position ({variant})",
        "description": "A member that is left out is unknown, never empty.",
        "type": "object",
        "additionalProperties": False,
        "required": ["variant", "players"],
        "properties": properties,
    }
