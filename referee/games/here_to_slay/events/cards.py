"""Events of cards between deck, hands and discard pile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved, remove_if_known
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.seats import BYSTANDER
from referee.engine.zones import Cards, arrange_cards, backs_of, is_open_to
from referee.games.here_to_slay.components import DECK, HANDS

# ---- cards between deck, hand and discard pile ---------------------------------------------------------------


@named("hts.CardDrawn")
@dataclass(frozen=True)
class CardDrawn(CardsMoved):
    """A player drew a card.

    HTS-VERB-1: To draw: the top card of the main deck goes to the player's hand.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-1", "HTS-DO-1")


@named("hts.LotDrawn")
@dataclass(frozen=True)
class LotDrawn(Event):
    """All cards of one draw are drawn. Only the player who drew them knows them.

    HTS-TRIG-6: Cards drawn together form one lot: when all are drawn, the owner of a drawing ability picks one of them
        or declines, and after each pick is asked about the rest.
    """

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TRIG-6", "HTS-AMB-52")

    def view_for(self, seat: int) -> Event:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))


@named("hts.DeckRenewed")
@dataclass(frozen=True)
class DeckRenewed(CardsMoved):
    """The discard pile became the main deck, to be shuffled.

    HTS-DECK-1: If a card is needed and the main deck has none, the shuffled discard pile takes its place and drawing
        goes on.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-DECK-1", "HTS-AMB-64")


@named("hts.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """Main deck and discard pile are empty, so the rest of the draw lapsed.

    HTS-DECK-1: If main deck and discard pile are empty, the remaining draws lapse.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DECK-1", "HTS-AMB-64")


@named("hts.CardDiscarded")
@dataclass(frozen=True)
class CardDiscarded(CardsMoved):
    """A player discarded hand cards.

    HTS-VERB-2: To discard: a card from the player's hand, chosen by that player, goes to the discard pile.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-2", "HTS-ZONE-3")


@named("hts.NamedTwice")
@dataclass(frozen=True)
class CardNamedTwice(Event):
    """Two players named the last copy of a card, so this one must answer again."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1", "HTS-ZONE-6")


@named("hts.CardTaken")
@dataclass(frozen=True)
class CardTaken(CardsMoved):
    """A player took a card from the discard pile or the top of the deck into the hand.

    HTS-DO-11: A search of the discard pile brings one card of the named kind to the hand, for all to see. If there is
        none, nothing happens.
    HTS-DO-12: A choice among certain cards is limited to those that this effect itself discarded, showed or pulled.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-11", "HTS-AMB-51")


@named("hts.CardPulled")
@dataclass(frozen=True)
class CardPulled(CardsMoved):
    """A player pulled a card out of a hand, unseen.

    HTS-VERB-6: To pull: a card picked at random moves from another player's hand to the player's own.
    HTS-VERB-12: The referee picks the pulled card, each with the same chance, and records it. Only the two players
        concerned see which it is.
    """

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-6", "HTS-VERB-12", "HTS-DO-6")


@named("hts.CardGiven")
@dataclass(frozen=True)
class CardGiven(CardsMoved):
    """A card went from one hand to another. Only those two players see it.

    HTS-DO-8: From the hand just seen one card must be taken. Nobody but the two players learns which.
    HTS-DO-9: Players who have to give pick a card from their own hand. Only giver and receiver see it.
    """

    seat: int
    to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-11",)


@named("hts.HandsSwapped")
@dataclass(frozen=True)
class HandsSwapped(Event):
    """Two players swapped hands.

    `gets` and `other_gets` are what `seat` and `other` now hold.
    HTS-DO-10: Two hands are swapped whole and at the same time. At least one of them must hold a card.
    """

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
    """A player was shown a hand.

    HTS-DO-7: Only the player who looks sees the hand, as it is then, and confirms it or chooses from it right away.
    """

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
    """A player looked at the top cards of the main deck.

    HTS-DO-13: Only the player of the effect sees the top three cards of the main deck.
    """

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
    """A player put cards back on top of the deck in an order hidden from the others.

    HTS-DO-14: What is not kept returns to the top of the deck in an order of the player's choice, hidden from the
        others.
    """

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-14",)

    def apply(self, state: Any) -> Any:
        rest = state.zones.get(DECK, ())[len(self.cards) :]
        return replace_fields(state, zones={**state.zones, DECK: arrange_cards((*self.cards, *rest))})

    def view_for(self, seat: int) -> Event:
        return replace_fields(self, cards=backs_of(self.cards))


@named("hts.CardPut")
@dataclass(frozen=True)
class CardPut(CardsMoved):
    """A text of `seat` put a card in another place, called `to`.

    `of` is the player whose hand it joins, or from whom it came.
    HTS-PUT-1: A text may put a card elsewhere: into a hand, on top of the main deck or underneath it, or on the discard
        pile. That is neither drawing nor discarding, destroying or stealing, and no protection stops it.
    """

    seat: int
    of: int
    to: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PUT-1",)

    def apply(self, state: Any) -> Any:
        if self.to != "top":
            return super().apply(state)
        rest = remove_if_known(state.zones.get(self.source, ()), self.took)
        deck = rest if self.source == DECK else state.zones.get(DECK, ())
        zones = {**state.zones, self.source: rest, DECK: arrange_cards((*self.put, *deck))}
        return replace_fields(state, zones=zones)


@named("hts.CardShown")
@dataclass(frozen=True)
class CardShown(Event):
    """A player showed a hand card to all.

    HTS-DO-15: Everybody sees a card that is shown. It stays in the hand.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-15",)

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (BYSTANDER,)


@named("hts.Lapsed")
@dataclass(frozen=True)
class EffectLapsed(Event):
    """A part of a text could not be carried out. `what` names it.

    HTS-TEXT-2: What is impossible is left out, the rest is done.
    """

    card: str
    what: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TEXT-2",)
