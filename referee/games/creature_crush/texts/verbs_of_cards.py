"""Verbs of the card texts about cards off the field and about dice: hell, deck, hand, start dice, conditions, flips.

Clauses: CC-ZONE-3, CC-EFF-COND-1, CC-EFF-SEARCH-1, CC-START-4, CC-CHAIN-5, CC-CRUSH-3, CC-GLOSS-6, CC-AMB-8, CC-AMB-9,
CC-AMB-10, CC-AMB-18, CC-AMB-24, CC-AMB-29.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import coming_to
from referee.cardscript.language.interpreter import Bound, CarryOut
from referee.cardscript.language.primitives import ME, Called, Name, Who, Word
from referee.engine.chance import Shuffle
from referee.engine.events import Event
from referee.engine.steps import Opened
from referee.engine.zones import backs
from referee.games.creature_crush.card_attributes import HIGHEST_COST
from referee.games.creature_crush.components import DECKS, FLIPPED, HANDS, HELLS, SEATS
from referee.games.creature_crush.conditions import ONE, Amount, Condition
from referee.games.creature_crush.derived import holds, worth
from referee.games.creature_crush.events.cards import CardsRecovered, CardsRecycled
from referee.games.creature_crush.events.course import StartDiceGained
from referee.games.creature_crush.events.field import EffectCancelled, NoEffect
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.chain import Chain, spent
from referee.games.creature_crush.rules.combat.losing import Discarding, Milling
from referee.games.creature_crush.rules.combat.rerolling import Rerolling
from referee.games.creature_crush.rules.drawing import Drawing
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import WORDS


@WORDS.word("check")
@dataclass(frozen=True)
class Check(Word):
    """Binds the name if a condition holds for the player of the text now, as its line is reached (CC-EFF-COND-1)."""

    that: Condition
    called: Called

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if holds(state, self.that, text.by, str(text.first("this")), text.bound):
            yield Bound(self.called, (text.by,))
        else:
            yield NoEffect(text.card, "condition")


# ---- hell ------------------------------------------------------------------------------------------------------------


def in_hell(state: Table, text: CarryOut, name: str) -> tuple[str, ...]:
    """What a name stands for, as far as it lies in the own hell."""
    there = state.hell(text.by) if text.bound.get(name) else ()
    return tuple(str(card) for card in text.bound.get(name, ()) if card in there)


@WORDS.word("recover")
@dataclass(frozen=True)
class Recover(Word):
    """Cards go from the own hell to the hand (CC-ZONE-3)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        cards = in_hell(state, text, self.card)
        if cards:
            put = coming_to(state, text.by, cards)
            yield CardsRecovered(HELLS[text.by], HANDS[text.by], cards, put, text.by)
        elif text.bound.get(self.card):
            yield NoEffect(text.card, "gone")


@WORDS.word("recycle")
@dataclass(frozen=True)
class Recycle(Word):
    """Cards go from the own hell into the deck, which is shuffled (CC-EFF-SEARCH-1)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        cards = in_hell(state, text, self.card)
        if cards:
            put = backs(cards) if state.rules.cards_at_table else cards
            yield CardsRecycled(HELLS[text.by], DECKS[text.by], cards, put, text.by)
            yield Opened(Shuffle(DECKS[text.by]))
        elif text.bound.get(self.card):
            yield NoEffect(text.card, "gone")


# ---- deck and hand ---------------------------------------------------------------------------------------------------


@WORDS.word("search")
@dataclass(frozen=True)
class Search(Word):
    """The player looks through the own deck for up to so many cards, shows them, takes them into the hand, shuffles.

    Nobody can tell what a deck holds, so one may always find fewer (CC-AMB-29).
    """

    kind: Literal["", "creature", "crush"] = ""
    cost_max: int = HIGHEST_COST
    count: int = 1

    def amiss(self) -> str:
        return "" if self.count > 0 else "search needs a count of 1 or more"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield Opened(Searching(text.by, text.card, self.kind, self.cost_max, self.count))


@WORDS.word("draw")
@dataclass(frozen=True)
class Draw(Word):
    """The player draws so many cards; of an empty deck none (CC-AMB-8)."""

    count: Amount

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield Opened(Drawing(text.by, worth(state, self.count, text.bound)))


@WORDS.word("mill")
@dataclass(frozen=True)
class Mill(Word):
    """The top cards of a player's deck are destroyed one by one, as far as the deck goes (CC-GLOSS-6)."""

    who: Who
    count: Amount

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        count = worth(state, self.count, text.bound)
        for seat in self.who.seats(state, text):
            if not state.size(DECKS[seat]):
                yield NoEffect(text.card, "empty_deck")
            elif count:
                yield Opened(Milling(seat, count))


@WORDS.word("discard")
@dataclass(frozen=True)
class Discard(Word):
    """So many cards of a player's hand, taken unseen, are destroyed (CC-AMB-24)."""

    who: Who
    count: Amount = ONE

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        count = worth(state, self.count, text.bound)
        for seat in self.who.seats(state, text):
            if not state.size(HANDS[seat]):
                yield NoEffect(text.card, "empty_hand")
            elif count:
                yield Opened(Discarding(seat, count))


# ---- start dice ------------------------------------------------------------------------------------------------------


@WORDS.word("start_dice")
@dataclass(frozen=True)
class StartDice(Word):
    """A player gets so many start dice more in the next own turn (CC-START-4, CC-AMB-10)."""

    count: int
    who: Who = ME

    def amiss(self) -> str:
        return "" if self.count > 0 else "start_dice needs a count of 1 or more"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in self.who.seats(state, text):
            yield StartDiceGained(seat, self.count)


@WORDS.word("reroll")
@dataclass(frozen=True)
class RerollDice(Word):
    """The player may roll up to so many of the unburned start dice again, in the own turn only (CC-AMB-9)."""

    count: int

    def amiss(self) -> str:
        return "" if self.count > 0 else "reroll needs a count of 1 or more"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if state.turn != text.by:
            yield NoEffect(text.card, "not_own_turn")
        elif not state.dice:
            yield NoEffect(text.card, "no_dice")
        else:
            yield Opened(Rerolling(text.by, text.card, self.count))


# ---- flips -----------------------------------------------------------------------------------------------------------


@WORDS.word("cancel_effect")
@dataclass(frozen=True)
class CancelEffect(Word):
    """The effect of a flipped card that still waits is not carried out; the card goes to hell (CC-CRUSH-3)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        card = text.first(self.card)
        if card is None:
            return
        chain = next((step for step in reversed(state.agenda) if isinstance(step, Chain)), None)
        if chain is None or not any((link.card, link.text) == (card, "flip") for link in chain.links):
            yield NoEffect(text.card, "gone")
            return
        yield EffectCancelled(card, text.card)
        for seat in SEATS:
            if card in state.place(FLIPPED[seat]):
                yield from spent(state, card, seat)
