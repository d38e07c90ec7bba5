"""Drawing from the draw pile, and making a new pile of used cards (MC-TURN-DRAW-1, MC-AMB-6).

Where the pile is known the step carries itself out. Where it holds backs - at a table, in a view - chance is awaited:
the backs that came off are reported, or the names if they go to a hand that is read to the referee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.chance import ONLY_CHANCE, Below, ChanceStep, Shuffle, shuffled
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, back, backs, is_back
from referee.games.monster_combat.components import PLAIN_BACK, TRIGGER_BACK, playing_cards
from referee.games.monster_combat.events import Drawn, NothingToDraw, PileRenewed, TopShown
from referee.games.monster_combat.moves import CardsDrawn
from referee.games.monster_combat.rules.naming import free_copies, guessed, pattern
from referee.games.monster_combat.state import ANY, DECK, DISCARD, HANDS, SOME, Table


@named("mc.LookAtTop")
@dataclass(frozen=True)
class LookAtTop(Step):
    """The back on top of the shuffled draw pile is open to all (MC-MAT-4, MC-AMB-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-MAT-4", "MC-AMB-1")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield TopShown(top_back(state.place(DECK)))
        yield Closed()


def top_back(deck: Cards) -> str | None:
    """The back on top of these cards: empty if there is none, None if their order is not known."""
    if not deck:
        return ""
    return None if is_back(deck[0]) else back(deck[0])


def renewed(table: Table, used: str, pile: str, cards: Cards) -> Event:
    """Used cards put into a pile. At a table nobody knows what lies where in a pile once it is shuffled."""
    return PileRenewed(used, pile, cards, backs(cards) if table.rules.at_table else cards)


def spare_cards(table: Table, spare: int) -> Cards:
    """The discard without the last `spare` cards, which are being played just now (MC-AMB-6). Raises Unknown."""
    discard = table.place(DISCARD)
    if SOME in discard:
        raise Unknown("what_lies_there", place=DISCARD)
    return discard[: len(discard) - spare]


@named("mc.Draw")
@dataclass(frozen=True)
class Draw(ChanceStep):
    """A player draws `count` cards; `spare` cards at the end of the discard are being played (MC-AMB-6)."""

    seat: int
    count: int = 1
    spare: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-1", "MC-AMB-6")
    device: ClassVar[str] = "deck"

    def awaits(self, state: Table) -> frozenset[Seat]:
        deck = state.place(DECK)
        return ONLY_CHANCE if deck and is_back(deck[0]) else frozenset()

    def due(self, table: Table) -> int:
        """How many cards the next report tells of: names one by one, backs until the pile is empty or all are drawn."""
        if self.names_asked(table):
            return 1
        deck = table.place(DECK)
        return self.count if SOME in deck else min(self.count, len(deck))

    def names_asked(self, table: Table) -> bool:
        """Whether names, not backs, are reported: for a hand that is read to the referee."""
        return table.rules.at_table and self.seat in table.rules.named

    def faces(self, table: Table) -> Cards:
        """What one card of the report may be."""
        return tuple(playing_cards(table.rules)) if self.names_asked(table) else (PLAIN_BACK, TRIGGER_BACK)

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(CardsDrawn, combinations_with_replacement(self.faces(state), self.due(state)))

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        return pattern(CardsDrawn.TAG, "pattern.drawn", self.faces(state), self.due(state))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, CardsDrawn):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.due(state):
            raise Refused("so_many_are_drawn", self.clauses[0], "KERNEL-CHANCE-1", count=self.due(state))
        if state.rules.at_table:
            asked = self.names_asked(state)
            if any(is_back(card) is asked for card in move.cards):
                reason = "name_the_cards" if asked else "only_backs_are_seen"
                raise Refused(reason, "KERNEL-CHANCE-1", seat=self.seat)
        self._check_backs(state, move.cards)
        self._check_census(state, move.cards)

    def _check_backs(self, table: Table, cards: Cards) -> None:
        left = Counter(table.place(DECK))
        for card in cards:
            shape = next((lying for lying in (back(card), ANY, SOME) if left[lying] > 0), None)
            if shape is None or back(card) not in (PLAIN_BACK, TRIGGER_BACK):
                raise Refused("no_such_back_in_pile", "MC-MAT-4", "KERNEL-CHANCE-1", card=card)
            if shape != SOME:
                left[shape] -= 1
        if cards and table.top and back(cards[0]) != table.top:
            raise Refused("another_back_is_on_top", "MC-MAT-4", "MC-AMB-1", card=cards[0])

    def _check_census(self, table: Table, cards: Cards) -> None:
        if all(map(is_back, cards)):
            return
        free = free_copies(table, CHANCE)
        for card, copies in Counter(card for card in cards if not is_back(card)).items():
            if free[card] < copies:
                raise Refused("no_copy_left", "MC-MAT-2", "KERNEL-CENSUS-1", card=card, copies=free[card], lying=0)

    def draw(self, state: Table, below: Below) -> Move:
        """What may come off the pile, as far as this table knows: for a bot that thinks ahead, and for trials."""
        deck = [card for card in state.place(DECK) if card != SOME]
        come = shuffled(deck or [PLAIN_BACK] * self.count, below)
        if state.top in come:
            come.remove(state.top)
            come.insert(0, state.top)
        come = come[: self.due(state)]
        if state.rules.at_table and not self.names_asked(state):
            return CardsDrawn(tuple(come))
        return CardsDrawn(guessed(state, come, below))

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, CardsDrawn)
        yield from self.take(state, tuple(map(back, move.cards)), move.cards)

    def resolve(self, state: Table) -> Iterator[Event]:
        deck = state.place(DECK)
        if deck:
            cards = deck[: self.count]
            yield from self.take(state, cards, cards)
        elif used := spare_cards(state, self.spare):
            yield renewed(state, DISCARD, DECK, used)
            yield Opened(LookAtTop())
            yield Opened(Shuffle(DECK))
        else:
            yield NothingToDraw(self.seat)
            yield from self.done(state, ())

    def take(self, table: Table, took: Cards, put: Cards) -> Iterator[Event]:
        """The facts of these cards coming off the pile; the rest, if any, is drawn next."""
        deck = table.place(DECK)
        yield self.drawn(took, put)
        yield TopShown(top_back(deck[len(took) :]))
        if len(took) < self.count:
            yield Became(replace(self, count=self.count - len(took)))
        else:
            yield from self.done(table, put)

    def drawn(self, took: Cards, put: Cards) -> Event:
        """The fact that moves the cards."""
        return Drawn(DECK, HANDS[self.seat], took, put, self.seat)

    def done(self, table: Table, cards: Cards) -> Iterator[Event]:
        """What follows once the last of these cards is drawn; must settle the step."""
        yield Closed()
