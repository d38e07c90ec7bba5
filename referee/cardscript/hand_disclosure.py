"""Hand disclosure: at a real table a bot's cards are named to the referee.

Otherwise a hand of real cards is all backs, and the bot could not know what it holds. Every game with real cards
derives its own pair of steps: `HandDisclosure` checks whether a hand holds unnamed cards, and `HandReport` awaits the
report. The game names the steps, the event that names the cards, and the place if it is no hand.
KERNEL-CENSUS-1: Each copy of a card is in one place only. What lies named elsewhere cannot be named again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.cardscript.moves import describe_card_lists
from referee.cardscript.table import HAND_PLACES
from referee.engine.chance import ChanceStep, PickResult, RandomBelow, shuffle_cards
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepReplaced, require_move
from referee.engine.zones import Cards, CardsForgotten, Moved, ZonedState, count_copies, count_unnamed_copies, is_back

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
    left = count_copies(box, table)
    for name, cards in table.zones.items():
        if ":" not in name:
            for card in cards:
                if card in left:
                    left[card] -= 1
    return left


@dataclass(frozen=True)
class HandReport(ChanceStep):
    """`count` cards of a hand are to be named to the referee.

    An event of `event_type` names them. The other cards of the hand are ignored, because the reporter need not know
    them.
    """

    seat: int
    count: int
    event_type: ClassVar[type[Any]]  # takes the place twice, the cards as backs and by name, and the seat
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)

    def find_place(self) -> str:
        """Return where the cards lie."""
        return HAND_PLACES[self.seat]

    def possible_cards(self, state: Any) -> Mapping[str, int]:
        """Return every card that may be held, with its copies."""
        cards: Mapping[str, int] = state.possible_cards(HAND_PLACES[self.seat])
        return cards

    def describe_report(self) -> Text:
        """Return the description of a report of many cards."""
        raise NotImplementedError

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
        move = require_move(move, PickResult)
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
        event: Event = self.event_type(self.find_place(), self.find_place(), ("?",) * self.count, move.cards, self.seat)
        yield event
        yield StepPopped()

    def draw_outcome(self, state: Any, below: RandomBelow) -> Move:
        unseen = [
            card
            for card, count in (+count_unnamed_copies(self.possible_cards(state), state)).items()
            for _ in range(count)
        ]
        return PickResult(tuple(shuffle_cards(unseen, below)[: self.count]))

    def as_foreseen(self, events: Sequence[Event], /) -> Step:
        """Return the report of the cards that have only now come to the place.

        Those that lay there before are named to the referee, and other seats see their backs. But once one of them
        has left unnamed, the referee does not know any of them.
        """
        place, arrived = self.find_place(), 0
        for event in events:
            if isinstance(event, CardsForgotten) and event.where == place:
                return self
            if isinstance(event, Moved) and event.source == place and any(map(is_back, event.took)):
                return self
            if isinstance(event, Moved) and event.target == place:
                arrived += sum(map(is_back, event.put))
        return replace_fields(self, count=min(self.count, arrived)) if arrived else self

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        names = +count_unseen_copies(self.possible_cards(state), state)
        return describe_card_lists(PickResult, names, self.count, self.count, self.describe_report())


@dataclass(frozen=True)
class HandDisclosure(Step):
    """Asks for a report of the unnamed cards in one seat's hand at a real table.

    The report is a step of `report_type`.
    """

    seat: int
    report_type: ClassVar[type[HandReport]]
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)

    def build_report_step(self, count: int) -> HandReport:
        """Return the step that awaits the report of `count` cards."""
        return self.report_type(self.seat, count)

    def resolve(self, state: Any) -> Iterator[Event]:
        hidden = sum(map(is_back, state.cards_at(self.build_report_step(0).find_place())))
        yield StepReplaced(self.build_report_step(hidden)) if hidden else StepPopped()
