"""What happens in Here to Slay, in the past tense: the setup, turns, points, and cards between deck, hand and discard.

`apply` keeps the books and decides nothing. Stored events of rolls and heroes stand in files of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.games.here_to_slay.material import DECK, HANDS
from referee.games.here_to_slay.values import Lasting
from referee.kernel.codec import named
from referee.kernel.facts import Event, changed
from referee.kernel.zones import Cards, Moved, arranged, backs, open_to, without


def lifted(there: Cards, took: Cards) -> Cards:
    """The cards of a place less those taken; `?some`, an unknown number of cards, never runs out."""
    try:
        return without(there, took)
    except ValueError:
        if "?some" not in there:
            raise
        left = list(there)
        for card in took:
            if card in left:
                left.remove(card)
        return tuple(left)


@dataclass(frozen=True)
class CardsMoved(Moved):
    """Cards went from one place to another. As the kernel's, but it knows positions that leave cards out."""

    def apply(self, state: Any) -> Any:
        zones = dict(state.zones)
        zones[self.source] = lifted(zones.get(self.source, ()), self.took)
        zones[self.target] = arranged((*zones.get(self.target, ()), *self.put))
        return changed(state, zones=zones)


# ---- setup ---------------------------------------------------------------------------------------------------


@named("hts.DieCast")
@dataclass(frozen=True)
class DieCast(Event):
    """A player rolled one die for the first pick of a leader (HTS-SETUP-2)."""

    seat: int
    value: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-2", "HTS-SETUP-9")


@named("hts.LeaderPicked")
@dataclass(frozen=True)
class LeaderPicked(CardsMoved):
    """A player took a leader (HTS-SETUP-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-1",)

    def apply(self, state: Any) -> Any:
        return changed(super().apply(state), picked=(*state.picked, self.seat))


@named("hts.Boxed")
@dataclass(frozen=True)
class Boxed(CardsMoved):
    """Cards went back to the box for the whole game (HTS-SETUP-4, HTS-ZONE-4, HTS-AMB-73)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-4", "HTS-ZONE-4")


@named("hts.HandDealt")
@dataclass(frozen=True)
class HandDealt(CardsMoved):
    """A player got cards of the first hand (HTS-SETUP-5)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-5", "HTS-SETUP-8")


@named("hts.MonsterTurnedUp")
@dataclass(frozen=True)
class MonsterTurnedUp(CardsMoved):
    """A monster was turned up into the row (HTS-SETUP-6, HTS-MON-10)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-6",)


# ---- turns and points ----------------------------------------------------------------------------------------


@named("hts.TurnStarted")
@dataclass(frozen=True)
class TurnStarted(Event):
    """A player is on turn, with so many points; what was marked in the last turn is cleared (HTS-TURN-7)."""

    seat: int
    points: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-1", "HTS-TURN-2", "HTS-TURN-7")

    def apply(self, state: Any) -> Any:
        return changed(
            state, turn=self.seat, points=self.points, turns=state.turns + 1, rolled=(), used=False
        )


@named("hts.TurnEnded")
@dataclass(frozen=True)
class TurnEnded(Event):
    """The turn of a player is over; points left are lost (HTS-TURN-6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-6", "HTS-AMB-77")

    def apply(self, state: Any) -> Any:
        return changed(state, points=0)


@named("hts.PointsSpent")
@dataclass(frozen=True)
class PointsSpent(Event):
    """The active player paid for an action; `left` is what remains (HTS-TURN-4)."""

    seat: int
    count: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-4",)

    def apply(self, state: Any) -> Any:
        return changed(state, points=self.left)


@named("hts.PointGained")
@dataclass(frozen=True)
class PointGained(Event):
    """The active player has a point more (HTS-AMB-67)."""

    seat: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-36", "HTS-AMB-67")

    def apply(self, state: Any) -> Any:
        return changed(state, points=self.left)


@named("hts.LeaderUsed")
@dataclass(frozen=True)
class LeaderUsed(Event):
    """A player used the action of the own leader, once in this turn (HTS-ACT-6)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-6", "HTS-DO-35")

    def apply(self, state: Any) -> Any:
        return changed(state, used=True)


@named("hts.LastingBegan")
@dataclass(frozen=True)
class LastingBegan(Event):
    """From now on a card gives its player something for a while (HTS-UNTIL-1, HTS-UNTIL-2)."""

    source: str
    seat: int
    what: str
    until: str
    value: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("HTS-STATE-5",)

    def apply(self, state: Any) -> Any:
        new = Lasting(self.source, self.seat, self.what, self.until, self.value)
        return changed(state, lasting=(*state.lasting, new))


@named("hts.LastingEnded")
@dataclass(frozen=True)
class LastingEnded(Event):
    """What a player was given until this moment is over (HTS-TURN-7, HTS-TURN-8)."""

    seat: int
    until: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-UNTIL-1", "HTS-UNTIL-2")

    def apply(self, state: Any) -> Any:
        kept = tuple(each for each in state.lasting if (each.seat, each.until) != (self.seat, self.until))
        return changed(state, lasting=kept)


@named("hts.GameWon")
@dataclass(frozen=True)
class GameWon(Event):
    """A player has won: by three monsters, six classes, or as the last one at the table."""

    seat: int
    way: str

    def apply(self, state: Any) -> Any:
        return changed(state, winner=self.seat, way=self.way)

    def rests_on(self) -> tuple[str, ...]:
        return {
            "three_monsters": ("HTS-WIN-1", "HTS-AIM-2", "HTS-WIN-4"),
            "six_classes": ("HTS-WIN-2", "HTS-AIM-2", "HTS-WIN-4"),
            "last_one_left": ("HTS-AMB-73", "HTS-WIN-4"),
        }[self.way]


@named("hts.PlayerLeft")
@dataclass(frozen=True)
class PlayerLeft(Event):
    """A player has left the table (HTS-AMB-73)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73", "HTS-EDGE-5")

    def apply(self, state: Any) -> Any:
        kept = tuple(each for each in state.lasting if each.seat != self.seat)
        return changed(state, gone=(*state.gone, self.seat), lasting=kept)


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

    def seen_by(self, seat: int) -> Event:
        return self if seat == self.seat else changed(self, cards=backs(self.cards))


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
class NamedTwice(Event):
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
        swapped = {HANDS[self.seat]: arranged(self.gets), HANDS[self.other]: arranged(self.other_gets)}
        return changed(state, zones={**state.zones, **swapped})

    def seen_by(self, seat: int) -> Event:
        return changed(
            self,
            gets=self.gets if open_to(HANDS[self.seat], seat) else backs(self.gets),
            other_gets=self.other_gets if open_to(HANDS[self.other], seat) else backs(self.other_gets),
        )


@named("hts.HandShown")
@dataclass(frozen=True)
class HandShown(Event):
    """A player was shown a hand (HTS-DO-7)."""

    seat: int
    of: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-7",)

    def seen_by(self, seat: int) -> Event:
        return self if seat in (self.seat, self.of) else changed(self, cards=backs(self.cards))


@named("hts.TopLookedAt")
@dataclass(frozen=True)
class TopLookedAt(Event):
    """A player looked at the topmost cards of the main deck (HTS-DO-13)."""

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-13",)

    def seen_by(self, seat: int) -> Event:
        return self if seat == self.seat else changed(self, cards=backs(self.cards))


@named("hts.TopArranged")
@dataclass(frozen=True)
class TopArranged(Event):
    """A player put cards back on top of the main deck, in an order that only this player knows (HTS-DO-14)."""

    seat: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-14",)

    def apply(self, state: Any) -> Any:
        rest = state.zones.get(DECK, ())[len(self.cards) :]
        return changed(state, zones={**state.zones, DECK: arranged((*self.cards, *rest))})

    def seen_by(self, seat: int) -> Event:
        return changed(self, cards=backs(self.cards))


@named("hts.CardShown")
@dataclass(frozen=True)
class CardShown(Event):
    """A player showed a hand card to all; it stays in the hand (HTS-DO-15)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-15",)


@named("hts.Lapsed")
@dataclass(frozen=True)
class Lapsed(Event):
    """A part of a text could not be carried out (HTS-TEXT-2): `what` names it."""

    card: str
    what: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TEXT-2",)
