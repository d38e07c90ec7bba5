"""What lies behind backs in this game: what a real table could report.

No card is in the box twice. In the League each deck has its own copy (CC-AMB-7). The rest is as in every game
(`referee/cardscript/hidden_cards.py`), with what `Table.count_free_copies` adds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from referee.cardscript.chance import TopCardTurnUp
from referee.cardscript.hidden_cards import check_backs
from referee.engine.chance import RandomBelow, TurnUpResult, shuffle_cards
from referee.engine.events import Move
from referee.engine.seats import Seat
from referee.engine.zones import Cards
from referee.games.creature_crush.components import DECKS, find_box_cards
from referee.games.creature_crush.state import Table


def count_unseen_cards(table: Table) -> Counter[str]:
    """Count the copies of each card that are named nowhere on this table."""
    left = Counter(dict(find_box_cards(table.rules)))
    left.subtract(card for cards in table.zones.values() for card in cards if card in left)
    return +left


def list_possible_namings(table: Table, place: str, count: int) -> Iterator[Cards]:
    """Yield some of the ways to name `count` backs of a place."""
    names = tuple(+table.free_copies(place))
    for start in range(0, len(names) - count + 1, max(count, 1)):
        yield names[start : start + count]


def draw_unnamed_cards(table: Table, seat: int, count: int, below: RandomBelow) -> Cards:
    """Draw cards at random that nobody has named, as a real table could report them.

    In the League the cards of the seat's own deck come first. Cards that were read for a bot come last.
    """
    nowhere = count_unseen_cards(table)
    names = shuffle_cards(sorted(card for card in +table.free_copies("") if card in nowhere), below)
    names += shuffle_cards(sorted(card for card in +table.free_copies("") if card not in nowhere), below)
    if table.rules.variant == "league":
        names.sort(key=lambda card: not card.endswith(f"#{seat + 1}"))
    return tuple(names[:count])


class DeckTurnUp(TopCardTurnUp):
    """The top cards of a player's deck are turned up, `count` of them.

    A card is checked only against what lies open: what was read for a bot may be wrong, and a refusal would reveal it.
    """

    __slots__ = ()
    seat: int
    count: int

    def find_pile(self) -> str:
        return DECKS[self.seat]

    def is_due(self, table: Table) -> bool:
        return self.count > 0

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, +state.free_copies(""))

    def check_card(self, table: Table, card: str) -> None:
        check_backs(table, "", (card,))

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return TurnUpResult(draw_unnamed_cards(state, self.seat, 1, below)[0])
