"""Hidden cards that an effect shows to one player: a hand, or the top of a deck.

What is looked at lies with that player's sought cards meanwhile, which nobody else sees. Clauses: CARDS-CHOICE-1,
CC-GLOSS-6, CC-KEY-TRAP-1, CC-AMB-21, KERNEL-CENSUS-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import cards_arriving, check_cards_from, find_nameable_cards
from referee.cardscript.moves import ChooseCards
from referee.cardscript.questions import CardPrompt, refuse_wrong_number
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepReplaced, require_move
from referee.engine.zones import Cards, find_cards_leaving
from referee.games.creature_crush.components import BOOK, DECKS, HANDS, HELLS, SOUGHT, face_of
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.decks import CardRevealed, HandClosed, HandOpened, TopClosed, TopOpened
from referee.games.creature_crush.rules.drawing import disclose_hands, disclose_place
from referee.games.creature_crush.rules.naming import DeckTurnUp
from referee.games.creature_crush.rules.triggers import queue_hell_arrivals
from referee.games.creature_crush.state import Table

MOST_WAYS = 500  # ways listed to name several cards of a place of backs; a pattern describes the others


class NamingPrompt(CardPrompt):
    """A player names cards of a place that only this player may look at."""

    __slots__ = ()
    seat: int
    card: str

    def find_place(self) -> str:
        """Return where the cards lie."""
        raise NotImplementedError

    def find_limits(self, table: Table) -> tuple[int, int]:
        """Return the least and the greatest number of cards to name."""
        raise NotImplementedError

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        least, most = self.find_limits(state)
        names = find_nameable_cards(state, self.find_place())
        ways = (way for size in range(least, most + 1) for way in combinations(names, size))
        return map(ChooseCards, islice(ways, MOST_WAYS))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCards)
        least, most = self.find_limits(state)
        if not least <= len(move.cards) <= most:
            raise refuse_wrong_number(least, most, "CARDS-CHOICE-1")
        if len(set(move.cards)) < len(move.cards):
            raise IllegalMove("same_card_twice", "CARDS-CHOICE-1")
        check_cards_from(state, self.find_place(), move.cards, "not_among_the_cards", "CARDS-CHOICE-1")

    def is_not_nameable(self, state: Table) -> bool:
        return not state.rules.knows_hand_of(self.seat)

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        least, most = self.find_limits(state)
        if seat != self.seat or most < 2:
            return ()
        cards = {"type": "array", "items": {"enum": sorted(find_nameable_cards(state, self.find_place()))},
                 "minItems": least, "maxItems": most, "uniqueItems": True}  # fmt: skip
        says = BOOK.render_texts("pattern.name_cards", least=least, most=most)
        return ({"type": ChooseCards.TAG, "fields": {"cards": cards}, "says": says},)

    def _list_rest(self, table: Table, took: Cards) -> Cards:
        left = list(table.cards_at(self.find_place()))
        for card in took:
            if card in left:
                left.remove(card)
        return tuple(left)


@named("cc.DiscardChoice")
@dataclass(frozen=True)
class DiscardChoice(NamingPrompt):
    """`seat` says which cards of the hand of `of` are destroyed.

    If it is the hand of the other player, `seat` looks at it first (`opened`).

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    CC-KEY-TRAP-1: Trap happens when the card is put from its player's deck or hand into hell.
    """

    seat: int
    card: str
    of: int
    count: int = 1
    opened: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1", "CC-GLOSS-6")

    def find_place(self) -> str:
        return HANDS[self.of] if self.of == self.seat else SOUGHT[self.seat]

    def find_limits(self, table: Table) -> tuple[int, int]:
        number = min(self.count, table.count_cards_at(self.find_place()))
        return number, number

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if self.opened else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, opened=True))
        if self.of != self.seat:
            cards = state.cards_at(HANDS[self.of])
            # a person looks at the real cards; what was read of a bot's hand may be wrong and does not count
            put = cards if state.rules.knows_hand_of(self.seat) else state.rules.lay_face_down(cards)
            yield HandOpened(HANDS[self.of], SOUGHT[self.seat], cards, put, self.seat, self.of)
            yield from disclose_place(state, self.seat, SOUGHT[self.seat])

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        place, count = self.find_place(), len(move.cards)
        took = find_cards_leaving(state, place, move.cards)
        yield StepPopped()
        yield CardsDestroyed((place,) * count, (HELLS[self.of],) * count, took, move.cards)
        if self.of != self.seat:
            rest = self._list_rest(state, took)
            yield HandClosed(place, HANDS[self.of], rest, cards_arriving(state, self.of, rest), self.seat, self.of)
            yield from disclose_hands(state, self.of)
        yield queue_hell_arrivals(state, move.cards, self.of)


@named("cc.LookingAtTop")
@dataclass(frozen=True)
class LookingAtTop(NamingPrompt):
    """A player looks at the top cards of the own deck.

    Up to `destroy` of them go to hell, and the others back on top: in any order, which is asked next (`ordering`). At a
    real table the player lays them back without telling.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    CC-KEY-TRAP-1: Trap happens when the card is put from its player's deck or hand into hell.
    """

    seat: int
    card: str
    count: int
    destroy: int = 0
    opened: bool = False
    ordering: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)

    def question_name(self) -> str:
        return f"{self.TAG}.order" if self.ordering else self.TAG

    def find_place(self) -> str:
        return SOUGHT[self.seat]

    def find_limits(self, table: Table) -> tuple[int, int]:
        number = table.count_cards_at(SOUGHT[self.seat])
        return (number, number) if self.ordering else (0, min(self.destroy, number))

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if self.opened else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        if self.ordering:
            return map(ChooseCards, islice(permutations(state.cards_at(SOUGHT[self.seat])), MOST_WAYS))
        return super().possible_answers(state, seat)

    def is_not_nameable(self, state: Table) -> bool:
        return False  # nothing needs to be named

    def resolve(self, state: Table) -> Iterator[Event]:
        deck, sought = DECKS[self.seat], SOUGHT[self.seat]
        cards = state.cards_at(deck)[: self.count]
        asks_order = not self.destroy and len(cards) > 1 and not state.rules.cards_at_table
        yield StepReplaced(replace_fields(self, opened=True, ordering=asks_order))
        yield TopOpened(deck, sought, cards, cards, self.seat)
        yield from disclose_place(state, self.seat, sought)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        took = () if self.ordering else find_cards_leaving(state, SOUGHT[self.seat], move.cards)
        rest = move.cards if self.ordering else self._list_rest(state, took)
        asks_order = not self.ordering and len(rest) > 1 and not state.rules.cards_at_table
        yield StepReplaced(replace_fields(self, ordering=True)) if asks_order else StepPopped()
        if took:
            places, hells = (SOUGHT[self.seat],) * len(took), (HELLS[self.seat],) * len(took)
            yield CardsDestroyed(places, hells, took, move.cards)
        if not asks_order and rest:
            put = state.rules.lay_face_down(rest)
            yield TopClosed(SOUGHT[self.seat], DECKS[self.seat], rest, put, self.seat)
        if took:
            yield queue_hell_arrivals(state, move.cards, self.seat)


@named("cc.RevealingTop")
@dataclass(frozen=True)
class RevealingTop(DeckTurnUp):
    """The top cards of a player's deck are turned up, one after the other.

    Those of `kind` go to the hand, all others to hell.

    CC-GLOSS-6: To destroy a card is to put it into the hell of the player who last possessed it.
    CC-KEY-TRAP-1: Trap happens when the card is put from its player's deck or hand into hell.
    """

    seat: int
    card: str
    count: int = 1
    kind: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-6",)

    def place_card(self, table: Table, took: str, card: str) -> Iterator[Event]:
        deck = DECKS[self.seat]
        yield StepReplaced(replace_fields(self, count=self.count - 1)) if self.count > 1 else StepPopped()
        if self.kind and face_of(card).kind != self.kind:
            yield CardsDestroyed((deck,), (HELLS[self.seat],), (took,), (card,))
            yield queue_hell_arrivals(table, (card,), self.seat)
        else:
            put = cards_arriving(table, self.seat, (card,))
            yield CardRevealed(deck, HANDS[self.seat], (took,), put, self.seat, (card,))
