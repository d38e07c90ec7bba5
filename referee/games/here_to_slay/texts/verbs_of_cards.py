"""Verbs of the card texts about cards: drawing, discarding, pulling, looking, taking, giving, playing.

Clauses: HTS-TEXT-1, HTS-DO-1 to HTS-DO-16, HTS-DO-31, HTS-DO-40, HTS-NOW-1, HTS-NOW-2, HTS-NOW-3, HTS-NEST-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import coming_to, gone_from
from referee.cardscript.language.interpreter import Bound, CarryOut
from referee.cardscript.language.primitives import ME, UNNAMED, Called, Name, Who, Word
from referee.cardscript.questions import Looking
from referee.engine.events import Event, changed
from referee.engine.steps import Became, Opened
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DECK, DISCARD, HANDS, is_kind
from referee.games.here_to_slay.events.cards import CardDiscarded, CardShown, CardTaken, HandShown, HandsSwapped, Lapsed
from referee.games.here_to_slay.rules.announcing import could_announce
from referee.games.here_to_slay.rules.drawing import LookingAtDeck, Pulling, draw, read_to_us
from referee.games.here_to_slay.rules.hands import PutBack, Telling, discards, given_to, hand_over
from referee.games.here_to_slay.rules.playing import announced
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.nouns import SHOWN, Kind
from referee.games.here_to_slay.texts.vocabulary import WORDS


@WORDS.word("draw")
@dataclass(frozen=True)
class Draw(Word):
    """Draws so many cards (HTS-DO-1)."""

    count: int
    who: Who = ME
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        for seat in reversed(self.who.seats(state, text)):
            yield draw(state, seat, self.count, self.called)


@WORDS.word("draw_to")
@dataclass(frozen=True)
class DrawTo(Word):
    """Draws until the hand holds so many cards (HTS-DO-2)."""

    size: int

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        missing = self.size - state.size(HANDS[text.by])
        yield draw(state, text.by, missing) if missing > 0 else Lapsed(text.card, "draw")


@WORDS.word("discard")
@dataclass(frozen=True)
class Discard(Word):
    """These players discard so many cards each, of their own choice (HTS-DO-4, HTS-DO-5)."""

    count: int
    who: Who = ME
    at_least: int | None = None
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        least = self.count if self.at_least is None else self.at_least
        seats = self.who.seats(state, text)
        yield from _or_lapsed(discards(state, text.card, seats, least, self.count, self.called), text.card, "discard")


@WORDS.word("pay")
@dataclass(frozen=True)
class Pay(Word):
    """The cost of the text: so many cards, all or nothing; unpaid, the rest of the text does nothing (HTS-AMB-45)."""

    count: int
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if state.size(HANDS[text.by]) < self.count:
            yield Lapsed(text.card, "cost")
            yield Became(changed(text, at=len(state.lines(text.card, text.text))))
        else:
            yield from discards(state, text.card, (text.by,), self.count, self.count, self.called)


@WORDS.word("pull")
@dataclass(frozen=True)
class Pull(Word):
    """Pulls so many cards out of the hand of a player (HTS-DO-6)."""

    from_: Name
    count: int = 1
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        victim = text.first(self.from_)
        if victim is not None and state.holds_cards(victim):
            yield Opened(Pulling(text.by, victim, self.count, self.called, state.hand(text.by)))
        elif victim is not None:
            yield Lapsed(text.card, "pull")


@WORDS.word("show")
@dataclass(frozen=True)
class Show(Word):
    """Shows a hand card to all (HTS-DO-15)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (card := text.first(self.card)) is not None:
            yield CardShown(text.by, card)
            yield Bound(SHOWN, (*text.bound.get(SHOWN, ()), card))


@WORDS.word("take")
@dataclass(frozen=True)
class Take(Word):
    """Takes a card from the discard pile into the hand, openly (HTS-DO-11, HTS-DO-12)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (card := text.first(self.card)) is not None:
            took = gone_from(state, DISCARD, (card,))
            yield CardTaken(DISCARD, HANDS[text.by], took, coming_to(state, text.by, (card,)), text.by)


@WORDS.word("throw")
@dataclass(frozen=True)
class ThrowAway(Word):
    """Puts one card of the hand on the discard pile (HTS-DO-4)."""

    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (card := text.first(self.card)) is not None:
            took = gone_from(state, HANDS[text.by], (card,))
            yield CardDiscarded(HANDS[text.by], DISCARD, took, (card,), text.by)


@WORDS.word("look_at_deck")
@dataclass(frozen=True)
class LookAtDeck(Word):
    """Looks at the topmost cards of the main deck (HTS-DO-13)."""

    count: int
    called: Called

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield Opened(LookingAtDeck(text.by, self.count, text.card, self.called))


@WORDS.word("keep")
@dataclass(frozen=True)
class Keep(Word):
    """Takes one of the cards looked at from the deck into the hand; this is no drawing (HTS-AMB-51)."""

    card: Name
    among: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (card := text.first(self.card)) is not None:
            rest = list(text.bound[self.among])
            rest.remove(card)
            yield CardTaken(DECK, HANDS[text.by], gone_from(state, DECK, (card,)), (card,), text.by)
            yield Bound(self.among, tuple(rest), text.by)
            yield from read_to_us(state, text.by)


@WORDS.word("put_back")
@dataclass(frozen=True)
class PutOnTop(Word):
    """Puts the rest of the cards looked at back on top of the deck, in an order of choice (HTS-DO-14)."""

    among: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        cards = tuple(map(str, text.bound.get(self.among, ())))
        if len(cards) > 1 and not any(map(is_back, cards)):
            yield Opened(PutBack(text.by, cards))


@WORDS.word("look_at_hand")
@dataclass(frozen=True)
class LookAtHand(Word):
    """Is shown the hand of a player, and confirms it unless something is chosen from it (HTS-DO-7)."""

    of: Name
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        owner = text.first(self.of)
        if owner is None:
            return
        if not state.holds_cards(owner):
            yield Lapsed(text.card, "look")
            return
        cards = state.hand(owner)
        yield HandShown(text.by, owner, cards)
        if self.called:
            yield Bound(self.called, cards, text.by)
            yield Bound(f"{self.called}/at", ("",))
        if not self.called or (any(map(is_back, cards)) and state.rules.cards_at_table):
            yield Opened(Looking(text.by, text.card, cards))


@WORDS.word("take_from_hand")
@dataclass(frozen=True)
class TakeFromHand(Word):
    """Takes a card out of the hand just seen; only the two players see which (HTS-DO-8)."""

    from_: Name
    card: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        card, owner = text.first(self.card), text.first(self.from_)
        if card is not None and owner is not None:
            yield from given_to(state, owner, text.by, card)
            yield from read_to_us(state, owner, text.by)


@WORDS.word("give")
@dataclass(frozen=True)
class Give(Word):
    """These players give the player of the text a hand card each (HTS-DO-9)."""

    who: Who
    count: Literal[1] = 1

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        facts = hand_over(state, text.card, self.who.seats(state, text), text.by)
        yield from _or_lapsed(facts, text.card, "give_cards")


@WORDS.word("swap_hands")
@dataclass(frozen=True)
class SwapHands(Word):
    """Changes the whole hand for that of another player (HTS-DO-10)."""

    with_: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        other = text.first(self.with_)
        if other is None:
            return
        if not state.holds_cards(other) and not state.holds_cards(text.by):
            yield Lapsed(text.card, "swap")
        else:
            yield HandsSwapped(text.by, other, state.hand(other), state.hand(text.by))
            yield from read_to_us(state, text.by, other)


@WORDS.word("look_whether")
@dataclass(frozen=True)
class LookWhether(Word):
    """Binds the name if a card is of a kind; where no referee sees the card, its holder says so (HTS-DO-40).

    What follows is to come out of the hand of `from`: if that is empty nothing can follow, so nothing is said either.
    """

    card: Name
    kind: Kind
    from_: Name
    called: Called

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        card, victim = text.first(self.card), text.first(self.from_)
        if card is None or victim is None or not state.holds_cards(victim):
            return
        if is_back(card):
            yield Opened(Telling(text.by, text.card, self.kind, self.called))
        elif is_kind(card, self.kind):
            yield Bound(self.called, (self.kind,))


@WORDS.word("play")
@dataclass(frozen=True)
class Play(Word):
    """Plays a card at once, without a point; the name is bound if it stands (HTS-DO-31, HTS-NEST-4)."""

    card: Name
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        card = text.first(self.card)
        if card is None:
            return
        if could_announce(state, text.by, card):
            yield from announced(state, text.by, card, True, self.called)
        else:
            yield Lapsed(card, "play")


def _or_lapsed(facts: Iterator[Event], card: str, what: str) -> Iterator[Event]:
    """These facts; or, if there are none, that this part fell away: nothing goes in silence (HTS-TEXT-2)."""
    yield from tuple(facts) or (Lapsed(card, what),)
