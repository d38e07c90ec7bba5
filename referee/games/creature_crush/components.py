"""What lies in the box, read from `cards/`, and where it lies on the table: decks, hands, hells, rows and places.

Clauses: CC-MAT-1, CC-ZONE-1, CC-ZONE-2, CC-ZONE-ADJ-1, CC-ZONE-3, CC-AMB-1, CC-AMB-7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cardscript.books.catalog import book_of, entries_of, faces_of, shown
from referee.cardscript.books.files import Shelf
from referee.cardscript.language.primitives import Lines
from referee.cardscript.table import CardRules
from referee.games.creature_crush.card_attributes import TEXTS, Face, read_face

FOLDER = Path(__file__).parent
SEATS = (0, 1)
COLUMNS = (1, 2, 3)
ROWS = ("A", "B")
DECK_SIZE, HAND_SIZE, MOST_START_DICE = 20, 4, 5
DRAWN, KEPT = 7, 4  # in each round of the draft (CC-FORMAT-ARENA-1)
POOL = "pool:"  # all cards, before the decks are made
DECKS = ("deck/0:", "deck/1:")
HANDS = ("hand:0", "hand:1")
HELLS = ("hell/0", "hell/1")
DRAFTS = ("draft:0", "draft:1")  # what is chosen from
FLIPPED = ("flipped/0", "flipped/1")  # crush cards turned up whose effect is still to come
SOUGHT = ("sought:0", "sought:1")  # a deck that its player looks through
FIELDS = tuple(tuple(f"{row}{column}/{seat}" for row in ROWS for column in COLUMNS) for seat in SEATS)
CRUSHES = tuple(tuple(f"C{column}/{seat}:{seat}" for column in COLUMNS) for seat in SEATS)
ON_FIELD = (*FIELDS[0], *FIELDS[1])
SEAT_OF = {place: seat for seat in SEATS for place in (*FIELDS[seat], *CRUSHES[seat])}
HAND_OF = {place: HANDS[seat] for place, seat in SEAT_OF.items()}


def row(place: str) -> str:
    """The row of a place: A, B or C."""
    return place[0]


def column(place: str) -> int:
    """The column of a place, 1 to 3, counted alike for both boards (CC-AMB-1)."""
    return int(place[1])


def adjacent(place: str) -> tuple[str, ...]:
    """The places of the same board that share an edge with a place (CC-ZONE-ADJ-1)."""
    return _ADJACENT[place]


def _neighbours(place: str) -> tuple[str, ...]:
    mine = FIELDS[SEAT_OF[place]]
    return tuple(
        other
        for other in mine
        if (row(other) == row(place) and abs(column(other) - column(place)) == 1)
        or (row(other) != row(place) and column(other) == column(place))
    )


_ADJACENT = {place: _neighbours(place) for place in ON_FIELD}

ENTRIES = entries_of(FOLDER)
FACES = faces_of(ENTRIES, read_face)

# by card and text; `texts/programs.py` fills it once all words are known
PROGRAMS: Shelf[tuple[str, str], Lines] = Shelf()
MECHANICS = ("standing", "flips_when", *TEXTS)

CARDS: tuple[dict[str, Any], ...] = tuple(shown(entry, MECHANICS) for _, entry in ENTRIES)
_OF = {"en": "of seat", "de": "von Platz"}
PLACES: dict[str, dict[str, str]] = {
    POOL: {"en": "pile of all cards", "de": "Stapel aller Karten"},
    **{
        places[seat]: {"en": f"{en} of seat {seat}", "de": f"{de} von Platz {seat}"}
        for places, en, de in (
            (DECKS, "deck", "Lager"),
            (HANDS, "hand", "Hand"),
            (HELLS, "hell", "Hölle"),
            (DRAFTS, "cards to choose from", "Auswahl"),
            (FLIPPED, "flipped cards", "geflippte Karten"),
            (SOUGHT, "deck being searched", "durchsuchtes Lager"),
        )
        for seat in SEATS
    },
    **{
        place: {language: f"{place[:2]} {of} {seat}" for language, of in _OF.items()}
        for seat in SEATS
        for place in (*FIELDS[seat], *CRUSHES[seat])
    },
}
WORDS: dict[str, dict[str, str]] = {  # rule words that stand as parameters in texts
    "creature": {"en": "creature", "de": "Creature"},
    "crush": {"en": "crush card", "de": "C-Karte"},
    "lively": {"en": "Lively", "de": "Munter"},
    "vengeful": {"en": "Vengeful", "de": "Nachtragend"},
    "sluggish": {"en": "Sluggish", "de": "Träge"},
    "attack": {"en": "attack", "de": "Angriff"},
    "armor": {"en": "armor", "de": "Panzerung"},
    "action": {"en": "Action", "de": "Aktion"},
    "trap": {"en": "Trap", "de": "Falle"},
    "hell": {"en": "Hell", "de": "Hölle"},
    "flip": {"en": "Flip", "de": "Flipp"},
    "start": {"en": "start phase", "de": "Startphase"},
    "combat": {"en": "combat phase", "de": "Kampfphase"},
    "tactic": {"en": "tactic phase", "de": "Taktikphase"},
}
BOOK = book_of(FOLDER, ENTRIES, WORDS, PLACES)

VARIANTS = ("skirmish", "arena", "league")
EDITION = "original"  # the rulebook prints none of its cards: these 100 are our own designs


@dataclass(frozen=True)
class Boxes:
    """The cards of an edition: `plain`, each once (CC-MAT-1), and for the League once for each deck (CC-AMB-7)."""

    plain: dict[str, int]
    league: dict[str, int]


def boxes(cards: Iterable[str]) -> Boxes:
    """The boxes of an edition with these cards."""
    names = tuple(cards)
    return Boxes(dict.fromkeys(names, 1), {f"{card}#{seat + 1}": 1 for seat in SEATS for card in names})


BOXES: dict[str, Boxes] = {EDITION: boxes(FACES)}  # by edition; those of card books enter when they are installed


@dataclass(frozen=True)
class Rules(CardRules):
    """What was agreed before the match: as in every game with card texts, the format, and time limits."""

    edition: str = EDITION
    variant: str = "skirmish"
    response_window_ms: int | None = None
    turn_timeout_ms: int | None = None
    quiet_turns: int = 40


def plain(card: str) -> str:
    """A card without the number of its copy: in the League both decks may hold the same card (CC-AMB-7)."""
    return card.partition("#")[0]


def face(card: str) -> Face:
    """The face of a named card. Raises KeyError on a back."""
    found = FACES.get(card)
    return FACES[plain(card)] if found is None else found


def program(card: str, text: str) -> Lines:
    """The lines of one text of a card. Raises KeyError."""
    return PROGRAMS[plain(card), text]


def box(rules: Rules) -> Mapping[str, int]:
    """Every card that may be in the match, by its name on the table: in the League each once for each deck.

    Raises KeyError where the book of the edition is not installed.
    """
    found = BOXES[rules.edition]
    return found.league if rules.variant == "league" else found.plain
