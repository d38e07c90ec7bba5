"""Naming cards that no referee sees: what a hand can give (KERNEL-CENSUS-1, MK-26.11).

At a real table the hand of a person is all backs, and nobody is told what a bot holds: so the census counts what lies
open, and the hand that is asked. It may allow too much, never too little. How many cards of each deck are out of it is
for everybody to see: so no more doors, and no more treasures, are named than have left their deck (MK-1.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from referee.games.munchkin.material import BOX, BOXES, DECKS, FACES, HANDS, pile
from referee.games.munchkin.state import SOME, Table
from referee.kernel.chance import Below, shuffled
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.zones import Cards, back, census, is_back

BACK = "?"
ENDLESS = 1000


SEEN = "_free"  # where the answers are kept with a state, as a cached property is


def free(table: Table, place: str) -> Counter[str]:
    """How many copies of each card could lie behind the backs of a place: the box less what is named. Not to be
    changed: it is kept, for every card of a hand is looked up in it."""
    kept: dict[str, Counter[str]] = table.__dict__.setdefault(SEEN, {})
    if place not in kept:
        kept[place] = _counted(table, place)
    return kept[place]


def _counted(table: Table, place: str) -> Counter[str]:
    left = Counter(BOX)
    for name, cards in table.zones.items():
        if ":" not in name or name == place:
            for card in cards:
                if card in left:
                    left[card] -= 1
    for deck, count in out_of_deck(table, left).items():
        if count <= 0:
            for card in BOXES[deck]:
                left[card] = 0
    return left


def out_of_deck(table: Table, left: Counter[str]) -> dict[str, int]:
    """Of each deck whose size is known: how many of the copies that nobody has named lie elsewhere."""
    sizes = {deck: table.zones.get(place, ()) for deck, place in DECKS.items()}
    return {
        deck: sum(left[card] for card in BOXES[deck]) - len(cards) for deck, cards in sizes.items() if SOME not in cards
    }


def within(left: Counter[str], out: dict[str, int], cards: Iterable[str], count: int) -> Cards:
    """The first so many of some cards that can all be held at once; fewer if there are no more."""
    found: list[str] = []
    copies, room = Counter(left), dict(out)
    for card in cards:
        deck = FACES[card].deck
        if len(found) < count and copies[card] > 0 and room.get(deck, 1) > 0:
            found.append(card)
            copies[card] -= 1
            room[deck] = room.get(deck, ENDLESS) - 1
    return tuple(found)


def could_be(table: Table, place: str, count: int) -> Iterator[Cards]:
    """Some of the ways to name so many backs of a place."""
    left = free(table, place)
    out, names = out_of_deck(table, left), pile(+left)
    for start in range(0, len(names), max(count, 1)):
        found = within(left, out, (*names[start:], *names[:start]), count)
        if len(found) == count:
            yield found


def check_backs(table: Table, place: str, cards: Cards) -> None:
    """Raises Refused unless backs of a place can be these cards all at once."""
    left = free(table, place)
    for card in cards:
        if card not in BOX:
            raise Refused("no_such_card", "KERNEL-CENSUS-1", card=card)
        if cards.count(card) > left[card]:
            raise Refused("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=BOX[card])
    for deck, out in out_of_deck(table, left).items():
        if max(out, 0) < sum(FACES[card].deck == deck for card in cards):
            raise Refused("not_so_many_out", "KERNEL-CENSUS-1", "MK-1.2", deck=deck, count=max(out, 0))


def drawn(table: Table, count: int, below: Below) -> Cards:
    """So many cards that nobody has named, drawn as chance would: what a table of real cards could report."""
    unseen = +census(BOX, table)
    names = shuffled([card for card in BOX for _ in range(unseen[card])], below)
    out = {
        deck: sum(unseen[card] for card in BOXES[deck]) - sum(map(is_back, table.place(place)))
        for deck, place in DECKS.items()
    }
    return within(unseen, out, names, count)


def can_name(table: Table, place: str, card: str) -> bool:
    """Whether a card of this name can be given from a place. Raises Unknown where a position does not say."""
    there = table.zones.get(place, ())
    if card in there:
        if is_back(card):
            return False
        return ":" not in place or not table.rules.cards_at_table or free(table, "")[card] > 0
    if BACK in there:
        return card in BOX and free(table, place)[card] > 0
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
    return (*names, *(card for card in BOX if card not in names and left[card] > 0))


def check_in_hand(table: Table, seat: int, card: str, *clauses: str) -> None:
    """Raises Refused unless this card can be given from a hand; Unknown if the hand is left out."""
    if card not in BOX:
        raise Refused("no_such_card", *clauses, card=card)
    if not can_name(table, HANDS[seat], card):
        raise Refused("not_in_the_hand", *clauses, card=card)


def check_from_hand(table: Table, seat: int, cards: Cards, *clauses: str) -> None:
    """Raises Refused unless a hand can give these cards all at once; Unknown if it is left out."""
    left, unnamed = list(table.hand(seat)), []
    for card in cards:
        if card not in BOX:
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
    if unnamed:
        check_backs(table, HANDS[seat], tuple(unnamed))


def gone_from(table: Table, place: str, cards: Cards) -> Cards:
    """What leaves a place when these are named: the names where they lie named, else backs."""
    left, took = list(table.place(place)), []
    for card in cards:
        took.append(card if card in left else BACK)
        if took[-1] in left:
            left.remove(took[-1])
    return tuple(took)


def coming_to(table: Table, seat: int, cards: Cards) -> Cards:
    """Cards as the hand of a player holds them: at a real table a person's hand is all backs."""
    if table.rules.cards_at_table and seat not in table.rules.named:
        return tuple(map(back, cards))
    return cards
