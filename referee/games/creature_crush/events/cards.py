"""Events of cards on the boards, from summoning to destruction and return.

Clauses: CC-SUMMON-1, CC-CRUSH-1, CC-CRUSH-FLIP-1, CC-CRUSH-3, CC-TACTIC-1, CC-TACTIC-2, CC-GLOSS-2, CC-GLOSS-3,
CC-GLOSS-5, CC-GLOSS-6, CC-AMB-3, CC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.zones import arrange_cards, is_back
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    CRUSH_PLACES,
    HELLS,
    SEAT_BY_PLACE,
    face_of,
    row_of,
)
from referee.games.creature_crush.events.zone_changes import CardsTransferred, CardsTransferredTogether, mark_acted

CRUSH_SOURCES = frozenset((*CRUSH_PLACES[0], *CRUSH_PLACES[1]))

# ---- onto the field --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CreatureEntered(CardsTransferred):
    """A creature entered a field and has used its action for this turn.

    CC-ACT-1: In one turn a creature does only one of these: it attacks, it enters the field, or it is moved.
    CC-AMB-12: A creature that entered in this turn has used its action, however it came.
    """

    seat: int
    card: str

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(after, entered=(*after.entered, self.card))

    def cite_row(self) -> tuple[str, ...]:
        """Return the clauses by which an A-place was open.

        CC-SUMMON-2: A free A-place is open for summoning only while the B-place that borders on it is occupied.
        """
        return ("CC-SUMMON-2", "CC-AMB-11") if row_of(self.target) == "A" else ()

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, *self.cite_row())


@named("cc.CreatureSummoned")
@dataclass(frozen=True)
class CreatureSummoned(CreatureEntered):
    """A creature was played from the hand to a place.

    CC-SUMMON-1: Once it is paid for, a creature from the hand is summoned to a free place of the player's own B-zone.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-1",)

    def applied_clauses(self) -> tuple[str, ...]:
        action = ("CC-KEY-ACTION-1",) if "action" in face_of(self.card).texts else ()
        return (*(self.cite_row() or self.clauses), *action)


@named("cc.CreatureRevived")
@dataclass(frozen=True)
class CreatureRevived(CreatureEntered):
    """A creature was summoned from hell.

    CC-GLOSS-3: To revive a creature is to summon it from hell.
    CC-AMB-27: A revived creature enters without damage.
    CC-AMB-3-R2: Out of the other player's hell it is that player's again once it leaves the field.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-3", "CC-SUMMON-3", "CC-AMB-27")

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return after if self.source == HELLS[self.seat] else mark_borrowed(after, self.card)


def mark_borrowed(state: Any, card: str) -> Any:
    """Return the table after a creature has changed fields: lent, or home.

    CC-AMB-3-R2: Control lasts while the creature lies on the field.
    """
    if state.interpretation_number("CC-AMB-3") == FIRST_INTERPRETATION:
        return state
    kept = tuple(each for each in state.borrowed if each != card)
    return replace_fields(state, borrowed=kept if card in state.borrowed else (*kept, card))


@named("cc.ControlTaken")
@dataclass(frozen=True)
class ControlTaken(CreatureEntered):
    """An enemy went over to the field of another player, with its damage.

    CC-GLOSS-5: To take control of an enemy is to move it to the player's own field, by the rules for summoning.
    CC-AMB-3: Control passes possession for good.
    CC-AMB-3-R2: Control lasts while the creature lies on the field.
    CC-AMB-27: A creature whose control is taken is moved and not summoned. It keeps its damage and lasting bonuses.
    """

    not_summoned: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # so Lively gives no action (CC-AMB-12-R2)
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-5", "CC-AMB-3", "CC-SUMMON-3", "CC-AMB-27")

    def apply(self, state: Any) -> Any:
        left = tuple(card for card in state.entered if card != self.card)
        acted = {card: count for card, count in state.acted.items() if card != self.card}
        after = super().apply(replace_fields(state, entered=left, acted=acted))
        if self.not_summoned:
            after = replace_fields(after, taken=(*after.taken, self.card))
        return mark_borrowed(after, self.card)


@named("cc.CrushLaid")
@dataclass(frozen=True)
class CrushLaid(CardsTransferred):
    """A crush card was laid face down.

    CC-CRUSH-1: A crush card is first laid face down on a free C-place. Its cost is paid by burning that many dice.
    CC-AMB-14: The opponent sees only how many dice were paid.
    """

    seat: int
    dice: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-1", "CC-AMB-14")

    def apply(self, state: Any) -> Any:
        after, seat = super().apply(state), str(self.seat)
        saved = {**after.saved, self.target: after.next_crush[seat]} if after.next_crush.get(seat) else after.saved
        left = {who: change for who, change in after.next_crush.items() if who != seat}
        return replace_fields(after, paid={**after.paid, self.target: self.dice}, saved=saved, next_crush=left)

    def applied_clauses(self) -> tuple[str, ...]:
        # all see the dice: whether the card costs X may show only if none were burned, as for a printed 0
        return self.clauses if self.dice else (*self.clauses, "CC-AMB-15")


@named("cc.CrushFlipped")
@dataclass(frozen=True)
class CrushFlipped(CardsTransferred):
    """A crush card was turned face up. Its effect waits to be resolved.

    CC-CRUSH-FLIP-1: To flip is to turn a crush card face up and so to activate its effect. It costs nothing.
    CC-CRUSH-FLIP-2: A card without a prerequisite is flipped in its player's own combat phase.
    CC-CRUSH-FLIP-3: A card with a prerequisite is flipped only when that is met.
    CC-AMB-16: A prerequisite may be a state without an event.
    CC-AMB-15: X is fixed when the card is laid and holds when it is flipped.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-FLIP-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        paid, saved = (
            {place: dice for place, dice in of.items() if place != self.source} for of in (after.paid, after.saved)
        )
        return replace_fields(after, paid=paid, saved=saved)

    def applied_clauses(self) -> tuple[str, ...]:
        printed = face_of(self.card)
        when = printed.flips_when
        named = ("CC-CRUSH-FLIP-2",) if when is None else ("CC-CRUSH-FLIP-3",)
        state = ("CC-AMB-16",) if when is not None and not when.event else ()
        x = ("CC-CRUSH-2", "CC-AMB-15") if printed.cost == COST_X else ()
        return (*self.clauses, *named, *state, *x)


@named("cc.CreatureMoved")
@dataclass(frozen=True)
class CreatureMoved(CardsTransferred):
    """A creature went to another place of its board.

    `retreat` says that it was the creature's action in the tactic phase.

    CC-TACTIC-1: In the tactic phase creatures move to free places of their own A- and B-zone for one burned die each.
    """

    card: str
    retreat: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return mark_acted(after, (self.card,)) if self.retreat else after

    def applied_clauses(self) -> tuple[str, ...]:
        return self.clauses if self.retreat else ("CC-AMB-30",)


@named("cc.CreaturesSwapped")
@dataclass(frozen=True)
class CreaturesSwapped(Event):
    """Two allies swapped places, each as its action.

    CC-TACTIC-2: For two burned dice two allies swap their places.
    CC-AMB-17: Both must still have their action, both are moved and use it.
    """

    places: tuple[str, str]
    cards: tuple[str, str]
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-2", "CC-AMB-17")

    def apply(self, state: Any) -> Any:
        (one, two), (first, second) = self.places, self.cards
        return mark_acted(
            replace_fields(state, zones={**state.zones, one: (second,), two: (first,)}, stirred=True), self.cards
        )


@named("cc.Exchanged")
@dataclass(frozen=True)
class CreaturesExchanged(Event):
    """An effect let two creatures change places.

    Across the boards each becomes the other player's.

    CC-GLOSS-5: To take control of an enemy is to move it to the player's own field.
    CC-AMB-12: A creature that entered in this turn has used its action, however it came.
    CC-AMB-3-R2: Control lasts while the creature lies on the field.
    CC-AMB-27: A creature whose control is taken is moved and not summoned. It keeps its damage and lasting bonuses.
    """

    places: tuple[str, str]
    cards: tuple[str, str]
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-30",)

    @property
    def changes_sides(self) -> bool:
        """Whether the two places are on different boards."""
        return SEAT_BY_PLACE[self.places[0]] != SEAT_BY_PLACE[self.places[1]]

    def apply(self, state: Any) -> Any:
        (one, two), (first, second) = self.places, self.cards
        after = replace_fields(state, zones={**state.zones, one: (second,), two: (first,)}, stirred=True)
        if not self.changes_sides:
            return after
        acted = {card: count for card, count in state.acted.items() if card not in self.cards}
        entered = (*(card for card in state.entered if card not in self.cards), *self.cards)
        after = replace_fields(after, acted=acted, entered=entered)
        if state.interpretation_number("CC-AMB-12") != FIRST_INTERPRETATION:
            after = replace_fields(
                after, taken=(*(card for card in state.taken if card not in self.cards), *self.cards)
            )
        for card in self.cards:
            after = mark_borrowed(after, card)
        return after

    def applied_clauses(self) -> tuple[str, ...]:
        return ("CC-GLOSS-5", "CC-AMB-3", "CC-AMB-27") if self.changes_sides else self.clauses


# ---- off the field, and through hell ---------------------------------------------------------------------------------


@named("cc.CardsDestroyed")
@dataclass(frozen=True)
class CardsDestroyed(CardsTransferredTogether):
    """Cards went to the hells of their possessors, all at the same time.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6",)

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, *dict.fromkeys(self._cite_keywords()))

    def _cite_keywords(self) -> Iterator[str]:
        """Yield the clauses of keywords set off and of crush cards destroyed.

        CC-KEY-TRAP-1: Trap happens when the card is put from its player's deck or hand into hell.
        CC-KEY-HELL-1: Hell happens when the card is put from its player's field into hell.
        CC-AMB-26: A destroyed crush card goes face up to hell, and its flip effect does not happen.
        """
        for source, card in zip(self.sources, self.put, strict=True):
            if source in CRUSH_SOURCES:
                yield "CC-AMB-26"
            elif is_back(card):
                continue
            elif source in ALL_FIELD_PLACES:
                yield from ("CC-KEY-HELL-1",) if "hell" in face_of(card).texts else ()
            elif "trap" in face_of(card).texts:
                yield from ("CC-KEY-TRAP-1", "CC-AMB-21")


@named("cc.CardsReturned")
@dataclass(frozen=True)
class CardsReturned(CardsTransferredTogether):
    """Cards on the field went to the hands of their possessors.

    CC-GLOSS-2: A card that is returned to the hand always goes to the hand of its possessor.
    CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-2", "CC-AMB-27")


@named("cc.CardsPut")
@dataclass(frozen=True)
class CardsPut(CardsTransferredTogether):
    """An effect put cards into piles of the players whose they are.

    They lay on the field or in hell. `to` is hand, deck_top, deck_bottom, or deck, which is then shuffled.

    CC-GLOSS-2: A card that is returned to the hand always goes to the hand of its possessor.
    CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
    """

    to: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-2", "CC-AMB-27")

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        if self.to != "deck_top":
            return after
        zones = dict(after.zones)
        for deck in dict.fromkeys(self.targets):
            put = tuple(card for card, target in zip(self.put, self.targets, strict=True) if target == deck)
            zones[deck] = arrange_cards((*put, *state.zones.get(deck, ())))
        return replace_fields(after, zones=zones)

    def applied_clauses(self) -> tuple[str, ...]:
        return self.clauses if self.to == "hand" else ("CC-ZONE-3", "CC-AMB-27")


@named("cc.CrushSpent")
@dataclass(frozen=True)
class CrushSpent(CardsTransferred):
    """A flipped crush card went to hell, its effect handled or cancelled.

    CC-CRUSH-3: When its effect has been handled, a flipped crush card goes to its player's hell. So it does if the
        effect was cancelled.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-3",)


@named("cc.CardsRecovered")
@dataclass(frozen=True)
class CardsRecovered(CardsTransferred):
    """Cards came out of hell to the hand."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-ZONE-3",)


@named("cc.CardsRecycled")
@dataclass(frozen=True)
class CardsRecycled(CardsTransferred):
    """Cards came out of hell into the deck, which is shuffled."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-ZONE-3",)
