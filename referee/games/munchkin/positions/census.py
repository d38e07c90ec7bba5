"""Census of a position: no card is there too often, and none is lost.

MK-1.2: There are 168 cards, 96 doors and 72 treasures.
MK-2.1: Each card is in exactly one place at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.zones import is_back
from referee.games.munchkin.components import BOOK, DECKS, DISCARDS, FACES, TOP_LEVEL
from referee.games.munchkin.state import Table

CensusFinding = dict[str, Any]
Pointers = Mapping[str, str]  # where a position writes the cards of each zone


def take_census(table: Table, pointers: Pointers) -> dict[str, Any]:
    """Return the contradictions of a position and the places to count again.

    The places named most often come first.
    """
    found = list(find_contradictions(table, pointers))
    votes = Counter(pointer for finding in found for pointer in finding["places"])
    places = {pointer: place for place, pointer in pointers.items()}
    recounts = [
        {"pointer": at, "says": BOOK.render_texts("census.recount", place=places[at])} for at, _ in votes.most_common()
    ]
    return {"possible": not found, "contradictions": found, "recounts": recounts}


def find_contradictions(table: Table, pointers: Pointers) -> Iterator[CensusFinding]:
    """Yield the contradictions between the cards of a position and the box.

    Each has `says` (en, de), the clause, the count found, the copies that exist, and its places.
    """
    boxes = table.boxes
    lying = [
        (card, pointers[place]) for place, cards in table.zones.items() for card in cards if card != UNCOUNTED_CARDS
    ]
    counted = Counter(card for card, _ in lying if not is_back(card))
    backs = Counter(at for card, at in lying if is_back(card))
    for card, count in counted.items():
        if count > boxes.whole[card]:
            places = [at for other, at in lying if other == card]
            yield _build_finding("census.too_many", "MK-2.1", count, boxes.whole[card], places, card)
    for deck, box in boxes.decks.items():
        piles = {pointers[DECKS[deck]], pointers[DISCARDS[deck]]}
        found = sum(count for card, count in counted.items() if FACES[card].deck == deck)
        if found + sum(backs[pile] for pile in piles) > sum(box.values()):
            there = [at for card, at in lying if _belongs_to_deck(card, at, deck, pointers)]
            yield _build_finding(f"census.more_{deck}s", "MK-1.2", len(there), sum(box.values()), there)
    total = sum(boxes.whole.values())
    complete = not any(UNCOUNTED_CARDS in cards for cards in table.zones.values())
    if len(lying) > total or (complete and len(lying) < total):
        key = "census.more_cards" if len(lying) > total else "census.fewer_cards"
        yield _build_finding(key, "MK-2.1", len(lying), total, [at for _, at in lying])


def _belongs_to_deck(card: str, pointer: str, deck: str, pointers: Pointers) -> bool:
    """Return whether a card surely belongs to a deck.

    Either its name or its place shows it.
    """
    if not is_back(card):
        return FACES[card].deck == deck
    return pointer in (pointers[DECKS[deck]], pointers[DISCARDS[deck]])


def _build_finding(
    key: str, clause: str, counted: int, copies: int, places: Iterable[str], card: str | None = None
) -> CensusFinding:
    says = BOOK.render_texts(key, card=card, counted=counted, copies=copies)
    return {
        "card": card, "counted": counted, "copies": copies, "clause": clause,
        "places": list(dict.fromkeys(places)), "says": says,
    }  # fmt: skip


def find_out_of_range(table: Table) -> Iterator[OutOfRange]:
    """Yield levels out of range (MK-3.1, MK-3.5)."""
    for seat, level in enumerate(table.levels):
        yield from check_range("census.level", level, 1, TOP_LEVEL, "MK-3.1", seat)
