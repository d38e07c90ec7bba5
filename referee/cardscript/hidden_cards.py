"""Naming cards the referee cannot see: what a hand or hidden place can give.

At a real table a person's hand is all backs, and nobody learns what a bot holds. So the census counts only what lies
open and what lies in the place itself. It may allow too much, never too little. The table says which cards there are
and how many are unnamed (`CardTable.possible_cards`, `CardTable.free_copies`).
KERNEL-CENSUS-1: Each copy of a card is in one place only. What lies named elsewhere cannot be named again.
"""

from __future__ import annotations

from referee.cardscript.table import HAND_PLACES, UNCOUNTED_CARDS, CardTable
from referee.engine.remembering import remember
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.zones import Cards, back_of, is_back

BACK = "?"


def can_name_card(table: CardTable, place: str, card: str) -> bool:
    """Return whether a card of this name can be given from a place.

    Raises Undetermined if a position does not say.
    """
    there = table.zones.get(place, ())
    if card in there:
        if is_back(card):
            return False
        # Reports for a bot may be wrong. Open cards and cards dealt by the server are certain.
        return ":" not in place or not table.rules.cards_at_table or table.free_copies("")[card] > 0
    if BACK in there:
        return table.free_copies(place)[card] > 0
    if UNCOUNTED_CARDS in there:
        raise Undetermined("which_cards", place=place)
    return False


def cite_census(table: CardTable, place: str) -> tuple[str, ...]:
    """Return the clause of the census if it alone excludes a card at a place.

    Else a back there could be that card.
    """
    return ("KERNEL-CENSUS-1",) if BACK in table.cards_at(place) else ()


@remember()  # every kind of move looks through the hand
def find_nameable_cards(table: CardTable, place: str) -> Cards:
    """Return the names that can be given from a place, each once.

    Named cards come first, then the names that its backs may have.
    """
    there = table.zones.get(place, ())
    names = dict.fromkeys(card for card in there if not card.startswith("?"))
    if BACK not in there:
        return tuple(names)
    return (*names, *(card for card, left in table.free_copies(place).items() if left > 0 and card not in names))


def check_backs(table: CardTable, place: str, cards: Cards) -> None:
    """Raise IllegalMove unless backs of a place can be these cards all at once."""
    box, left = table.possible_cards(place), table.free_copies(place)
    for card in cards:
        if card not in box:
            raise IllegalMove("no_such_card", "KERNEL-CENSUS-1", card=card)
        if cards.count(card) > left[card]:
            raise IllegalMove("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=box[card])
    table.check_cards_together(place, cards)


def check_in_hand(table: CardTable, seat: int, card: str, *clauses: str) -> None:
    """Raise IllegalMove unless this card can be given from a hand.

    Raises Undetermined if a position leaves the hand out.
    """
    if card not in table.possible_cards(HAND_PLACES[seat]):
        raise IllegalMove("no_such_card", *clauses, card=card)
    if not can_name_card(table, HAND_PLACES[seat], card):
        raise IllegalMove("not_in_the_hand", *clauses, *cite_census(table, HAND_PLACES[seat]), seat=seat, card=card)


def check_cards_from_hand(table: CardTable, seat: int, cards: Cards, *clauses: str) -> None:
    """Raise IllegalMove unless a hand can give these cards all at once.

    Raises Undetermined if a position leaves the hand out.
    """
    check_cards_from(table, HAND_PLACES[seat], cards, "not_in_the_hand", *clauses, seat=seat)


def check_cards_from(table: CardTable, place: str, cards: Cards, reason: str, *clauses: str, **params: int) -> None:
    """Raise IllegalMove (`reason`) unless a place can give these cards all at once.

    Raises Undetermined if a position leaves the place out.
    """
    box, left, unnamed = table.possible_cards(place), list(table.cards_at(place)), []
    for card in cards:
        if card not in box:
            raise IllegalMove("no_such_card", *clauses, card=card)
        if card in left:
            left.remove(card)
        elif BACK in left:
            left.remove(BACK)
            unnamed.append(card)
        elif UNCOUNTED_CARDS in left:
            raise Undetermined("which_cards", place=place)
        else:
            raise IllegalMove(reason, *clauses, card=card, **params)
    if unnamed:
        check_backs(table, place, tuple(unnamed))


def cards_arriving(table: CardTable, seat: int, cards: Cards) -> Cards:
    """Return cards as the hand of a player holds them.

    At a real table a person's hand is all backs.
    """
    return cards if table.rules.knows_hand_of(seat) else tuple(map(back_of, cards))
