"""The JSON Schema of positions, with a description of each member.

What a position leaves out is unknown, never empty (KERNEL-POSITION-1).
"""

from __future__ import annotations

from functools import cache

from referee.cardscript.positions.schema import (
    BACK,
    CHANCE_SOURCE_SCHEMA,
    EMPTIED_SCHEMA,
    STEP_SCHEMA,
    Schema,
    describe_schema,
    list_schema,
    object_schema,
)
from referee.games.munchkin.components import FACES, SEATS, TOP_LEVEL
from referee.games.munchkin.positions.question_schema import build_question_schemas
from referee.games.munchkin.positions.schema_parts import SEAT, CardSchemas
from referee.games.munchkin.settings import SETTINGS

MAX_LISTED = 40  # of the cards before one player, or in one combat

# ---- a combat --------------------------------------------------------------------------------------------------------


def _build_combat_schema(cards: CardSchemas) -> Schema:
    deal = object_schema(
        "What the main player gives for help; what is left out is not promised.",
        treasures={
            "description": "The number of treasures that the helper gets.",
            "anyOf": [{"type": "integer", "minimum": 0, "maximum": MAX_LISTED}, {"const": "all"}],
        },
        picks=list_schema(
            "The order of picking; if left out, the main player and the helper take turns.",
            {"enum": ["main", "helper"]},
            0,
            MAX_LISTED,
        ),
        items=list_schema(
            "Items of the main player that the helper gets.",
            {"enum": cards.card_names_of_kinds("item", "one_shot")},
            0,
            MAX_LISTED,
        ),
        plays=list_schema(
            "Cards that the main player will play on the helper.",
            {"enum": cards.card_names_of_kinds("go_up_a_level")},
            0,
            MAX_LISTED,
        ),
        note={"type": "string", "description": "A note that is not binding."},
    )
    monster: Schema = {
        "description": "A monster in the combat: just its name, or an object with its enhancers.",
        "anyOf": [
            {"enum": cards.card_names_of_kinds("monster")},
            object_schema(
                "A monster, the enhancers on it, and the card that makes it a twin.",
                ("monster",),
                monster=describe_schema("The monster.", {"enum": cards.card_names_of_kinds("monster")}),
                enhancers=list_schema(
                    "The enhancers on it; none if left out.",
                    {"enum": cards.card_names_of_kinds("enhancer")},
                    0,
                    MAX_LISTED,
                ),
                twin_by=describe_schema(
                    "The card that stands for this monster, if it is a twin.",
                    {"enum": cards.card_names_of_kinds("door_special")},
                ),
            ),
        ],
    }
    added = object_schema(
        "Something that counts for one side in this combat.",
        ("card", "side", "count"),
        card=describe_schema("The card, or the citizenship whose power it was.", cards.any),
        seat=describe_schema("The player who played it; if left out, the main player.", SEAT),
        side={"enum": ["munchkins", "monsters"], "description": "The side for which it counts."},
        count={"type": "integer", "minimum": -100, "maximum": 100, "description": "The strength that it adds."},
        one_shot={"type": "boolean", "description": "Whether it is a one-shot; if left out, as its card says."},
    )
    return object_schema(
        "The running combat.",
        ("monsters",),
        main=describe_schema("The main player; if left out, the active player.", SEAT),
        helper=describe_schema("The helper; nobody if left out.", SEAT),
        drafted={"type": "boolean", "description": "Whether the helper was forced to help; false if left out."},
        deal=deal,
        monsters=list_schema("The monsters, in the order in which they joined.", monster, 0, MAX_LISTED),
        added=list_schema("What was played or used for one side; nothing if left out.", added, 0, MAX_LISTED),
        terms=object_schema(
            "Terms of help that a player still has to answer.",
            ("asked", "deal"),
            by=describe_schema("The player who proposed them; if left out, the main player.", SEAT),
            asked=describe_schema("The player who has to answer them.", SEAT),
            deal=deal,
        ),
        declined=list_schema(
            "The seats that have declined since the combat last changed; the main player's: it withdrew its "
            "request for help. None if left out.",
            SEAT,
        ),
        used=list_schema(
            "The powers of citizenships used in this combat; none if left out.",
            object_schema(
                "A power used.",
                ("power", "seat"),
                power={"type": "string", "description": "The name of the power."},
                seat=describe_schema("The player who used it.", SEAT),
            ),
            0,
            MAX_LISTED,
        ),
        removed={
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_LISTED,
            "description": "The number of monsters removed without a kill; 0 if left out.",
        },
        helper_first_wanted=list_schema(
            "The fighters who want the helper to run first; neither if left out.", SEAT, 0, 2
        ),
        helper_first={
            "type": "boolean",
            "description": "Whether the helper runs first; if left out, true if both want it.",
        },
        to_flee=list_schema(
            "The monsters that each fighter still has to escape; none if left out.",
            object_schema(
                "A roll that is still due.",
                ("seat", "monster"),
                seat=describe_schema("The fighter.", SEAT),
                monster=describe_schema("The monster to escape.", cards.any),
            ),
            0,
            2 * MAX_LISTED,
        ),
        died=list_schema("The fighters who died in this combat; nobody if left out.", SEAT),
        lying=cards.build_open_cards_schema(
            "The cards in the combat; if left out, those that its other members name.",
            cards.boxes.whole,
            MAX_LISTED,
        ),
    )


# ---- a player, the whole ---------------------------------------------------------------------------------------------


def _build_player_schema(cards: CardSchemas) -> Schema:
    in_play = cards.card_names_of_kinds("item", "one_shot", "door_special")
    return object_schema(
        "The cards in front of a player, and the player's hand.",
        ("level",),
        level={"type": "integer", "minimum": 1, "maximum": TOP_LEVEL, "description": "The level."},
        hand=cards.build_pile_schema("The hand.", cards.boxes.whole),
        items=cards.build_open_cards_schema(
            "The items in play, including one-shots and cards attached to an item.", in_play, MAX_LISTED
        ),
        in_use=list_schema(
            "The items in use; if left out, all items but one-shots.",
            {"enum": cards.card_names_of_kinds("item")},
            0,
            MAX_LISTED,
        ),
        attached={
            "type": "object",
            "description": "The card attached to each item, by item; none if left out.",
            "additionalProperties": {"enum": list(cards.boxes.whole)},
        },
        towns=cards.build_open_cards_schema(
            "The citizenships in play.", cards.card_names_of_kinds("citizenship", "dual_citizenship"), MAX_LISTED
        ),
        ride=cards.build_open_cards_schema(
            "The ride, and what is attached to it.", cards.card_names_of_kinds("ride", "ride_enhancer"), MAX_LISTED
        ),
        curses=cards.build_open_cards_schema(
            "The lasting curses.", [card for card in cards.boxes.whole if FACES[card].stays], MAX_LISTED
        ),
        just_received=list_schema(
            "Cards just received that may be put into play at once; none if left out.",
            {"enum": [*cards.boxes.whole, BACK]},
        ),
        next_flight={
            "type": "integer",
            "minimum": -20,
            "maximum": 20,
            "description": "The modifier of the next roll to run away; 0 if left out.",
        },
        left_behind=list_schema(
            "The belongings of a dead player that lie face up; none if left out.", {"enum": list(cards.boxes.whole)}
        ),
    )


def _build_trade_schema(cards: CardSchemas) -> Schema:
    return object_schema(
        "An open offer to trade.",
        ("by", "to"),
        by=describe_schema("The player who offers it.", SEAT),
        to=describe_schema("The player to whom it is offered.", SEAT),
        give=list_schema(
            "The items given; none if left out.",
            {"enum": cards.card_names_of_kinds("item", "one_shot")},
            0,
            MAX_LISTED,
        ),
        take=list_schema(
            "The items wanted in return; none if left out.",
            {"enum": cards.card_names_of_kinds("item", "one_shot")},
            0,
            MAX_LISTED,
        ),
    )


def _build_member_schemas(cards: CardSchemas) -> dict[str, Schema]:
    return {
        "edition": {"type": "string", "description": "The edition of the cards; the printed one if left out."},
        "settings": {**SETTINGS, "description": "The settings of the match; each has its default if left out."},
        "cards": describe_schema("The source of cards; the server if left out.", CHANCE_SOURCE_SCHEMA),
        "dice": describe_schema("The source of dice; the server if left out.", CHANCE_SOURCE_SCHEMA),
        "named": list_schema("Seats whose cards are named to the referee at a real table.", SEAT),
        "seats": list_schema(
            "The players in the order of their seats, clockwise; the first is seat 0.",
            _build_player_schema(cards),
            3,
            SEATS,
        ),
        "doors": cards.build_pile_schema("The door deck, from the top down.", cards.boxes.decks["door"]),
        "treasures": cards.build_pile_schema("The treasure deck, from the top down.", cards.boxes.decks["treasure"]),
        "door_discard": cards.build_pile_schema("The discarded doors, from the bottom up.", cards.boxes.decks["door"]),
        "treasure_discard": cards.build_pile_schema(
            "The discarded treasures, from the bottom up.", cards.boxes.decks["treasure"]
        ),
        "pending": cards.build_open_cards_schema(
            "The cards being played; if left out, those that the pending steps name.", cards.boxes.whole, MAX_LISTED
        ),
        "won": list_schema(
            "Face-up treasures still to be shared out; none if left out.", {"enum": list(cards.boxes.decks["treasure"])}
        ),
        "turn": {
            "description": "The active player; null before the first turn. If left out, the main player of the combat, "
            "or else the player asked.",
            "anyOf": [SEAT, {"type": "null"}],
        },
        "turns": {
            "type": "integer",
            "minimum": 0,
            "maximum": 100_000,
            "description": "The number of turns so far; 0 if not counted.",
        },
        "fought": {
            "type": "boolean",
            "description": "Whether there was a combat in this turn; if left out, whether one is running.",
        },
        "dead": list_schema("The players who are dead until the next turn begins; nobody if left out.", SEAT),
        "bereft": list_schema(
            "The players who draw new cards at the start of their next turn; nobody if left out.", SEAT
        ),
        "trades": list_schema("The open offers to trade; none if left out.", _build_trade_schema(cards)),
        "combat": _build_combat_schema(cards),
        "winner": describe_schema("The winner; nobody if left out.", SEAT),
        "way": {"enum": ["level_ten", "too_many_turns"], "description": "How the match ended."},
        "question": {
            "description": "The open question; null if the match is over. If left out: with a combat, the open combat; "
            "without one, the active player may act before kicking open the door.",
            "anyOf": [*build_question_schemas(cards), STEP_SCHEMA, {"type": "null"}],
        },
        "pending_steps": list_schema(
            "The steps beneath the question, nearest first; if left out, the usual ones.", STEP_SCHEMA
        ),
        "emptied": EMPTIED_SCHEMA,
    }


@cache
def build_position_schema(edition: str) -> Schema:
    """Return the schema of a position that is played with the cards of an edition."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Munchkin, position",
        "description": "A member that is left out is unknown, never empty, unless its description names a default.",
        "type": "object",
        "additionalProperties": False,
        "required": ["seats"],
        "properties": _build_member_schemas(CardSchemas(edition)),
    }
