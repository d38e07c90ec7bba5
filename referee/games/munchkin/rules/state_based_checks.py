"""Corrections that are due at once when a limit shrinks (MK-7.11, MK-4.6).

The limits are hands, slots, Big items and citizenships. Every state at rest is checked, so the usual case has to be
fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped
from referee.engine.zones import Cards
from referee.games.munchkin.components import PLAYS, TOWNSHIP
from referee.games.munchkin.derived import big_items, big_limit
from referee.games.munchkin.events.cards import ItemsUsed
from referee.games.munchkin.moves import Sell
from referee.games.munchkin.rules.items import selling
from referee.games.munchkin.rules.items.discarding import discard_cards, pass_item
from referee.games.munchkin.rules.items.slots import can_carry, find_excess_items
from referee.games.munchkin.state import CARDS_IN_PLAY, Table
from referee.games.munchkin.values import NOBODY


@remember(*CARDS_IN_PLAY)
def find_correction_step(table: Table) -> Step | None:
    """Return the step that corrects the first limit exceeded, or None.

    It rests on public knowledge alone.
    """
    return next(_find_corrections(table), None)


def _find_corrections(table: Table) -> Iterator[Step]:
    for seat in table.living_seats:
        try:
            yield from _find_seat_corrections(table, seat)
        except Undetermined:
            continue  # cards that a position leaves out are taken to keep the limits


def _find_seat_corrections(table: Table, seat: int) -> Iterator[Step]:
    if table.zones.get(TOWNSHIP[seat]):
        towns, dual = len(table.towns_of(seat)), table.has_dual_citizenship(seat)
        if dual and not towns:
            yield DualLapses(seat)
        elif towns > 1 + dual:
            yield TooManyTowns(seat)
    if table.zones.get(PLAYS[seat]):
        if table.equipped and find_excess_items(table, seat):
            yield TooManyInUse(seat)
        big = big_items(table, seat)
        if len(big) > 1 and len(big) > big_limit(table, seat):
            yield TooManyBig(seat)


@named("mk.DualLapses")
@dataclass(frozen=True)
class DualLapses(Step):
    """The discard of Dual Citizenship.

    MK-4.6: Dual Citizenship is discarded when no citizenship is left.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.6",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield from discard_cards(state, TOWNSHIP[self.seat], state.cards_at(TOWNSHIP[self.seat]))


class LimitCorrection(CardPrompt):
    """The question which of several cards the owner discards or no longer uses.

    With only one such card nobody is asked.
    """

    __slots__ = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.11",)
    seat: int

    def find_excess_cards(self, state: Table) -> Cards:
        """Return the cards of which the owner has to name one."""
        raise NotImplementedError

    def correct_limit(self, state: Table, card: str) -> Iterator[Event]:
        """Yield the events for the card named, after the step has closed."""
        raise NotImplementedError

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(self.find_excess_cards(state)) > 1 else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        for card in self.find_excess_cards(state):
            yield from self.correct_limit(state, card)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, self.find_excess_cards(state))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise NotAsked("limit_first", *self.clauses, move=move.TAG)
        if move.card not in self.find_excess_cards(state):
            raise IllegalMove("one_of_these", *self.clauses, card=move.card, cards=self.find_excess_cards(state))

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield StepPopped()
        yield from self.correct_limit(state, move.card)


@named("mk.OneTownLess")
@dataclass(frozen=True)
class TooManyTowns(LimitCorrection):
    """The question which citizenship a player with too many discards.

    MK-4.5: A player has one citizenship at a time, or two of different towns with Dual Citizenship.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.5",)

    def find_excess_cards(self, state: Table) -> Cards:
        return state.towns_of(self.seat)

    def correct_limit(self, state: Table, card: str) -> Iterator[Event]:
        yield from discard_cards(state, TOWNSHIP[self.seat], (card,))


@named("mk.UseLess")
@dataclass(frozen=True)
class TooManyInUse(LimitCorrection):
    """The question which of too many items in use is only carried from now on.

    MK-7.11: Items too many for the hands or for a slot become unequipped, even in combat, and the owner chooses which.
    MK-7.3: Each slot holds one item, and the hands hold hand items for two hands.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.11", "MK-7.3")

    def find_excess_cards(self, state: Table) -> Cards:
        return find_excess_items(state, self.seat)

    def correct_limit(self, state: Table, card: str) -> Iterator[Event]:
        yield ItemsUsed(self.seat, (), (card,))


def find_taker(table: Table, seat: int, card: str) -> int:
    """Return who gets a Big item too many, or `NOBODY` if it is discarded.

    MK-7.11: It goes to the living players of the lowest level who can carry it.
    """
    takers = [each for each in table.other_seats(seat) if can_carry(table, each, (card,))]
    return min(takers, key=lambda each: table.levels[each]) if takers else NOBODY


@named("mk.TooManyBig")
@dataclass(frozen=True)
class TooManyBig(LimitCorrection):
    """The question which of too many Big items goes.

    Of several players on the lowest level the next one from the owner gets it.
    MK-7.11: Big items too many may be sold, on their owner's turn and in calm. Else they go to the living players of
        the
    lowest level who can carry them. If nobody can, they are discarded.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.11", "MK-7.7")

    def find_excess_cards(self, state: Table) -> Cards:
        return big_items(state, self.seat)

    def correct_limit(self, state: Table, card: str) -> Iterator[Event]:
        taker = find_taker(state, self.seat, card)
        if taker != NOBODY:
            yield pass_item(state, card, self.seat, taker)
        else:
            yield from discard_cards(state, PLAYS[self.seat], (card,))

    def _may_sell(self, state: Table) -> bool:
        beneath = state.agenda[-2] if len(state.agenda) > 1 else None
        return state.turn == self.seat and getattr(beneath, "moment", "") == "calm"

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from super().possible_answers(state, seat)
        if self._may_sell(state):
            sales = (selling.find_cheapest_sale(state, self.seat, card) for card in self.find_excess_cards(state))
            yield from (Sell(cards) for cards in sales if cards)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Sell):
            super().check_answer(state, seat, move)
            return
        if not self._may_sell(state):
            raise IllegalMove("only_in_calm", "MK-7.11", "MK-7.14")
        selling.check_sale(state, self.seat, move.cards)
        if not any(card in self.find_excess_cards(state) for card in move.cards):
            raise IllegalMove("one_of_these", "MK-7.11", card=move.cards[0], cards=self.find_excess_cards(state))

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Sell):
            yield StepPopped()
            yield from selling.sell_cards(state, self.seat, move.cards)
        else:
            yield from super().apply_answer(state, seat, move)

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return min(map(ChooseCard, self.find_excess_cards(state)), key=state.rank_answer)
