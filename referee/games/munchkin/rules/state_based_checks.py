"""What has to be put right at once when a limit shrinks: hands, slots, Big items, citizenships (MK-7.11, MK-4.6).

It is asked of every state that is at rest, so what is in order has to be seen at a glance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Closed, Step
from referee.engine.zones import Cards
from referee.games.munchkin.components import PLAYS, TOWNSHIP
from referee.games.munchkin.derived import big_items, big_limit
from referee.games.munchkin.events.cards import ItemsUsed
from referee.games.munchkin.moves import Sell
from referee.games.munchkin.rules.items import selling
from referee.games.munchkin.rules.items.discarding import discarded, passed
from referee.games.munchkin.rules.items.slots import can_carry, excess
from referee.games.munchkin.state import Table

SEEN = "_amiss"  # where the answer is kept with a state, as a cached property is


def amiss(table: Table) -> Step | None:
    """The step that puts the first thing right that is not in order, None if all is. Public knowledge alone."""
    kept: dict[str, Any] = table.__dict__
    if SEEN not in kept:
        kept[SEEN] = next(_found(table), None)
    found: Step | None = kept[SEEN]
    return found


def _found(table: Table) -> Iterator[Step]:
    for seat in table.living:
        try:
            yield from _of(table, seat)
        except Unknown:
            continue  # what a position leaves out is taken to be in order


def _of(table: Table, seat: int) -> Iterator[Step]:
    if table.zones.get(TOWNSHIP[seat]):
        towns, dual = len(table.towns(seat)), table.is_dual(seat)
        if dual and not towns:
            yield DualLapses(seat)
        elif towns > 1 + dual:
            yield OneTownLess(seat)
    if table.zones.get(PLAYS[seat]):
        if table.equipped and excess(table, seat):
            yield UseLess(seat)
        big = big_items(table, seat)
        if len(big) > 1 and len(big) > big_limit(table, seat):
            yield TooManyBig(seat)


@named("mk.DualLapses")
@dataclass(frozen=True)
class DualLapses(Step):
    """Dual Citizenship is discarded when no citizenship is left (MK-4.6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.6",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        yield from discarded(state, TOWNSHIP[self.seat], state.place(TOWNSHIP[self.seat]))


class PutRight(Asking):
    """The owner names one of these cards, which goes or is no longer used. Where there is but one, nobody is asked."""

    __slots__ = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.11",)
    seat: int

    def among(self, state: Table) -> Cards:
        """The cards to name one of."""
        raise NotImplementedError

    def put_right(self, state: Table, card: str) -> Iterator[Event]:
        """The facts that follow for the card named; the step has closed."""
        raise NotImplementedError

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(self.among(state)) > 1 else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        for card in self.among(state):
            yield from self.put_right(state, card)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, self.among(state))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise Refused("limit_first", *self.clauses, move=move.TAG)
        if move.card not in self.among(state):
            raise Refused("one_of_these", *self.clauses, card=move.card, cards=self.among(state))

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield Closed()
        yield from self.put_right(state, move.card)


@named("mk.OneTownLess")
@dataclass(frozen=True)
class OneTownLess(PutRight):
    """A player has more citizenships than may be, and says which one is discarded (MK-4.5)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.5",)

    def among(self, state: Table) -> Cards:
        return state.towns(self.seat)

    def put_right(self, state: Table, card: str) -> Iterator[Event]:
        yield from discarded(state, TOWNSHIP[self.seat], (card,))


@named("mk.UseLess")
@dataclass(frozen=True)
class UseLess(PutRight):
    """Too many items are used at once; the owner says which is only carried from now on, even in combat (MK-7.11)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.11", "MK-7.3")

    def among(self, state: Table) -> Cards:
        return excess(state, self.seat)

    def put_right(self, state: Table, card: str) -> Iterator[Event]:
        yield ItemsUsed(self.seat, (), (card,))


@named("mk.TooManyBig")
@dataclass(frozen=True)
class TooManyBig(PutRight):
    """A player has too many Big items and names the one that goes: to the lowest-level living player who can carry it
    (of several the next one), else it is discarded. On the own turn and in calm it may be sold (MK-7.11)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.11", "MK-7.7")

    def among(self, state: Table) -> Cards:
        return big_items(state, self.seat)

    def put_right(self, state: Table, card: str) -> Iterator[Event]:
        takers = [each for each in state.others(self.seat) if can_carry(state, each, (card,))]
        if takers:
            yield passed(state, card, self.seat, min(takers, key=lambda each: state.levels[each]))
        else:
            yield from discarded(state, PLAYS[self.seat], (card,))

    def _may_sell(self, state: Table) -> bool:
        beneath = state.agenda[-2] if len(state.agenda) > 1 else None
        return state.turn == self.seat and getattr(beneath, "moment", "") == "calm"

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from super().answers(state, seat)
        if self._may_sell(state):
            sales = (selling.typical_sale(state, self.seat, card) for card in self.among(state))
            yield from (Sell(cards) for cards in sales if cards)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Sell):
            super().judged(state, seat, move)
            return
        if not self._may_sell(state):
            raise Refused("only_in_calm", "MK-7.11", "MK-7.14")
        selling.check_sale(state, self.seat, move.cards)
        if not any(card in self.among(state) for card in move.cards):
            raise Refused("one_of_these", "MK-7.11", card=move.cards[0], cards=self.among(state))

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Sell):
            yield Closed()
            yield from selling.sold(state, self.seat, move.cards)
        else:
            yield from super().answered(state, seat, move)

    def by_default(self, state: Table, seat: Seat) -> Move:
        return min(map(ChooseCard, self.among(state)), key=state.rank)
