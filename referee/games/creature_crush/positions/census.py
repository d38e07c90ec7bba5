"""Check whether the cards of a position can be.

No card may be named more often than it exists, decks have 20 cards, and known deck lists are kept to. Clauses:
CC-MAT-1, CC-PREP-1, CC-FORMAT-LEAGUE-1, CC-AMB-7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.positions import counting
from referee.engine.positions.counting import CensusFinding, build_finding, check_total
from referee.engine.zones import is_back
from referee.games.creature_crush.components import (
    BOOK,
    CRUSH_PLACES,
    DECK_SIZE,
    DECKS,
    DRAFTS,
    FLIPPED,
    HANDS,
    HELLS,
    MOST_START_DICE,
    POOL,
    SEAT_BY_PLACE,
    SEATS,
    SOUGHT,
    find_box_cards,
    strip_copy_number,
)
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

PLACES_BY_POINTER = {
    "/pool": POOL,
    **{f"/seats/{seat}/board/{place[:2]}": place for place, seat in SEAT_BY_PLACE.items()},
    **{
        f"/seats/{seat}/{name}": places[seat]
        for name, places in (("deck", DECKS), ("hand", HANDS), ("hell", HELLS), ("draft", DRAFTS),
                             ("sought", SOUGHT), ("flipped", FLIPPED))
        for seat in SEATS
    },
}  # fmt: skip
POINTERS_BY_PLACE = {place: pointer for pointer, place in PLACES_BY_POINTER.items()}
MOST_DAMAGE = 99  # more than the life points of any creature
LocatedCards = list[tuple[str, str]]  # each card with the pointer of the place where it lies


def build_census(table: Table) -> dict[str, Any]:
    """Return the contradictions of a position, and the places to count again.

    The places named by most contradictions come first.
    """
    return counting.build_census_result(find_contradictions(table), PLACES_BY_POINTER, BOOK)


def find_contradictions(table: Table) -> Iterator[CensusFinding]:
    """Find what cannot be among the cards of a position.

    Each finding has a text (`says`), the clause, the count found, the copies there are, and its places.
    """
    lying = [
        (card, POINTERS_BY_PLACE[place])
        for place, cards in table.zones.items()
        for card in cards
        if card != UNCOUNTED_CARDS
    ]
    copies = find_box_cards(table.rules)
    league = table.rules.variant == "league"
    for card, count in Counter(card for card, _ in lying if not is_back(card)).items():
        if count > copies[card]:
            places = [at for other, at in lying if other == card]
            clause = "CC-AMB-7" if league else "CC-MAT-1"
            yield build_finding(BOOK, "census.too_many", clause, count, copies[card], places, card)
    played = [(card, at) for card, at in lying if at != "/pool"]
    if table.turn != NOBODY:  # who concedes before the first turn has no whole deck yet
        is_counted = not any(UNCOUNTED_CARDS in cards for place, cards in table.zones.items() if place != POOL)
        yield from check_total(BOOK, [at for _, at in played], len(SEATS) * DECK_SIZE, "CC-PREP-1", is_counted)
    complete = not any(UNCOUNTED_CARDS in cards for cards in table.zones.values())
    yield from check_total(BOOK, [at for _, at in lying], sum(copies.values()), "CC-MAT-1", complete)
    if league:
        yield from _find_deck_contradictions(table, played)


def may_be_misread(table: Table, found: CensusFinding) -> bool:
    """Return whether a contradiction may come from a misread card at a real table.

    Nobody there learns what a bot holds or what is on a deck list. Therefore a report that contradicts those is not
    refused.
    """
    if not table.rules.cards_at_table:
        return False
    places = (PLACES_BY_POINTER[pointer] for pointer in found["places"])
    read = any(place.endswith(f":{seat}") for place in places for seat in table.rules.named)
    return read or found["clause"] == "CC-FORMAT-LEAGUE-1"


def _find_deck_contradictions(table: Table, played: LocatedCards) -> Iterator[CensusFinding]:
    """Find cards that are on no list of their deck, and decks with too many cards.

    CC-AMB-7: Crush cards never change sides, so they lie only with the player whose deck they are from.
    """
    for seat, places in enumerate(CRUSH_PLACES):
        for card in (table.card_at(place) for place in places):
            if "#" in card and not card.endswith(f"#{seat + 1}"):
                at = POINTERS_BY_PLACE[next(place for place in places if table.card_at(place) == card)]
                yield build_finding(BOOK, "census.crush_of_other_deck", "CC-AMB-7", 1, 0, [at], card, seat=seat)
    for seat in SEATS:
        own = [(card, at) for card, at in played if card.endswith(f"#{seat + 1}")]
        if len(own) > DECK_SIZE:
            key, clause = "census.more_of_a_deck", "CC-FORMAT-LEAGUE-1"
            yield build_finding(BOOK, key, clause, len(own), DECK_SIZE, [at for _, at in own], seat=seat)
        given = table.lists.get(str(seat))
        if given is None:
            continue
        for card, at in own:
            if strip_copy_number(card) not in given:
                yield build_finding(BOOK, "census.not_on_the_list", "CC-FORMAT-LEAGUE-1", 1, 0, [at], card, seat=seat)


def find_out_of_range_numbers(table: Table) -> Iterator[OutOfRange]:
    """Find numbers of start dice and of damage that cannot be.

    CC-START-4: Nobody has more than five start dice in a turn.
    CC-DAMAGE-1: A creature whose damage reaches its life points is destroyed.
    """
    dice = len(table.dice) + table.burned
    yield from check_range("census.start_dice", dice, 0, MOST_START_DICE, "CC-START-4", table.turn)
    for damage in table.damage.values():
        yield from check_range("census.damage", damage, 0, MOST_DAMAGE, "CC-DAMAGE-1")
