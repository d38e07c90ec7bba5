"""The form of settings and positions as JSON Schema; every member says what it is."""

from __future__ import annotations

from typing import Any

from referee.games.monster_combat.components import BOOK, EVENT_CARDS, LAST_MONSTER, MAGNETS, PLAYING
from referee.games.monster_combat.state import DEALT


def setting(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A setting's schema with its name and description for players."""
    texts = {"title": BOOK.text(f"setting.{name}", "en"), "description": BOOK.text(f"setting.{name}.says", "en")}
    return {**texts, **schema}


SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "trigger_mode": setting("trigger_mode", {"enum": ["marked_backs", "extra_cards"], "default": "marked_backs"}),
        "trigger_count": setting("trigger_count", {"type": "integer", "minimum": 0, "maximum": 57, "default": 20}),
        "event_copies": setting("event_copies", {"enum": sorted(EVENT_CARDS), "default": "equal"}),
        "v2_immunity_until": setting(
            "v2_immunity_until",
            {"enum": ["own_next_turn_start", "own_next_event_checked"], "default": "own_next_turn_start"},
        ),
        "first_player": setting(
            "first_player",
            {"anyOf": [{"const": "drawn"}, {"type": "integer", "minimum": 0, "maximum": 6}], "default": "drawn"},
        ),
    },
}

SEAT = {"type": "integer", "minimum": 0, "maximum": 6}


def cards(what: str, names: list[str]) -> dict[str, Any]:
    """The schema of the cards of one place."""
    listed = {"type": "array", "items": {"enum": names}}
    many = {"type": "integer", "minimum": 0, "maximum": 120}
    both = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "cards": {**listed, "description": "The cards that are known."},
            "count": {**many, "description": "How many there are in all."},
            "more": {"type": "boolean", "description": "True: there are more, and nobody has counted them."},
        },
    }
    return {"description": what, "anyOf": [listed, many, both]}


FACES = [name for card in PLAYING for name in (card, f"{card}!trigger")] + ["trigger!trigger", "?", "?trigger"]
EVENTS = [name for card in EVENT_CARDS["equal"] for name in (card, f"{card}!event")] + ["?event"]


def question(what: str, says: str, free: tuple[str, ...] = (), **members: Any) -> dict[str, Any]:
    """The schema of one question. `free` members can be left out: they follow from the rest, or are asked for."""
    return {
        "type": "object",
        "description": says,
        "additionalProperties": False,
        "required": ["asks", *(name for name in members if name not in free)],
        "properties": {"asks": {"const": what}, **members},
    }


def seat(says: str) -> dict[str, Any]:
    """The schema of a seat in a question."""
    return {**SEAT, "description": says}


def count(says: str, most: int) -> dict[str, Any]:
    """The schema of a number in a question."""
    return {"type": "integer", "minimum": 1, "maximum": most, "description": says}


ON_TURN = seat("The seat asked; if left out, the one whose turn it is.")
QUESTIONS = [
    question("play", "Play a card or pass: phase 3.", ("seat",), seat=ON_TURN),
    question(
        "parry",
        "Someone is attacked and may answer with a shield.",
        ("strength", "by"),
        seat=seat("Who is attacked."),
        strength=count("How many hearts the attack costs; if left out, as many as the attacker can take.", 9),
        by={"enum": ["sword", "event", "monster"], "description": "What attacks; if left out, it follows."},
    ),
    question(
        "lightning",
        "Lightning: those attacked answer one after the other.",
        ("all_parried",),
        order={"type": "array", "items": SEAT, "description": "Who has still to answer, in order."},
        by=seat("Who played it."),
        all_parried={"type": "boolean", "description": "Whether all have put down a shield so far."},
    ),
    question(
        "discard_down",
        "Surplus cards at the end of the turn.",
        ("seat", "count"),
        seat=ON_TURN,
        count=count("How many; if left out, as many as the hand has too many.", 120),
    ),
    question("revive_draw", "Someone revived may draw five cards.", seat=seat("Who was revived.")),
    question("draw", "The card of phase 1 is drawn; chance answers.", ("seat",), seat=ON_TURN),
    question(
        "draw_more", "A card lets someone draw.", ("count",), seat=seat("Who draws."), count=count("How many.", DEALT)
    ),
    question(
        "deal",
        "A first hand is dealt.",
        ("count",),
        seat=seat("To whom."),
        count=count("How many; if left out, what the hand lacks.", DEALT),
    ),
    question("event", "The top event is turned up; chance answers.", ("seat",), seat=ON_TURN),
    question(
        "steal",
        "A thief takes cards unseen; chance answers.",
        ("count",),
        victim=seat("Who loses them."),
        thief=seat("Who gets them."),
        count=count("How many; if left out, what the card last played shows.", max(MAGNETS.values())),
    ),
    question("lose_hand", "A whole hand goes to the discard.", seat=seat("Whose.")),
    question("first_player", "Who begins is drawn by lot."),
    question("shuffle", "A pile is shuffled.", where={"enum": ["deck:", "events:"], "description": "Which pile."}),
]

OR_NOBODY = {"anyOf": [SEAT, {"type": "null"}]}
MEMBERS: dict[str, dict[str, Any]] = {
    "variant": {"enum": ["V1", "V2"], "description": "V1: all against all. V2: all against the monsters."},
    "settings": {**SETTINGS, "description": "What was agreed; each has its usual value if left out."},
    "cards": {"enum": ["server", "table"], "default": "server", "description": "Who holds the cards."},
    "named": {"type": "array", "items": SEAT, "description": "Seats whose hands are read to the referee, at a table."},
    "players": {
        "type": "array",
        "minItems": 2,
        "maxItems": 7,
        "description": "The players in the order of their seats, the first is seat 0.",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "hearts": {"type": "integer", "minimum": 0, "maximum": 3, "description": "Full hearts."},
                "immune": {"type": "boolean", "description": "Whether the player is immune just now."},
                "hand": cards("The hand.", FACES),
            },
        },
    },
    "draw_pile": cards("The draw pile, its top first.", FACES),
    "top_of_draw_pile": {"enum": ["plain", "trigger", "none"], "description": "The back on top of the draw pile."},
    "discard": cards("The discard, its top last.", FACES),
    "event_pile": cards("The event pile.", EVENTS),
    "event_tray": cards("The used events, the last one last.", EVENTS),
    "turn": {**OR_NOBODY, "description": "Whose turn it is; null before the first."},
    "direction": {"enum": ["clockwise", "counterclockwise"], "description": "Clockwise: seat 1 comes after seat 0."},
    "skipped": {**OR_NOBODY, "description": "V1: who misses the coming turn; null: nobody."},
    "monster": {
        "type": "object",
        "description": "V2: the active monster.",
        "additionalProperties": False,
        "properties": {
            "number": {"type": "integer", "minimum": 1, "maximum": LAST_MONSTER, "description": "Which of the ten."},
            "hearts": {"type": "integer", "minimum": 0, "maximum": LAST_MONSTER, "description": "What it has left."},
            "asleep_until": {**OR_NOBODY, "description": "The seat on whose turn it wakes; null: it is awake."},
        },
    },
    "fallen": {"type": "array", "items": SEAT, "description": "The defeated, in the order in which they fell."},
    "question": {"anyOf": [*QUESTIONS, {"type": "null"}], "description": "What is asked; null: the match is over."},
    "pending": {
        "type": "array",
        "items": {"type": "object"},
        "description": "What waits beneath the question, nearest first; if left out, what a turn usually has there.",
    },
}


def position_schema(variant: str) -> dict[str, Any]:
    """The JSON Schema of a position of a variant."""
    without = {"V1": {"monster"}, "V2": {"skipped"}}[variant]
    properties = {name: schema for name, schema in MEMBERS.items() if name not in without}
    properties["variant"] = {"const": variant, "description": MEMBERS["variant"]["description"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Monster Combat, position ({variant})",
        "description": "What is left out is unknown, never empty.",
        "type": "object",
        "additionalProperties": False,
        "required": ["variant", "players"],
        "properties": properties,
    }
