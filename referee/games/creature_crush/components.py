"""What lies in the box, read from `cards/`, and where it lies on the table.

The places are decks, hands, hells, and the rows and columns of the boards. Clauses: CC-MAT-1, CC-ZONE-1, CC-ZONE-2,
CC-ZONE-ADJ-1, CC-ZONE-3, CC-AMB-1, CC-AMB-7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.cardscript.books.catalog import load_cards, load_game_rulebook
from referee.cardscript.books.files import CardRegistry
from referee.cardscript.language.primitives import Program
from referee.cardscript.table import CardRules
from referee.engine.rulebook.messages import name_seat_places
from referee.games.creature_crush.card_attributes import TEXT_NAMES, Face, parse_face

FOLDER = Path(__file__).parent
SEATS = (0, 1)
COLUMNS = (1, 2, 3)
ROWS = ("A", "B")
DECK_SIZE, HAND_SIZE, MOST_START_DICE = 20, 4, 5
BASIC_DICE, OPENING_DICE = 3, 2  # start dice, and those of the first turn of all (CC-START-2, CC-START-3)
DRAFT_DRAWN, DRAFT_KEPT = 7, 4  # in each round of the draft (CC-FORMAT-ARENA-1)
POOL = "pool:"  # all cards, before the decks are made
DECKS = ("deck/0:", "deck/1:")
HANDS = ("hand:0", "hand:1")
HELLS = ("hell/0", "hell/1")
DRAFTS = ("draft:0", "draft:1")  # the cards to choose from in the draft
FLIPPED = ("flipped/0", "flipped/1")  # crush cards turned up whose effect is still to come
SOUGHT = ("sought:0", "sought:1")  # a deck that its player looks through
FIELD_PLACES = tuple(tuple(f"{row}{column}/{seat}" for row in ROWS for column in COLUMNS) for seat in SEATS)
CRUSH_PLACES = tuple(tuple(f"C{column}/{seat}:{seat}" for column in COLUMNS) for seat in SEATS)
ALL_FIELD_PLACES = (*FIELD_PLACES[0], *FIELD_PLACES[1])
SEAT_BY_PLACE = {place: seat for seat in SEATS for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat])}
HAND_OF = {place: HANDS[seat] for place, seat in SEAT_BY_PLACE.items()}


def row_of(place: str) -> str:
    """Return the row of a place: A, B or C."""
    return place[0]


def column_of(place: str) -> int:
    """Return the column of a place, 1 to 3.

    CC-AMB-1: Columns are numbered once for the whole table. Place k faces place k.
    """
    return int(place[1])


def find_adjacent_places(place: str) -> tuple[str, ...]:
    """Return the places of the same board that share an edge with a place.

    CC-ZONE-ADJ-1: Allies are adjacent if their places share an edge, never diagonally and never across to the other
        board.
    """
    return _ADJACENT[place]


def find_opposite_place(place: str, zone: str) -> str:
    """Return the place of a zone on the other board that lies opposite a place.

    CC-ZONE-2: Each column lies opposite the same column of the other board.
    CC-AMB-1: Columns are numbered once for the whole table. Place k faces place k.
    """
    return f"{zone}{column_of(place)}/{1 - SEAT_BY_PLACE[place]}"


def _compute_adjacent_places(place: str) -> tuple[str, ...]:
    mine = FIELD_PLACES[SEAT_BY_PLACE[place]]
    return tuple(
        other
        for other in mine
        if (row_of(other) == row_of(place) and abs(column_of(other) - column_of(place)) == 1)
        or (row_of(other) != row_of(place) and column_of(other) == column_of(place))
    )


_ADJACENT = {place: _compute_adjacent_places(place) for place in ALL_FIELD_PLACES}

# By card and text. `texts/programs.py` fills it once all words are known.
PROGRAMS: CardRegistry[tuple[str, str], Program] = CardRegistry()
MECHANICS = ("standing", "flips_when", *TEXT_NAMES)
CARD_ENTRIES, FACES, ALL_CARDS = load_cards(FOLDER, MECHANICS, parse_face)
PLACE_NAMES: dict[str, dict[str, str]] = {
    POOL: {"en": "pile of all cards", "de": "Stapel aller Karten"},
    **name_seat_places(
        (DECKS, "deck of", "Lager von"),
        (HANDS, "hand of", "Hand von"),
        (HELLS, "hell of", "Hölle von"),
        (DRAFTS, "cards offered to", "Auswahl von"),
        (FLIPPED, "flipped cards of", "geflippte Karten von"),
        (SOUGHT, "deck searched by", "durchsuchtes Lager von"),
    ),
    **name_seat_places(
        *(
            (places, f"{places[0][:2]} of", f"{places[0][:2]} von")
            for places in (*zip(*FIELD_PLACES, strict=True), *zip(*CRUSH_PLACES, strict=True))
        ),
    ),
}
RULE_WORDS: dict[str, dict[str, str]] = {  # rule words that stand as parameters in texts
    "creature": {"en": "creature", "de": "Creature"},
    "crush": {"en": "crush card", "de": "Crush-Karte"},
    "lively": {"en": "Lively", "de": "Munter"},
    "vengeful": {"en": "Vengeful", "de": "Nachtragend"},
    "sluggish": {"en": "Sluggish", "de": "Träge"},
    "attack": {"en": "attack", "de": "Angriff"},
    "armor": {"en": "armor", "de": "Panzerung"},
    "life": {"en": "life", "de": "Leben"},
    "cannot_attack": {"en": "cannot attack", "de": "nicht angreifen"},
    "cannot_attack_directly": {"en": "cannot attack directly", "de": "nicht direkt angreifen"},
    "cannot_be_attacked": {"en": "cannot be attacked", "de": "nicht angegriffen werden"},
    "cannot_be_chosen": {
        "en": "cannot be chosen by effects of the other player",
        "de": "nicht durch Effekte des Gegenspielers gewählt werden",
    },
    "action": {"en": "Action", "de": "Aktion"},
    "trap": {"en": "Trap", "de": "Falle"},
    "hell": {"en": "Hell", "de": "Hölle"},
    "flip": {"en": "Flip", "de": "Flipp"},
    "attacks": {"en": "when it attacks", "de": "beim Angreifen"},
    "attacked": {"en": "when it is attacked", "de": "beim Verteidigen"},
    "attacks_directly": {"en": "when it attacks directly", "de": "beim direkten Angriff"},
    "kills": {"en": "when it destroys", "de": "beim Zerstören"},
    "turn_starts": {"en": "at the start of the turn", "de": "zu Beginn des Zugs"},
    "opponent_starts": {"en": "at the start of the opponent's turn", "de": "zu Beginn des gegnerischen Zugs"},
    "turn_ends": {"en": "at the end of the turn", "de": "am Ende des Zugs"},
    "ally_dies": {"en": "when another ally dies", "de": "wenn ein anderer Verbündeter stirbt"},
    "enemy_dies": {"en": "when an enemy dies", "de": "wenn ein Feind stirbt"},
    "ally_arrives": {"en": "when another ally is summoned", "de": "wenn ein anderer Verbündeter beschworen wird"},
    "enemy_arrives": {"en": "when an enemy is summoned", "de": "wenn ein Feind beschworen wird"},
    "flips": {"en": "when its player flips a crush card", "de": "wenn ihr Spieler eine Crush-Karte flippt"},
    "start": {"en": "start phase", "de": "Startphase"},
    "combat": {"en": "combat phase", "de": "Kampfphase"},
    "tactic": {"en": "tactic phase", "de": "Taktikphase"},
    # what a crush card waits for, after "when" and "wenn"
    "enemy_attacks": {"en": "an enemy attacks one of your creatures", "de": "ein Feind eine deiner Creatures angreift"},
    "enemy_attacks_directly": {"en": "an enemy attacks you directly", "de": "ein Feind dich direkt angreift"},
    "ally_attacks": {"en": "an ally attacks an enemy", "de": "ein Verbündeter einen Feind angreift"},
    "ally_destroyed": {"en": "an ally is destroyed", "de": "ein Verbündeter zerstört wird"},
    "enemy_summoned": {"en": "an enemy is summoned", "de": "ein Feind beschworen wird"},
    "opponent_flips": {"en": "the other player flips a crush card", "de": "der Gegenspieler eine Crush-Karte flippt"},
}
BOOK = load_game_rulebook(FOLDER, CARD_ENTRIES, RULE_WORDS, PLACE_NAMES)

VARIANTS = ("skirmish", "arena", "league")
EDITION = "original"  # the rulebook prints none of its cards: these 100 are our own designs
SECOND_EDITION = "second"  # in it some cards cost less, others do less: `phoenix_2` stands for `phoenix`
REVISED = {card.removesuffix("_2"): card for card in FACES if card.endswith("_2")}
_ORIGINAL = tuple(card for card in ALL_CARDS if card["id"] not in REVISED.values())
_BY_ID = {card["id"]: card for card in ALL_CARDS}
CARDS_BY_EDITION = {
    EDITION: _ORIGINAL,
    SECOND_EDITION: tuple(_BY_ID[REVISED.get(card["id"], card["id"])] for card in _ORIGINAL),
}
CARDS = CARDS_BY_EDITION[EDITION]


@dataclass(frozen=True)
class EditionBoxes:
    """The cards of an edition by name, with copies: `plain` and for the League.

    CC-MAT-1: There are 100 different cards, each once.
    CC-AMB-7: In League each player builds from a full set of all cards, so `league` has each card once for each deck.
    """

    plain: dict[str, int]
    league: dict[str, int]


def build_boxes(cards: Iterable[str]) -> EditionBoxes:
    """Build the boxes of an edition with these cards."""
    names = tuple(cards)
    return EditionBoxes(dict.fromkeys(names, 1), {f"{card}#{seat + 1}": 1 for seat in SEATS for card in names})


# By edition. The boxes of card books are added when the books are installed.
BOXES: dict[str, EditionBoxes] = {
    edition: build_boxes(card["id"] for card in cards) for edition, cards in CARDS_BY_EDITION.items()
}


@dataclass(frozen=True)
class Rules(CardRules):
    """What was agreed before the match: format, edition, time limits, quiet turns."""

    edition: str = EDITION
    variant: str = "skirmish"
    response_window_ms: int | None = None
    turn_timeout_ms: int | None = None
    quiet_turns: int = 40


def strip_copy_number(card: str) -> str:
    """Return the name of a card without the number of its copy.

    CC-AMB-7: In League both decks may hold the same card.
    """
    return card.partition("#")[0]


def face_of(card: str) -> Face:
    """Return the face of a named card. Raises KeyError for a back."""
    found = FACES.get(card)
    return FACES[strip_copy_number(card)] if found is None else found


def program_of(card: str, text: str) -> Program:
    """Return the lines of one text of a card. Raises KeyError."""
    return PROGRAMS[strip_copy_number(card), text]


def find_box_cards(rules: Rules) -> Mapping[str, int]:
    """Return every card that may be in the match by its name, with copies.

    In the League that is each card once for each deck. Raises KeyError if the card book of the edition is not
    installed.
    """
    found = BOXES[rules.edition]
    return found.league if rules.variant == "league" else found.plain
