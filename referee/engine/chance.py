"""Chance as a seat: ready-made steps that await CHANCE.

The event keeps the result, never a seed. If the server holds the dice, the server draws. At a real table a player
reports the result with the very same move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step, StepPopped, require_move
from referee.engine.zones import CardsReordered, Moved, ZonedState, back_of, is_back, remove_cards

RandomBelow = Callable[[int], int]  # below(n): uniform in 0 … n-1
ONLY_CHANCE = frozenset({CHANCE})


def shuffle_cards(cards: Iterable[Any], below: RandomBelow) -> list[Any]:
    """Return the cards in a random order (Fisher-Yates, from the end)."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


@named("chance.rolled")
@dataclass(frozen=True)
class RollResult(Move):
    """Dice show these pips, in the order in which they were reported."""

    values: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)


@named("chance.shuffled")
@dataclass(frozen=True)
class ShuffleResult(Move):
    """A pile lies in this order, its top first."""

    order: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        """Hide the move, because nobody may know the order of a shuffled pile."""
        return None


@named("chance.picked")
@dataclass(frozen=True)
class PickResult(Move):
    """These cards were picked unseen."""

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        """Hide the move, because its events show each seat what it may know of the pick."""
        return None


@named("chance.turned_up")
@dataclass(frozen=True)
class TurnUpResult(Move):
    """A card was turned up."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)


class ChanceStep(Step):
    """A step that awaits CHANCE.

    `device` names what is used, so that a table may roll its own dice.
    """

    __slots__ = ()
    device: ClassVar[str] = "deck"

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return ONLY_CHANCE

    def draw_outcome(self, state: Any, below: RandomBelow) -> Move:
        """Return the outcome as the server draws it. `below(n)` is uniform in 0 … n-1."""
        raise TypeError(f"{type(self).__name__} does not define how it is drawn")


@dataclass(frozen=True)
class Roll(ChanceStep):
    """Dice to roll. Subclasses say in `resolve_roll` what follows.

    KERNEL-CHANCE-1: Dice and shuffles are moves too. An outcome that cannot be is refused like any other move.
    """

    dice: int = 1
    sides: int = 6
    device: ClassVar[str] = "dice"

    def candidate_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        return (RollResult(values) for values in combinations_with_replacement(range(1, self.sides + 1), self.dice))

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, RollResult)
        if len(move.values) != self.dice or not all(1 <= value <= self.sides for value in move.values):
            raise IllegalMove("no_such_roll", "KERNEL-CHANCE-1", dice=self.dice, sides=self.sides)

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, RollResult)
        yield StepPopped()
        yield from self.resolve_roll(state, move.values)

    def resolve_roll(self, state: Any, values: tuple[int, ...]) -> Iterator[Event]:
        """Yield the events that follow from these pips. The first one records them."""
        raise TypeError(f"{type(self).__name__} does not define what follows")

    def draw_outcome(self, state: Any, below: RandomBelow) -> Move:
        return RollResult(tuple(1 + below(self.sides) for _ in range(self.dice)))


@named("Shuffle")
@dataclass(frozen=True)
class Shuffle(ChanceStep):
    """A pile to shuffle.

    If only backs lie there, as at a real table, nobody can know the order and nobody is awaited.
    """

    where: str

    def awaited_seats(self, state: ZonedState) -> frozenset[Seat]:
        known = any(not is_back(card) for card in state.cards_at(self.where))
        return ONLY_CHANCE if known and len(state.cards_at(self.where)) > 1 else frozenset()

    def check_move(self, state: ZonedState, seat: Seat, move: Move) -> None:
        move = require_move(move, ShuffleResult)
        if Counter(move.order) != Counter(state.cards_at(self.where)):
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1")

    def decide_move(self, state: ZonedState, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ShuffleResult)
        yield CardsReordered(self.where, move.order)
        yield StepPopped()

    def draw_outcome(self, state: ZonedState, below: RandomBelow) -> Move:
        return ShuffleResult(tuple(shuffle_cards(state.cards_at(self.where), below)))


@dataclass(frozen=True)
class Pick(ChanceStep):
    """Cards to pick unseen from a place.

    Subclasses may replace the event that moves them (`build_pick_event`).
    """

    source: str
    target: str
    count: int = 1

    def check_move(self, state: ZonedState, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        there = state.cards_at(self.source)
        if len(move.cards) != self.count:
            raise IllegalMove("no_such_pick", "KERNEL-CHANCE-1", count=self.count)
        try:
            remove_cards(there, move.cards)
        except ValueError:
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1") from None

    def decide_move(self, state: ZonedState, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield StepPopped()
        yield self.build_pick_event(state, move.cards)

    def build_pick_event(self, state: ZonedState, cards: tuple[str, ...]) -> Event:
        """Return the event that records the pick."""
        return Moved(self.source, self.target, cards, cards)

    def draw_outcome(self, state: ZonedState, below: RandomBelow) -> Move:
        return PickResult(tuple(shuffle_cards(state.cards_at(self.source), below)[: self.count]))


def may_hold_card(there: Iterable[str], card: str) -> bool:
    """Return whether a pile with these cards may hold this card: named, or as a back."""
    return any(lying in (card, back_of(card)) for lying in there)
