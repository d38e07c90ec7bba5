"""Chapter 5, the turn: draw, event, play a card, give up what is too much, and who is next.

The phases are one step that becomes the next; interruptions lie on top of it. Clauses: MC-TURN-1, MC-TURN-DRAW-1,
MC-V1-TURN-EVENT-1, MC-V2-TURN-EVENT-1, MC-TURN-END-1, MC-TURN-END-2, MC-TERM-9, MC-EVENT-2, MC-AMB-4, MC-AMB-7,
MC-AMB-14, MC-AMB-25, MC-AMB-27, MC-V1-TRIGGER-1, MC-V2-TRIGGER-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.prompts import Ask
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, back, is_back
from referee.games.monster_combat.components import TRIGGER_BACK
from referee.games.monster_combat.events import GivenUp, ImmunityEnded, TurnBegan, TurnMissed
from referee.games.monster_combat.monster_events import MonsterWoke
from referee.games.monster_combat.moves import DiscardDown
from referee.games.monster_combat.rules.drawing import Draw
from referee.games.monster_combat.rules.naming import check_names, could_give, pattern, what_leaves
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.state import DISCARD, HAND_LIMIT, HANDS, Table


@named("mc.TurnBegins")
@dataclass(frozen=True)
class TurnBegins(Step):
    """A player comes on turn; what lasted until now is over (MC-EVENT-2, MC-TERM-9, MC-AMB-12)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-1", "MC-TERM-5", "MC-EVENT-2", "MC-TERM-9")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield TurnBegan(self.seat)
        if not state.rules.late_immunity and state.immune[self.seat] is not False:
            yield ImmunityEnded(self.seat, sure=state.immune[self.seat] is True)
        yield Became(EndOfTurn())
        yield Opened(DrawPhase(self.seat))


def turn_given(table: Table, seat: int) -> Table:
    """The table as the turn of a player is about to begin, by a correction. Raises ValueError."""
    if table.turn not in table.seats:
        raise ValueError("no turn has begun yet")
    if not table.lives(seat):
        raise ValueError(f"seat {seat} is defeated")
    return changed(table, agenda=(TurnBegins(seat),))


@named("mc.DrawPhase")
@dataclass(frozen=True)
class DrawPhase(Draw):
    """Phase 1: a card is drawn. If an event is due it comes next, else phase 3 (MC-TURN-DRAW-1, MC-V1-TRIGGER-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-DRAW-1", "MC-TURN-1", "MC-AMB-4", "MC-AMB-6")

    def done(self, table: Table, cards: Cards) -> Iterator[Event]:
        if table.rules.against_monsters:  # MC-V2-TURN-EVENT-1, MC-V2-TRIGGER-1
            due = True
        else:  # MC-V1-TURN-EVENT-1, MC-V1-TRIGGER-1
            due = any(back(card) == TRIGGER_BACK for card in cards)
        yield Became(EventPhase(self.seat) if due else PlayPhase(self.seat))


@named("mc.EndOfTurn")
@dataclass(frozen=True)
class EndOfTurn(Step):
    """The phases are over; more than seven cards are too many (MC-TURN-END-1, MC-AMB-25)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1", "MC-AMB-25")

    def resolve(self, state: Table) -> Iterator[Event]:
        surplus = state.hand_size(state.active) - HAND_LIMIT
        yield Became(PassTurn())
        if surplus > 0:
            yield Opened(Surplus(state.active, surplus))


@named("mc.Surplus")
@dataclass(frozen=True)
class Surplus(Ask):
    """A player gives up surplus cards of their own choice; they do nothing (MC-TURN-END-1)."""

    count: int = 1
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1", "MC-AMB-25")

    def when_late(self, state: Table, seat: Seat) -> Move | None:
        hand = sorted(state.hand(self.seat))
        return None if any(map(is_back, hand)) else DiscardDown(tuple(hand[: self.count]))  # MC-AMB-27

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        hand = state.hand(self.seat)
        if any(map(is_back, hand)):
            choices = combinations_with_replacement(could_give(state, self.seat), self.count)
            return map(DiscardDown, choices)
        return map(DiscardDown, dict.fromkeys(combinations(sorted(hand), self.count)))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, DiscardDown):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.count:
            raise Refused("give_up_exactly", "MC-TURN-END-1", count=self.count, limit=HAND_LIMIT)
        check_names(state, self.seat, move.cards, seat, "MC-TURN-END-1")

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, DiscardDown)
        source = HANDS[self.seat]
        yield GivenUp(source, DISCARD, what_leaves(state, self.seat, move.cards), move.cards, self.seat)
        yield Closed()

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        names = could_give(state, self.seat)
        return pattern(DiscardDown.TAG, "pattern.discard_down", names, self.count)


@named("mc.PassTurn")
@dataclass(frozen=True)
class PassTurn(Step):
    """The turn goes to the next player, past whoever misses it (MC-TURN-END-2, MC-LIFE-2, MC-V1-SKIP-1, MC-AMB-7).

    A monster put to sleep wakes when the turn comes to, or passes, the seat that did it (MC-AMB-14).
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-2", "MC-TERM-6", "MC-LIFE-2", "MC-AMB-7")

    def resolve(self, state: Table) -> Iterator[Event]:
        before = state.active
        coming = state.next_living(before)
        if state.skipped is None:
            raise Unknown("who_misses_a_turn")
        if coming == state.skipped:
            yield TurnMissed(coming)
            coming = state.next_living(coming)
        if state.rules.against_monsters and state.asleep():
            order = state.after(before)
            if state.sleeper in order[: order.index(coming) + 1]:
                yield MonsterWoke()
        yield Became(TurnBegins(coming))
