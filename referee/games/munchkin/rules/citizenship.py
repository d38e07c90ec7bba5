"""Citizenships and rides that cards take, or replace by another.

Clauses: MK-2.5, MK-3.8, MK-4.5, MK-4.6, MK-4.7, MK-8.6, MK-8.8, MK-18.2, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import Asking
from referee.cardscript.table import SOME
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Closed, Opened
from referee.engine.zones import Cards
from referee.games.munchkin.components import DOOR_DISCARD, FACES, RIDES, TOWNSHIP
from referee.games.munchkin.events.cards import CardPut
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.rules.items.item_loss import ALL
from referee.games.munchkin.state import Table


def without(table: Table, seat: int, towns: Iterable[str], kept: bool = False) -> Iterator[Event]:
    """The facts with which a player loses citizenships; Dual Citizenship goes with the last one (MK-4.6).

    `kept`: another one takes their place at once.
    """
    towns = tuple(towns)
    left = [card for card in table.towns(seat) if card not in towns]
    duals = [] if left or kept else [card for card in table.open_at(TOWNSHIP[seat]) if not FACES[card].town]
    yield from discarded(table, TOWNSHIP[seat], (*towns, *duals))


@dataclass(frozen=True)
class OneTown(Asking):
    """A player with two citizenships says which of them is meant; with one it is settled without asking."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.3",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(state.towns(self.seat)) > 1 else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, state.towns(self.seat))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.card not in state.towns(self.seat):
            raise Refused("no_town_of_theirs", "MK-20.3", card=move.card, seat=self.seat)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield Closed()
        yield from self.struck(state, move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        for town in state.towns(self.seat):
            yield from self.struck(state, town)

    def struck(self, table: Table, town: str) -> Iterator[Event]:
        """The facts with which this citizenship is lost or replaced."""
        raise NotImplementedError


@named("mk.LoseTown")
@dataclass(frozen=True)
class LoseTown(OneTown):
    """A player loses one citizenship (MK-4.7)."""

    def struck(self, table: Table, town: str) -> Iterator[Event]:
        yield from without(table, self.seat, (town,))


@named("mk.SwapTown")
@dataclass(frozen=True)
class SwapTown(OneTown):
    """A citizenship becomes the topmost one of the door discards; with none there it is lost (MK-2.5, MK-3.8).

    One of a town of which the player stays a citizen cannot be put down (MK-4.5): then it is lost, too.
    """

    def struck(self, table: Table, town: str) -> Iterator[Event]:
        found = topmost_town(table)
        stays = {FACES[card].town for card in table.towns(self.seat) if card != town}
        if found is None or FACES[found].town in stays:
            yield from without(table, self.seat, (town,))
        else:
            yield from without(table, self.seat, (town,), kept=True)
            yield CardPut(DOOR_DISCARD, TOWNSHIP[self.seat], (found,), (found,), self.seat, found)


def topmost_town(table: Table) -> str | None:
    """The citizenship that lies topmost among the door discards, None if none does. Raises Unknown."""
    there: Cards = table.place(DOOR_DISCARD)
    if SOME in there:
        raise Unknown("which_cards", place=DOOR_DISCARD)
    return next((card for card in reversed(there) if FACES[card].town), None)


def lose_town(table: Table, card: str, seat: int, count: int) -> Iterator[Event]:
    """The facts with which a card takes citizenships from a player: one, or `ALL`."""
    towns = table.towns(seat)
    if not towns:
        yield Lapsed(card, "lose_town", seat)
    elif count == ALL or len(towns) <= count:
        yield from without(table, seat, towns)
    else:
        yield Opened(LoseTown(seat, card))


def swap_town(table: Table, card: str, seat: int) -> Iterator[Event]:
    """The facts with which a card replaces a citizenship of a player."""
    yield Opened(SwapTown(seat, card)) if table.towns(seat) else Lapsed(card, "swap_town", seat)


def lose_ride(table: Table, card: str, seat: int) -> Iterator[Event]:
    """The facts with which a player loses the ride and what is attached to it (MK-8.6, MK-8.8)."""
    if riding := table.open_at(RIDES[seat]):
        yield from discarded(table, RIDES[seat], riding)
    else:
        yield Lapsed(card, "lose_ride", seat)
