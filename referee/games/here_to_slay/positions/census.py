"""Whether the cards of a position can be: no card more often than it is there, none lost (HTS-ZONE-6, HTS-COMP-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from referee.cardscript.table import SOME
from referee.engine.cardtracking.ranges import Miscount, ranged
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
from referee.games.here_to_slay.state import NOBODY, POINTS, Table

Finding = dict[str, Any]
WINNING = 3  # slain monsters (HTS-WIN-1)
POINTERS = {
    DECK: "/deck", DISCARD: "/discard", MONSTERS: "/monsters", ROW: "/row", PENDING: "/pending", LEADERS: "/leaders",
    BOXED: "/box",
    **{place: f"/seats/{seat}/hand" for seat, place in enumerate(HANDS)},
    **{place: f"/seats/{seat}/party" for seat, place in enumerate(PARTIES)},
    **{place: f"/seats/{seat}/slain" for seat, place in enumerate(SLAIN)},
    **{place: f"/seats/{seat}/leader" for seat, place in enumerate(LEADER)},
}  # fmt: skip


def census(table: Table) -> dict[str, Any]:
    """The contradictions of a position, and the places to count again, those named most often first."""
    found = list(contradictions(table))
    votes = Counter(pointer for finding in found for pointer in finding["places"])
    again = [at for at, _ in votes.most_common()]
    recounts = [{"pointer": at, "says": BOOK.texts("census.recount", place=_spoken(at))} for at in again]
    return {"possible": not found, "contradictions": found, "recounts": recounts}


def contradictions(table: Table) -> Iterator[Finding]:
    """What cannot be: each with `says` (en, de), clause, the count found and the copies there are, and its places."""
    lying = [(card, pointer_of(table, place)) for place, cards in table.zones.items() for card in cards]
    counted = Counter(card for card, _ in lying if not is_back(card))
    boxes = table.rules.boxes
    for card, count in counted.items():
        if count > boxes.whole[card]:
            places = dict.fromkeys(at for other, at in lying if other == card)
            yield _finding("census.too_many", "HTS-ZONE-6", count, boxes.whole[card], places, card)
    for name, box in decks(boxes).items():
        yield from _totals(table, name, box)


def decks(boxes: Boxes) -> dict[str, dict[str, int]]:
    """The decks of a box, by what the texts of the census call them."""
    return {"main": boxes.main, "monsters": boxes.monsters, "leaders": boxes.leaders}


def pointer_of(table: Table, place: str) -> str:
    """Where in a position a place of the table stands; an item stands with its hero."""
    if place in POINTERS:
        return POINTERS[place]
    hero = place.partition("/")[2]
    return next((POINTERS[party] for party in PARTIES if hero in table.place(party)), "/seats")


def _totals(table: Table, name: str, box: dict[str, int]) -> Iterator[Finding]:
    """More cards of a sort in all than there are, or fewer although nothing is left out."""
    places = {place: cards for place, cards in table.zones.items() if _may_hold(name, place)}
    total = sum(box.values())
    found = sum(card != SOME and (place != BOXED or card in box) for place, cards in places.items() for card in cards)
    complete = not any(SOME in cards for cards in places.values())
    if found > total or (complete and found < total):
        key = f"census.{'more' if found > total else 'fewer'}_{name}"
        where = [pointer_of(table, place) for place, cards in places.items() if cards]
        yield _finding(key, "HTS-COMP-1", found, total, where)


def _may_hold(name: str, place: str) -> bool:
    """Whether cards of a sort may lie at a place."""
    if place == BOXED:
        return True
    if place in (ROW, MONSTERS, *SLAIN):
        return name == "monsters"
    return name == ("leaders" if place in (LEADERS, *LEADER) else "main")


def _spoken(pointer: str) -> str:
    """A place of a position as a parameter of a text: the name of the place as players call it."""
    return next(place for place, at in POINTERS.items() if at == pointer)


def _finding(
    key: str, clause: str, counted: int, copies: int, places: Iterable[str], card: str | None = None
) -> Finding:
    says = BOOK.texts(key, card=card, counted=counted, copies=copies)
    return {
        "card": card, "counted": counted, "copies": copies, "clause": clause,
        "places": list(dict.fromkeys(places)), "says": says,
    }  # fmt: skip


def miscounted(table: Table) -> Iterator[Miscount]:
    """Points of a turn and slain monsters that cannot be (HTS-TURN-2, HTS-WIN-1)."""
    if table.turn is not None and table.turn != NOBODY:
        most = POINTS + table.extra_points(table.turn)
        yield from ranged("census.points", table.points, 0, most, "HTS-TURN-2", table.turn)
    for seat in range(table.rules.seats):
        yield from ranged("census.slain", len(table.place(SLAIN[seat])), 0, WINNING, "HTS-WIN-1", seat)
