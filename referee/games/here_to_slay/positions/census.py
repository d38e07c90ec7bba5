"""The census of a position: whether its cards can exist together.

HTS-ZONE-6: All 136 cards are accounted for at every moment, each in exactly one place.
HTS-COMP-1: The box holds a main deck of 115 normal cards and 6 oversized leaders, both with light backs, 15 oversized
    monsters with dark blue backs, 6 reference cards and two six-sided dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.positions.counting import CensusFinding, build_census_result, build_finding
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
from referee.games.here_to_slay.positions.points import count_most_points
from referee.games.here_to_slay.state import NOBODY, Table
from referee.games.here_to_slay.values import MONSTERS_TO_WIN

POINTERS_BY_PLACE = {
    DECK: "/deck", DISCARD: "/discard", MONSTERS: "/monsters", ROW: "/row", PENDING: "/pending", LEADERS: "/leaders",
    BOXED: "/box",
    **{place: f"/seats/{seat}/hand" for seat, place in enumerate(HANDS)},
    **{place: f"/seats/{seat}/party" for seat, place in enumerate(PARTIES)},
    **{place: f"/seats/{seat}/slain" for seat, place in enumerate(SLAIN)},
    **{place: f"/seats/{seat}/leader" for seat, place in enumerate(LEADER)},
}  # fmt: skip


def take_census(table: Table) -> dict[str, Any]:
    """Return the contradictions of a position and the places to count again.

    The places that occur in most contradictions come first.
    """
    labels = {pointer: place for place, pointer in POINTERS_BY_PLACE.items()}
    return build_census_result(find_contradictions(table), labels, BOOK)


def find_contradictions(table: Table) -> Iterator[CensusFinding]:
    """Yield the contradictions of a position.

    Each has `says` (en, de), its clause, the count found, the copies there are, and its places.
    """
    lying = [(card, find_pointer(table, place)) for place, cards in table.zones.items() for card in cards]
    counted = Counter(card for card, _ in lying if not is_back(card))
    boxes = table.rules.boxes
    for card, count in counted.items():
        if count > boxes.all_cards[card]:
            places = dict.fromkeys(at for other, at in lying if other == card)
            yield build_finding(BOOK, "census.too_many", "HTS-ZONE-6", count, boxes.all_cards[card], places, card)
    for name, box in list_decks(boxes).items():
        yield from _check_totals(table, name, box)


def list_decks(boxes: Boxes) -> dict[str, dict[str, int]]:
    """Return the decks of a box, by their names in the texts of the census."""
    return {"main": boxes.main, "monsters": boxes.monsters, "leaders": boxes.leaders}


def find_pointer(table: Table, place: str) -> str:
    """Return the JSON pointer of a place in a position. An item's is that of its hero."""
    if place in POINTERS_BY_PLACE:
        return POINTERS_BY_PLACE[place]
    hero = place.partition("/")[2]
    return next((POINTERS_BY_PLACE[party] for party in PARTIES if hero in table.cards_at(party)), "/seats")


def _check_totals(table: Table, name: str, box: dict[str, int]) -> Iterator[CensusFinding]:
    """Yield a finding if there are more cards of a deck than exist, or too few.

    Too few can be found only if the position leaves out none of their places.
    """
    places = {place: cards for place, cards in table.zones.items() if _may_hold(name, place)}
    total = sum(box.values())
    found = sum(
        card != UNCOUNTED_CARDS and (place != BOXED or card in box) for place, cards in places.items() for card in cards
    )
    complete = not any(UNCOUNTED_CARDS in cards for cards in places.values())
    if found > total or (complete and found < total):
        key = f"census.{'more' if found > total else 'fewer'}_{name}"
        where = [find_pointer(table, place) for place, cards in places.items() if cards]
        yield build_finding(BOOK, key, "HTS-COMP-1", found, total, where)


def _may_hold(name: str, place: str) -> bool:
    """Return whether cards of a deck may lie at a place."""
    if place == BOXED:
        return True
    if place in (ROW, MONSTERS, *SLAIN):
        return name == "monsters"
    return name == ("leaders" if place in (LEADERS, *LEADER) else "main")


def find_out_of_range(table: Table) -> Iterator[OutOfRange]:
    """Yield points of a turn and counts of slain monsters that the rules exclude.

    HTS-TURN-2: A turn starts with three points, for the owner of Mega Slime with four.
    HTS-POINTS-1: A text may give its player more action points for the turn under way, up to 99.
    HTS-WIN-1: The third slain monster wins the game on the spot, before any reward, new monster or trigger.
    """
    if table.turn is not None and table.turn != NOBODY:
        most = count_most_points(table, table.turn)
        yield from check_range("census.points", table.points, 0, most, "HTS-TURN-2", table.turn)
    for seat in range(table.rules.seats):
        yield from check_range("census.slain", len(table.cards_at(SLAIN[seat])), 0, MONSTERS_TO_WIN, "HTS-WIN-1", seat)
