"""What happens to cards between deck, hands and discard pile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.seats import BYSTANDER
from referee.engine.zones import Cards, arrange_cards, backs_of, is_open_to
from referee.games.here_to_slay.components import DECK, HANDS

# ---- cards between deck, hand and discard pile ---------------------------------------------------------------


@named("hts.CardDrawn")
@dataclass(frozen=True)
class CardDrawn(CardsMoved):
    """A player drew a card (HTS-VERB-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-1", "HTS-DO-1")


@named("hts.LotDrawn")
@dataclass(frozen=True)
class LotDrawn(Event):
    """All cards of one order are drawn; only who drew them knows them (HTS-TRIG-6)."""

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TRIG-6", "HTS-AMB-52")

    def view_for(self, seat: int) -> Event:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))


@named("hts.DeckRenewed")
@dataclass(frozen=True)
class DeckRenewed(CardsMoved):
    """The discard pile became the main deck, to be shuffled (HTS-DECK-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-DECK-1", "HTS-AMB-64")


@named("hts.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """Main deck and discard pile are empty; the rest of the draw lapsed (HTS-DECK-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DECK-1", "HTS-AMB-64")


@named("hts.CardDiscarded")
@dataclass(frozen=True)
class CardDiscarded(CardsMoved):
    """A player discarded hand cards (HTS-VERB-2)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-2", "HTS-ZONE-3")


@named("hts.NamedTwice")
@dataclass(frozen=True)
class CardNamedTwice(Event):
    """Of a card that two players named at the same time there is one copy only: this player has to answer again."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1", "HTS-ZONE-6")


@named("hts.CardTaken")
@dataclass(frozen=True)
class CardTaken(CardsMoved):
    """A player took a card into the hand: from the discard pile, or off the top of the deck (HTS-DO-11, HTS-DO-12)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-11", "HTS-AMB-51")


@named("hts.CardPulled")
@dataclass(frozen=True)
class CardPulled(CardsMoved):
    """A player pulled a card out of a hand, unseen (HTS-VERB-6, HTS-VERB-12)."""

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-6", "HTS-VERB-12", "HTS-DO-6")


@named("hts.CardGiven")
@dataclass(frozen=True)
class CardGiven(CardsMoved):
    """A card went from one hand to another; only those two see it (HTS-DO-8, HTS-DO-9)."""

    seat: int
    to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-11",)


@named("hts.HandsSwapped")
@dataclass(frozen=True)
class HandsSwapped(Event):
    """Two players changed hands (HTS-DO-10); `gets` and `other_gets` are what `seat` and `other` hold now."""

    seat: int
    other: int
    gets: Cards
    other_gets: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-10",)

    def apply(self, state: Any) -> Any:
        swapped = {HANDS[self.seat]: arrange_cards(self.gets), HANDS[self.other]: arrange_cards(self.other_gets)}
        return replace_fields(state, zones={**state.zones, **swapped})

    def view_for(self, seat: int) -> Event:
        return replace_fields(
            self,
            gets=self.gets if is_open_to(HANDS[self.seat], seat) else backs_of(self.gets),
            other_gets=self.other_gets if is_open_to(HANDS[self.other], seat) else backs_of(self.other_gets),
        )


@named("hts.HandShown")
@dataclass(frozen=True)
class HandShown(Event):
    """A player was shown a hand (HTS-DO-7)."""

    seat: int
    of: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-7",)

    def view_for(self, seat: int) -> Event:
        return self if seat in (self.seat, self.of) else replace_fields(self, cards=backs_of(self.cards))

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (self.seat,) if self.cards else ()


@named("hts.TopLookedAt")
@dataclass(frozen=True)
class DeckTopLookedAt(Event):
    """A player looked at the topmost cards of the main deck (HTS-DO-13)."""

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-13",)

    def view_for(self, seat: int) -> Event:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (self.seat,) if self.cards else ()


@named("hts.TopArranged")
@dataclass(frozen=True)
class DeckTopArranged(Event):
    """A player put cards back on top of the main deck, in an order that only this player knows (HTS-DO-14)."""

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-14",)

    def apply(self, state: Any) -> Any:
        rest = state.zones.get(DECK, ())[len(self.cards) :]
        return replace_fields(state, zones={**state.zones, DECK: arrange_cards((*self.cards, *rest))})

    def view_for(self, seat: int) -> Event:
        return replace_fields(self, cards=backs_of(self.cards))


@named("hts.CardShown")
@dataclass(frozen=True)
class CardShown(Event):
    """A player showed a hand card to all; it stays in the hand (HTS-DO-15)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-15",)

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (BYSTANDER,)


@named("hts.Lapsed")
@dataclass(frozen=True)
class EffectLapsed(Event):
    """A part of a text could not be carried out (HTS-TEXT-2): `what` names it."""

    card: str
    what: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TEXT-2",)
