"""The form of a position as JSON Schema. Every member is described.

KERNEL-POSITION-1: What a written position leaves out is unknown, not empty. A ruling that needs it stays undecided and
    asks for it.
"""

from __future__ import annotations

from functools import cache

from referee.cardscript.positions import schema
from referee.cardscript.positions.editions import adapt_schema_to_edition
from referee.cardscript.positions.schema import (
    BACK,
    BINDINGS_SCHEMA,
    CHANCE_SOURCE_SCHEMA,
    EMPTIED_SCHEMA,
    STEP_SCHEMA,
    Schema,
    describe_schema,
    list_schema,
    object_schema,
    question_schema,
)
from referee.games.here_to_slay.components import (
    FACES,
    LEADER_BOX,
    MAIN,
    MONSTER_BOX,
    PRINTED,
    SEATS,
    WHOLE_BOX,
    boxes_of,
    list_copies,
)
from referee.games.here_to_slay.settings import SETTINGS

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": SEATS - 1}
SEAT_OR_NULL: Schema = {"anyOf": [SEAT, {"type": "null"}]}
TEXT_NAMES = ("does", "action", "penalty", "reward", "whenever0", "whenever1", "instead0")


def card_names_of_kinds(*kinds: str) -> list[str]:
    """Return the names of the cards of these kinds."""
    return [face.id for face in FACES.values() if face.kind in kinds]


def build_pile_schema(says: str, names: list[str]) -> Schema:
    """Return the schema of the cards of one place: names and backs, a number, or both."""
    return schema.cards_schema(says, names, len(list_copies(WHOLE_BOX)))


def build_open_cards_schema(says: str, items: Schema, most: int = 136) -> Schema:
    """Return the schema of open cards: all of them, or the known ones among more."""
    return schema.open_cards_schema(says, items, most)


# ---- questions -----------------------------------------------------------------------------------------------------

DICE_SCHEMA = list_schema("The two dice.", {"type": "integer", "minimum": 1, "maximum": 6}, 2, 2)
ADDED_SCHEMA = list_schema(
    "The values added to the roll so far; none if left out.",
    object_schema(
        "A value added to a roll.",
        ("source", "value", "seat"),
        source=describe_schema("The card it comes from.", {"enum": list(WHOLE_BOX)}),
        value={"type": "integer", "minimum": -12, "maximum": 12, "description": "The value."},
        seat=describe_schema("The player who added it.", SEAT),
    ),
)
ROLL_SIDE = {"seat": describe_schema("Who rolls.", SEAT), "dice": DICE_SCHEMA, "added": ADDED_SCHEMA}
ROLLER_SEAT = describe_schema("Who rolls; if left out, the active player.", SEAT)
NAME_SCHEMA = {
    "type": "string",
    "description": "The name that tells the text beneath that no challenge stopped the card.",
}
PLAYED_CARDS = card_names_of_kinds("hero", "item", "cursed_item", "magic")
ROLL_SCHEMAS = [
    object_schema(
        "A roll for the effect of a hero.",
        ("kind", "about"),
        kind={"const": "hero"},
        seat=ROLLER_SEAT,
        about=describe_schema("The hero.", {"enum": card_names_of_kinds("hero")}),
        dice=DICE_SCHEMA,
        added=ADDED_SCHEMA,
        targets=describe_schema("The declared targets, under the names that the card gives them.", BINDINGS_SCHEMA),
    ),
    object_schema(
        "An attack.",
        ("kind", "about"),
        kind={"const": "attack"},
        seat=ROLLER_SEAT,
        about=describe_schema("The monster.", {"enum": list(MONSTER_BOX)}),
        dice=DICE_SCHEMA,
        added=ADDED_SCHEMA,
    ),
    object_schema(
        "The two rolls of a challenge.",
        ("kind", "about", "challenger"),
        kind={"const": "challenge"},
        seat=describe_schema("Who plays the card; if left out, the active player.", SEAT),
        about=describe_schema("The card that is challenged.", {"enum": PLAYED_CARDS}),
        challenger=object_schema("The roll of the challenger.", ("seat",), **ROLL_SIDE),
        challenged=object_schema("The roll of the player who is challenged.", dice=DICE_SCHEMA, added=ADDED_SCHEMA),
        called=NAME_SCHEMA,
    ),
]
ROLL_SCHEMA: Schema = {"description": "The roll or rolls in question.", "anyOf": ROLL_SCHEMAS}
PASSED_SEATS = list_schema("The seats that have already passed; none if left out.", SEAT, 0, SEATS)
SEAT_ON_TURN = describe_schema("The seat asked; if left out, the active player.", SEAT)
GIVEN_ANSWERS = {
    "type": "object",
    "description": "The answers already given, by seat.",
    "additionalProperties": list_schema("Cards.", {"enum": [*MAIN, BACK]}),
}
AWAITED_SEATS = list_schema(
    "The seats that have to answer, in the order in which the answers take effect.", SEAT, 1, SEATS
)
TEXT_MEMBERS: dict[str, Schema] = {
    "card": describe_schema("The card whose text is being carried out.", {"enum": list(WHOLE_BOX)}),
    "part": describe_schema("Which of its texts; if left out, does.", {"enum": list(TEXT_NAMES)}),
    "by": describe_schema("The player for whom it is carried out; if left out, the active player.", SEAT),
    "line": {
        "type": "integer",
        "minimum": 0,
        "maximum": 40,
        "description": "The line that asks; if left out, the first.",
    },
    "known": BINDINGS_SCHEMA,
    "secret": list_schema("The names in `known` whose values only that player may see.", {"type": "string"}),
}
SEEN_CARDS = list_schema("The cards.", {"enum": [*WHOLE_BOX, BACK]}, 0, 136)


TEXT_REQUIRED = ("card",)
QUESTIONS = [
    question_schema("act", "An action, or the end of the turn. This is the default question.", seat=SEAT_ON_TURN),
    question_schema(
        "challenge",
        "The others may challenge a card that is being played.",
        ("card",),
        seat=describe_schema("Who plays it; if left out, the active player.", SEAT),
        card=describe_schema("The card.", {"enum": PLAYED_CARDS}),
        called=NAME_SCHEMA,
        passed=PASSED_SEATS,
    ),
    question_schema(
        "modifiers", "Everybody may play modifiers on a roll.", ("roll",), roll=ROLL_SCHEMA, passed=PASSED_SEATS
    ),
    question_schema(
        "dice",
        "Dice are to be rolled: the first that the roll leaves out.",
        ("roll",),
        roll=ROLL_SCHEMA,
        marks=describe_schema(
            "Whether it counts as the hero's roll of this turn; true if left out.", {"type": "boolean"}
        ),
    ),
    question_schema(
        "target",
        "The dice are rolled; the roller names a target before modifiers are played.",
        ("roll",),
        roll=ROLL_SCHEMAS[0],
        **{name: TEXT_MEMBERS[name] for name in ("line", "known", "secret")},
    ),
    question_schema(
        "free_roll",
        "A hero has just been played; its player may roll for it at once.",
        ("hero",),
        seat=SEAT_ON_TURN,
        hero=describe_schema("The hero.", {"enum": card_names_of_kinds("hero")}),
    ),
    question_schema(
        "equip",
        "An item was played; its player chooses the hero that carries it.",
        ("item",),
        seat=SEAT_ON_TURN,
        item=describe_schema("The item.", {"enum": card_names_of_kinds("item", "cursed_item")}),
    ),
    question_schema("choose", "A card text asks a player to choose.", TEXT_REQUIRED, seat=SEAT_ON_TURN, **TEXT_MEMBERS),
    question_schema(
        "offer",
        "A card text offers a player something, to accept or decline.",
        TEXT_REQUIRED,
        seat=SEAT_ON_TURN,
        **TEXT_MEMBERS,
    ),
    question_schema(
        "discard",
        "Players choose cards to discard.",
        ("card", "seats"),
        seats=AWAITED_SEATS,
        given=GIVEN_ANSWERS,
        **TEXT_MEMBERS,
    ),
    question_schema(
        "sacrifice",
        "Players choose heroes to sacrifice.",
        ("card", "seats"),
        seats=AWAITED_SEATS,
        given=GIVEN_ANSWERS,
        **TEXT_MEMBERS,
    ),
    question_schema(
        "give",
        "Players choose cards to give away.",
        ("card", "seats"),
        seats=AWAITED_SEATS,
        given=GIVEN_ANSWERS,
        **TEXT_MEMBERS,
    ),
    question_schema(
        "look", "A player is shown cards.", ("card", "cards"), seat=SEAT_ON_TURN, cards=SEEN_CARDS, **TEXT_MEMBERS
    ),
    question_schema(
        "put_back",
        "A player puts cards back on the deck in an order of their choice.",
        ("card", "cards"),
        seat=SEAT_ON_TURN,
        cards=SEEN_CARDS,
        **TEXT_MEMBERS,
    ),
    question_schema(
        "tell",
        "At a real table, a player says what kind a card is.",
        TEXT_REQUIRED,
        seat=SEAT_ON_TURN,
        **TEXT_MEMBERS,
    ),
    question_schema(
        "instead",
        "A player about to destroy a hero may do something else instead.",
        ("card", "hero", "use"),
        seat=SEAT_ON_TURN,
        hero=describe_schema("The hero.", {"enum": card_names_of_kinds("hero")}),
        use=describe_schema("The monster that may be used.", {"enum": list(MONSTER_BOX)}),
        **TEXT_MEMBERS,
    ),
    question_schema(
        "pull",
        "Chance picks a card from a hand.",
        ("card", "of"),
        seat=SEAT_ON_TURN,
        of=describe_schema("Whose hand.", SEAT),
        count={"type": "integer", "minimum": 1, "maximum": 5, "description": "How many cards are still to be pulled."},
        before=describe_schema(
            "The hand of the player who pulls, before the first pull; if left out, as it is now.", SEEN_CARDS
        ),
        **TEXT_MEMBERS,
    ),
    question_schema(
        "next_trigger",
        "Several abilities of one player wait; the player chooses the next one.",
        ("texts",),
        seat=SEAT_ON_TURN,
        texts=list_schema("The waiting texts.", object_schema("A text.", ("card",), **TEXT_MEMBERS), 2, 30),
    ),
    question_schema(
        "turn_up",
        "A monster is turned face up.",
        count={"type": "integer", "minimum": 1, "maximum": 3, "description": "How many; one if left out."},
    ),
    question_schema(
        "shuffle",
        "A deck is shuffled.",
        ("where",),
        where={"enum": ["deck:", "monsters:"], "description": "The deck."},
    ),
    question_schema(
        "redraw", "At a real table, the cards of a hand that is discarded as a whole are named.", seat=SEAT_ON_TURN
    ),
    question_schema(
        "name_cards",
        "At a real table, the cards of a seat are named to the referee.",
        seat=SEAT_ON_TURN,
        count={"type": "integer", "minimum": 1, "maximum": 115, "description": "How many; all if left out."},
    ),
    question_schema(
        "pick_leader",
        "Players pick leaders.",
        ("order",),
        order=list_schema("The seats that still have to pick.", SEAT, 1, SEATS),
        at_once=describe_schema("Whether all pick at the same time, first come, first served.", {"type": "boolean"}),
    ),
    question_schema(
        "first_pick",
        "Dice are rolled to decide who picks first.",
        contenders=list_schema("Who rolls; everybody if left out.", SEAT, 1, SEATS),
        cast=list_schema(
            "Their rolls so far, in the same order.", {"type": "integer", "minimum": 1, "maximum": 6}, 0, SEATS
        ),
    ),
]


# ---- the whole -----------------------------------------------------------------------------------------------------

HERO_SCHEMA = {
    "description": "A hero: just its name if it carries nothing, or an object. {hero} without item: it is unknown.",
    "anyOf": [
        {"enum": card_names_of_kinds("hero")},
        object_schema(
            "A hero and what it carries.",
            hero=describe_schema("The hero.", {"enum": card_names_of_kinds("hero")}),
            item={
                "description": "Its item; null for none.",
                "anyOf": [{"enum": card_names_of_kinds("item", "cursed_item")}, {"type": "null"}],
            },
        ),
    ],
}
PLAYER_SCHEMA = object_schema(
    "The cards in front of a player, and the player's hand.",
    leader={"description": "The leader; null for none.", "anyOf": [{"enum": list(LEADER_BOX)}, {"type": "null"}]},
    hand=build_pile_schema("The hand.", list(MAIN)),
    party=build_open_cards_schema("The heroes of the party.", HERO_SCHEMA, 48),
    slain=build_open_cards_schema("The monsters that the player has slain.", {"enum": list(MONSTER_BOX)}, 15),
)
LASTING_EFFECT_SCHEMA = object_schema(
    "An effect that lasts for a while.",
    ("source", "seat", "what", "until"),
    source=describe_schema("The card it comes from.", {"enum": list(WHOLE_BOX)}),
    seat=describe_schema("The player whom it helps.", SEAT),
    what={"enum": ["roll_bonus", "no_challenge", "no_destroy", "no_steal"], "description": "What it gives."},
    until={"enum": ["own_turn_end", "own_turn_start"], "description": "When it ends."},
    value={"type": "integer", "minimum": -12, "maximum": 12, "description": "For roll_bonus: the value added."},
)
MEMBERS: dict[str, Schema] = {
    "edition": {"type": "string", "description": "The edition of the cards; the printed one if left out."},
    "settings": {**SETTINGS, "description": "The settings of the match; each has its default if left out."},
    "cards": describe_schema("The source of cards; the server if left out.", CHANCE_SOURCE_SCHEMA),
    "dice": describe_schema("The source of dice; the server if left out.", CHANCE_SOURCE_SCHEMA),
    "named": list_schema("Seats whose cards are named to the referee at a real table.", SEAT, 0, SEATS),
    "seats": list_schema(
        "The players in the order of their seats, clockwise; the first is seat 0.", PLAYER_SCHEMA, 2, SEATS
    ),
    "row": build_open_cards_schema("The face-up monsters.", {"enum": list(MONSTER_BOX)}, 15),
    "monsters": build_pile_schema("The monster deck, from the top down.", list(MONSTER_BOX)),
    "deck": build_pile_schema("The main deck, from the top down.", list(MAIN)),
    "discard": build_pile_schema("The discard pile, from the bottom up.", list(MAIN)),
    "pending": build_open_cards_schema(
        "The cards being played; if left out, those that the question and the pending steps name.",
        {"enum": [*MAIN, BACK]},
    ),
    "leaders": build_open_cards_schema("The leaders that can be picked.", {"enum": list(LEADER_BOX)}),
    "box": build_open_cards_schema("The cards in the box.", {"enum": [*WHOLE_BOX, BACK]}),
    "turn": {**SEAT_OR_NULL, "description": "Whose turn it is; null before the first turn."},
    "turns": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100_000,
        "description": "The number of turns so far; 0 if not counted.",
    },
    "points": {"type": "integer", "minimum": 0, "maximum": 20, "description": "The active player's points."},
    "marked": list_schema("The heroes that were rolled for this turn.", {"enum": card_names_of_kinds("hero")}),
    "leader_used": {"type": "boolean", "description": "Whether the leader's own action was used this turn."},
    "lasting": list_schema("The effects that last for a while; none if left out.", LASTING_EFFECT_SCHEMA),
    "picked": list_schema("The seats that have picked a leader, first to last; none if left out.", SEAT, 0, SEATS),
    "left": list_schema("The seats that have left the table; none if left out.", SEAT, 0, SEATS),
    "winner": describe_schema("The winner; nobody if left out.", SEAT),
    "way": {"enum": ["three_monsters", "six_classes", "last_one_left"], "description": "How the match was won."},
    "question": {
        "description": "The open question; null if the match is over. If left out, the active player is to act.",
        "anyOf": [*QUESTIONS, STEP_SCHEMA, {"type": "null"}],
    },
    "pending_steps": list_schema(
        "The steps beneath the question, nearest first; if left out, only the turn.", STEP_SCHEMA, 0, 200
    ),
    "emptied": EMPTIED_SCHEMA,
}
SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Here to Slay, position",
    "description": "A member that is left out is unknown, never empty, unless its description names a default.",
    "type": "object",
    "additionalProperties": False,
    "required": ["seats"],
    "properties": MEMBERS,
}


@cache
def build_position_schema(edition: str) -> Schema:
    """Return the form of a position that is played with an edition.

    Raises KeyError if the edition is not installed.
    """
    if edition == PRINTED:
        return SCHEMA
    box = boxes_of(edition).all_cards
    own = {card: FACES[card].kind for card in WHOLE_BOX}
    more = max(0, sum(box.values()) - sum(WHOLE_BOX.values()))
    found: Schema = adapt_schema_to_edition(SCHEMA, own, {card: FACES[card].kind for card in box}, more)
    return found
