"""Hand cards that cards make players discard: of their own choice, or at random.

At a real table nobody but their holder sees them: the player names what goes, and a card picked at random is read out.
Clauses: MK-2.3, MK-3.8, MK-18.1, MK-26.4, MK-26.11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import can_name, check_from_hand, namable
from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.cardscript.questions import Asking, combined, wrong_number
from referee.engine.chance import Below, ChanceStep, Picked
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Became, Closed, Opened
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import BOOK, HANDS
from referee.games.munchkin.events.texts import Lapsed
from referee.games.munchkin.rules.cards.naming import could_be, drawn
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.rules.items.item_loss import ALL
from referee.games.munchkin.state import Table

FEW = 20  # ways to choose among the named cards of a hand that is not seen whole; the rest `patterns` describe


def is_unseen(table: Table, seat: int) -> bool:
    """Whether only the people at a real table see this hand."""
    return table.rules.cards_at_table and seat not in table.rules.named


def choices_from_hand(table: Table, seat: int, count: int) -> Iterator[Cards]:
    """What a hand can give: every combination; of unseen hands only as many as a list can hold."""
    hand = table.hand(seat)
    if not any(map(is_back, hand)):
        yield from combined(hand, count, count)
        return
    known, hidden = sorted(card for card in hand if not is_back(card)), sum(map(is_back, hand))
    for own in range(max(0, count - hidden), min(count, len(known)) + 1):
        need = count - own
        for base in islice(combined(known, own, own), FEW):
            if need:
                yield from ((*base, *named) for named in could_be(table, HANDS[seat], need))
            else:
                yield base


@named("mk.DiscardHand")
@dataclass(frozen=True)
class DiscardHand(Asking):
    """A player discards so many hand cards of the own choice (`ALL`, or whoever holds no more: the whole hand).

    `unread`: a hand that has to go whole is not known, so its holder names it.
    """

    seat: int
    card: str
    count: int
    unread: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.3", "MK-3.8", "MK-26.11")

    def number(self, table: Table) -> int:
        """How many cards go. Raises Unknown."""
        held = table.size(HANDS[self.seat])
        return held if self.count == ALL else min(self.count, held)

    def asked(self, state: Table) -> tuple[int, ...]:
        held, number = state.size(HANDS[self.seat]), self.number(state)
        whole = number == held and not (self.unread or is_unseen(state, self.seat))
        return () if not number or whole else (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCards, choices_from_hand(state, self.seat, self.number(state)))

    def by_default(self, state: Table, seat: Seat) -> Move:
        hand = sorted(state.hand(self.seat), key=lambda card: state.rank(ChooseCard(card)))  # MK-23.2
        return ChooseCards(tuple(hand[: self.number(state)]))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        number = self.number(state)
        if len(move.cards) != number:
            raise wrong_number(number, number, "MK-3.8")
        check_from_hand(state, self.seat, move.cards, "MK-2.3")

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield Closed()
        yield from discarded(state, HANDS[self.seat], move.cards)

    def resolve(self, state: Table) -> Iterator[Event]:
        hand = state.hand(self.seat) if self.number(state) else ()
        if any(map(is_back, hand)):
            yield Became(changed(self, unread=True))
            return
        yield Closed()
        if hand:
            yield from discarded(state, HANDS[self.seat], hand)

    def nameless(self, state: Table) -> bool:
        return self.unread or is_unseen(state, self.seat)

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != self.seat:
            return ()
        names, number = sorted(namable(state, HANDS[self.seat])), self.number(state)
        listed = {"type": "array", "items": {"enum": names}, "minItems": number, "maxItems": number}
        says = BOOK.texts("pattern.cards", most=number)
        return ({"type": ChooseCards.TAG, "fields": {"cards": listed}, "says": says},)


@named("mk.DiscardAtRandom")
@dataclass(frozen=True)
class DiscardAtRandom(ChanceStep):
    """Cards of a hand are discarded at random, one after the other; at a real table each is read out by its name.

    `unread`: the last card is not known, so that it has to be read out as well.
    """

    seat: int
    card: str
    count: int = 1
    unread: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.3", "MK-18.1", "MK-26.11")

    def awaits(self, state: Table) -> frozenset[Seat]:
        held = state.size(HANDS[self.seat])
        chance = self.count and (held > 1 or (held == 1 and (self.unread or is_unseen(state, self.seat))))
        return frozenset({CHANCE}) if chance else frozenset()

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        if not is_unseen(state, self.seat):
            return ()  # the server draws among cards that nobody else sees: any name listed would be a guess
        return (Picked((card,)) for card in namable(state, HANDS[self.seat]))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != 1:
            raise Refused("no_such_pick", "KERNEL-CHANCE-1", count=1)
        if move.cards[0] not in state.boxes.whole:
            raise Refused("no_such_card", "KERNEL-CENSUS-1", card=move.cards[0])
        if not can_name(state, HANDS[self.seat], move.cards[0]):
            raise Refused("not_these_cards", "KERNEL-CHANCE-1", "KERNEL-CENSUS-1")

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield from self._gone(state, move.cards)

    def draw(self, state: Table, below: Below) -> Move:
        hand, place = sorted(state.hand(self.seat)), HANDS[self.seat]
        # what was read to us for a bot may have been wrong: by now every copy of it may lie open
        hand = [card for card in hand if is_back(card) or can_name(state, place, card)] or hand
        card = hand[below(len(hand))]
        if is_back(card):
            (card,) = drawn(state, 1, below)
        return Picked((card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        hand = state.hand(self.seat)
        if not self.count or not hand:
            yield Closed()
        elif any(map(is_back, hand)):
            yield Became(changed(self, unread=True))
        else:
            yield from self._gone(state, hand)

    def _gone(self, table: Table, cards: Cards) -> Iterator[Event]:
        yield Became(changed(self, count=self.count - 1))
        yield from discarded(table, HANDS[self.seat], cards)


def discard(table: Table, card: str, seat: int, count: int, random: bool) -> Iterator[Event]:
    """The facts with which a card makes a player discard hand cards; a lapse if the hand is empty (MK-18.2)."""
    if not table.size(HANDS[seat]):
        yield Lapsed(card, "discard_hand", seat)
    elif random and count != ALL:
        yield Opened(DiscardAtRandom(seat, card, count))
    else:
        yield Opened(DiscardHand(seat, card, count))
