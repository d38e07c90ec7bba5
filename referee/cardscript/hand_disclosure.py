"""Cards read to the referee: at a real table a hand is all backs, but a bot's seat has to be told what it holds.

Every game with real cards derives its own pair of steps: one that asks whether anything is unknown in a hand
(`ReadingHand`), one that awaits the report (`NamingHand`). A game says what its box is, where the hand lies, and with
which fact the cards are named. Clauses: KERNEL-CENSUS-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.cardscript.table import HANDS
from referee.engine.chance import Below, ChanceStep, Picked, shuffled
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Refused
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Became, Closed, Step
from referee.engine.zones import Cards, Zoned, census, is_back

FEW = 3  # cards of which every report could be listed


def difference(after: Cards, before: Cards) -> Cards:
    """The cards that came to a hand: what it holds now less what it held."""
    left = list(after)
    for card in before:
        if card in left:
            left.remove(card)
    return tuple(left)


def unnamed(box: Mapping[str, int], table: Zoned) -> Counter[str]:
    """How many copies of each card lie where nobody has seen them: the box less what lies open to all."""
    left = Counter(dict(box))
    for name, cards in table.zones.items():
        if ":" not in name:
            for card in cards:
                if card in left:
                    left[card] -= 1
    return left


@dataclass(frozen=True)
class ReadingHand(Step):
    """At a real table, whatever of one seat's hand nobody has named is read to the referee, as a bot's has to be."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)

    def naming(self, count: int) -> Step:
        """The step that awaits the report of so many cards."""
        raise NotImplementedError

    def resolve(self, state: Any) -> Iterator[Event]:
        hidden = sum(map(is_back, state.hand(self.seat)))
        yield Became(self.naming(hidden)) if hidden else Closed()


@dataclass(frozen=True)
class NamingHand(ChanceStep):
    """So many cards of a hand are read to the referee.

    What else that hand holds counts for nothing here: whoever reports need not know it.
    """

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)

    def box(self, state: Any) -> Mapping[str, int]:
        """Every card that may be held, with its copies."""
        cards: Mapping[str, int] = state.box(HANDS[self.seat])
        return cards

    def says(self) -> Text:
        """How a report of many cards is described."""
        raise NotImplementedError

    def named_as(self, state: Any, took: Cards, put: Cards) -> Event:
        """The fact with which the cards are named."""
        raise NotImplementedError

    def awaits(self, state: Any) -> frozenset[Seat]:
        return frozenset({CHANCE})

    def candidates(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Every report of one or two cards; of more only some, the rest `patterns` describe."""
        names = [name for name, left in unnamed(self.box(state), state).items() if left > 0]
        if self.count < FEW:
            return map(Picked, combinations_with_replacement(names, self.count))
        starts = range(0, len(names) - self.count + 1, self.count)
        return (Picked(tuple(names[start : start + self.count])) for start in starts)

    def check(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.count:
            raise Refused("name_so_many", "KERNEL-CENSUS-1", count=self.count, seat=self.seat)
        box = self.box(state)
        left = unnamed(box, state)
        left.subtract(move.cards)
        for card in move.cards:
            if card not in box:
                raise Refused("no_such_card", "KERNEL-CENSUS-1", card=card)
            if left[card] < 0:
                raise Refused("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=box[card])

    def decide(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield self.named_as(state, ("?",) * self.count, move.cards)
        yield Closed()

    def draw(self, state: Any, below: Below) -> Move:
        unseen = [card for card, count in (+census(self.box(state), state)).items() for _ in range(count)]
        return Picked(tuple(shuffled(unseen, below)[: self.count]))

    def patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        names = sorted(name for name, left in unnamed(self.box(state), state).items() if left > 0)
        listed = {"type": "array", "items": {"enum": names}, "minItems": self.count, "maxItems": self.count}
        return ({"type": Picked.TAG, "fields": {"cards": listed}, "says": self.says()},)
