"""Whether the cards of a position can be: none more often than it is there, two decks of 20, the lists that are known.

Clauses: CC-MAT-1, CC-PREP-1, CC-FORMAT-LEAGUE-1, CC-AMB-7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.cardscript.positions import counting
from referee.cardscript.positions.counting import Finding, finding, total
from referee.cardscript.table import SOME
from referee.engine.cardtracking.ranges import Miscount, ranged
from referee.engine.zones import is_back
from referee.games.creature_crush.components import (
    BOOK,
    DECK_SIZE,
    DECKS,
    DRAFTS,
    FLIPPED,
    HANDS,
    HELLS,
    MOST_START_DICE,
    POOL,
    SEATS,
    SOUGHT,
    box,
    plain,
)
from referee.games.creature_crush.positions import board
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

PLACE_AT = {
    "/pool": POOL,
    **board.pointers(),
    **{
        f"/seats/{seat}/{name}": places[seat]
        for name, places in (("deck", DECKS), ("hand", HANDS), ("hell", HELLS), ("draft", DRAFTS),
                             ("sought", SOUGHT), ("flipped", FLIPPED))
        for seat in SEATS
    },
}  # fmt: skip
POINTERS = {place: pointer for pointer, place in PLACE_AT.items()}
MOST_DAMAGE = 99  # no creature has so many life points
Lying = list[tuple[str, str]]  # every card with the member that says where it lies


def census(table: Table) -> dict[str, Any]:
    """The contradictions of a position, and the places to count again, those named most often first."""
    return counting.census(contradictions(table), PLACE_AT, BOOK)


def contradictions(table: Table) -> Iterator[Finding]:
    """What cannot be: each with `says` (en, de), clause, the count found and the copies there are, and its places."""
    lying = [(card, POINTERS[place]) for place, cards in table.zones.items() for card in cards if card != SOME]
    copies = box(table.rules)
    league = table.rules.variant == "league"
    for card, count in Counter(card for card, _ in lying if not is_back(card)).items():
        if count > copies[card]:
            places = [at for other, at in lying if other == card]
            clause = "CC-AMB-7" if league else "CC-MAT-1"
            yield finding(BOOK, "census.too_many", clause, count, copies[card], places, card)
    played = [(card, at) for card, at in lying if at != "/pool"]
    if table.turn != NOBODY or table.way:
        known = not any(SOME in cards for place, cards in table.zones.items() if place != POOL)
        yield from total(BOOK, [at for _, at in played], len(SEATS) * DECK_SIZE, "CC-PREP-1", known)
    complete = not any(SOME in cards for cards in table.zones.values())
    yield from total(BOOK, [at for _, at in lying], sum(copies.values()), "CC-MAT-1", complete)
    if league:
        yield from _of_the_decks(table, played)


def misread(table: Table, found: Finding) -> bool:
    """Whether a contradiction may come from a card that was named wrongly at a real table, where a match goes on.

    Nobody there is told what a bot holds or what is on a deck list: so a report that contradicts them is not refused.
    """
    if not table.rules.cards_at_table:
        return False
    places = (PLACE_AT[pointer] for pointer in found["places"])
    read = any(place.endswith(f":{seat}") for place in places for seat in table.rules.named)
    return read or found["clause"] == "CC-FORMAT-LEAGUE-1"


def _of_the_decks(table: Table, played: Lying) -> Iterator[Finding]:
    """Cards that are not on the list of the deck that they come from, and more of a deck than it has."""
    for seat in SEATS:
        own = [(card, at) for card, at in played if card.endswith(f"#{seat + 1}")]
        if len(own) > DECK_SIZE:
            key, clause = "census.more_of_a_deck", "CC-FORMAT-LEAGUE-1"
            yield finding(BOOK, key, clause, len(own), DECK_SIZE, [at for _, at in own], seat=seat)
        given = table.lists.get(str(seat))
        if given is None:
            continue
        for card, at in own:
            if plain(card) not in given:
                yield finding(BOOK, "census.not_on_the_list", "CC-FORMAT-LEAGUE-1", 1, 0, [at], card, seat=seat)


def miscounted(table: Table) -> Iterator[Miscount]:
    """Start dice and damage that cannot be (CC-START-4, CC-DAMAGE-1)."""
    dice = len(table.dice) + table.burned
    yield from ranged("census.start_dice", dice, 0, MOST_START_DICE, "CC-START-4", table.turn)
    for damage in table.damage.values():
        yield from ranged("census.damage", damage, 0, MOST_DAMAGE, "CC-DAMAGE-1")
