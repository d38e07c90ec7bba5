"""Verbs of the card texts about players: conditions, dice, levels, death, hand cards, citizenships, rides.

Clauses: MK-2.5, MK-2.7, MK-3.2, MK-4.2, MK-4.6, MK-8.6, MK-18.1 to MK-18.5, MK-19.7, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import coming_to, gone_from
from referee.cardscript.language.interpreter import Bound, CarryOut
from referee.cardscript.language.primitives import ME, Called, Name, Who, Word
from referee.engine.events import Event, changed
from referee.engine.steps import Became, Opened
from referee.games.munchkin.components import HANDS, discard_of
from referee.games.munchkin.conditions import Condition
from referee.games.munchkin.derived import holds
from referee.games.munchkin.events.cards import CardKept
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.rules import citizenship, drawing, dying, hands, levels
from referee.games.munchkin.rules.combat import rolling
from referee.games.munchkin.rules.items.item_loss import ALL
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.vocabulary import WORDS

Count = int | Literal["all"]


def number(count: Count) -> int:
    """A number of a card as the rules take it: every one there is, or so many."""
    return ALL if count == "all" else count


def living(state: Table, text: CarryOut, who: Who) -> tuple[int, ...]:
    """The players meant who are not dead: nothing happens to the others (MK-19.7)."""
    return tuple(seat for seat in who.seats(state, text) if seat not in state.dead)


# ---- what depends on something -----------------------------------------------------------------------------------


@WORDS.word("check")
@dataclass(frozen=True)
class Check(Word):
    """Binds the name to those of these players for whom a condition holds now (MK-9.3, MK-18.5)."""

    that: Condition
    called: Called
    of: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        combat = state.combat
        foe = combat.foe(text.first("monster")) if combat is not None and text.first("monster") else None
        found = tuple(seat for seat in living(state, text, self.of) if holds(state, self.that, seat, foe))
        yield Bound(self.called, found)


@WORDS.word("roll")
@dataclass(frozen=True)
class RollDie(Word):
    """A player rolls a die, which a card may still turn; the name is bound to the number (MK-2.7, MK-17.7)."""

    called: Called
    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who)[:1]:
            yield from rolling.roll(seat, text.card, self.called)


@WORDS.word("between")
@dataclass(frozen=True)
class Between(Word):
    """Binds the name if a number rolled lies from `least` to `most`."""

    value: Name
    least: int
    most: int
    called: Called

    def amiss(self) -> str:
        return "" if self.least <= self.most else "no number lies between these"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        value = text.first(self.value)
        if value is not None and self.least <= value <= self.most:
            yield Bound(self.called, (value,))


# ---- levels and death ----------------------------------------------------------------------------------------------


@WORDS.word("gain_levels")
@dataclass(frozen=True)
class GainLevels(Word):
    """These players gain levels, never the last one (MK-3.5, MK-4.2)."""

    count: int
    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who):
            yield from levels.gained(state, seat, self.count, text.card)


@WORDS.word("lose_levels")
@dataclass(frozen=True)
class LoseLevels(Word):
    """These players lose levels, never the first one (MK-3.2, MK-18.4)."""

    count: int
    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who):
            yield from levels.lost(state, seat, self.count, text.card)


@WORDS.word("die")
@dataclass(frozen=True)
class Die(Word):
    """These players die; what the text would still do to the one whose text it is is dropped (MK-18.3, MK-19.1)."""

    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        seats = living(state, text, self.who)
        if text.by in seats:
            yield Became(changed(text, at=len(state.lines(text.card, text.text))))
        for seat in seats:
            yield from dying.died(state, seat, text.card)


# ---- cards -----------------------------------------------------------------------------------------------------------


@WORDS.word("draw")
@dataclass(frozen=True)
class Draw(Word):
    """These players draw cards of a deck face down to the hand (MK-2.6)."""

    deck: Literal["door", "treasure"]
    count: int
    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in reversed(living(state, text, self.who)):
            yield drawing.draw(state, seat, self.deck, self.count)


@WORDS.word("discard_hand")
@dataclass(frozen=True)
class DiscardFromHand(Word):
    """These players discard hand cards, of their own choice or at random; all, if they hold fewer (MK-2.3, MK-3.8)."""

    count: Count
    who: Who = ME
    random: bool = False

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in reversed(living(state, text, self.who)):
            yield from hands.discard(state, text.card, seat, number(self.count), self.random)


@WORDS.word("pull")
@dataclass(frozen=True)
class Pull(Word):
    """A player takes cards at random out of the hand of another into the own (MK-2.3, MK-18.1)."""

    by: Who
    from_: Who = ME
    count: int = 1

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for taker in living(state, text, self.by)[:1]:
            for victim in living(state, text, self.from_)[:1]:
                if victim == taker or not state.size(HANDS[victim]):
                    yield Lapsed(text.card, "pull", victim)
                else:
                    yield Opened(drawing.Pulling(taker, victim, self.count))


@WORDS.word("take")
@dataclass(frozen=True)
class Take(Word):
    """A card of a discard pile comes to the hand of the player of the text (MK-2.5)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        card = text.first(self.card)
        if card is None or text.by in state.dead:
            return
        pile = discard_of(card)
        took = gone_from(state, pile, (card,))
        yield CardKept(pile, HANDS[text.by], took, coming_to(state, text.by, (card,)), text.by)


# ---- citizenships and rides ------------------------------------------------------------------------------------------


@WORDS.word("lose_town")
@dataclass(frozen=True)
class LoseTowns(Word):
    """These players lose a citizenship of their choice, or all (MK-4.6, MK-4.7, MK-20.3)."""

    count: Literal[1, "all"] = 1
    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in reversed(living(state, text, self.who)):
            yield from citizenship.lose_town(state, text.card, seat, number(self.count))


@WORDS.word("swap_town")
@dataclass(frozen=True)
class SwapTowns(Word):
    """The player's citizenship becomes the topmost one of the door discards, or is lost (MK-2.5, MK-3.8)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield from citizenship.swap_town(state, text.card, text.by)


@WORDS.word("lose_ride")
@dataclass(frozen=True)
class LoseRide(Word):
    """These players lose the ride and what is attached to it (MK-8.6, MK-8.8)."""

    who: Who = ME

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in living(state, text, self.who):
            yield from citizenship.lose_ride(state, text.card, seat)
