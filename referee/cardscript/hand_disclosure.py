"""Hand disclosure: at a real table a bot's cards are named to the referee.

Otherwise a hand of real cards is all backs, and the bot could not know what it holds. Every game with real cards
derives its own pair of steps: `HandDisclosure` checks whether a hand holds unnamed cards, and `HandReport` awaits the
report. The game says what its box is, where the hand lies, and which event names the cards.
KERNEL-CENSUS-1: Each copy of a card is in one place only. What lies named elsewhere cannot be named again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.cardscript.table import HAND_PLACES
from referee.engine.chance import ChanceStep, PickResult, RandomBelow, shuffle_cards
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step, StepPopped, StepReplaced
from referee.engine.zones import Cards, ZonedState, count_unnamed_copies, is_back

MAX_LISTED_CARDS = 3  # from this number of cards on, only examples are listed


def find_gained_cards(after: Cards, before: Cards) -> Cards:
    """Return the cards that a hand holds now and did not hold before."""
    left = list(after)
    for card in before:
        if card in left:
            left.remove(card)
    return tuple(left)


def count_unseen_copies(box: Mapping[str, int], table: ZonedState) -> Counter[str]:
    """Return how many copies of each card are not open to all."""
    left = Counter(dict(box))
    for name, cards in table.zones.items():
        if ":" not in name:
            for card in cards:
                if card in left:
                    left[card] -= 1
    return left


@dataclass(frozen=True)
class HandDisclosure(Step):
    """Asks for a report of the unnamed cards in one seat's hand at a real table."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)

    def build_report_step(self, count: int) -> Step:
        """Return the step that awaits the report of `count` cards."""
        raise NotImplementedError

    def resolve(self, state: Any) -> Iterator[Event]:
        hidden = sum(map(is_back, state.cards_in_hand(self.seat)))
        yield StepReplaced(self.build_report_step(hidden)) if hidden else StepPopped()


@dataclass(frozen=True)
class HandReport(ChanceStep):
    """`count` cards of a hand are to be named to the referee.

    The other cards of the hand are ignored, because the reporter need not know them.
    """

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)

    def possible_cards(self, state: Any) -> Mapping[str, int]:
        """Return every card that may be held, with its copies."""
        cards: Mapping[str, int] = state.possible_cards(HAND_PLACES[self.seat])
        return cards

    def describe_report(self) -> Text:
        """Return the description of a report of many cards."""
        raise NotImplementedError

    def build_naming_event(self, state: Any, took: Cards, put: Cards) -> Event:
        """Return the event that names the cards."""
        raise NotImplementedError

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return frozenset({CHANCE})

    def candidate_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Return every report of one or two cards, or examples of longer ones.

        `move_patterns` describes the rest.
        """
        names = [name for name, left in count_unseen_copies(self.possible_cards(state), state).items() if left > 0]
        if self.count < MAX_LISTED_CARDS:
            return map(PickResult, combinations_with_replacement(names, self.count))
        starts = range(0, len(names) - self.count + 1, self.count)
        return (PickResult(tuple(names[start : start + self.count])) for start in starts)

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, PickResult):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.count:
            raise IllegalMove("name_so_many", "KERNEL-CENSUS-1", count=self.count, seat=self.seat)
        box = self.possible_cards(state)
        left = count_unseen_copies(box, state)
        left.subtract(move.cards)
        for card in move.cards:
            if card not in box:
                raise IllegalMove("no_such_card", "KERNEL-CENSUS-1", card=card)
            if left[card] < 0:
                raise IllegalMove("no_copy_left", "KERNEL-CENSUS-1", card=card, copies=box[card])

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield self.build_naming_event(state, ("?",) * self.count, move.cards)
        yield StepPopped()

    def draw_outcome(self, state: Any, below: RandomBelow) -> Move:
        unseen = [
            card
            for card, count in (+count_unnamed_copies(self.possible_cards(state), state)).items()
            for _ in range(count)
        ]
        return PickResult(tuple(shuffle_cards(unseen, below)[: self.count]))

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        names = sorted(
            name for name, left in count_unseen_copies(self.possible_cards(state), state).items() if left > 0
        )
        listed = {"type": "array", "items": {"enum": names}, "minItems": self.count, "maxItems": self.count}
        return ({"type": PickResult.TAG, "fields": {"cards": listed}, "says": self.describe_report()},)
