"""Citizenships and rides that cards take away or replace.

Clauses: MK-2.5, MK-3.8, MK-4.5, MK-4.6, MK-4.7, MK-8.6, MK-8.8, MK-18.2, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import CardPrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, require_move
from referee.engine.zones import Cards
from referee.games.munchkin.components import DOOR_DISCARD, FACES, RIDES, TOWNSHIP
from referee.games.munchkin.events.cards import CardPut
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.rules.items.item_loss import EVERY_ONE
from referee.games.munchkin.state import Table


def discard_towns(table: Table, seat: int, towns: Iterable[str], kept: bool = False) -> Iterator[Event]:
    """Yield the events with which a player loses citizenships.

    If `kept`, another citizenship takes their place at once, so Dual Citizenship stays.
    MK-4.6: Dual Citizenship is discarded when no citizenship is left.
    """
    towns = tuple(towns)
    left = [card for card in table.towns_of(seat) if card not in towns]
    duals = [] if left or kept else [card for card in table.open_cards_at(TOWNSHIP[seat]) if not FACES[card].town]
    yield from discard_cards(table, TOWNSHIP[seat], (*towns, *duals))


@dataclass(frozen=True)
class TownChoice(CardPrompt):
    """The question which of two citizenships a card affects.

    With only one citizenship the step settles itself without asking.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.3",)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if len(state.towns_of(self.seat)) > 1 else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, state.towns_of(self.seat))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCard)
        if move.card not in state.towns_of(self.seat):
            raise IllegalMove("no_town_of_theirs", "MK-20.3", card=move.card, seat=self.seat)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield StepPopped()
        yield from self.resolve_town(state, move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        for town in state.towns_of(self.seat):
            yield from self.resolve_town(state, town)

    def resolve_town(self, table: Table, town: str) -> Iterator[Event]:
        """Yield the events with which this citizenship is lost or replaced."""
        raise NotImplementedError


@named("mk.LoseTown")
@dataclass(frozen=True)
class LoseTown(TownChoice):
    """The loss of one citizenship.

    MK-4.7: The powers of a citizenship end when it leaves.
    """

    def resolve_town(self, table: Table, town: str) -> Iterator[Event]:
        yield from discard_towns(table, self.seat, (town,))


@named("mk.SwapTown")
@dataclass(frozen=True)
class SwapTown(TownChoice):
    """The exchange of a citizenship for the topmost one of the door discards.

    If the discards hold none, the citizenship is lost. It is also lost if the topmost one is of a town that the player
    keeps.
    MK-2.5: A discard pile may not be searched, unless a card allows it.
    MK-3.8: An effect that cannot be carried out in full is carried out in part.
    MK-4.5: A player never has two citizenships of the same town.
    """

    def resolve_town(self, table: Table, town: str) -> Iterator[Event]:
        found = find_topmost_town(table)
        stays = {FACES[card].town for card in table.towns_of(self.seat) if card != town}
        if found is None or FACES[found].town in stays:
            yield from discard_towns(table, self.seat, (town,))
        else:
            yield from discard_towns(table, self.seat, (town,), kept=True)
            yield CardPut(DOOR_DISCARD, TOWNSHIP[self.seat], (found,), (found,), self.seat, found)


def find_topmost_town(table: Table) -> str | None:
    """Return the topmost citizenship among the door discards, or None.

    Raises Undetermined.
    """
    there: Cards = table.cards_at(DOOR_DISCARD)
    if UNCOUNTED_CARDS in there:
        raise Undetermined("which_cards", place=DOOR_DISCARD)
    return next((card for card in reversed(there) if FACES[card].town), None)


def lose_town(table: Table, card: str, seat: int, count: int) -> Iterator[Event]:
    """Yield the events with which a card takes one citizenship or all (`EVERY_ONE`)."""
    towns = table.towns_of(seat)
    if not towns:
        yield EffectLapsed(card, "lose_town", seat)
    elif count == EVERY_ONE or len(towns) <= count:
        yield from discard_towns(table, seat, towns)
    else:
        yield StepPushed(LoseTown(seat, card))


def swap_town(table: Table, card: str, seat: int) -> Iterator[Event]:
    """Yield the events with which a card replaces a player's citizenship."""
    yield StepPushed(SwapTown(seat, card)) if table.towns_of(seat) else EffectLapsed(card, "swap_town", seat)


def lose_ride(table: Table, card: str, seat: int) -> Iterator[Event]:
    """Yield the events with which a player loses the ride and what is attached to it.

    MK-8.6: Each player has one ride at most.
    MK-8.8: A ride enhancer leaves play together with the ride.
    """
    if riding := table.open_cards_at(RIDES[seat]):
        yield from discard_cards(table, RIDES[seat], riding)
    else:
        yield EffectLapsed(card, "lose_ride", seat)
