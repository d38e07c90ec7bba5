"""Naming cards that no referee sees: what a hand can give (HTS-STATE-1, KERNEL-CENSUS-1).

At a real table the hand of a person is all backs, and nobody is told what a bot holds: so the census counts what lies
open, and the hand that is asked. It may allow too much, never too little.
"""

from __future__ import annotations

from collections import Counter

from referee.games.here_to_slay.material import DISCARD, HANDS, MAIN
from referee.games.here_to_slay.state import SOME, Table
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.zones import Cards, back, is_back

BACK = "?"


def free(table: Table, place: str) -> Counter[str]:
    """How many copies of each card could lie behind the backs of a place: the box less what is named."""
    left = Counter(MAIN)
    for name, cards in table.zones.items():
        if ":" not in name or name == place:
            for card in cards:
                if card in left:
                    left[card] -= 1
    return left


def copies_free(table: Table, place: str, card: str) -> int:
    """How many copies of one card could lie behind the backs of a place: as `free` counts, asked a thousand times."""
    open_there = (cards.count(card) for name, cards in table.zones.items() if ":" not in name or name == place)
    return MAIN.get(card, 0) - sum(open_there)


def can_name(table: Table, place: str, card: str) -> bool:
    """Whether a card of this name can be given from a place. Raises Unknown where a position does not say."""
    there = table.zones.get(place, ())
    if card in there:
        if place == DISCARD or is_back(card) or not table.rules.cards_at_table:
            return not is_back(card)
        return copies_free(table, "", card) > 0  # what is read for a bot may be wrong; not so what lies open
    if BACK in there:
        return copies_free(table, place, card) > 0
    if SOME in there:
        raise Unknown("which_cards", place=place)
    return False


def namable(table: Table, place: str) -> Cards:
    """The names that can be given from a place, each once: what lies there named, then what its backs may be."""
    there = table.zones.get(place, ())
    names = tuple(dict.fromkeys(card for card in there if not is_back(card)))
    if BACK not in there:
        return names
    left = free(table, place)
    return (*names, *(card for card in MAIN if card not in names and left[card] > 0))


def check_from_hand(table: Table, seat: int, cards: Cards, *clauses: str) -> None:
    """Raises Refused unless a hand can give these cards all at once (HTS-VERB-2); Unknown if it is left out."""
    left, unnamed = list(table.hand(seat)), []
    for card in cards:
        if card not in MAIN:
            raise Refused("no_such_card", *clauses, card=card)
        if card in left:
            left.remove(card)
        elif BACK in left:
            left.remove(BACK)
            unnamed.append(card)
        elif SOME in left:
            raise Unknown("which_cards", place=HANDS[seat])
        else:
            raise Refused("not_in_the_hand", *clauses, card=card)
    copies = free(table, HANDS[seat]) if unnamed else Counter()
    for card in unnamed:
        if unnamed.count(card) > copies[card]:
            raise Refused("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=MAIN[card])


def gone_from(table: Table, place: str, cards: Cards) -> Cards:
    """What leaves a place when these are named: the names where they lie named, else backs."""
    left, took = list(table.place(place)), []
    for card in cards:
        took.append(card if card in left else BACK)
        left.remove(took[-1])
    return tuple(took)


def coming_to(table: Table, seat: int, cards: Cards) -> Cards:
    """Cards as the hand of a player holds them: at a real table a person's hand is all backs."""
    if table.rules.cards_at_table and seat not in table.rules.named:
        return tuple(map(back, cards))
    return cards
