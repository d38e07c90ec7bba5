"""Naming cards that no referee sees: what a hand, a C-place or a pile of backs can give (KERNEL-CENSUS-1).

At a real table the hand of a person is all backs, and so are decks and C-cards; nobody is told what a bot holds: so the
census counts what lies open, and the place that is asked. It may allow too much, never too little. No card is in the
box twice; in the League each deck has a copy of its own (CC-AMB-7). Only crush cards lie on C-places, and everybody
sees how many do: so no more of them are named elsewhere than there are besides (CC-ZONE-1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.games.creature_crush.material import HANDS, SEAT_OF, SEATS, box, face
from referee.games.creature_crush.state import SOME, Table
from referee.kernel.chance import Below, shuffled
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.zones import Cards, back, is_back

BACK = "?"
SEEN = "_free"  # where the answers are kept with a state, as a cached property is


def free(table: Table, place: str) -> Counter[str]:
    """How many copies of each card could lie behind the backs of a place: the box less what is named. Not to be
    changed: it is kept, for every card of a hand is looked up in it."""
    kept: dict[str, Counter[str]] = table.__dict__.setdefault(SEEN, {})
    if place not in kept:
        kept[place] = _counted(table, place)
    return kept[place]


def _counted(table: Table, place: str) -> Counter[str]:
    left = Counter(dict(box(table.rules)))
    for name, cards in table.zones.items():
        if ":" not in name or name == place:
            for card in cards:
                if card in left:
                    left[card] -= 1
    if place not in SEAT_OF and spare_crush(table, left) <= 0:
        for card in left:
            if not face(card).is_creature:
                left[card] = 0
    return left


def spare_crush(table: Table, left: Counter[str]) -> int:
    """How many of the crush cards that could be somewhere lie on no C-place: there everybody sees them lie."""
    lying = sum(len(table.crush_places(seat)) for seat in SEATS)
    return sum(count for card, count in left.items() if not face(card).is_creature) - lying


def check_together(table: Table, place: str, cards: Cards) -> None:
    """Raises Refused where more crush cards are named than can lie anywhere but on C-places."""
    named = sum(not face(card).is_creature for card in cards)
    if named and place not in SEAT_OF:
        check_crush(table, place, named)


def check_crush(table: Table, place: str, count: int = 1) -> None:
    """Raises Refused where so many backs of a place, other than a C-place, cannot all be crush cards."""
    spare = spare_crush(table, free(table, place))
    if count > spare:
        raise Refused("not_so_many_crush_cards", "KERNEL-CENSUS-1", "CC-ZONE-1", count=max(spare, 0))


def unseen(table: Table) -> Counter[str]:
    """How many copies of each card are named nowhere at all on this table."""
    left = Counter(dict(box(table.rules)))
    left.subtract(card for cards in table.zones.values() for card in cards if card in left)
    return +left


def can_name(table: Table, place: str, card: str) -> bool:
    """Whether a card of this name can be given from a place. Raises Unknown where a position does not say."""
    there = table.zones.get(place, ())
    if card in there:
        if is_back(card):
            return False
        # what is read for a bot may be wrong; not so what lies open, nor what the server has dealt
        return ":" not in place or not table.rules.cards_at_table or free(table, "")[card] > 0
    if BACK in there:
        return card in box(table.rules) and free(table, place)[card] > 0
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
    return (*names, *(card for card in box(table.rules) if card not in names and left[card] > 0))


def could_be(table: Table, place: str, count: int) -> Iterator[Cards]:
    """Some of the ways to name so many backs of a place."""
    names = tuple(+free(table, place))
    for start in range(0, len(names) - count + 1, max(count, 1)):
        yield names[start : start + count]


def check_backs(table: Table, place: str, cards: Cards) -> None:
    """Raises Refused unless backs of a place can be these cards all at once."""
    left = free(table, place)
    for card in cards:
        if card not in box(table.rules):
            raise Refused("no_such_card", "KERNEL-CENSUS-1", card=card)
        if cards.count(card) > left[card]:
            raise Refused("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=box(table.rules)[card])
    check_together(table, place, cards)


def check_in_hand(table: Table, seat: int, card: str, *clauses: str) -> None:
    """Raises Refused unless this card can be given from a hand; Unknown if the hand is left out."""
    if card not in box(table.rules):
        raise Refused("no_such_card", *clauses, card=card)
    if not can_name(table, HANDS[seat], card):
        raise Refused("not_in_the_hand", *clauses, card=card)


def check_from_hand(table: Table, seat: int, cards: Cards, *clauses: str) -> None:
    """Raises Refused unless a hand can give these cards all at once; Unknown if it is left out."""
    check_from(table, HANDS[seat], cards, "not_in_the_hand", *clauses)


def check_from(table: Table, place: str, cards: Cards, reason: str, *clauses: str) -> None:
    """Raises Refused (`reason`) unless a place can give these cards all at once; Unknown if it is left out."""
    left, unnamed = list(table.zones.get(place, ())), []
    for card in cards:
        if card not in box(table.rules):
            raise Refused("no_such_card", *clauses, card=card)
        if card in left:
            left.remove(card)
        elif BACK in left:
            left.remove(BACK)
            unnamed.append(card)
        elif SOME in left:
            raise Unknown("which_cards", place=place)
        else:
            raise Refused(reason, *clauses, card=card)
    if unnamed:
        check_backs(table, place, tuple(unnamed))


def gone_from(table: Table, place: str, cards: Cards) -> Cards:
    """What leaves a place when these are named: the names where they lie named, else backs."""
    left, took = list(table.place(place)), []
    for card in cards:
        took.append(card if card in left else BACK)
        if took[-1] in left:
            left.remove(took[-1])
    return tuple(took)


def coming_to(table: Table, seat: int, cards: Cards) -> Cards:
    """Cards as a player holds them, in the hand or face down: at a real table a person's are all backs."""
    if table.rules.cards_at_table and seat not in table.rules.named:
        return tuple(map(back, cards))
    return cards


def drawn(table: Table, seat: int, count: int, below: Below) -> Cards:
    """So many cards that nobody has named, drawn as chance would: what a real table could report of a player.

    In the League those of the own copy of the box, as long as there are any. What was read for a bot comes last.
    """
    nowhere = unseen(table)
    names = shuffled(sorted(card for card in +free(table, "") if card in nowhere), below)
    names += shuffled(sorted(card for card in +free(table, "") if card not in nowhere), below)
    if table.rules.variant == "league":
        names.sort(key=lambda card: not card.endswith(f"#{seat + 1}"))
    return tuple(names[:count])
