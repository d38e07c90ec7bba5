"""Naming hidden cards where two decks meet in a hand (MK-1.2).

No more doors, and no more treasures, may be named than have left their deck. `referee.cardscript.hidden_cards` holds
what all games share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from referee.engine.chance import RandomBelow, shuffle_cards
from referee.engine.zones import Cards, count_unnamed_copies, is_back, list_copies
from referee.games.munchkin.components import DECKS, FACES
from referee.games.munchkin.state import Table

UNLIMITED = 1000


def pick_within_limits(left: Mapping[str, int], out: dict[str, int], cards: Iterable[str], count: int) -> Cards:
    """Return the first `count` cards that can all be held at once, or fewer.

    `left` counts the copies left of each card. `out` counts the cards of each deck that have left it.
    """
    found: list[str] = []
    copies, room = dict[str, int](), dict(out)  # of each card looked at, how many copies are left
    for card in cards:
        if len(found) >= count:
            break
        deck, copies_left = FACES[card].deck, copies.get(card, left.get(card, 0))
        if copies_left > 0 and room.get(deck, 1) > 0:
            found.append(card)
            copies[card] = copies_left - 1
            room[deck] = room.get(deck, UNLIMITED) - 1
    return tuple(found)


def suggest_hidden_cards(table: Table, place: str, count: int) -> Iterator[Cards]:
    """Yield some of the ways to name `count` backs of a place."""
    left = table.free_copies(place)
    out, names = table.count_out_of_decks(left), list_copies(+left)
    for start in range(0, len(names), max(count, 1)):
        found = pick_within_limits(left, out, chain(islice(names, start, None), islice(names, start)), count)
        if len(found) == count:
            yield found


def draw_hidden_cards(table: Table, count: int, below: RandomBelow) -> Cards:
    """Return `count` unnamed cards at random, in place of a report from the table."""
    boxes = table.boxes
    unseen = +count_unnamed_copies(boxes.whole, table)
    names = shuffle_cards([card for card in boxes.whole for _ in range(unseen[card])], below)
    out = {
        deck: sum(unseen[card] for card in boxes.decks[deck]) - sum(map(is_back, table.cards_at(place)))
        for deck, place in DECKS.items()
    }
    return pick_within_limits(unseen, out, names, count)
