"""The 32 cards, read from `cards.yaml`, and what is agreed before a match.

A card is called by suit and rank: `hearts_7`, `clubs_jack`. Clauses: MM-MAT-1, MM-MAT-2, MM-PLAIN-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook, Text, read_yaml
from referee.engine.rulebook.messages import name_seat_places

HERE = Path(__file__).parent
MAX_SEATS, MAX_TURNS = 4, 1000
DECK, DISCARD = "deck:", "discard"
HANDS = tuple(f"hand:{seat}" for seat in range(MAX_SEATS))
FIRST_HAND_SIZE = 5  # MM-SETUP-1
CARDS_PER_SEVEN = 2  # MM-SEVEN-1

_FILE: dict[str, dict[str, Any]] = read_yaml(HERE / "cards.yaml")
SUITS: dict[str, Text] = _FILE["suits"]
PLAIN = {
    "text": {"en": "Does nothing special.", "de": "Bewirkt nichts Besonderes."},
    "clauses": ["MM-MAT-1", "MM-PLAIN-1"],
    "acts": [],
}
CARDS: tuple[dict[str, Any], ...] = tuple(
    {
        **PLAIN,
        **of_rank,
        "id": f"{suit}_{rank}",
        "name": {"en": f"{of_rank['name']['en']} of {named['en']}", "de": f"{named['de']}-{of_rank['name']['de']}"},
        "copies": 1,
    }
    for suit, named in SUITS.items()
    for rank, of_rank in _FILE["ranks"].items()
)
CARD_IDS: tuple[str, ...] = tuple(card["id"] for card in CARDS)
BOX = dict.fromkeys(CARD_IDS, 1)
PLACE_LABELS: dict[str, Text] = {
    DECK: {"en": "draw pile", "de": "Nachziehstapel"},
    DISCARD: {"en": "discard pile", "de": "Ablagestapel"},
    **name_seat_places((HANDS, "hand of", "Hand von")),
}
BOOK = Rulebook.load(
    HERE, base=KERNEL_RULEBOOK, names={**{card["id"]: card["name"] for card in CARDS}, **SUITS, **PLACE_LABELS}
)

SETTINGS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "stacking": {"type": "boolean", "default": True, "description": "A seven may answer a seven (MM-AMB-8)."},
        "jack_on_jack": {"type": "boolean", "default": False, "description": "A jack may go on a jack (MM-AMB-9)."},
        "max_turns": {
            "type": "integer",
            "minimum": 20,
            "maximum": MAX_TURNS,
            "default": 200,
            "description": "The number of turns after which the fewest hand cards win (MM-AMB-2).",
        },
    },
}


def suit_of(card: str) -> str:
    """Return the suit of a card."""
    return card.partition("_")[0]


def rank_of(card: str) -> str:
    """Return the rank of a card."""
    return card.partition("_")[2]


@dataclass(frozen=True)
class Rules:
    """What was agreed before the match.

    If `at_table`, real cards are dealt. The referee then sees backs only, except for the seats in `named`. Those are
    bots, whose cards somebody reads to the referee.
    """

    seats: int = 2
    stacking: bool = True
    jack_on_jack: bool = False
    max_turns: int = 200
    at_table: bool = False
    named: tuple[int, ...] = ()
