"""What lies behind backs in this game: what a real table could report, and what more than a hand can give.

No card is in the box twice; in the League each deck has a copy of its own (CC-AMB-7). The rest is as in every game
(`cards.naming`), and what the table adds (`Table.unnamed`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.engine.chance import Below, shuffled
from referee.engine.zones import Cards
from referee.games.creature_crush.components import box
from referee.games.creature_crush.state import Table


def unseen(table: Table) -> Counter[str]:
    """How many copies of each card are named nowhere at all on this table."""
    left = Counter(dict(box(table.rules)))
    left.subtract(card for cards in table.zones.values() for card in cards if card in left)
    return +left


def could_be(table: Table, place: str, count: int) -> Iterator[Cards]:
    """Some of the ways to name so many backs of a place."""
    names = tuple(+table.free(place))
    for start in range(0, len(names) - count + 1, max(count, 1)):
        yield names[start : start + count]


def drawn(table: Table, seat: int, count: int, below: Below) -> Cards:
    """So many cards that nobody has named, drawn as chance would: what a real table could report of a player.

    In the League those of the own copy of the box, as long as there are any. What was read for a bot comes last.
    """
    nowhere = unseen(table)
    names = shuffled(sorted(card for card in +table.free("") if card in nowhere), below)
    names += shuffled(sorted(card for card in +table.free("") if card not in nowhere), below)
    if table.rules.variant == "league":
        names.sort(key=lambda card: not card.endswith(f"#{seat + 1}"))
    return tuple(names[:count])
