"""The events of Mau-Mau. `apply` only updates the state and holds no rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.zones import Moved, remove_cards
from referee.games.mau_mau.state import Table


@named("mm.TurnedUp")
@dataclass(frozen=True)
class FirstCardTurnedUp(Moved):
    """The first card of the discard pile was turned up."""

    clauses: ClassVar[tuple[str, ...]] = ("MM-SETUP-2", "MM-AMB-3")


@dataclass(frozen=True)
class SeatMovedCards(Moved):
    """A player moved cards. `rules` are the clauses that say why, or what they do."""

    seat: int
    rules: tuple[str, ...]

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rules

    def without_refusal(self) -> Event:
        """Return the event without what it cites.

        A later referee may cite more, and replay compares the rest.
        """
        return replace_fields(self, rules=())


@named("mm.Drawn")
@dataclass(frozen=True)
class CardsDrawn(SeatMovedCards):
    """A player got cards from the draw pile."""

    def apply(self, state: Any) -> Any:
        return replace_fields(super().apply(state), due=0)


@named("mm.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """A card was due, and there was none.

    MM-DRAW-3: Without any discards to replace the draw pile, nothing is drawn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-DRAW-3",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, due=0)


@named("mm.PileRenewed")
@dataclass(frozen=True)
class PileRenewed(Moved):
    """The discards under the top one became the draw pile (MM-DRAW-3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MM-DRAW-3",)


@named("mm.TurnBegan")
@dataclass(frozen=True)
class TurnBegan(Event):
    """A player is on turn (MM-TURN-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-TURN-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, turns=state.turns + 1)


@named("mm.Played")
@dataclass(frozen=True)
class CardPlayed(SeatMovedCards):
    """A player put a card on the discard pile.

    MM-JACK-2: The next card that is played must have the suit wished; then the wish is over.
    """

    def apply(self, state: Any) -> Any:
        zones = {
            **state.zones,
            self.source: remove_cards(state.cards_at(self.source), self.took),
            self.target: (*self.put, *state.cards_at(self.target)),
        }
        return replace_fields(state, zones=zones, wish="")


@named("mm.Due")
@dataclass(frozen=True)
class CardsBecameDue(Event):
    """Sevens now ask the next player for this many cards (MM-SEVEN-1)."""

    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-SEVEN-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, due=self.count)


@named("mm.Skipped")
@dataclass(frozen=True)
class TurnSkipped(Event):
    """A player was skipped (MM-EIGHT-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-EIGHT-1",)


@named("mm.Wished")
@dataclass(frozen=True)
class SuitWished(Event):
    """A player wished a suit (MM-JACK-2)."""

    seat: int
    suit: str
    clauses: ClassVar[tuple[str, ...]] = ("MM-JACK-2",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, wish=self.suit)


@named("mm.Passed")
@dataclass(frozen=True)
class TurnPassed(Event):
    """A player passed after drawing (MM-DRAW-2)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-DRAW-2",)


@named("mm.Won")
@dataclass(frozen=True)
class HandEmptied(Event):
    """A player got rid of the last card and has won (MM-END-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-END-1", "MM-AMB-1")


@named("mm.TurnsRanOut")
@dataclass(frozen=True)
class TurnsRanOut(Event):
    """The match went on for the number of turns set for it (MM-AMB-2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MM-AMB-2",)
