"""The form of a position as JSON Schema; every member says what it is (KERNEL-POSITION-1)."""

from __future__ import annotations

from functools import cache

from referee.cardscript.positions.schema import BACK, EMPTIED, SOURCE, STEP, Schema, listed, one, thing
from referee.games.munchkin.components import FACES, SEATS, TOP_LEVEL
from referee.games.munchkin.positions.question_schema import questions
from referee.games.munchkin.positions.schema_parts import SEAT, Cards
from referee.games.munchkin.settings import SETTINGS

MOST = 40  # of anything that lies before one player, or in one combat

# ---- a combat --------------------------------------------------------------------------------------------------------


def _combat(cards: Cards) -> Schema:
    deal = thing(
        "What main gives for help; nothing is owed for what is left out.",
        treasures={
            "description": "How many of the treasures the helper gets.",
            "anyOf": [{"type": "integer", "minimum": 0, "maximum": MOST}, {"const": "all"}],
        },
        picks=listed("Who picks, in this order; if left out, by turns.", {"enum": ["main", "helper"]}, 0, MOST),
        items=listed("Items of main that the helper gets.", {"enum": cards.called("item", "one_shot")}, 0, MOST),
        plays=listed("Cards that main will play on the helper.", {"enum": cards.called("go_up_a_level")}, 0, MOST),
        note={"type": "string", "description": "Words that bind nobody."},
    )
    monster: Schema = {
        "description": "A monster of the combat: by name if nothing lies on it; else with its enhancers.",
        "anyOf": [
            {"enum": cards.called("monster")},
            thing(
                "A monster, what lies on it, and what it is a twin by.",
                ("monster",),
                monster=one("The monster.", {"enum": cards.called("monster")}),
                enhancers=listed("The enhancers on it; none if left out.", {"enum": cards.called("enhancer")}, 0, MOST),
                twin_by=one("It is a twin, and this card stands for it.", {"enum": cards.called("door_special")}),
            ),
        ],
    }
    added = thing(
        "Something that counts for one side in this combat.",
        ("card", "side", "count"),
        card=one("The card, or the citizenship whose power it was.", cards.any),
        seat=one("Who played it; if left out, main.", SEAT),
        side={"enum": ["munchkins", "monsters"], "description": "For which side it counts."},
        count={"type": "integer", "minimum": -100, "maximum": 100, "description": "How much it counts."},
        one_shot={"type": "boolean", "description": "Whether it is a one-shot; if left out, as its card says."},
    )
    return thing(
        "The running combat.",
        ("monsters",),
        main=one("Whose combat it is; if left out, that of the player on turn.", SEAT),
        helper=one("Who helps; nobody if left out.", SEAT),
        drafted={"type": "boolean", "description": "Whether the helper was forced to help; false if left out."},
        deal=deal,
        monsters=listed("The monsters, in the order in which they came.", monster, 0, MOST),
        added=listed("What was played for a side; nothing if left out.", added, 0, MOST),
        terms=thing(
            "Terms of help that somebody has still to answer.",
            ("asked", "deal"),
            by=one("Who named them; if left out, main.", SEAT),
            asked=one("Who has to answer them.", SEAT),
            deal=deal,
        ),
        declined=listed(
            "Who has declined to help as the combat stands, main if a request was taken back; nobody if left out.", SEAT
        ),
        used=listed(
            "The powers of citizenships used in this combat; none if left out.",
            thing(
                "A power used.",
                ("power", "seat"),
                power={"type": "string", "description": "Its name."},
                seat=one("Who used it.", SEAT),
            ),
            0,
            MOST,
        ),
        removed={
            "type": "integer",
            "minimum": 0,
            "maximum": MOST,
            "description": "How many monsters were removed without a kill; none if left out.",
        },
        helper_first_wanted=listed("Which fighters want the helper to run first; neither if left out.", SEAT, 0, 2),
        helper_first={"type": "boolean", "description": "Whether the helper runs first; if left out, if both want it."},
        to_flee=listed(
            "Who has still to escape which monster, once the fighters run; nobody if left out.",
            thing(
                "A roll to come.", ("seat", "monster"), seat=one("Who.", SEAT), monster=one("Which monster.", cards.any)
            ),
            0,
            2 * MOST,
        ),
        died=listed("Who has died in this combat; nobody if left out.", SEAT),
        lying=cards.open(
            "The cards that lie in it; if left out, those that the other members speak of.", cards.boxes.whole, MOST
        ),
    )


# ---- a player, the whole ---------------------------------------------------------------------------------------------


def _player(cards: Cards) -> Schema:
    in_play = cards.called("item", "one_shot", "door_special")
    return thing(
        "What lies in front of a player, and the hand.",
        ("level",),
        level={"type": "integer", "minimum": 1, "maximum": TOP_LEVEL, "description": "The level."},
        hand=cards.closed("The hand.", cards.boxes.whole),
        items=cards.open("The items in play, one-shots among them, and cards that lie on an item.", in_play, MOST),
        in_use=listed(
            "Those of the items that are in use; if left out, all that can be (one-shots cannot).",
            {"enum": cards.called("item")},
            0,
            MOST,
        ),
        attached={
            "type": "object",
            "description": "By item: the card that lies on it; none if left out.",
            "additionalProperties": {"enum": list(cards.boxes.whole)},
        },
        towns=cards.open("The citizenships in play.", cards.called("citizenship", "dual_citizenship"), MOST),
        ride=cards.open("The ride, and what is attached to it.", cards.called("ride", "ride_enhancer"), MOST),
        curses=cards.open("The lasting curses.", [card for card in cards.boxes.whole if FACES[card].stays], MOST),
        just_received=listed(
            "Hand cards that may be put down at once; none if left out.", {"enum": [*cards.boxes.whole, BACK]}
        ),
        next_flight={
            "type": "integer",
            "minimum": -20,
            "maximum": 20,
            "description": "What changes the next roll to run away; nothing if left out.",
        },
        left_behind=listed(
            "What lies open of a dead player's belongings; nothing if left out.", {"enum": list(cards.boxes.whole)}
        ),
    )


def _trade(cards: Cards) -> Schema:
    return thing(
        "A trade that is offered.",
        ("by", "to"),
        by=one("Who offers it.", SEAT),
        to=one("To whom.", SEAT),
        give=listed("What is given; nothing if left out.", {"enum": cards.called("item", "one_shot")}, 0, MOST),
        take=listed("What is asked for it; nothing if left out.", {"enum": cards.called("item", "one_shot")}, 0, MOST),
    )


def _members(cards: Cards) -> dict[str, Schema]:
    return {
        "edition": {"type": "string", "description": "The cards that are played with: the printed ones if left out."},
        "settings": {**SETTINGS, "description": "What was agreed; each has its usual value if left out."},
        "cards": one("Who holds the cards: the server if left out.", SOURCE),
        "dice": one("Who rolls the dice: the server if left out.", SOURCE),
        "named": listed("Seats whose cards are named to the referee at a real table.", SEAT),
        "seats": listed(
            "The players in the order of their seats, clockwise; the first is seat 0.", _player(cards), 3, SEATS
        ),
        "doors": cards.closed("The door deck, its top first.", cards.boxes.decks["door"]),
        "treasures": cards.closed("The treasure deck, its top first.", cards.boxes.decks["treasure"]),
        "door_discard": cards.closed("The discarded doors, the topmost last.", cards.boxes.decks["door"]),
        "treasure_discard": cards.closed("The discarded treasures, the topmost last.", cards.boxes.decks["treasure"]),
        "pending": cards.open(
            "The cards being played; if left out, those that the pending steps speak of.", cards.boxes.whole, MOST
        ),
        "won": listed(
            "Treasures that lie open to be shared out; none if left out.", {"enum": list(cards.boxes.decks["treasure"])}
        ),
        "turn": {
            "description": "Whose turn it is; null before the first. If left out, that of main, or of who is asked.",
            "anyOf": [SEAT, {"type": "null"}],
        },
        "turns": {"type": "integer", "minimum": 0, "maximum": 100_000, "description": "Turns so far; 0: not counted."},
        "fought": {
            "type": "boolean",
            "description": "Whether there was a combat in this turn; if left out, whether one is running.",
        },
        "dead": listed("Who is dead until the next turn begins; nobody if left out.", SEAT),
        "bereft": listed("Who draws new cards as the own next turn begins; nobody if left out.", SEAT),
        "trades": listed("The trades that are offered; none if left out.", _trade(cards)),
        "combat": _combat(cards),
        "winner": one("Who has won; nobody if left out.", SEAT),
        "way": {"enum": ["level_ten", "too_many_turns"], "description": "How the match ended."},
        "question": {
            "description": "What is asked; null: the match is over. If left out, the combat is open; without one, the "
            "player on turn is in calm before kicking open the door.",
            "anyOf": [*questions(cards), STEP, {"type": "null"}],
        },
        "pending_steps": listed("What waits beneath the question, nearest first; if left out, only the turn.", STEP),
        "emptied": EMPTIED,
    }


@cache
def schema(edition: str) -> Schema:
    """The schema of a position that is played with the cards of an edition."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Munchkin, position",
        "description": "What is left out is unknown, never empty, unless its description says what it stands for.",
        "type": "object",
        "additionalProperties": False,
        "required": ["seats"],
        "properties": _members(Cards(edition)),
    }
