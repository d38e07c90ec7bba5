"""The form of a position as JSON Schema; every member says what it is (KERNEL-POSITION-1)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards.positions import forms
from referee.cards.positions.forms import BACK, EMPTIED, SOURCE, STEP, Schema, listed, one, thing
from referee.games.munchkin.material import BOX, DOOR_BOX, FACES, SEATS, TOP_LEVEL, TREASURE_BOX, pile
from referee.games.munchkin.positions.form_of_questions import QUESTIONS
from referee.games.munchkin.positions.forms import CARD, SEAT, called
from referee.games.munchkin.settings import SETTINGS

ALL = len(pile(BOX))
MOST = 40  # of anything that lies before one player, or in one combat


def cards(says: str, names: Iterable[str]) -> Schema:
    """The schema of the cards of one place: names and backs, a number, or both."""
    return forms.cards(says, names, ALL)


def open_cards(says: str, names: Iterable[str], most: int = ALL) -> Schema:
    """The schema of open cards: all of them, or those that are known of more."""
    return forms.or_more(says, {"enum": list(names)}, most)


# ---- a combat --------------------------------------------------------------------------------------------------------

DEAL = thing(
    "What main gives for help; nothing is owed for what is left out.",
    treasures={
        "description": "How many of the treasures the helper gets.",
        "anyOf": [{"type": "integer", "minimum": 0, "maximum": MOST}, {"const": "all"}],
    },
    picks=listed("Who picks, in this order; if left out, by turns.", {"enum": ["main", "helper"]}, 0, MOST),
    items=listed("Items of main that the helper gets.", {"enum": called("item", "one_shot")}, 0, MOST),
    plays=listed("Cards that main will play on the helper.", {"enum": called("go_up_a_level")}, 0, MOST),
    note={"type": "string", "description": "Words that bind nobody."},
)
MONSTER: Schema = {
    "description": "A monster of the combat: by name if nothing lies on it; else with its enhancers.",
    "anyOf": [
        {"enum": called("monster")},
        thing(
            "A monster, what lies on it, and what it is a twin by.",
            ("monster",),
            monster=one("The monster.", {"enum": called("monster")}),
            enhancers=listed("The enhancers on it; none if left out.", {"enum": called("enhancer")}, 0, MOST),
            twin_by=one("It is a twin, and this card stands for it.", {"enum": called("door_special")}),
        ),
    ],
}
ADDED = thing(
    "Something that counts for one side in this combat.",
    ("card", "side", "count"),
    card=one("The card, or the citizenship whose power it was.", CARD),
    seat=one("Who played it; if left out, main.", SEAT),
    side={"enum": ["munchkins", "monsters"], "description": "For which side it counts."},
    count={"type": "integer", "minimum": -100, "maximum": 100, "description": "How much it counts."},
    one_shot={"type": "boolean", "description": "Whether it is a one-shot; if left out, as its card says."},
)
COMBAT = thing(
    "The running combat.",
    ("monsters",),
    main=one("Whose combat it is; if left out, that of the player on turn.", SEAT),
    helper=one("Who helps; nobody if left out.", SEAT),
    drafted={"type": "boolean", "description": "Whether the helper was forced to help; false if left out."},
    deal=DEAL,
    monsters=listed("The monsters, in the order in which they came.", MONSTER, 0, MOST),
    added=listed("What was played for a side; nothing if left out.", ADDED, 0, MOST),
    terms=thing(
        "Terms of help that somebody has still to answer.",
        ("asked", "deal"),
        by=one("Who named them; if left out, main.", SEAT),
        asked=one("Who has to answer them.", SEAT),
        deal=DEAL,
    ),
    declined=listed(
        "Who has declined to help as the combat stands, main if a request was taken back; nobody if left out.", SEAT
    ),
    used=listed(
        "The powers of citizenships used in this combat; none if left out.",
        thing("A power used.", ("power", "seat"),
              power={"type": "string", "description": "Its name."}, seat=one("Who used it.", SEAT)),
        0, MOST,
    ),
    removed={"type": "integer", "minimum": 0, "maximum": MOST,
             "description": "How many monsters were removed without a kill; none if left out."},
    helper_first_wanted=listed("Which fighters want the helper to run first; neither if left out.", SEAT, 0, 2),
    helper_first={"type": "boolean", "description": "Whether the helper runs first; if left out, if both want it."},
    to_flee=listed(
        "Who has still to escape which monster, once the fighters run; nobody if left out.",
        thing("A roll to come.", ("seat", "monster"), seat=one("Who.", SEAT), monster=one("Which monster.", CARD)),
        0, 2 * MOST,
    ),
    died=listed("Who has died in this combat; nobody if left out.", SEAT),
    lying=open_cards("The cards that lie in it; if left out, those that the other members speak of.", BOX, MOST),
)  # fmt: skip

# ---- a player, the whole ---------------------------------------------------------------------------------------------

IN_PLAY = called("item", "one_shot", "door_special")
PLAYER = thing(
    "What lies in front of a player, and the hand.",
    ("level",),
    level={"type": "integer", "minimum": 1, "maximum": TOP_LEVEL, "description": "The level."},
    hand=cards("The hand.", BOX),
    items=open_cards("The items in play, one-shots among them, and cards that lie on an item.", IN_PLAY, MOST),
    in_use=listed(
        "Those of the items that are in use; if left out, all that can be (one-shots cannot).",
        {"enum": called("item")}, 0, MOST,
    ),
    attached={
        "type": "object",
        "description": "By item: the card that lies on it; none if left out.",
        "additionalProperties": {"enum": list(BOX)},
    },
    towns=open_cards("The citizenships in play.", called("citizenship", "dual_citizenship"), MOST),
    ride=open_cards("The ride, and what is attached to it.", called("ride", "ride_enhancer"), MOST),
    curses=open_cards("The lasting curses.", [face.id for face in FACES.values() if face.stays], MOST),
    just_received=listed("Hand cards that may be put down at once; none if left out.", {"enum": [*BOX, BACK]}),
    next_flight={"type": "integer", "minimum": -20, "maximum": 20,
                 "description": "What changes the next roll to run away; nothing if left out."},
    left_behind=listed("What lies open of a dead player's belongings; nothing if left out.", {"enum": list(BOX)}),
)  # fmt: skip
TRADE = thing(
    "A trade that is offered.",
    ("by", "to"),
    by=one("Who offers it.", SEAT),
    to=one("To whom.", SEAT),
    give=listed("What is given; nothing if left out.", {"enum": called("item", "one_shot")}, 0, MOST),
    take=listed("What is asked for it; nothing if left out.", {"enum": called("item", "one_shot")}, 0, MOST),
)
MEMBERS: dict[str, Schema] = {
    "settings": {**SETTINGS, "description": "What was agreed; each has its usual value if left out."},
    "cards": one("Who holds the cards: the server if left out.", SOURCE),
    "dice": one("Who rolls the dice: the server if left out.", SOURCE),
    "named": listed("Seats whose cards are named to the referee at a real table.", SEAT),
    "seats": listed("The players in the order of their seats, clockwise; the first is seat 0.", PLAYER, 3, SEATS),
    "doors": cards("The door deck, its top first.", DOOR_BOX),
    "treasures": cards("The treasure deck, its top first.", TREASURE_BOX),
    "door_discard": cards("The discarded doors, the topmost last.", DOOR_BOX),
    "treasure_discard": cards("The discarded treasures, the topmost last.", TREASURE_BOX),
    "pending": open_cards("The cards being played; if left out, those that the pending steps speak of.", BOX, MOST),
    "won": listed("Treasures that lie open to be shared out; none if left out.", {"enum": list(TREASURE_BOX)}),
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
    "trades": listed("The trades that are offered; none if left out.", TRADE),
    "combat": COMBAT,
    "winner": one("Who has won; nobody if left out.", SEAT),
    "way": {"enum": ["level_ten", "too_many_turns"], "description": "How the match ended."},
    "question": {
        "description": "What is asked; null: the match is over. If left out, the combat is open; without one, the "
        "player on turn is in calm before kicking open the door.",
        "anyOf": [*QUESTIONS, STEP, {"type": "null"}],
    },
    "pending_steps": listed("What waits beneath the question, nearest first; if left out, only the turn.", STEP),
    "emptied": EMPTIED,
}
SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Munchkin, position",
    "description": "What is left out is unknown, never empty, unless its description says what it stands for.",
    "type": "object",
    "additionalProperties": False,
    "required": ["seats"],
    "properties": MEMBERS,
}
