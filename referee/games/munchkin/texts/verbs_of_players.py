"""Verbs of card texts about players: conditions, dice, levels, death, cards.

Clauses: MK-2.5, MK-2.7, MK-3.2, MK-4.2, MK-4.6, MK-8.6, MK-18.1 to MK-18.5, MK-19.7, MK-20.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import ME, NO_NAME, BoundName, CardEffect, NewName, PlayerSelector
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StepPushed, StepReplaced
from referee.engine.zones import find_cards_leaving
from referee.games.munchkin.components import DECKS, FACES, HANDS, discard_pile_of
from referee.games.munchkin.conditions import Amount, Condition
from referee.games.munchkin.events.cards import CardKept, PutOnDeck
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules import citizenship, drawing, dying, hands, levels
from referee.games.munchkin.rules.combat import rolling
from referee.games.munchkin.rules.items.item_loss import (
    EVERY_ONE,
    are_levels_kept,
    cause_of,
    find_life_saver,
    lose_items,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import compute_amount, is_condition_met
from referee.games.munchkin.texts.vocabulary import WORDS

Count = int | Literal["all"]
Quantity = int | Amount


def compute_quantity(state: Table, text: Execution, quantity: Quantity) -> int:
    """Return a number of a card text, as it is now if the card counts something."""
    return compute_amount(state, quantity, text.bound) if isinstance(quantity, Amount) else quantity


def resolve_count(count: Count) -> int:
    """Return a count of a card as a number, with `EVERY_ONE` for `all`."""
    return EVERY_ONE if count == "all" else count


def find_living_players(state: Table, text: Execution, who: PlayerSelector) -> tuple[int, ...]:
    """Return the players meant who are not dead.

    Nothing happens to the dead (MK-19.7).
    """
    return tuple(seat for seat in who.select_seats(state, text) if seat not in state.dead)


# ---- conditions and dice ------------------------------------------------------------------------------------------


@WORDS.register_effect("check")
@dataclass(frozen=True)
class Check(CardEffect):
    """Binds the name to the players for whom a condition holds now.

    MK-9.3: Conditions on cards are read from the state of that moment.
    MK-18.5: Where the bad stuff leaves a choice, the victim may choose what can be carried out in full.
    """

    that: Condition
    called: NewName
    of: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        combat = state.combat
        foe = (
            combat.find_foe(text.first_value("monster")) if combat is not None and text.first_value("monster") else None
        )
        found = tuple(
            seat for seat in find_living_players(state, text, self.of) if is_condition_met(state, self.that, seat, foe)
        )
        yield NameBound(self.called, found)


@WORDS.register_effect("roll")
@dataclass(frozen=True)
class RollDie(CardEffect):
    """Makes a player roll a die and binds the name to the number.

    MK-2.7: The outcome of a roll is fixed the moment it is recorded.
    MK-17.7: A die whose face was changed counts as rolled so.
    """

    called: NewName
    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who)[:1]:
            yield from rolling.start_roll(seat, text.card, self.called)


@WORDS.register_effect("between")
@dataclass(frozen=True)
class Between(CardEffect):
    """Binds the name if a number rolled lies from `least` to `most`."""

    value: BoundName
    least: int
    most: int
    called: NewName

    def find_parameter_error(self) -> str:
        return "" if self.least <= self.most else "there is no number between these"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        value = text.first_value(self.value)
        if value is not None and self.least <= value <= self.most:
            yield NameBound(self.called, (value,))


# ---- levels and death ----------------------------------------------------------------------------------------------


@WORDS.register_effect("gain_levels")
@dataclass(frozen=True)
class GainLevels(CardEffect):
    """Gives players levels, but never the last one (MK-3.5, MK-4.2)."""

    count: Quantity
    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = compute_quantity(state, text, self.count)
        for seat in find_living_players(state, text, self.who):
            if count > 0:
                yield from levels.gain_levels(state, seat, count, text.card)
            else:
                yield EffectLapsed(text.card, "counted", seat)


@WORDS.register_effect("lose_levels")
@dataclass(frozen=True)
class LoseLevels(CardEffect):
    """Takes levels from players, but never the first one (MK-3.2, MK-18.4).

    A card in play may keep them from bad stuff, or from curses (`keeps_levels`).
    """

    count: Quantity
    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = compute_quantity(state, text, self.count)
        for seat in find_living_players(state, text, self.who):
            if are_levels_kept(state, seat, cause_of(text)):
                yield EffectLapsed(text.card, "kept_levels", seat)
            elif count > 0:
                yield from levels.lose_levels(state, seat, count, text.card)
            else:
                yield EffectLapsed(text.card, "counted", seat)


@WORDS.register_effect("die")
@dataclass(frozen=True)
class CharacterDeath(CardEffect):
    """Kills players' characters and ends the text if its own player dies (MK-19.1).

    A player who uses an item that `spares` gives it up instead.
    MK-18.3: If a part of the bad stuff kills, the rest of it is dropped.
    """

    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        victims = find_living_players(state, text, self.who)
        spared = {seat: item for seat in victims if (item := find_life_saver(state, seat)) is not None}
        for seat, item in spared.items():
            yield EffectLapsed(text.card, "spared", seat)
            yield from lose_items(state, seat, (item,), cause_of(text))
        seats = tuple(seat for seat in victims if seat not in spared)
        if text.by in seats:
            yield StepReplaced(replace_fields(text, at=len(state.find_program(text.card, text.text))))
        for seat in seats:
            yield from dying.kill_player(state, seat, text.card)


# ---- cards -----------------------------------------------------------------------------------------------------------


@WORDS.register_effect("draw")
@dataclass(frozen=True)
class Draw(CardEffect):
    """Makes players draw cards of a deck face down (MK-2.6)."""

    deck: Literal["door", "treasure"]
    count: Quantity
    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = compute_quantity(state, text, self.count)
        for seat in reversed(find_living_players(state, text, self.who)):
            if count > 0:
                yield drawing.draw_cards(state, seat, self.deck, count)
            else:
                yield EffectLapsed(text.card, "counted", seat)


@WORDS.register_effect("discard_hand")
@dataclass(frozen=True)
class DiscardFromHand(CardEffect):
    """Makes players discard hand cards, by choice or at random.

    With `at_least` the player may discard fewer, down to that number; `called` names the cards.
    MK-2.3: Hand cards are lost only to effects that name the hand.
    MK-3.8: A player who holds fewer cards discards all of them.
    """

    count: Count
    who: PlayerSelector = ME
    random: bool = False
    at_least: int | None = None
    called: NewName = NO_NAME

    def find_parameter_error(self) -> str:
        named = self.called or self.at_least is not None
        if named and (self.random or self.who.name != "me"):
            return "discard_hand takes at_least and called only for the choice of its own player"
        return ""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in reversed(find_living_players(state, text, self.who)):
            count, least = resolve_count(self.count), () if self.at_least is None else (self.at_least,)
            yield from hands.start_hand_discard(state, text.card, seat, count, self.random, least, self.called)


@WORDS.register_effect("pull")
@dataclass(frozen=True)
class Pull(CardEffect):
    """Lets a player take cards at random from another player's hand (MK-2.3, MK-18.1)."""

    by: PlayerSelector
    from_: PlayerSelector = ME
    count: int = 1

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for taker in find_living_players(state, text, self.by)[:1]:
            for victim in find_living_players(state, text, self.from_)[:1]:
                if victim == taker or not state.count_cards_at(HANDS[victim]):
                    yield EffectLapsed(text.card, "pull", victim)
                else:
                    yield StepPushed(drawing.Pulling(taker, victim, self.count))


@WORDS.register_effect("take")
@dataclass(frozen=True)
class Take(CardEffect):
    """Moves a card from a discard pile to the player's hand (MK-2.5)."""

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card = text.first_value(self.card)
        if card is None or text.by in state.dead:
            return
        pile = discard_pile_of(card)
        took = find_cards_leaving(state, pile, (card,))
        yield CardKept(pile, HANDS[text.by], took, cards_arriving(state, text.by, (card,)), text.by)


@WORDS.register_effect("put_on_deck")
@dataclass(frozen=True)
class PutDiscardOnDeck(CardEffect):
    """Puts a discarded card that has a name on top of its deck (MK-27.6)."""

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card = text.first_value(self.card)
        if card is None or card not in state.cards_at(discard_pile_of(str(card))):
            return
        pile, deck = discard_pile_of(str(card)), DECKS[FACES[str(card)].deck]
        yield PutOnDeck(pile, deck, (str(card),), state.rules.lay_face_down((str(card),)))


# ---- citizenships and rides ------------------------------------------------------------------------------------------


@WORDS.register_effect("lose_town")
@dataclass(frozen=True)
class LoseTowns(CardEffect):
    """Makes players lose a citizenship of their choice, or all of them.

    MK-4.7: The powers of a citizenship end when it leaves.
    MK-4.6, MK-20.3: Dual Citizenship goes with the last one. The victim picks which one goes.
    """

    count: Literal[1, "all"] = 1
    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in reversed(find_living_players(state, text, self.who)):
            yield from citizenship.lose_town(state, text.card, seat, resolve_count(self.count))


@WORDS.register_effect("swap_town")
@dataclass(frozen=True)
class SwapTowns(CardEffect):
    """Exchanges the player's citizenship for the topmost one of the door discards.

    If the exchange is impossible, the citizenship is lost (MK-2.5, MK-3.8).
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield from citizenship.swap_town(state, text.card, text.by)


@WORDS.register_effect("lose_ride")
@dataclass(frozen=True)
class LoseRide(CardEffect):
    """Makes players lose the ride and what is attached to it (MK-8.6, MK-8.8)."""

    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in find_living_players(state, text, self.who):
            yield from citizenship.lose_ride(state, text.card, seat)
