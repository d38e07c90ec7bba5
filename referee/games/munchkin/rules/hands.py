"""Hand cards that cards make players discard, by choice or at random.

At a real table only the holder sees them. The player names the cards to discard, and a card picked at random is read
out. Clauses: MK-2.3, MK-3.8, MK-18.1, MK-26.4, MK-26.11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import can_name_card, check_cards_from_hand, find_nameable_cards
from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.moves import ChooseCard, ChooseCards, describe_card_lists
from referee.cardscript.questions import CardPrompt, list_combinations, refuse_wrong_number
from referee.engine.chance import ChanceStep, PickResult, RandomBelow
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import BOOK, HANDS
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules.cards.naming import draw_hidden_cards, suggest_hidden_cards
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.rules.items.item_loss import EVERY_ONE
from referee.games.munchkin.state import Table

MAX_LISTED_CHOICES = 20  # among the named cards of a hand with backs; `move_patterns` describes the others


def list_hand_choices(table: Table, seat: int, count: int) -> Iterator[Cards]:
    """Yield the ways to choose a number of cards from a hand.

    These are all combinations, or a limited number of them if the hand holds backs.
    """
    hand = table.cards_in_hand(seat)
    if not any(map(is_back, hand)):
        yield from list_combinations(hand, count, count)
        return
    visible, hidden = sorted(card for card in hand if not is_back(card)), sum(map(is_back, hand))
    for own in range(max(0, count - hidden), min(count, len(visible)) + 1):
        need = count - own
        for base in islice(list_combinations(visible, own, own), MAX_LISTED_CHOICES):
            if need:
                yield from ((*base, *named) for named in suggest_hidden_cards(table, HANDS[seat], need))
            else:
                yield base


@named("mk.DiscardHand")
@dataclass(frozen=True)
class DiscardHand(CardPrompt):
    """The discard of a number of hand cards of the player's choice.

    `count` may be `EVERY_ONE`. A player who holds no more than `count` discards the whole hand. `unread` says that the
    whole hand goes but is not known, so its holder has to name it.
    MK-2.3: Hand cards are lost only to effects that name the hand.
    MK-3.8: An effect that cannot be carried out in full is carried out in part.
    MK-26.11: At a real table cards stay unknown to the referee until they are named.
    """

    seat: int
    card: str
    count: int
    unread: bool = False
    least: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # one number: fewer will do, down to it
    called: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.3", "MK-3.8", "MK-26.11")

    def count_least(self, table: Table) -> int:
        """Return how many cards at least are discarded. Raises Undetermined."""
        most = self.count_cards(table)
        return min(*self.least, most) if self.least else most

    def count_cards(self, table: Table) -> int:
        """Return how many cards are discarded. Raises Undetermined."""
        held = table.count_cards_at(HANDS[self.seat])
        return held if self.count == EVERY_ONE else min(self.count, held)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        held, number = state.count_cards_at(HANDS[self.seat]), self.count_cards(state)
        whole = number == held and not self.unread and state.rules.knows_hand_of(self.seat)
        whole = whole and self.count_least(state) == number
        return () if not number or whole else (self.seat,)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        numbers = range(self.count_least(state), self.count_cards(state) + 1)
        return (ChooseCards(cards) for number in numbers for cards in list_hand_choices(state, self.seat, number))

    def default_answer(self, state: Table, seat: Seat) -> Move:
        hand = sorted(state.cards_in_hand(self.seat), key=lambda card: state.rank_answer(ChooseCard(card)))  # MK-23.2
        return ChooseCards(tuple(hand[: self.count_least(state)]))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCards)
        least, most = self.count_least(state), self.count_cards(state)
        if not least <= len(move.cards) <= most:
            raise refuse_wrong_number(least, most, "MK-3.8")
        check_cards_from_hand(state, self.seat, move.cards, "MK-2.3")

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield StepPopped()
        yield from discard_cards(state, HANDS[self.seat], move.cards)
        yield from self._name_discarded(move.cards)

    def _name_discarded(self, cards: Cards) -> Iterator[Event]:
        if self.called:
            yield NameBound(self.called, cards)

    def resolve(self, state: Table) -> Iterator[Event]:
        hand = state.cards_in_hand(self.seat) if self.count_cards(state) else ()
        if any(map(is_back, hand)):
            yield StepReplaced(replace_fields(self, unread=True))
            return
        yield StepPopped()
        if hand:
            yield from discard_cards(state, HANDS[self.seat], hand)
        yield from self._name_discarded(hand)

    def is_not_nameable(self, state: Table) -> bool:
        return self.unread or not state.rules.knows_hand_of(self.seat)

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != self.seat:
            return ()
        names, number = find_nameable_cards(state, HANDS[self.seat]), self.count_cards(state)
        least = self.count_least(state)
        says = BOOK.render_texts("pattern.cards" if least == number else "pattern.up_to", least=least, most=number)
        return describe_card_lists(ChooseCards, names, least, number, says)


@named("mk.DiscardAtRandom")
@dataclass(frozen=True)
class DiscardAtRandom(ChanceStep):
    """The discard of hand cards at random, one after the other.

    At a real table each card is read out. `unread` says that the last card is not known, so it has to be read out, too.
    MK-2.3: Hand cards are lost only to effects that name the hand.
    MK-26.11: At a real table cards stay unknown to the referee until they are named.
    """

    seat: int
    card: str
    count: int = 1
    unread: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.3", "MK-18.1", "MK-26.11")

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        held = state.count_cards_at(HANDS[self.seat])
        chance = self.count and (held > 1 or (held == 1 and (self.unread or not state.rules.knows_hand_of(self.seat))))
        return frozenset({CHANCE}) if chance else frozenset()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if state.rules.knows_hand_of(self.seat):
            return ()  # the server draws among cards that nobody else sees, so any name listed would be a guess
        return (PickResult((card,)) for card in find_nameable_cards(state, HANDS[self.seat]))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != 1:
            raise IllegalMove("no_such_pick", "KERNEL-CHANCE-1", count=1)
        if move.cards[0] not in state.boxes.whole:
            raise IllegalMove("no_such_card", "KERNEL-CENSUS-1", card=move.cards[0])
        if move.cards[0] not in self._list_possible_cards(state) and not (
            any(map(is_back, state.cards_in_hand(self.seat))) and can_name_card(state, HANDS[self.seat], move.cards[0])
        ):
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1", "KERNEL-CENSUS-1")

    def _list_possible_cards(self, table: Table) -> list[str]:
        """Return the cards of the hand that may be picked.

        A card may have been misread: every copy of it may lie open by now. If that goes for the whole hand, one of it
        is picked all the same, because nothing else could go on.
        """
        hand = sorted(table.cards_in_hand(self.seat))
        return [card for card in hand if is_back(card) or can_name_card(table, HANDS[self.seat], card)] or hand

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._discard_picked(state, move.cards)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        hand = self._list_possible_cards(state)
        card = hand[below(len(hand))]
        if is_back(card):
            (card,) = draw_hidden_cards(state, 1, below)
        return PickResult((card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        hand = state.cards_in_hand(self.seat)
        if not self.count or not hand:
            yield StepPopped()
        elif any(map(is_back, hand)):
            yield StepReplaced(replace_fields(self, unread=True))
        else:
            yield from self._discard_picked(state, hand)

    def _discard_picked(self, table: Table, cards: Cards) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        yield from discard_cards(table, HANDS[self.seat], cards)


def start_hand_discard(
    table: Table, card: str, seat: int, count: int, random: bool, least: tuple[int, ...] = (), called: str = ""
) -> Iterator[Event]:
    """Yield the events with which a card makes a player discard hand cards.

    MK-18.2: To lose what one does not have costs nothing.
    """
    if not table.count_cards_at(HANDS[seat]):
        yield EffectLapsed(card, "discard_hand", seat)
    elif random and count != EVERY_ONE:
        yield StepPushed(DiscardAtRandom(seat, card, count))
    else:
        yield StepPushed(DiscardHand(seat, card, count, least=least, called=called))
