"""What happens to cards: dealt, drawn, put down, played, discarded, looted.

Clauses: MK-1.4, MK-2.1, MK-2.2, MK-2.4, MK-2.6, MK-6.6, MK-7.9, MK-7.12, MK-8.1, MK-16.3, MK-19.3, MK-19.5, MK-20.2,
MK-21.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.zones import Cards, arrange_cards, backs_of, is_back, remove_cards
from referee.games.munchkin.events.combat_changed import mark_combat_changed_at


@dataclass(frozen=True)
class MunchkinCardsMoved(CardsMoved):
    """Cards went from one place to another.

    A card that leaves its owner's play is no longer in use.
    MK-7.12: A card attached to an item goes where the item goes. If the item is discarded, the two are separated.
    """

    def apply(self, state: Any) -> Any:
        after = mark_combat_changed_at(super().apply(state), self.source, self.target)
        if not self.source.startswith("play/"):
            return after
        attached = state.attached
        if not self.target.startswith("play/"):
            lay_there = state.zones[self.source]  # another player's copy of an item keeps its own attached card
            attached = {
                item: card
                for item, card in attached.items()
                if card not in self.took and (item not in self.took or card not in lay_there)
            }
        return replace_fields(
            after, equipped=tuple(card for card in state.equipped if card not in self.took), attached=attached
        )


@dataclass(frozen=True)
class CardsReceived(MunchkinCardsMoved):
    """A player received cards.

    MK-6.6: A card just received may be put into play at once, until the next step of the turn begins.
    """

    seat: int

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        had = after.fresh.get(str(self.seat), ())
        return replace_fields(after, fresh={**after.fresh, str(self.seat): arrange_cards((*had, *self.put))})


@named("mk.CardsDealt")
@dataclass(frozen=True)
class CardsDealt(MunchkinCardsMoved):
    """A player was dealt cards of one deck in the setup (MK-1.4)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-1.4",)


@named("mk.DeckRenewed")
@dataclass(frozen=True)
class DeckRenewed(MunchkinCardsMoved):
    """The discards of a deck became that deck, to be shuffled (MK-2.6)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-2.6",)


@named("mk.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """A draw did nothing, because deck and discards are empty (MK-2.6)."""

    deck: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.6",)


@named("mk.DoorOpened")
@dataclass(frozen=True)
class DoorOpened(MunchkinCardsMoved):
    """The top door was turned up for all to see (MK-5.3).

    It now lies as the card being played.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3",)


@named("mk.CardDrawn")
@dataclass(frozen=True)
class CardDrawn(CardsReceived):
    """A player drew a card face down (MK-5.4, MK-16.3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2",)


@named("mk.CardKept")
@dataclass(frozen=True)
class CardKept(CardsReceived):
    """An open card went to a hand: a door of no use now, or a discard (MK-5.3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3",)


@named("mk.TreasureTurnedUp")
@dataclass(frozen=True)
class TreasureTurnedUp(MunchkinCardsMoved):
    """A treasure won with a helper was turned up for all to see (MK-16.3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-16.3",)


@named("mk.TreasurePicked")
@dataclass(frozen=True)
class TreasurePicked(CardsReceived):
    """A player picked one of the treasures won (MK-16.4)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-13.7", "MK-16.4")


@named("mk.CardsNamed")
@dataclass(frozen=True)
class CardsNamed(MunchkinCardsMoved):
    """The cards of a hand were read to the referee, at a real table."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)


@named("mk.CardPut")
@dataclass(frozen=True)
class CardPut(MunchkinCardsMoved):
    """A player put a card into play before themselves (MK-2.2, MK-7.6).

    `received` says that this was legal only because the card was just received. It then uses up one card just received
    (MK-6.6).
    """

    seat: int
    card: str
    received: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        just = after.fresh.get(str(self.seat), ())
        spent = self.card if self.card in just else next((card for card in just if is_back(card)), "")
        if not self.received or not spent:
            return after
        return replace_fields(after, fresh={**after.fresh, str(self.seat): remove_cards(just, (spent,))})


@named("mk.ItemsUsed")
@dataclass(frozen=True)
class ItemsUsed(Event):
    """A player began to use some items and now only carries others (MK-7.2)."""

    seat: int
    on: Cards = ()
    off: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.2", "MK-7.3")

    def apply(self, state: Any) -> Any:
        left = tuple(card for card in state.equipped if card not in self.off)
        return replace_fields(state, equipped=tuple(sorted((*left, *self.on))))


@named("mk.CardAttached")
@dataclass(frozen=True)
class CardAttached(MunchkinCardsMoved):
    """A card was laid on an item in play (MK-7.12)."""

    seat: int
    item: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-7.12",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(after, attached={**after.attached, self.item: self.put[0]})


@named("mk.CardPlayed")
@dataclass(frozen=True)
class CardPlayed(MunchkinCardsMoved):
    """A player played a card, perhaps on somebody or for a side (MK-3.6, MK-8.1)."""

    seat: int
    card: str
    whom: int = -1
    monster: str = ""
    side: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.6",)


@named("mk.CardsDiscarded")
@dataclass(frozen=True)
class CardsDiscarded(MunchkinCardsMoved):
    """Cards went to a discard pile (MK-1.3, MK-2.5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-1.3",)


@named("mk.ItemPassed")
@dataclass(frozen=True)
class ItemPassed(MunchkinCardsMoved):
    """An item in play, with its attached card, went to another player.

    MK-7.9: Only items in play can be traded. What is received stays in play.
    MK-7.12: A card attached to an item goes where the item goes.
    """

    seat: int
    by: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.4", "MK-7.12")


@named("mk.CardPulled")
@dataclass(frozen=True)
class CardPulled(MunchkinCardsMoved):
    """A player took a card at random from another player's hand (MK-18.1)."""

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-18.1",)


@named("mk.HandShown")
@dataclass(frozen=True)
class HandShown(Event):
    """A player showed their hand to another (MK-2.2)."""

    seat: int
    to: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2",)

    def view_for(self, seat: int) -> Event:
        return self if seat in (self.seat, self.to) else replace_fields(self, cards=backs_of(self.cards))

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (self.to,) if self.cards else ()


@named("mk.CurseLaid")
@dataclass(frozen=True)
class CurseLaid(MunchkinCardsMoved):
    """A curse stays before its victim until it ends (MK-20.2)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.2", "MK-20.6")


@named("mk.LaidOpen")
@dataclass(frozen=True)
class BelongingsLaidOpen(MunchkinCardsMoved):
    """The hand and cards in play of a dead player were laid open (MK-19.3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.1", "MK-19.3")


@named("mk.CardLooted")
@dataclass(frozen=True)
class CardLooted(CardsReceived):
    """A player took a card from a dead one (MK-19.4, MK-19.5)."""

    of: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-19.4", "MK-19.5")


@named("mk.GivenInCharity")
@dataclass(frozen=True)
class GivenInCharity(CardsReceived):
    """A player gave a hand card to another at the end of the turn (MK-21.2, MK-21.5)."""

    by: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-21.2", "MK-21.5")


@named("mk.NoLongerFresh")
@dataclass(frozen=True)
class NoLongerFresh(Event):
    """The next step of the turn began, so no received card is fresh any more.

    MK-6.6: A card just received may be put into play at once, until the next step of the turn begins.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-6.6",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, fresh={})


@named("mk.PutOnDeck")
@dataclass(frozen=True)
class PutOnDeck(MunchkinCardsMoved):
    """Cards were put on top of a deck, the first one topmost (MK-27.6)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-27.6",)

    def apply(self, state: Any) -> Any:
        below = state.zones.get(self.target, ())
        moved = super().apply(state)
        return replace_fields(moved, zones={**moved.zones, self.target: arrange_cards((*self.put, *below))})
