"""Verbs about cards off the field and about dice.

They concern hell, deck, hand, start dice, conditions and flips. Clauses: CC-ZONE-3, CC-EFF-COND-1, CC-EFF-SEARCH-1,
CC-START-4, CC-CHAIN-5, CC-CRUSH-3, CC-GLOSS-6, CC-AMB-8, CC-AMB-9, CC-AMB-10, CC-AMB-18, CC-AMB-24, CC-AMB-29.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import ME, BoundName, CardEffect, NewName, PlayerSelector
from referee.engine.chance import Shuffle
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.games.creature_crush.card_attributes import HIGHEST_COST
from referee.games.creature_crush.components import DECKS, FLIPPED, HANDS, HELLS, SEATS
from referee.games.creature_crush.conditions import ONE_AMOUNT, Amount, Condition
from referee.games.creature_crush.derived import compute_amount, is_condition_met
from referee.games.creature_crush.events.cards import CardsRecovered, CardsRecycled
from referee.games.creature_crush.events.course import StartDiceGained
from referee.games.creature_crush.events.field import EffectCancelled, EffectSkipped
from referee.games.creature_crush.rules.actions.looking import DiscardChoice, LookingAtTop, RevealingTop
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.chain import Chain, dispose_flipped_card
from referee.games.creature_crush.rules.combat.losing import Discarding, Milling
from referee.games.creature_crush.rules.combat.rerolling import Rerolling
from referee.games.creature_crush.rules.drawing import CardDrawing
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

MOST_LOOKED_AT = 4  # of which there are 24 orders


@VOCABULARY.register_effect("check")
@dataclass(frozen=True)
class CheckCondition(CardEffect):
    """Binds the name if a condition holds for the player of the text now.

    CC-EFF-COND-1: Text before a colon is a condition, and only if it is met can the effect after it be activated.
    """

    that: Condition
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if is_condition_met(state, self.that, text.by, str(text.first_value("this")), text.bound):
            yield NameBound(self.called, (text.by,))
        else:
            yield EffectSkipped(text.card, "condition")


# ---- hell ------------------------------------------------------------------------------------------------------------


def list_cards_in_hell(state: Table, text: Execution, name: str) -> tuple[str, ...]:
    """List the cards that a name stands for and that lie in the player's own hell."""
    there = state.list_hell(text.by) if text.bound.get(name) else ()
    return tuple(str(card) for card in text.bound.get(name, ()) if card in there)


@VOCABULARY.register_effect("recover")
@dataclass(frozen=True)
class Recover(CardEffect):
    """Cards go from the player's own hell to the hand.

    CC-ZONE-3: Hell is the face-up pile of what was destroyed.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        cards = list_cards_in_hell(state, text, self.card)
        if cards:
            put = cards_arriving(state, text.by, cards)
            yield CardsRecovered(HELLS[text.by], HANDS[text.by], cards, put, text.by)
        elif text.bound.get(self.card):
            yield EffectSkipped(text.card, "gone")


@VOCABULARY.register_effect("recycle")
@dataclass(frozen=True)
class Recycle(CardEffect):
    """Cards go from the player's own hell into the deck, which is shuffled.

    CC-ZONE-3: Hell is the face-up pile of what was destroyed.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        cards = list_cards_in_hell(state, text, self.card)
        if cards:
            put = state.rules.lay_face_down(cards)
            yield CardsRecycled(HELLS[text.by], DECKS[text.by], cards, put, text.by)
            yield StepPushed(Shuffle(DECKS[text.by]))
        elif text.bound.get(self.card):
            yield EffectSkipped(text.card, "gone")


# ---- deck and hand ---------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("search")
@dataclass(frozen=True)
class Search(CardEffect):
    """The player searches their own deck for up to `count` cards.

    The cards are shown and go into the hand, and the deck is shuffled.

    CC-AMB-29: The player may also take none, even if the deck holds one that fits. Nobody else can tell what a deck
        holds.
    """

    kind: Literal["", "creature", "crush"] = ""
    cost_max: int = HIGHEST_COST
    count: int = 1
    attack_min: int = 0

    def find_parameter_error(self) -> str:
        return "" if self.count > 0 else "search needs a count of 1 or more"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield StepPushed(
            Searching(text.by, text.card, self.kind, self.cost_max, self.count, attack_min=self.attack_min)
        )


@VOCABULARY.register_effect("draw")
@dataclass(frozen=True)
class DrawCards(CardEffect):
    """The player draws cards.

    CC-AMB-8: A draw from an empty deck does nothing and loses nothing.
    """

    count: Amount

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield StepPushed(CardDrawing(text.by, compute_amount(state, self.count, text.bound)))


@VOCABULARY.register_effect("mill")
@dataclass(frozen=True)
class Mill(CardEffect):
    """The top cards of a player's deck are destroyed one by one, until it is empty.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    """

    who: PlayerSelector
    count: Amount

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = compute_amount(state, self.count, text.bound)
        for seat in self.who.select_seats(state, text):
            if not state.count_cards_at(DECKS[seat]):
                yield EffectSkipped(text.card, "empty_deck")
            elif count:
                yield StepPushed(Milling(seat, count))


@VOCABULARY.register_effect("discard")
@dataclass(frozen=True)
class Discard(CardEffect):
    """Cards of a player's hand, taken unseen, are destroyed.

    If a player is named in `chosen_by`, that player chooses them, and looks at the hand for it.

    CC-AMB-24: A hand card is taken unseen and goes face up to hell.
    CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
    """

    who: PlayerSelector
    count: Amount = ONE_AMOUNT
    chosen_by: PlayerSelector | None = None

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = compute_amount(state, self.count, text.bound)
        for seat in self.who.select_seats(state, text):
            if not state.count_cards_at(HANDS[seat]):
                yield EffectSkipped(text.card, "empty_hand")
            elif count and self.chosen_by is not None:
                for chooser in self.chosen_by.select_seats(state, text):
                    yield StepPushed(DiscardChoice(chooser, text.card, seat, count))
            elif count:
                yield StepPushed(Discarding(seat, count))


@VOCABULARY.register_effect("look_at_top")
@dataclass(frozen=True)
class LookAtTop(CardEffect):
    """The player looks at the top cards of the own deck.

    They go back on top in any order. Up to `destroy` of them may be put into hell before.

    CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
    """

    count: int
    destroy: int = 0

    def find_parameter_error(self) -> str:
        if not 1 <= self.count <= MOST_LOOKED_AT:
            return f"look_at_top takes a count of 1 to {MOST_LOOKED_AT}"
        return "" if 0 <= self.destroy <= self.count else "look_at_top: destroy is 0 to count"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if state.count_cards_at(DECKS[text.by]):
            yield StepPushed(LookingAtTop(text.by, text.card, self.count, self.destroy))
        else:
            yield EffectSkipped(text.card, "empty_deck")


@VOCABULARY.register_effect("reveal_top")
@dataclass(frozen=True)
class RevealTop(CardEffect):
    """The top cards of the player's own deck are turned up, one by one.

    Those of `kind` go to the hand, all others to hell.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    """

    count: Amount = ONE_AMOUNT
    kind: Literal["", "creature", "crush"] = ""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = compute_amount(state, self.count, text.bound)
        if not state.count_cards_at(DECKS[text.by]):
            yield EffectSkipped(text.card, "empty_deck")
        elif count:
            yield StepPushed(RevealingTop(text.by, text.card, count, self.kind))


# ---- start dice ------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("start_dice")
@dataclass(frozen=True)
class GainStartDice(CardEffect):
    """A player gets more start dice in that player's next turn, or fewer (below 0).

    CC-START-4: Start dice + X gives a player X additional start dice for the next turn, rolled after the others.
    CC-AMB-10: Several Start dice + X add up. What goes beyond five dice is lost.
    CC-WORD-DICE-1: If a card takes start dice away, that many fewer are rolled.
    """

    count: int
    who: PlayerSelector = ME

    def find_parameter_error(self) -> str:
        return "" if self.count else "start_dice needs a count of 1 or more, or below 0 for fewer dice"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in self.who.select_seats(state, text):
            yield StartDiceGained(seat, self.count)


@VOCABULARY.register_effect("reroll")
@dataclass(frozen=True)
class RerollDice(CardEffect):
    """The player may roll some unburned start dice again, in their own turn only.

    CC-AMB-9: Dice rolled again later bring no bonus.
    """

    count: int

    def find_parameter_error(self) -> str:
        return "" if self.count > 0 else "reroll needs a count of 1 or more"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if state.turn != text.by:
            yield EffectSkipped(text.card, "not_own_turn")
        elif not state.dice:
            yield EffectSkipped(text.card, "no_dice")
        else:
            yield StepPushed(Rerolling(text.by, text.card, self.count))


# ---- flips -----------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("cancel_effect")
@dataclass(frozen=True)
class CancelEffect(CardEffect):
    """The waiting effect of a flipped card, or a waiting Action, is cancelled.

    An Action waits while its creature is the one just `summoned`.

    CC-CHAIN-8: A placed creature opens a window for the opponent before its Action effect is resolved.
    CC-CRUSH-3: A flipped crush card goes to its player's hell, even if its effect was cancelled.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card = text.first_value(self.card)
        if card is None:
            return
        chain = next((step for step in reversed(state.agenda) if isinstance(step, Chain)), None)
        waiting = {link.text for link in chain.links if link.card == card} if chain is not None else set()
        if not waiting & {"flip", "action"}:
            yield EffectSkipped(text.card, "gone")
            return
        yield EffectCancelled(card, text.card, "" if "flip" in waiting else "action")
        for seat in SEATS:
            if card in state.cards_at(FLIPPED[seat]):
                yield from dispose_flipped_card(state, card, seat)
