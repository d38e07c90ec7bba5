"""The noun and the verbs of card texts about hidden cards that a player looks at.

Clauses: MK-27.7, MK-27.8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from referee.cardscript.hidden_cards import can_name_card, find_nameable_cards
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import (
    BoundName,
    CardEffect,
    NewName,
    PlayerSelector,
    Selector,
    Value,
    Values,
)
from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.steps import StepPushed
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import DECKS
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules.cards.looking import DeckTopOrdering, LookingAtDeck, look_at_hand
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.verbs_of_players import find_living_players
from referee.games.munchkin.texts.vocabulary import WORDS


def find_place_seen(text: Execution, among: str) -> str:
    """Return the place of the cards that the player has looked at, or empty."""
    return str((*text.bound.get(f"{among}/at", ()), "")[0])


def list_cards_seen(text: Execution, among: str) -> Cards:
    """Return the cards that the player has looked at, as the text knows them."""
    return tuple(map(str, text.bound.get(among, ())))


@WORDS.register_selector("seen")
@named("mk.SeenNoun")
@dataclass(frozen=True)
class Seen(Selector):
    """One of the cards that the player has looked at.

    Real cards are named by the player who sees them.
    MK-27.8: What is chosen among cards that only one player sees is that player's to name.
    """

    among: BoundName
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.8",)

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        cards = list_cards_seen(text, self.among)
        if any(map(is_back, cards)):
            return find_nameable_cards(state, find_place_seen(text, self.among))
        return tuple(dict.fromkeys(cards))

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return self.find_options(state, text, seat)

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        cards, card = list_cards_seen(text, self.among), str(value)
        if card not in state.boxes.whole:
            raise IllegalMove("no_such_card", *self.clauses, card=card)
        unread = any(map(is_back, cards)) and can_name_card(state, find_place_seen(text, self.among), card)
        if card not in cards and not unread:
            raise IllegalMove("one_of_those_seen", *self.clauses, card=card)

    def is_open_to_all(self, state: Table, text: Execution) -> bool:
        return False

    def is_known(self, state: Table, text: Execution, seat: int, value: Value) -> bool:
        return value in list_cards_seen(text, self.among)

    def is_not_nameable(self, state: Table, text: Execution, seat: int) -> bool:
        return state.rules.cards_at_table and any(map(is_back, list_cards_seen(text, self.among)))

    def has_no_options(self, state: Table, text: Execution, seat: int) -> bool:
        return not list_cards_seen(text, self.among)


@WORDS.register_effect("look_at_deck")
@dataclass(frozen=True)
class LookAtDeck(CardEffect):
    """Lets the player look at the top cards of a deck (MK-27.7)."""

    deck: Literal["door", "treasure"]
    count: int
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield StepPushed(LookingAtDeck(text.by, self.deck, self.count, text.card, self.called))


@WORDS.register_effect("look_at_hand")
@dataclass(frozen=True)
class LookAtHand(CardEffect):
    """Lets the player look at the hand of another (MK-27.7)."""

    of: PlayerSelector
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for owner in find_living_players(state, text, self.of)[:1]:
            yield from look_at_hand(state, text.by, owner, text.card, self.called)


@WORDS.register_effect("discard_seen")
@dataclass(frozen=True)
class DiscardSeen(CardEffect):
    """Discards a card that the player has looked at and chosen (MK-27.8)."""

    card: BoundName
    among: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card, place = text.first_value(self.card), find_place_seen(text, self.among)
        if card is None or not place:
            return
        if not can_name_card(state, place, str(card)):
            yield EffectLapsed(text.card, "look", text.by)
            return
        yield from discard_cards(state, place, (str(card),))
        rest = list(list_cards_seen(text, self.among))
        rest.remove(str(card) if str(card) in rest else next(filter(is_back, rest)))
        yield NameBound(self.among, tuple(rest), text.by)


@WORDS.register_effect("put_back")
@dataclass(frozen=True)
class PutBack(CardEffect):
    """Puts the cards looked at back on top of their deck, in the player's order.

    MK-27.7: The others do not see the order. Real cards are laid back by the player.
    """

    among: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        cards, place = list_cards_seen(text, self.among), find_place_seen(text, self.among)
        deck = next((deck for deck, where in DECKS.items() if where == place), "")
        if deck and len(set(cards)) > 1 and not any(map(is_back, cards)):
            yield StepPushed(DeckTopOrdering(text.by, text.card, deck, cards))
