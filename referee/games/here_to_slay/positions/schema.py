"""The form of a position as JSON Schema; every member says what it is (KERNEL-POSITION-1)."""

from __future__ import annotations

from functools import cache

from referee.cardscript.positions import schema
from referee.cardscript.positions.editions import for_edition
from referee.cardscript.positions.schema import BACK, EMPTIED, NAMED, SOURCE, STEP, Schema, asks, listed, one, thing
from referee.games.here_to_slay.components import (
    FACES,
    LEADER_BOX,
    MAIN,
    MONSTER_BOX,
    PRINTED,
    SEATS,
    WHOLE_BOX,
    boxes,
    pile,
)
from referee.games.here_to_slay.settings import SETTINGS

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": SEATS - 1}
OR_NULL: Schema = {"anyOf": [SEAT, {"type": "null"}]}
PARTS = ("does", "action", "penalty", "reward", "whenever0", "whenever1", "instead0")


def called(*kinds: str) -> list[str]:
    """The names of the cards of these kinds."""
    return [face.id for face in FACES.values() if face.kind in kinds]


def cards(says: str, names: list[str]) -> Schema:
    """The schema of the cards of one place: names and backs, a number, or both."""
    return schema.cards(says, names, len(pile(WHOLE_BOX)))


def or_more(says: str, items: Schema, most: int = 136) -> Schema:
    """The schema of open cards: all of them, or those that are known of more."""
    return schema.or_more(says, items, most)


# ---- questions -----------------------------------------------------------------------------------------------------

DICE = listed("The two dice.", {"type": "integer", "minimum": 1, "maximum": 6}, 2, 2)
ADDED = listed(
    "What was put on the roll so far; nothing if left out.",
    thing(
        "A value on a roll.",
        ("source", "value", "seat"),
        source=one("The card it comes from.", {"enum": list(WHOLE_BOX)}),
        value={"type": "integer", "minimum": -12, "maximum": 12, "description": "The value."},
        seat=one("Who put it there.", SEAT),
    ),
)
SIDE = {"seat": one("Who rolls.", SEAT), "dice": DICE, "added": ADDED}
ROLLER = one("Who rolls; if left out, the player on turn.", SEAT)
CALLED = {"type": "string", "description": "The name under which the text beneath learns that the card stood."}
ANY_PLAYED = called("hero", "item", "cursed_item", "magic")
ROLLS = [
    thing(
        "A roll for the effect of a hero.",
        ("kind", "about"),
        kind={"const": "hero"},
        seat=ROLLER,
        about=one("The hero.", {"enum": called("hero")}),
        dice=DICE,
        added=ADDED,
        targets=one("The targets declared, by the names that the card gives them.", NAMED),
    ),
    thing(
        "An attack.",
        ("kind", "about"),
        kind={"const": "attack"},
        seat=ROLLER,
        about=one("The monster.", {"enum": list(MONSTER_BOX)}),
        dice=DICE,
        added=ADDED,
    ),
    thing(
        "The two rolls of a challenge.",
        ("kind", "about", "challenger"),
        kind={"const": "challenge"},
        seat=one("Who plays the card; if left out, the player on turn.", SEAT),
        about=one("The card that is challenged.", {"enum": ANY_PLAYED}),
        challenger=thing("The roll of the challenger.", ("seat",), **SIDE),
        challenged=thing("The roll of the challenged.", dice=DICE, added=ADDED),
        called=CALLED,
    ),
]
ROLL: Schema = {"description": "The roll or rolls it is about.", "anyOf": ROLLS}
PASSED = listed("Who has passed already; nobody if left out.", SEAT, 0, SEATS)
ON_TURN = one("The seat asked; if left out, the one whose turn it is.", SEAT)
GIVEN = {
    "type": "object",
    "description": "What some have answered already, by their seats.",
    "additionalProperties": listed("Cards.", {"enum": [*MAIN, BACK]}),
}
ASKED = listed("Who has to answer, in the order in which it is carried out.", SEAT, 1, SEATS)
TEXT: dict[str, Schema] = {
    "card": one("The card whose text is being carried out.", {"enum": list(WHOLE_BOX)}),
    "part": one("Which of its texts: does if left out.", {"enum": list(PARTS)}),
    "by": one("For whom it is carried out; if left out, the player on turn.", SEAT),
    "line": {"type": "integer", "minimum": 0, "maximum": 40, "description": "Its line; if left out, the first to ask."},
    "known": NAMED,
    "secret": listed("Those of the names that only that player may know.", {"type": "string"}),
}
SEEN = listed("The cards.", {"enum": [*WHOLE_BOX, BACK]}, 0, 136)


OF_A_TEXT = ("card",)
QUESTIONS = [
    asks("act", "An action, or the end of the turn. Asked if the position names no question.", seat=ON_TURN),
    asks(
        "challenge", "The others may challenge a card that is being played.", ("card",),
        seat=one("Who plays it; if left out, the player on turn.", SEAT),
        card=one("The card.", {"enum": ANY_PLAYED}), called=CALLED, passed=PASSED,
    ),
    asks("modifiers", "Everybody may play modifiers on a roll.", ("roll",), roll=ROLL, passed=PASSED),
    asks(
        "dice", "Dice are to be rolled: the first of those that the roll leaves out.", ("roll",), roll=ROLL,
        marks=one("Whether it is the hero's roll of this turn: true if left out.", {"type": "boolean"}),
    ),
    asks(
        "target", "The dice lie there; the roller names a target before the modifiers.", ("roll",), roll=ROLLS[0],
        **{name: TEXT[name] for name in ("line", "known", "secret")},
    ),
    asks("free_roll", "A hero has just been played: roll for it at once?", ("hero",), seat=ON_TURN,
         hero=one("The hero.", {"enum": called("hero")})),
    asks("equip", "An item stands: under which hero?", ("item",), seat=ON_TURN,
         item=one("The item.", {"enum": called("item", "cursed_item")})),
    asks("choose", "A card text lets a player choose.", OF_A_TEXT, seat=ON_TURN, **TEXT),
    asks("offer", "A card text offers something.", OF_A_TEXT, seat=ON_TURN, **TEXT),
    asks("discard", "Players choose cards to discard.", ("card", "seats"), seats=ASKED, given=GIVEN, **TEXT),
    asks("sacrifice", "Players choose heroes to sacrifice.", ("card", "seats"), seats=ASKED, given=GIVEN, **TEXT),
    asks("give", "Players choose cards to give away.", ("card", "seats"), seats=ASKED, given=GIVEN, **TEXT),
    asks("look", "A player is shown cards.", ("card", "cards"), seat=ON_TURN, cards=SEEN, **TEXT),
    asks("put_back", "A player puts cards back on the deck in an order of choice.", ("card", "cards"),
         seat=ON_TURN, cards=SEEN, **TEXT),
    asks("tell", "At a real table a player says of what kind a card is.", OF_A_TEXT, seat=ON_TURN, **TEXT),
    asks(
        "instead", "Whoever is about to destroy a hero may do something else.", ("card", "hero", "use"), seat=ON_TURN,
        hero=one("The hero.", {"enum": called("hero")}),
        use=one("The monster that may be used.", {"enum": list(MONSTER_BOX)}), **TEXT,
    ),
    asks(
        "pull", "Chance picks a card out of a hand.", ("card", "of"), seat=ON_TURN, of=one("Whose hand.", SEAT),
        count={"type": "integer", "minimum": 1, "maximum": 5, "description": "How many are still to be pulled."},
        before=one("The hand of the one who pulls as it was before; if left out, as it is.", SEEN), **TEXT,
    ),
    asks(
        "next_trigger", "Several abilities of one player wait: which is next?", ("texts",), seat=ON_TURN,
        texts=listed("The texts that wait.", thing("A text.", ("card",), **TEXT), 2, 30),
    ),
    asks("turn_up", "A monster is turned up.",
         count={"type": "integer", "minimum": 1, "maximum": 3, "description": "How many; one if left out."}),
    asks("shuffle", "A deck is shuffled.", ("where",),
         where={"enum": ["deck:", "monsters:"], "description": "Which one."}),
    asks("redraw", "At a real table, the cards of a hand that is discarded whole are named.", seat=ON_TURN),
    asks("name_cards", "At a real table the cards of a seat are named to the referee.", seat=ON_TURN,
         count={"type": "integer", "minimum": 1, "maximum": 115, "description": "How many; all if left out."}),
    asks("pick_leader", "Players pick leaders.", ("order",), order=listed("Who is still to pick.", SEAT, 1, SEATS),
         at_once=one("Whether whoever is faster picks.", {"type": "boolean"})),
    asks("first_pick", "A die is rolled for the first pick.",
         contenders=listed("Who rolls; everybody if left out.", SEAT, 1, SEATS),
         cast=listed("What they have rolled so far.", {"type": "integer", "minimum": 1, "maximum": 6}, 0, SEATS)),
]  # fmt: skip


# ---- the whole -----------------------------------------------------------------------------------------------------

HERO = {
    "description": "A hero: by name if it carries nothing; else with its item. {hero} alone: what it carries is open.",
    "anyOf": [
        {"enum": called("hero")},
        thing(
            "A hero and what it carries.",
            hero=one("The hero.", {"enum": called("hero")}),
            item={
                "description": "Its item; null: none.",
                "anyOf": [{"enum": called("item", "cursed_item")}, {"type": "null"}],
            },
        ),
    ],
}
PLAYER = thing(
    "What lies in front of a player, and the hand.",
    leader={"description": "The leader; null: none.", "anyOf": [{"enum": list(LEADER_BOX)}, {"type": "null"}]},
    hand=cards("The hand.", list(MAIN)),
    party=or_more("The heroes of the party.", HERO, 48),
    slain=or_more("The monsters that the player has slain.", {"enum": list(MONSTER_BOX)}, 15),
)
LASTING = thing(
    "Something that lasts for a while.",
    ("source", "seat", "what", "until"),
    source=one("The card it comes from.", {"enum": list(WHOLE_BOX)}),
    seat=one("Whom it helps.", SEAT),
    what={"enum": ["roll_bonus", "no_challenge", "no_destroy", "no_steal"], "description": "What it gives."},
    until={"enum": ["own_turn_end", "own_turn_start"], "description": "When it ends."},
    value={"type": "integer", "minimum": -12, "maximum": 12, "description": "Of roll_bonus: how much."},
)
MEMBERS: dict[str, Schema] = {
    "edition": {"type": "string", "description": "The cards that are played with: the printed ones if left out."},
    "settings": {**SETTINGS, "description": "What was agreed; each has its usual value if left out."},
    "cards": one("Who holds the cards: the server if left out.", SOURCE),
    "dice": one("Who rolls the dice: the server if left out.", SOURCE),
    "named": listed("Seats whose cards are named to the referee at a real table.", SEAT, 0, SEATS),
    "seats": listed("The players in the order of their seats, clockwise; the first is seat 0.", PLAYER, 2, SEATS),
    "row": or_more("The open monsters.", {"enum": list(MONSTER_BOX)}, 15),
    "monsters": cards("The monster deck, its top first.", list(MONSTER_BOX)),
    "deck": cards("The main deck, its top first.", list(MAIN)),
    "discard": cards("The discard pile, its top last.", list(MAIN)),
    "pending": or_more(
        "The cards that are being played; if left out, those that the question and the pending steps speak of.",
        {"enum": [*MAIN, BACK]},
    ),
    "leaders": or_more("The leaders that can be picked.", {"enum": list(LEADER_BOX)}),
    "box": or_more("What lies in the box.", {"enum": [*WHOLE_BOX, BACK]}),
    "turn": {**OR_NULL, "description": "Whose turn it is; null before the first."},
    "turns": {"type": "integer", "minimum": 0, "maximum": 100_000, "description": "Turns so far; 0: not counted."},
    "points": {"type": "integer", "minimum": 0, "maximum": 20, "description": "Points that the player on turn has."},
    "marked": listed("The heroes that were rolled for in this turn.", {"enum": called("hero")}),
    "leader_used": {"type": "boolean", "description": "Whether the leader's own action was used in this turn."},
    "lasting": listed("What lasts for a while; nothing if left out.", LASTING),
    "picked": listed("Who has picked a leader, first to last; nobody if left out.", SEAT, 0, SEATS),
    "left": listed("Who has left the table; nobody if left out.", SEAT, 0, SEATS),
    "winner": one("Who has won; nobody if left out.", SEAT),
    "way": {"enum": ["three_monsters", "six_classes", "last_one_left"], "description": "How it was won."},
    "question": {
        "description": "What is asked; null: the match is over. If left out, the player on turn is to act.",
        "anyOf": [*QUESTIONS, STEP, {"type": "null"}],
    },
    "pending_steps": listed(
        "What waits beneath the question, nearest first; if left out, only the turn.", STEP, 0, 200
    ),
    "emptied": EMPTIED,
}
SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Here to Slay, position",
    "description": "What is left out is unknown, never empty.",
    "type": "object",
    "additionalProperties": False,
    "required": ["seats"],
    "properties": MEMBERS,
}


@cache
def schema_of(edition: str) -> Schema:
    """The form of a position that is played with the cards of an edition. Raises KeyError where it is not installed."""
    if edition == PRINTED:
        return SCHEMA
    box = boxes(edition).whole
    own = {card: FACES[card].kind for card in WHOLE_BOX}
    more = max(0, sum(box.values()) - sum(WHOLE_BOX.values()))
    found: Schema = for_edition(SCHEMA, own, {card: FACES[card].kind for card in box}, more)
    return found
