"""Verbs of card texts about cards: draw, discard, pull, look, take, give, play.

Clauses: HTS-TEXT-1, HTS-DO-1 to HTS-DO-16, HTS-DO-31, HTS-DO-40, HTS-NOW-1, HTS-NOW-2, HTS-NOW-3, HTS-NEST-1.
HTS-NOW-2: Immediately means right there in the effect, ahead of its remaining text. A missed chance does not come
    back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import ME, NO_NAME, BoundName, CardEffect, NewName, PlayerSelector
from referee.cardscript.questions import LookPrompt
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StepPushed, StepReplaced
from referee.engine.zones import find_cards_leaving, is_back
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
    LEFT,
    CardKindPrompt,
    DeckTopOrdering,
    give_card,
    start_discard,
    start_gifts,
)
from referee.games.here_to_slay.rules.playing import announce_play
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.amounts import Amount, Count, count_for_line
from referee.games.here_to_slay.texts.nouns import SHOWN_NAME, CardKind
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY


@VOCABULARY.register_effect("draw")
@dataclass(frozen=True)
class DrawCards(CardEffect):
    """Draw `count` cards.

    HTS-DO-1: Cards are drawn singly. What the drawing sets off waits until all are drawn.
    """

    count: Count
    who: PlayerSelector = ME
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = count_for_line(state, text, self.count)
        if isinstance(self.count, Amount) and not count:
            yield EffectLapsed(text.card, "draw")
            return
        for seat in reversed(self.who.select_seats(state, text)):
            yield draw_cards(state, seat, count, self.called)


@VOCABULARY.register_effect("draw_to")
@dataclass(frozen=True)
class DrawToSize(CardEffect):
    """Draw until the hand holds `size` cards.

    HTS-DO-2: Drawing up to a number fills the hand to that many cards. A hand that is already that large gets none.
    """

    size: int

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        missing = self.size - state.count_cards_at(HANDS[text.by])
        yield draw_cards(state, text.by, missing) if missing > 0 else EffectLapsed(text.card, "draw")


@VOCABULARY.register_effect("discard")
@dataclass(frozen=True)
class DiscardCards(CardEffect):
    """These players discard `count` cards each, of their own choice.

    HTS-DO-4: A price in cards is paid in full or not at all. A duty to discard takes what there is. With Qi Bear the
        number is free, none to three. With Slippery Paws one of the two cards just pulled goes.
    HTS-DO-5: Players who have to discard choose from their own hand. If it holds too few cards, all of them go.
    """

    count: Count
    who: PlayerSelector = ME
    at_least: int | None = None
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = count_for_line(state, text, self.count)
        least = count if self.at_least is None else self.at_least
        seats = self.who.select_seats(state, text)
        if isinstance(self.count, Amount):
            least, seats = min(least, count), seats if count else ()
        yield from _events_or_lapse(
            start_discard(state, text.card, seats, least, count, self.called), text.card, "discard"
        )


@VOCABULARY.register_effect("pay")
@dataclass(frozen=True)
class PayCards(CardEffect):
    """Pay the cost of the text in cards, all or nothing.

    HTS-AMB-45: If the rest of the hand is too small, nothing is discarded and nothing happens.
    """

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
    """Pull `count` cards out of the hand of a player.

    HTS-DO-6: Two pulls are made one after the other. The second picks from the cards that remain.
    """

    from_: BoundName
    count: Count = 1
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        victim, count = text.first_value(self.from_), count_for_line(state, text, self.count)
        nothing = isinstance(self.count, Amount) and not count
        if victim is not None and not nothing and state.holds_cards(victim):
            yield StepPushed(Pulling(text.by, victim, count, self.called, state.cards_in_hand(text.by)))
        elif victim is not None:
            yield EffectLapsed(text.card, "pull")


@VOCABULARY.register_effect("show")
@dataclass(frozen=True)
class ShowCard(CardEffect):
    """Show a hand card to all.

    HTS-DO-15: Everybody sees a card that is shown. It stays in the hand.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            yield CardShown(text.by, card)
            yield NameBound(SHOWN_NAME, (*text.bound.get(SHOWN_NAME, ()), card))


@VOCABULARY.register_effect("take")
@dataclass(frozen=True)
class TakeCard(CardEffect):
    """Take a card from the discard pile into the hand, openly.

    HTS-DO-11: A search of the discard pile brings one card of the named kind to the hand, for all to see. If there is
        none, nothing happens.
    HTS-DO-12: A choice among certain cards is limited to those that this effect itself discarded, showed or pulled.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            took = find_cards_leaving(state, DISCARD, (card,))
            yield CardTaken(DISCARD, HANDS[text.by], took, cards_arriving(state, text.by, (card,)), text.by)


@VOCABULARY.register_effect("throw")
@dataclass(frozen=True)
class ThrowCardAway(CardEffect):
    """Put one card of the hand on the discard pile.

    HTS-DO-4: With Slippery Paws one of the two cards just pulled goes.
    """

    card: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            took = find_cards_leaving(state, HANDS[text.by], (card,))
            yield CardDiscarded(HANDS[text.by], DISCARD, took, (card,), text.by)


@VOCABULARY.register_effect("look_at_deck")
@dataclass(frozen=True)
class LookAtDeck(CardEffect):
    """Look at the top cards of the main deck.

    HTS-DO-13: Only the player of the effect sees the top three cards of the main deck.
    """

    count: int
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield StepPushed(LookingAtDeck(text.by, self.count, text.card, self.called))


@VOCABULARY.register_effect("keep")
@dataclass(frozen=True)
class KeepCard(CardEffect):
    """Take one of the cards looked at from the deck into the hand.

    HTS-AMB-51: This is not drawing and triggers nothing that asks for a drawn card.
    """

    card: BoundName
    among: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (card := text.first_value(self.card)) is not None:
            rest = list(text.bound[self.among])
            rest.remove(card)
            yield CardTaken(DECK, HANDS[text.by], find_cards_leaving(state, DECK, (card,)), (card,), text.by)
            yield NameBound(self.among, tuple(rest), text.by)
            yield from disclose_hands(state, text.by)


@VOCABULARY.register_effect("put_back")
@dataclass(frozen=True)
class PutOnTop(CardEffect):
    """Put the rest of the cards looked at back on the deck, in an order of choice.

    HTS-DO-14: What is not kept returns to the top of the deck in an order of the player's choice, hidden from the
        others.
    """

    among: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        cards = tuple(map(str, text.bound.get(self.among, ())))
        if len(cards) > 1 and not any(map(is_back, cards)):
            yield StepPushed(DeckTopOrdering(text.by, cards))


@VOCABULARY.register_effect("look_at_hand")
@dataclass(frozen=True)
class LookAtHand(CardEffect):
    """Look at the hand of a player, and confirm it unless a card is chosen from it.

    HTS-DO-7: Only the player who looks sees the hand, as it is then, and confirms it or chooses from it right away.
    """

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
    """Take a card out of the hand just seen.

    HTS-DO-8: From the hand just seen one card must be taken. Nobody but the two players learns which.
    """

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
    """These players give the player of the text a hand card each.

    HTS-DO-9: Players who have to give pick a card from their own hand. Only giver and receiver see it.
    """

    who: PlayerSelector
    count: Literal[1] = 1

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        events = start_gifts(state, text.card, self.who.select_seats(state, text), text.by)
        yield from _events_or_lapse(events, text.card, "give_cards")


@VOCABULARY.register_effect("pass_left")
@dataclass(frozen=True)
class PassLeft(CardEffect):
    """Each player gives the next one a hand card.

    HTS-PASS-1: They choose at the same time and in secret. A player without hand cards passes none.
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        events = start_gifts(state, text.card, state.seats_clockwise_from(text.by), LEFT)
        yield from _events_or_lapse(events, text.card, "give_cards")


@VOCABULARY.register_effect("swap_hands")
@dataclass(frozen=True)
class SwapHands(CardEffect):
    """Swap the whole hand for that of another player.

    HTS-DO-10: Two hands are swapped whole and at the same time. At least one of them must hold a card.
    """

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
    """Bind the name if a card is of a kind.

    The holder says so if the referee cannot see it. What follows takes a card out of the hand of `from`. If that hand
    is empty nothing can follow, so nobody is asked.
    HTS-DO-40: Some texts depend on the kind of a card just drawn or pulled. Cursed items are items there.
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
    """Play a card at once, without a point. The name is bound if the card stands.

    HTS-DO-31: A card that a text lets someone play costs no point. Hook and Fuzzy Cheeks make it a duty if something
        fits. Other texts only permit it.
    HTS-NEST-4: If such a play is lost to a challenge, the text continues as though nothing had been played.
    """

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
    """Yield these events, or the lapse of this part if there are none.

    HTS-TEXT-2: What is impossible is left out. The lapse is recorded, so that players see why nothing happened.
    """
    yield from tuple(events) or (EffectLapsed(card, what),)
