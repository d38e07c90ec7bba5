"""Whether the cards of a position can be: no card more often than it is there, none lost (HTS-ZONE-6, HTS-COMP-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import (
    BOOK,
    BOXED,
    DECK,
    DISCARD,
    HANDS,
    LEADER,
    LEADERS,
    MONSTERS,
    PARTIES,
    PENDING,
    ROW,
    SLAIN,
    Boxes,
)
from referee.games.here_to_slay.state import NOBODY, POINTS_PER_TURN, Table

CensusFinding = dict[str, Any]
MONSTERS_TO_WIN = 3  # slain monsters (HTS-WIN-1)
POINTERS_BY_PLACE = {
    DECK: "/deck", DISCARD: "/discard", MONSTERS: "/monsters", ROW: "/row", PENDING: "/pending", LEADERS: "/leaders",
    BOXED: "/box",
    **{place: f"/seats/{seat}/hand" for seat, place in enumerate(HANDS)},
    **{place: f"/seats/{seat}/party" for seat, place in enumerate(PARTIES)},
    **{place: f"/seats/{seat}/slain" for seat, place in enumerate(SLAIN)},
    **{place: f"/seats/{seat}/leader" for seat, place in enumerate(LEADER)},
}  # fmt: skip


def take_census(table: Table) -> dict[str, Any]:
    """The contradictions of a position, and the places to count again, those named most often first."""
    found = list(find_contradictions(table))
    votes = Counter(pointer for finding in found for pointer in finding["places"])
    again = [at for at, _ in votes.most_common()]
    recounts = [{"pointer": at, "says": BOOK.render_texts("census.recount", place=_find_place(at))} for at in again]
    return {"possible": not found, "contradictions": found, "recounts": recounts}


def find_contradictions(table: Table) -> Iterator[CensusFinding]:
    """What cannot be: each with `says` (en, de), clause, the count found and the copies there are, and its places."""
    lying = [(card, find_pointer(table, place)) for place, cards in table.zones.items() for card in cards]
    counted = Counter(card for card, _ in lying if not is_back(card))
    boxes = table.rules.boxes
    for card, count in counted.items():
        if count > boxes.all_cards[card]:
            places = dict.fromkeys(at for other, at in lying if other == card)
            yield _build_finding("census.too_many", "HTS-ZONE-6", count, boxes.all_cards[card], places, card)
    for name, box in list_decks(boxes).items():
        yield from _check_totals(table, name, box)


def list_decks(boxes: Boxes) -> dict[str, dict[str, int]]:
    """The decks of a box, by what the texts of the census call them."""
    return {"main": boxes.main, "monsters": boxes.monsters, "leaders": boxes.leaders}


def find_pointer(table: Table, place: str) -> str:
    """Where in a position a place of the table stands; an item stands with its hero."""
    if place in POINTERS_BY_PLACE:
        return POINTERS_BY_PLACE[place]
    hero = place.partition("/")[2]
    return next((POINTERS_BY_PLACE[party] for party in PARTIES if hero in table.cards_at(party)), "/seats")


def _check_totals(table: Table, name: str, box: dict[str, int]) -> Iterator[CensusFinding]:
    """More cards of a sort in all than there are, or fewer although nothing is left out."""
    places = {place: cards for place, cards in table.zones.items() if _may_hold(name, place)}
    total = sum(box.values())
    found = sum(
        card != UNCOUNTED_CARDS and (place != BOXED or card in box) for place, cards in places.items() for card in cards
    )
    complete = not any(UNCOUNTED_CARDS in cards for cards in places.values())
    if found > total or (complete and found < total):
        key = f"census.{'more' if found > total else 'fewer'}_{name}"
        where = [find_pointer(table, place) for place, cards in places.items() if cards]
        yield _build_finding(key, "HTS-COMP-1", found, total, where)


def _may_hold(name: str, place: str) -> bool:
    """Whether cards of a sort may lie at a place."""
    if place == BOXED:
        return True
    if place in (ROW, MONSTERS, *SLAIN):
        return name == "monsters"
    return name == ("leaders" if place in (LEADERS, *LEADER) else "main")


def _find_place(pointer: str) -> str:
    """A place of a position as a parameter of a text: the name of the place as players call it."""
    return next(place for place, at in POINTERS_BY_PLACE.items() if at == pointer)


def _build_finding(
    key: str, clause: str, counted: int, copies: int, places: Iterable[str], card: str | None = None
) -> CensusFinding:
    says = BOOK.render_texts(key, card=card, counted=counted, copies=copies)
    return {
        "card": card, "counted": counted, "copies": copies, "clause": clause,
        "places": list(dict.fromkeys(places)), "says": says,
    }  # fmt: skip


def find_out_of_range(table: Table) -> Iterator[OutOfRange]:
    """Points of a turn and slain monsters that cannot be (HTS-TURN-2, HTS-WIN-1)."""
    if table.turn is not None and table.turn != NOBODY:
        most = POINTS_PER_TURN + table.count_extra_points(table.turn)
        yield from check_range("census.points", table.points, 0, most, "HTS-TURN-2", table.turn)
    for seat in range(table.rules.seats):
        yield from check_range("census.slain", len(table.cards_at(SLAIN[seat])), 0, MONSTERS_TO_WIN, "HTS-WIN-1", seat)
