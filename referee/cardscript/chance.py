"""Steps of chance of card games: pulled cards, cards turned up, the highest die.

A game derives a step of its own from each, and names the events that record its result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hand_disclosure import HandDisclosure
from referee.cardscript.table import HAND_PLACES
from referee.engine.chance import ONLY_CHANCE, ChanceStep, PickResult, RandomBelow, Roll, RollResult, TurnUpResult
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, CardsForgotten, is_back


@dataclass(frozen=True)
class HandPull(ChanceStep):
    """A player pulls cards out of the hand of another, one after the other.

    At a real table the referee does not see which. It forgets what it knew of that hand, and the hands of bots are read
    to it again by steps of `reading_type`.
    """

    seat: int
    of: int
    count: int
    reading_type: ClassVar[type[HandDisclosure]]

    def is_over(self, table: Any) -> bool:
        """Return whether no card is left to pull."""
        return not self.count or not table.cards_in_hand(self.of)

    def build_pull_event(self, cards: Cards) -> Event:
        """Return the event that moves these cards from hand to hand."""
        raise NotImplementedError

    def finish_pulling(self, table: Any) -> Iterator[Event]:
        """Yield what follows once the last card is pulled."""
        yield StepPopped()

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        if self.is_over(state) or state.rules.cards_at_table:
            return NO_SEATS
        return ONLY_CHANCE if len(state.cards_in_hand(self.of)) > 1 else NO_SEATS

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != 1 or move.cards[0] not in state.cards_in_hand(self.of):
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1")

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._pull_cards(state, move.cards)

    def draw_outcome(self, state: Any, below: RandomBelow) -> Move:
        hand = sorted(state.cards_in_hand(self.of))
        return PickResult((hand[below(len(hand))],))

    def resolve(self, state: Any) -> Iterator[Event]:
        if self.is_over(state):
            yield from self.finish_pulling(state)
        else:
            yield from self._pull_cards(state, ("?",) if state.rules.cards_at_table else state.cards_in_hand(self.of))

    def _pull_cards(self, table: Any, cards: Cards) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        hand = table.cards_in_hand(self.of)
        if table.rules.cards_at_table and not all(map(is_back, hand)):
            yield CardsForgotten(HAND_PLACES[self.of])
        yield self.build_pull_event(cards)
        for seat in (self.of, self.seat):
            if table.rules.hears_hand_of(seat):
                yield StepPushed(self.reading_type(seat))


class TopCardTurnUp(ChanceStep):
    """The top card of a pile is turned up.

    At a real table the pile is all backs, so that the card is reported.
    """

    __slots__ = ()

    def find_pile(self) -> str:
        """Return the place of the pile."""
        raise NotImplementedError

    def is_due(self, table: Any) -> bool:
        """Return whether a card is still to be turned up."""
        return True

    def check_card(self, table: Any, card: str) -> None:
        """Raise IllegalMove unless this card can be on top of the pile."""
        raise NotImplementedError

    def place_card(self, table: Any, took: str, card: str) -> Iterator[Event]:
        """Yield the events of the card that came up.

        The pile held it as `took`, which is a back at a real table.
        """
        raise NotImplementedError

    def handle_empty_pile(self, table: Any) -> Iterator[Event]:
        """Yield the events if no card is there although one is due."""
        yield StepPopped()

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        if not self.is_due(state):
            return NO_SEATS
        there = state.open_cards_at(self.find_pile())
        return ONLY_CHANCE if there and is_back(there[0]) else NO_SEATS

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, TurnUpResult)
        self.check_card(state, move.card)

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnUpResult)
        yield from self.place_card(state, state.cards_at(self.find_pile())[0], move.card)

    def resolve(self, state: Any) -> Iterator[Event]:
        there = state.cards_at(self.find_pile())
        if not self.is_due(state):
            yield StepPopped()
        elif there:
            yield from self.place_card(state, there[0], there[0])
        else:
            yield from self.handle_empty_pile(state)


class HighestRoll(Roll):
    """Players roll one die each, and the highest wins. Those tied for it roll again.

    `cast` are the dice so far. Subclasses declare it as a field, and `contenders` if they change.
    """

    cast: tuple[int, ...]

    @property
    def contenders(self) -> tuple[int, ...]:
        """The players who roll, in order."""
        raise NotImplementedError

    def build_cast_event(self, seat: int, value: int) -> Event:
        """Return the event that records the die of a player."""
        raise NotImplementedError

    def proceed_with(self, table: Any, winner: int) -> Iterator[Event]:
        """Yield the events that replace this step once the winner is known."""
        raise NotImplementedError

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, RollResult)
        cast, who = (*self.cast, move.values[0]), self.contenders[len(self.cast)]
        best = tuple(each for each, pips in zip(self.contenders, cast, strict=False) if pips == max(cast))
        if len(cast) < len(self.contenders):
            yield StepReplaced(replace_fields(self, cast=cast))
        elif len(best) > 1:
            yield StepReplaced(self.roll_again(best))
        else:
            yield from self.proceed_with(state, best[0])
        yield self.build_cast_event(who, move.values[0])

    def roll_again(self, tied: tuple[int, ...]) -> Step:
        """Return the step in which those who are tied roll again."""
        return replace_fields(self, contenders=tied, cast=())
