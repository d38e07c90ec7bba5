"""What happens to decks and hands: dealt, drafted, brought, drawn, searched, read to the referee.

Clauses: CC-FORMAT-SKIRMISH-1, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1, CC-PREP-3, CC-START-1, CC-EFF-SEARCH-1, CC-AMB-8,
CC-AMB-29.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.zones import Cards
from referee.games.creature_crush.events.zone_changes import CardsTransferred


@named("cc.DeckDealt")
@dataclass(frozen=True)
class DeckDealt(CardsTransferred):
    """A player was dealt a deck (CC-FORMAT-SKIRMISH-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-SKIRMISH-1",)


@named("cc.CardsDrafted")
@dataclass(frozen=True)
class CardsDrafted(CardsTransferred):
    """A player drew cards to choose from (CC-FORMAT-ARENA-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.CardsKept")
@dataclass(frozen=True)
class CardsKept(CardsTransferred):
    """A player kept cards of those drawn for the deck (CC-FORMAT-ARENA-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.CardsPutBack")
@dataclass(frozen=True)
class CardsPutBack(CardsTransferred):
    """A player put the other cards back under the pile (CC-FORMAT-ARENA-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.DeckBrought")
@dataclass(frozen=True)
class DeckBrought(CardsTransferred):
    """A player brought a deck to the League; `listed`: its list, where one was given (CC-FORMAT-LEAGUE-1)."""

    seat: int
    listed: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-LEAGUE-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(after, lists={**after.lists, str(self.seat): self.listed}) if self.listed else after

    def view_for(self, seat: int) -> Event:
        seen = super().view_for(seat)
        return seen if seat == self.seat else replace_fields(seen, listed=())


@named("cc.HandDrawn")
@dataclass(frozen=True)
class HandDrawn(CardsTransferred):
    """A player took the first four cards (CC-PREP-3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-3",)


@named("cc.CardDrawn")
@dataclass(frozen=True)
class CardDrawn(CardsTransferred):
    """A player drew a card; `for_turn`: as every turn begins, which does not make a turn count as lively (CC-AMB-4)."""

    seat: int
    for_turn: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(after, stirred=state.stirred) if self.for_turn else after


@named("cc.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """The deck is empty: the draw did nothing, and is no loss (CC-AMB-8)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-8",)


@named("cc.CardsNamed")
@dataclass(frozen=True)
class CardsNamed(CardsMoved):
    """At a real table, cards that a seat holds were read to the referee."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)


@named("cc.DeckOpened")
@dataclass(frozen=True)
class DeckOpened(CardsTransferred):
    """A player looks through the own deck (CC-EFF-SEARCH-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1",)


@named("cc.CardsFound")
@dataclass(frozen=True)
class CardsFound(CardsTransferred):
    """A player took cards out of the deck searched; they are shown, so that everybody can check them (CC-AMB-29)."""

    seat: int
    shown: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1", "CC-AMB-29")


@named("cc.DeckClosed")
@dataclass(frozen=True)
class DeckClosed(CardsTransferred):
    """The deck was put together again, to be shuffled (CC-EFF-SEARCH-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1",)
