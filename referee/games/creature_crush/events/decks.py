"""Events of decks and hands: dealt, drafted, brought, drawn, searched, named.

Clauses: CC-FORMAT-SKIRMISH-1, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1, CC-PREP-3, CC-START-1, CC-EFF-SEARCH-1, CC-AMB-8,
CC-AMB-29.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.zones import Cards, arrange_cards
from referee.games.creature_crush.events.zone_changes import CardsTransferred


@named("cc.DeckDealt")
@dataclass(frozen=True)
class DeckDealt(CardsTransferred):
    """A player was dealt a deck.

    CC-FORMAT-SKIRMISH-1: In Skirmish all cards are shuffled, and each player gets 20 at random, face down, as the deck.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-SKIRMISH-1",)


@named("cc.CardsDrafted")
@dataclass(frozen=True)
class CardsDrafted(CardsTransferred):
    """A player drew cards to choose from.

    CC-FORMAT-ARENA-1: In Arena both players draw seven cards five times, and each time keep four and put three back.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.CardsKept")
@dataclass(frozen=True)
class CardsKept(CardsTransferred):
    """A player kept cards of those drawn for the deck.

    The player sees them until the deck is shuffled.

    CC-FORMAT-ARENA-1: The 20 cards kept are shuffled as the deck.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def view_for(self, seat: int) -> Event:
        seen = super().view_for(seat)
        return replace_fields(seen, put=self.put) if seat == self.seat else seen


@named("cc.CardsPutBack")
@dataclass(frozen=True)
class CardsPutBack(CardsTransferred):
    """A player put the other cards back under the pile.

    CC-FORMAT-ARENA-1: The cards are drawn from a face-down pile. What is put back goes under it.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.DeckBrought")
@dataclass(frozen=True)
class DeckBrought(CardsTransferred):
    """A player brought a deck to the League. `listed` is its list, if one was given.

    CC-FORMAT-LEAGUE-1: In League each player builds the deck freely from all available cards, each card at most once in
        it.
    """

    seat: int
    listed: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-LEAGUE-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(after, lists={**after.lists, str(self.seat): self.listed}) if self.listed else after

    def view_for(self, seat: int) -> Event:
        seen = super().view_for(seat)
        return seen if seat == self.seat else replace_fields(seen, listed=())


@named("cc.CardsContested")
@dataclass(frozen=True)
class CardsContested(Event):
    """Both players have chosen these cards, so that `seat` has to choose others.

    CC-AMB-7-R2: Both players build from the same set of all cards.
    """

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-7",)


@named("cc.HandDrawn")
@dataclass(frozen=True)
class HandDrawn(CardsTransferred):
    """A player took the first four cards.

    CC-PREP-3: Before the first turn each player takes the top four cards of the deck into the hand.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-3",)


@named("cc.CardDrawn")
@dataclass(frozen=True)
class CardDrawn(CardsTransferred):
    """A player drew a card.

    `for_turn` marks the draw with which every turn begins.

    CC-START-1: In the start phase the active player draws one card.
    CC-AMB-4: The draw in the start phase does not count as a change of the turn.
    CC-AMB-29: A card that an effect draws is not shown.
    """

    seat: int
    for_turn: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(after, stirred=state.stirred) if self.for_turn else after

    def applied_clauses(self) -> tuple[str, ...]:
        return self.clauses if self.for_turn else ("CC-AMB-29",)


@named("cc.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """A draw from an empty deck did nothing.

    CC-AMB-8: A draw from an empty deck does nothing and loses nothing.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-8",)


@named("cc.CardsNamed")
@dataclass(frozen=True)
class CardsNamed(CardsMoved):
    """Cards that a seat holds were read to the referee, at a real table."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)


@named("cc.DeckOpened")
@dataclass(frozen=True)
class DeckOpened(CardsTransferred):
    """A player looks through their own deck.

    CC-EFF-SEARCH-1: After every search of a deck that deck is shuffled.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1",)


@named("cc.CardsFound")
@dataclass(frozen=True)
class CardsFound(CardsTransferred):
    """A player took cards out of the deck searched. They are shown.

    CC-AMB-29: A card searched for is shown to the opponent, so that everybody can check it.
    """

    seat: int
    shown: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1", "CC-AMB-29")


@named("cc.DeckClosed")
@dataclass(frozen=True)
class DeckClosed(CardsTransferred):
    """The deck searched was put together again, to be shuffled.

    CC-EFF-SEARCH-1: After every search of a deck that deck is shuffled.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1",)


@named("cc.HandOpened")
@dataclass(frozen=True)
class HandOpened(CardsTransferred):
    """A player looks at the hand of the other one (`of`).

    CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
    """

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)


@named("cc.HandClosed")
@dataclass(frozen=True)
class HandClosed(CardsTransferred):
    """The hand that was looked at is its player's again (`of`).

    CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
    """

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)


@named("cc.TopOpened")
@dataclass(frozen=True)
class TopOpened(CardsTransferred):
    """A player looks at the top cards of the own deck.

    CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)


@named("cc.TopClosed")
@dataclass(frozen=True)
class TopClosed(CardsTransferred):
    """A player put the cards looked at back on top, the first one uppermost.

    CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        deck = arrange_cards((*self.put, *state.zones.get(self.target, ())))
        return replace_fields(after, zones={**after.zones, self.target: deck})


@named("cc.CardRevealed")
@dataclass(frozen=True)
class CardRevealed(CardsTransferred):
    """The top card of a deck was turned up and went to the hand. It is shown.

    CC-AMB-29: A card searched for is shown to the opponent, so that everybody can check it.
    """

    seat: int
    shown: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-29",)
