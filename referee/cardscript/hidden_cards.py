"""Naming cards that no referee sees: what a hand, or another place of backs, can give (KERNEL-CENSUS-1).

At a real table the hand of a person is all backs, and nobody is told what a bot holds: so the census counts what lies
open, and the place that is asked. It may allow too much, never too little. Which cards there are, and how many of them
are not named, the table says (`CardTable.possible_cards`, `CardTable.free_copies`).
"""

from __future__ import annotations

from referee.cardscript.table import HAND_PLACES, UNCOUNTED_CARDS, CardTable
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.zones import Cards, back_of, is_back

BACK = "?"


def can_name_card(table: CardTable, place: str, card: str) -> bool:
    """Whether a card of this name can be given from a place. Raises Undetermined where a position does not say."""
    there = table.zones.get(place, ())
    if card in there:
        if is_back(card):
            return False
        # what is read for a bot may be wrong; not so what lies open, nor what the server has dealt
        return ":" not in place or not table.rules.cards_at_table or table.free_copies("")[card] > 0
    if BACK in there:
        return table.free_copies(place)[card] > 0
    if UNCOUNTED_CARDS in there:
        raise Undetermined("which_cards", place=place)
    return False


def find_nameable_cards(table: CardTable, place: str) -> Cards:
    """The names that can be given from a place, each once: what lies there named, then what its backs may be."""
    there = table.zones.get(place, ())
    if BACK not in there:
        return tuple(dict.fromkeys(card for card in there if not is_back(card)))
    kept: dict[str, Cards] = table.__dict__.setdefault("_namable", {})  # every kind of move looks through the hand
    if place not in kept:
        names = dict.fromkeys(card for card in there if not is_back(card))
        kept[place] = (
            *names,
            *(card for card, left in table.free_copies(place).items() if left > 0 and card not in names),
        )
    return kept[place]


def check_backs(table: CardTable, place: str, cards: Cards) -> None:
    """Raises IllegalMove unless backs of a place can be these cards all at once."""
    box, left = table.possible_cards(place), table.free_copies(place)
    for card in cards:
        if card not in box:
            raise IllegalMove("no_such_card", "KERNEL-CENSUS-1", card=card)
        if cards.count(card) > left[card]:
            raise IllegalMove("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=box[card])
    table.check_cards_together(place, cards)


def check_in_hand(table: CardTable, seat: int, card: str, *clauses: str) -> None:
    """Raises IllegalMove unless this card can be given from a hand; Undetermined if the hand is left out."""
    if card not in table.possible_cards(HAND_PLACES[seat]):
        raise IllegalMove("no_such_card", *clauses, card=card)
    if not can_name_card(table, HAND_PLACES[seat], card):
        raise IllegalMove("not_in_the_hand", *clauses, card=card)


def check_cards_from_hand(table: CardTable, seat: int, cards: Cards, *clauses: str) -> None:
    """Raises IllegalMove unless a hand can give these cards all at once; Undetermined if it is left out."""
    check_cards_from(table, HAND_PLACES[seat], cards, "not_in_the_hand", *clauses)


def check_cards_from(table: CardTable, place: str, cards: Cards, reason: str, *clauses: str) -> None:
    """Raises IllegalMove (`reason`) unless a place can give these cards all at once; Unknown if it is left out."""
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
            raise IllegalMove(reason, *clauses, card=card)
    if unnamed:
        check_backs(table, place, tuple(unnamed))


def cards_leaving(table: CardTable, place: str, cards: Cards) -> Cards:
    """What leaves a place when these are named: the names where they lie named, else backs."""
    left, took = list(table.cards_at(place)), []
    for card in cards:
        took.append(card if card in left else BACK)
        if took[-1] in left:
            left.remove(took[-1])
    return tuple(took)


def cards_arriving(table: CardTable, seat: int, cards: Cards) -> Cards:
    """Cards as the hand of a player holds them: at a real table a person's hand is all backs."""
    return cards if table.rules.knows_hand_of(seat) else tuple(map(back_of, cards))
