"""Verbs of the card texts about cards: drawing, discarding, pulling, looking, taking, giving, playing.

Clauses: HTS-TEXT-1, HTS-DO-1 to HTS-DO-16, HTS-DO-31, HTS-DO-40, HTS-NOW-1, HTS-NOW-2, HTS-NOW-3, HTS-NEST-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving, cards_leaving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import ME, NO_NAME, BoundName, CardEffect, NewName, PlayerSelector
from referee.cardscript.questions import LookPrompt
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StepPushed, StepReplaced
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DECK, DISCARD, HANDS, is_kind
from referee.games.here_to_slay.events.cards import (
    CardDiscarded,
    CardShown,
    CardTaken,
    EffectLapsed,
    HandShown,
    HandsSwapped,
)
from referee.games.here_to_slay.rules.announcing import could_announce
from referee.games.here_to_slay.rules.drawing import LookingAtDeck, Pulling, disclose_hands, draw_cards
from referee.games.here_to_slay.rules.hands import (
    CardKindPrompt,
    DeckTopOrdering,
    give_card,
    start_discard,
    start_gifts,
)
from referee.games.here_to_slay.rules.playing import announce_play
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.nouns import SHOWN_NAME, CardKind
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY


@VOCABULARY.register_effect("draw")
@dataclass(frozen=True)
class DrawCards(CardEffect):
    """Draws so many cards (HTS-DO-1)."""

    count: int
    who: PlayerSelector = ME
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in reversed(self.who.select_seats(state, text)):
            yield draw_cards(state, seat, self.count, self.called)


@VOCABULARY.register_effect("draw_to")
@dataclass(frozen=True)
class DrawToSize(CardEffect):
    """Draws until the hand holds so many cards (HTS-DO-2)."""

    size: int

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        missing = self.size - state.count_cards_at(HANDS[text.by])
        yield draw_cards(state, text.by, missing) if missing > 0 else EffectLapsed(text.card, "draw")


@VOCABULARY.register_effect("discard")
@dataclass(frozen=True)
class DiscardCards(CardEffect):
    """These players discard so many cards each, of their own choice (HTS-DO-4, HTS-DO-5)."""

    count: int
    who: PlayerSelector = ME
    at_least: int | None = None
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        least = self.count if self.at_least is None else self.at_least
        seats = self.who.select_seats(state, text)
        yield from _events_or_lapse(
            start_discard(state, text.card, seats, least, self.count, self.called), text.card, "discard"
        )


@VOCABULARY.register_effect("pay")
@dataclass(frozen=True)
class PayCards(CardEffect):
    """The cost of the text: so many cards, all or nothing; unpaid, the rest of the text does nothing (HTS-AMB-45)."""

    count: int
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if state.count_cards_at(HANDS[text.by]) < self.count:
            yield EffectLapsed(text.card, "cost")
            yield StepReplaced(replace_fields(text, at=len(state.find_program(text.card, text.text))))
        else:
            yield from start_discard(state, text.card, (text.by,), self.count, self.count, self.called)


@VOCABULARY.register_effect("pull")
@dataclass(frozen=True)
class PullCards(CardEffect):
    """Pulls so many cards out of the hand of a player (HTS-DO-6)."""

    from_: BoundName
    count: int = 1
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        victim = text.first_value(self.from_)
        if victim is not None and state.holds_cards(victim):
            yield StepPushed(Pulling(text.by, victim, self.count, self.called, state.cards_in_hand(text.by)))
        elif victim is not None:
            yield EffectLapsed(text.card, "pull")


@VOCABULARY.register_effect("show")
@dataclass(frozen=True)
class ShowCard(CardEffect):
    """Shows a hand card to all (HTS-DO-15)."""

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            yield CardShown(text.by, card)
            yield NameBound(SHOWN_NAME, (*text.bound.get(SHOWN_NAME, ()), card))


@VOCABULARY.register_effect("take")
@dataclass(frozen=True)
class TakeCard(CardEffect):
    """Takes a card from the discard pile into the hand, openly (HTS-DO-11, HTS-DO-12)."""

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            took = cards_leaving(state, DISCARD, (card,))
            yield CardTaken(DISCARD, HANDS[text.by], took, cards_arriving(state, text.by, (card,)), text.by)


@VOCABULARY.register_effect("throw")
@dataclass(frozen=True)
class ThrowCardAway(CardEffect):
    """Puts one card of the hand on the discard pile (HTS-DO-4)."""

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            took = cards_leaving(state, HANDS[text.by], (card,))
            yield CardDiscarded(HANDS[text.by], DISCARD, took, (card,), text.by)


@VOCABULARY.register_effect("look_at_deck")
@dataclass(frozen=True)
class LookAtDeck(CardEffect):
    """Looks at the topmost cards of the main deck (HTS-DO-13)."""

    count: int
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield StepPushed(LookingAtDeck(text.by, self.count, text.card, self.called))


@VOCABULARY.register_effect("keep")
@dataclass(frozen=True)
class KeepCard(CardEffect):
    """Takes one of the cards looked at from the deck into the hand; this is no drawing (HTS-AMB-51)."""

    card: BoundName
    among: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            rest = list(text.bound[self.among])
            rest.remove(card)
            yield CardTaken(DECK, HANDS[text.by], cards_leaving(state, DECK, (card,)), (card,), text.by)
            yield NameBound(self.among, tuple(rest), text.by)
            yield from disclose_hands(state, text.by)


@VOCABULARY.register_effect("put_back")
@dataclass(frozen=True)
class PutOnTop(CardEffect):
    """Puts the rest of the cards looked at back on top of the deck, in an order of choice (HTS-DO-14)."""

    among: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        cards = tuple(map(str, text.bound.get(self.among, ())))
        if len(cards) > 1 and not any(map(is_back, cards)):
            yield StepPushed(DeckTopOrdering(text.by, cards))


@VOCABULARY.register_effect("look_at_hand")
@dataclass(frozen=True)
class LookAtHand(CardEffect):
    """Is shown the hand of a player, and confirms it unless something is chosen from it (HTS-DO-7)."""

    of: BoundName
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        owner = text.first_value(self.of)
        if owner is None:
            return
        if not state.holds_cards(owner):
            yield EffectLapsed(text.card, "look")
            return
        cards = state.cards_in_hand(owner)
        yield HandShown(text.by, owner, cards)
        if self.called:
            yield NameBound(self.called, cards, text.by)
            yield NameBound(f"{self.called}/at", ("",))
        if not self.called or (any(map(is_back, cards)) and state.rules.cards_at_table):
            yield StepPushed(LookPrompt(text.by, text.card, cards))


@VOCABULARY.register_effect("take_from_hand")
@dataclass(frozen=True)
class TakeFromHand(CardEffect):
    """Takes a card out of the hand just seen; only the two players see which (HTS-DO-8)."""

    from_: BoundName
    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card, owner = text.first_value(self.card), text.first_value(self.from_)
        if card is not None and owner is not None:
            yield from give_card(state, owner, text.by, card)
            yield from disclose_hands(state, owner, text.by)


@VOCABULARY.register_effect("give")
@dataclass(frozen=True)
class GiveCards(CardEffect):
    """These players give the player of the text a hand card each (HTS-DO-9)."""

    who: PlayerSelector
    count: Literal[1] = 1

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        events = start_gifts(state, text.card, self.who.select_seats(state, text), text.by)
        yield from _events_or_lapse(events, text.card, "give_cards")


@VOCABULARY.register_effect("swap_hands")
@dataclass(frozen=True)
class SwapHands(CardEffect):
    """Changes the whole hand for that of another player (HTS-DO-10)."""

    with_: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        other = text.first_value(self.with_)
        if other is None:
            return
        if not state.holds_cards(other) and not state.holds_cards(text.by):
            yield EffectLapsed(text.card, "swap")
        else:
            yield HandsSwapped(text.by, other, state.cards_in_hand(other), state.cards_in_hand(text.by))
            yield from disclose_hands(state, text.by, other)


@VOCABULARY.register_effect("look_whether")
@dataclass(frozen=True)
class CheckCardKind(CardEffect):
    """Binds the name if a card is of a kind; where no referee sees the card, its holder says so (HTS-DO-40).

    What follows is to come out of the hand of `from`: if that is empty nothing can follow, so nothing is said either.
    """

    card: BoundName
    kind: CardKind
    from_: BoundName
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card, victim = text.first_value(self.card), text.first_value(self.from_)
        if card is None or victim is None or not state.holds_cards(victim):
            return
        if is_back(card):
            yield StepPushed(CardKindPrompt(text.by, text.card, self.kind, self.called))
        elif is_kind(card, self.kind):
            yield NameBound(self.called, (self.kind,))


@VOCABULARY.register_effect("play")
@dataclass(frozen=True)
class PlayAtOnce(CardEffect):
    """Plays a card at once, without a point; the name is bound if it stands (HTS-DO-31, HTS-NEST-4)."""

    card: BoundName
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        card = text.first_value(self.card)
        if card is None:
            return
        if could_announce(state, text.by, card):
            yield from announce_play(state, text.by, card, True, self.called)
        else:
            yield EffectLapsed(card, "play")


def _events_or_lapse(events: Iterator[Event], card: str, what: str) -> Iterator[Event]:
    """These facts; or, if there are none, that this part fell away: nothing goes in silence (HTS-TEXT-2)."""
    yield from tuple(events) or (EffectLapsed(card, what),)
