"""What lies behind backs where two decks meet in a hand: no more doors, and no more treasures, are named than have
left their deck (MK-1.2). The rest is as in every game (`cards.naming`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from referee.engine.chance import Below, shuffled
from referee.engine.zones import Cards, census, is_back
from referee.games.munchkin.components import DECKS, FACES, pile
from referee.games.munchkin.state import Table

ENDLESS = 1000


def within(left: Mapping[str, int], out: dict[str, int], cards: Iterable[str], count: int) -> Cards:
    """The first so many of some cards that can all be held at once; fewer if there are no more."""
    found: list[str] = []
    copies, room = dict[str, int](), dict(out)  # of each card looked at, how many copies are left
    for card in cards:
        if len(found) >= count:
            break
        deck, copies_left = FACES[card].deck, copies.get(card, left.get(card, 0))
        if copies_left > 0 and room.get(deck, 1) > 0:
            found.append(card)
            copies[card] = copies_left - 1
            room[deck] = room.get(deck, ENDLESS) - 1
    return tuple(found)


def could_be(table: Table, place: str, count: int) -> Iterator[Cards]:
    """Some of the ways to name so many backs of a place."""
    left = table.free(place)
    out, names = table.out_of_deck(left), pile(+left)
    for start in range(0, len(names), max(count, 1)):
        found = within(left, out, chain(islice(names, start, None), islice(names, start)), count)
        if len(found) == count:
            yield found


def drawn(table: Table, count: int, below: Below) -> Cards:
    """So many cards that nobody has named, drawn as chance would: what a table of real cards could report."""
    boxes = table.boxes
    unseen = +census(boxes.whole, table)
    names = shuffled([card for card in boxes.whole for _ in range(unseen[card])], below)
    out = {
        deck: sum(unseen[card] for card in boxes.decks[deck]) - sum(map(is_back, table.place(place)))
        for deck, place in DECKS.items()
    }
    return within(unseen, out, names, count)
