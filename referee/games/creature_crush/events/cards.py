"""What happens to cards: dealt, drafted, drawn, summoned, laid, flipped, destroyed, brought back, sought.

Clauses: CC-FORMAT-SKIRMISH-1, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1, CC-PREP-3, CC-START-1, CC-SUMMON-1, CC-CRUSH-1,
CC-CRUSH-FLIP-1, CC-CRUSH-3, CC-GLOSS-2, CC-GLOSS-3, CC-GLOSS-5, CC-GLOSS-6, CC-EFF-SEARCH-1, CC-AMB-27, CC-AMB-29.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cards.carrying_out import CarryOut
from referee.cards.moved import CardsMoved, lifted
from referee.games.creature_crush.material import ON_FIELD
from referee.kernel.agenda import Step
from referee.kernel.codec import named
from referee.kernel.facts import Event, changed
from referee.kernel.zones import Cards, arranged, backs, open_to

_FIELD = frozenset(ON_FIELD)


def forgotten(state: Any, cards: Cards) -> Any:
    """The table without what was marked on creatures that have left the field (CC-AMB-27)."""
    gone = frozenset(cards)
    if not gone:
        return state

    def left(marks: dict[str, Any]) -> dict[str, Any]:
        return {card: mark for card, mark in marks.items() if card not in gone}

    return changed(
        state,
        agenda=tuple(missing(step, gone) for step in state.agenda),
        damage=left(state.damage),
        lasting=left(state.lasting),
        acted=left(state.acted),
        ready=left(state.ready),
        entered=tuple(card for card in state.entered if card not in gone),
    )


def missing(step: Step, gone: frozenset[str]) -> Step:
    """A step as it goes on without these creatures: what has left the field is not what it was, should it come back.

    An attack, and effects that wait or are being carried out, lose the places where they knew them (CC-CHAIN-7).
    """
    from referee.games.creature_crush.rules.chain import Chain  # steps, which know these facts
    from referee.games.creature_crush.rules.striking import Strike

    match step:
        case Strike(creature=creature, target=target) if creature in gone or target in gone:
            place = "" if creature in gone else step.place
            return changed(step, place=place, target_place="" if target in gone else step.target_place)
        case Chain(links=links):
            return changed(step, links=tuple(_nowhere(link, gone) for link in links))
        case CarryOut():
            return _nowhere(step, gone)
    return step


def _nowhere(text: CarryOut, gone: frozenset[str]) -> CarryOut:
    """A text without the places of these creatures, if it knows any (`at/<name>`)."""
    stale = {at: () for at in text.bound if at.startswith("at/") and gone.intersection(text.bound.get(at[3:], ()))}
    return changed(text, bound={**text.bound, **stale}) if stale else text


@dataclass(frozen=True)
class Went(CardsMoved):
    """Cards went from one place to another; whatever leaves the field loses its marks, and the turn was not quiet."""

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        if self.source in _FIELD and self.target not in _FIELD:
            after = forgotten(after, self.took)
        return after if after.stirred else changed(after, stirred=True)


@dataclass(frozen=True)
class SeveralWent(Event):
    """Cards went at the same time, each from `sources[n]` (as it held it: `took[n]`) to `targets[n]` (`put[n]`)."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    took: Cards
    put: Cards

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        paid = state.paid
        for source, target, took, put in zip(self.sources, self.targets, self.took, self.put, strict=True):
            zones[source] = lifted(zones.get(source, ()), (took,))
            zones[target] = arranged((*zones.get(target, ()), put))
            if source in paid:
                paid = {place: dice for place, dice in paid.items() if place != source}
        after = changed(state, zones=zones, paid=paid, stirred=True)
        return forgotten(after, tuple(c for c, s in zip(self.took, self.sources, strict=True) if s in _FIELD))

    def seen_by(self, seat: int) -> Event:
        took = tuple(
            card if open_to(place, seat) else backs((card,))[0]
            for card, place in zip(self.took, self.sources, strict=True)
        )
        put = tuple(
            card if open_to(place, seat) else backs((card,))[0]
            for card, place in zip(self.put, self.targets, strict=True)
        )
        return changed(self, took=took, put=put)


# ---- decks and hands -------------------------------------------------------------------------------------------------


@named("cc.DeckDealt")
@dataclass(frozen=True)
class DeckDealt(Went):
    """A player was dealt a deck (CC-FORMAT-SKIRMISH-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-SKIRMISH-1",)


@named("cc.CardsDrafted")
@dataclass(frozen=True)
class CardsDrafted(Went):
    """A player drew cards to choose from (CC-FORMAT-ARENA-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.CardsKept")
@dataclass(frozen=True)
class CardsKept(Went):
    """A player kept cards of those drawn for the deck (CC-FORMAT-ARENA-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.CardsPutBack")
@dataclass(frozen=True)
class CardsPutBack(Went):
    """A player put the other cards back under the pile (CC-FORMAT-ARENA-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)


@named("cc.DeckBrought")
@dataclass(frozen=True)
class DeckBrought(Went):
    """A player brought a deck to the League; `listed`: its list, where one was given (CC-FORMAT-LEAGUE-1)."""

    seat: int
    listed: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-LEAGUE-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return changed(after, lists={**after.lists, str(self.seat): self.listed}) if self.listed else after

    def seen_by(self, seat: int) -> Event:
        seen = super().seen_by(seat)
        return seen if seat == self.seat else changed(seen, listed=())


@named("cc.HandDrawn")
@dataclass(frozen=True)
class HandDrawn(Went):
    """A player took the first four cards (CC-PREP-3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-3",)


@named("cc.CardDrawn")
@dataclass(frozen=True)
class CardDrawn(Went):
    """A player drew a card; `for_turn`: as every turn begins, which does not make a turn count as lively (CC-AMB-4)."""

    seat: int
    for_turn: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return changed(after, stirred=state.stirred) if self.for_turn else after


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


# ---- onto the field --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed(Went):
    """A creature entered a field; it has used its action for this turn (CC-ACT-1, CC-AMB-12)."""

    seat: int
    card: str

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return changed(after, entered=(*after.entered, self.card))


@named("cc.CreatureSummoned")
@dataclass(frozen=True)
class CreatureSummoned(Placed):
    """A creature was played from the hand to a place (CC-SUMMON-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-1",)


@named("cc.CreatureRevived")
@dataclass(frozen=True)
class CreatureRevived(Placed):
    """A creature was summoned from hell (CC-GLOSS-3)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-3", "CC-SUMMON-3")


@named("cc.ControlTaken")
@dataclass(frozen=True)
class ControlTaken(Placed):
    """An enemy went over to the field of another player, with its damage (CC-GLOSS-5, CC-AMB-3, CC-AMB-27)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-5", "CC-AMB-3")

    def apply(self, state: Any) -> Any:
        left = tuple(card for card in state.entered if card != self.card)
        acted = {card: count for card, count in state.acted.items() if card != self.card}
        return super().apply(changed(state, entered=left, acted=acted))


@named("cc.CrushLaid")
@dataclass(frozen=True)
class CrushLaid(Went):
    """A crush card was laid face down; everybody saw how many dice were burned for it (CC-CRUSH-1, CC-AMB-14)."""

    seat: int
    dice: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-1", "CC-AMB-14")

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return changed(after, paid={**after.paid, self.target: self.dice})


@named("cc.CrushFlipped")
@dataclass(frozen=True)
class CrushFlipped(Went):
    """A crush card was turned face up; its effect waits to be carried out (CC-CRUSH-FLIP-1)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-FLIP-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return changed(after, paid={place: dice for place, dice in after.paid.items() if place != self.source})


@named("cc.CreatureMoved")
@dataclass(frozen=True)
class CreatureMoved(Went):
    """A creature went to another place of its board; `retreat`: as its action in the tactic phase (CC-TACTIC-1)."""

    card: str
    retreat: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return acting(after, (self.card,)) if self.retreat else after

    def rests_on(self) -> tuple[str, ...]:
        return self.clauses if self.retreat else ("CC-AMB-30",)


@named("cc.CreaturesSwapped")
@dataclass(frozen=True)
class CreaturesSwapped(Event):
    """Two allies swapped places, each as its action (CC-TACTIC-2, CC-AMB-17)."""

    places: tuple[str, str]
    cards: tuple[str, str]
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-2", "CC-AMB-17")

    def apply(self, state: Any) -> Any:
        (one, two), (first, second) = self.places, self.cards
        return acting(changed(state, zones={**state.zones, one: (second,), two: (first,)}, stirred=True), self.cards)


def acting(state: Any, creatures: Cards) -> Any:
    """The table once these creatures have taken one action each (CC-ACT-1)."""
    acted = dict(state.acted)
    for card in creatures:
        acted[card] = acted.get(card, 0) + 1
    return changed(state, acted=acted)


# ---- off the field, and through hell ---------------------------------------------------------------------------------


@named("cc.CardsDestroyed")
@dataclass(frozen=True)
class CardsDestroyed(SeveralWent):
    """Cards went to the hell of whoever possessed them, all at the same time (CC-GLOSS-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6",)


@named("cc.CardsReturned")
@dataclass(frozen=True)
class CardsReturned(SeveralWent):
    """Cards on the field went to the hand of whoever possessed them (CC-GLOSS-2, CC-AMB-27)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-2", "CC-AMB-27")


@named("cc.CrushSpent")
@dataclass(frozen=True)
class CrushSpent(Went):
    """A flipped crush card went to hell, its effect over or cancelled (CC-CRUSH-3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-3",)


@named("cc.CardsRecovered")
@dataclass(frozen=True)
class CardsRecovered(Went):
    """Cards came out of hell to the hand."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-ZONE-3",)


@named("cc.CardsRecycled")
@dataclass(frozen=True)
class CardsRecycled(Went):
    """Cards came out of hell into the deck, which is shuffled."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-ZONE-3", "CC-EFF-SEARCH-1")


@named("cc.DeckOpened")
@dataclass(frozen=True)
class DeckOpened(Went):
    """A player looks through the own deck (CC-EFF-SEARCH-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1",)


@named("cc.CardsFound")
@dataclass(frozen=True)
class CardsFound(Went):
    """A player took cards out of the deck searched; they are shown, so that everybody can check them (CC-AMB-29)."""

    seat: int
    shown: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1", "CC-AMB-29")


@named("cc.DeckClosed")
@dataclass(frozen=True)
class DeckClosed(Went):
    """The deck was put together again, to be shuffled (CC-EFF-SEARCH-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1",)
