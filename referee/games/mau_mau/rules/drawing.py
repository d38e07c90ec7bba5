"""Turning up the first card, and drawing.

Where the referee deals, and where a hand stays hidden from it, both go by themselves. Chance is awaited only for what
somebody has to name at a table of real cards: the first card, and the cards of a bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import ONLY_CHANCE, ChanceStep, PickResult, RandomBelow, Shuffle, TurnUpResult
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, backs_of, count_copies, count_unnamed_copies, is_back, list_copies
from referee.games.mau_mau.components import BOX, CARD_IDS, DECK, DISCARD, HANDS
from referee.games.mau_mau.events import CardsDrawn, FirstCardTurnedUp, NothingToDraw, PileRenewed
from referee.games.mau_mau.state import SOME, Table

DRAWING_CLAUSES = {  # the clauses that say why a player draws
    "deal": ("MM-SETUP-1",),
    "turn": ("MM-DRAW-1",),
    "sevens": ("MM-SEVEN-1", "MM-AMB-7"),
}


def check_unseen(table: Table, card: str) -> None:
    """Raise IllegalMove unless a card is one of the box and does not lie open.

    A refusal must not tell what lies in a hand that is read to the referee, so only the discards count.
    MM-MAT-1: There are 32 cards, one of each.
    """
    if card not in CARD_IDS:
        raise IllegalMove("no_such_card", "MM-MAT-1", card=card)
    if table.cards_at(DISCARD).count(card) >= count_copies(BOX, table)[card]:
        raise IllegalMove("lies_in_the_discard", "MM-MAT-1", "KERNEL-CENSUS-1", card=card)


def list_nameable_cards(table: Table, place: str) -> Cards:
    """Return the cards that can be named at a place.

    Those known to lie there come first, then those that its backs may be.
    MM-MAT-1: There is one of each card, so what was named elsewhere cannot lie there.
    """
    there = table.cards_at(place)
    unnamed = list_copies(+count_unnamed_copies(BOX, table)) if "?" in there else ()
    return (*(card for card in there if not is_back(card)), *unnamed)


@dataclass(frozen=True)
class NamedCard(ChanceStep):
    """A card from the draw pile that somebody names at a table of real cards."""

    device: ClassVar[str] = "deck"

    def guess_card(self, table: Table, below: RandomBelow) -> str:
        """Return the top card, or a random one that is named nowhere."""
        top = table.cards_at(DECK)[0]
        pool = list_nameable_cards(table, DECK) if is_back(top) else (top,)
        return pool[below(len(pool))]


@named("mm.FirstCard")
@dataclass(frozen=True)
class FirstCard(NamedCard):
    """The first card is turned up.

    MM-SETUP-2: The next card is turned up and starts the discard pile.
    MM-AMB-3: It does nothing special.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MM-SETUP-2", "MM-AMB-3")

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if is_back(state.draw_pile[0]) else NO_SEATS

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, CARD_IDS)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        check_unseen(state, require_move(move, TurnUpResult).card)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return TurnUpResult(self.guess_card(state, below))

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnUpResult)
        yield FirstCardTurnedUp(DECK, DISCARD, ("?",), (move.card,))
        yield StepPopped()

    def resolve(self, state: Table) -> Iterator[Event]:
        top = state.cards_at(DECK)[:1]
        yield FirstCardTurnedUp(DECK, DISCARD, top, top)
        yield StepPopped()


@named("mm.Draw")
@dataclass(frozen=True)
class CardDrawing(NamedCard):
    """A player draws `count` cards.

    `why` is a key of DRAWING_CLAUSES, which the events cite.

    MM-DRAW-3: If the draw pile is empty, the discards under the top one are shuffled and replace it. Without any,
        nothing is drawn.
    """

    seat: int
    count: int
    why: str

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if self._is_named(state) and any(map(is_back, state.draw_pile[:1])) else NO_SEATS

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (PickResult((card,)) for card in list_nameable_cards(state, DECK))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        cards = require_move(move, PickResult).cards
        if len(cards) != 1:
            raise IllegalMove("name_one_card", "KERNEL-CHANCE-1", seat=self.seat)
        check_unseen(state, cards[0])

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult((self.guess_card(state, below),))

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._take_cards(state, ("?",), move.cards)

    def resolve(self, state: Table) -> Iterator[Event]:
        deck, discard = state.draw_pile, state.cards_at(DISCARD)
        if not deck and SOME in discard:
            raise Undetermined("how_many_to_draw_from")
        if deck:
            drawn = deck[: 1 if self._is_named(state) else self.count]
            yield from self._take_cards(state, drawn, drawn)
        elif used := discard[1:]:
            yield PileRenewed(DISCARD, DECK, used, backs_of(used) if state.rules.at_table else used)
            yield StepPushed(Shuffle(DECK))
        else:
            yield NothingToDraw(self.seat)
            yield StepPopped()

    def _is_named(self, table: Table) -> bool:
        """Return whether somebody names each card to the referee."""
        return table.rules.at_table and self.seat in table.rules.named

    def _take_cards(self, table: Table, took: tuple[str, ...], put: tuple[str, ...]) -> Iterator[Event]:
        """Yield the events of cards that come into the hand.

        MM-AMB-8: If sevens cannot be answered, the cards that they ask for are drawn without a question.
        """
        is_forced = self.why == "sevens" and not table.rules.stacking
        rules = (*DRAWING_CLAUSES[self.why], *(("MM-AMB-8",) if is_forced else ()))
        yield CardsDrawn(DECK, HANDS[self.seat], took, put, self.seat, rules)
        left = self.count - len(put)
        yield StepReplaced(replace_fields(self, count=left)) if left else StepPopped()
