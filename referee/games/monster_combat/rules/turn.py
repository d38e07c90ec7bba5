"""The turn (chapter 5): draw, event, play a card, give up surplus cards, pass on.

The phases are one step that becomes the next. Interruptions lie on top of it. Clauses: MC-TURN-1, MC-TURN-DRAW-1,
MC-V1-TURN-EVENT-1, MC-V2-TURN-EVENT-1, MC-TURN-END-1, MC-TURN-END-2, MC-TERM-9, MC-EVENT-2, MC-AMB-4, MC-AMB-7,
MC-AMB-14, MC-AMB-25, MC-AMB-27, MC-V1-TRIGGER-1, MC-V2-TRIGGER-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.prompts import SeatPrompt
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, find_cards_leaving, is_back
from referee.games.monster_combat.events import ImmunityEnded, SurplusDiscarded, TurnBegan, TurnMissed
from referee.games.monster_combat.monster_events import MonsterWoke
from referee.games.monster_combat.moves import DiscardSurplus
from referee.games.monster_combat.rules.drawing import CardDrawing, has_trigger
from referee.games.monster_combat.rules.naming import build_cards_pattern, check_names, list_giveable_names
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.state import DISCARD, HAND_LIMIT, HANDS, Table


@named("mc.TurnBegins")
@dataclass(frozen=True)
class TurnStart(Step):
    """A player comes on turn, and what lasted until now is over.

    MC-EVENT-2: What lasts a round is over when the player concerned has the turn again.
    MC-TERM-9: A round lasts until the player it concerns has the turn again.
    MC-AMB-12: Immunity lasts until the owner's next turn begins.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-1", "MC-TERM-5", "MC-EVENT-2", "MC-TERM-9")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield TurnBegan(self.seat)
        if not state.rules.has_late_immunity and state.immune[self.seat] is not False:
            reading = "MC-AMB-16" if state.rules.is_against_monsters else "MC-AMB-12"
            yield ImmunityEnded(self.seat, state.immune[self.seat] is True, ("MC-EVENT-2", reading))
        yield StepReplaced(EndOfTurn())
        yield StepPushed(DrawPhase(self.seat))


def give_turn(table: Table, seat: int) -> Table:
    """Return the table corrected so that the turn of `seat` is about to begin.

    Raises ValueError if no turn has begun yet or the seat is defeated.
    """
    if table.turn not in table.seats:
        raise ValueError("no turn has begun yet")
    if not table.is_alive(seat):
        raise ValueError(f"seat {seat} is defeated")
    return replace_fields(table, agenda=(TurnStart(seat),))


@named("mc.DrawPhase")
@dataclass(frozen=True)
class DrawPhase(CardDrawing):
    """Phase 1: a card is drawn. The event comes next if one is due, else phase 3.

    MC-TURN-DRAW-1: The turn begins with the top card of the draw pile going into the active player's hand.
    MC-V1-TRIGGER-1: A trigger card drawn from the draw pile brings an event about at once.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-DRAW-1", "MC-TURN-1")

    def count_late_events(self, table: Table, cards: Cards) -> int:
        return 0  # the event of phase 1 comes next anyway

    def find_reasons(self, table: Table, cards: Cards) -> tuple[str, ...]:
        return ("MC-TURN-DRAW-1", *find_event_reasons(table, cards))

    def finish_draw(self, table: Table, cards: Cards) -> Iterator[Event]:
        due = bool(find_event_reasons(table, cards))
        yield StepReplaced(EventPhase(self.seat) if due else PlayPhase(self.seat))


def find_event_reasons(table: Table, cards: Cards) -> tuple[str, ...]:
    """Return the clauses that say why these cards of phase 1 bring an event.

    There is none if they do not.

    MC-V1-TURN-EVENT-1: If the card drawn at the start of the turn is a trigger card, the top event is turned up.
    MC-V1-TRIGGER-1: A trigger card drawn from the draw pile brings an event about at once.
    MC-V2-TURN-EVENT-1: Every turn has an event, whatever card was drawn.
    MC-V2-TRIGGER-1: Trigger cards are playing cards like all others.
    """
    if table.rules.is_against_monsters:
        return ("MC-V2-TURN-EVENT-1", "MC-V2-TRIGGER-1") if has_trigger(cards) else ("MC-V2-TURN-EVENT-1",)
    return ("MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1") if has_trigger(cards) else ()


@named("mc.EndOfTurn")
@dataclass(frozen=True)
class EndOfTurn(Step):
    """The phases are over, and surplus cards are given up.

    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards of their own choice down to seven.
    MC-AMB-25: The limit holds only at the end of the player's own turn. Until then a hand may be larger.
    MC-AMB-7-R2: A change of direction ends the turn at once, without the hand limit.
    """

    is_cut_short: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1", "MC-AMB-25")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.is_cut_short:
            yield StepReplaced(PassTurn())
            return
        surplus = state.count_hand_cards(state.active) - HAND_LIMIT
        yield StepReplaced(PassTurn())
        if surplus > 0:
            yield StepPushed(SurplusDiscard(state.active, surplus))


def check_surplus(table: Table, seat: int, cards: Cards, count: int) -> None:
    """Check that a player who holds `count` cards too many may give these up.

    Raises IllegalMove, or Undetermined if the hand is not known.

    MC-TURN-END-1: The player gives up cards of their own choice down to seven. These do nothing.
    """
    if len(cards) != count:
        raise IllegalMove("give_up_exactly", "MC-TURN-END-1", count=count, limit=HAND_LIMIT)
    check_names(table, seat, cards, seat, "MC-TURN-END-1")


@named("mc.Surplus")
@dataclass(frozen=True)
class SurplusDiscard(SeatPrompt):
    """A player gives up surplus cards.

    MC-TURN-END-1: The player gives up cards of their own choice down to seven. These do nothing.
    """

    count: int = 1
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1", "MC-AMB-25")

    def timeout_move(self, state: Table, seat: Seat) -> Move | None:
        hand = sorted(state.cards_in_hand(self.seat))
        return None if any(map(is_back, hand)) else DiscardSurplus(tuple(hand[: self.count]))  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        hand = state.cards_in_hand(self.seat)
        if any(map(is_back, hand)):
            choices = combinations_with_replacement(list_giveable_names(state, self.seat), self.count)
            return map(DiscardSurplus, choices)
        return map(DiscardSurplus, dict.fromkeys(combinations(sorted(hand), self.count)))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, DiscardSurplus)
        check_surplus(state, self.seat, move.cards, self.count)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, DiscardSurplus)
        source = HANDS[self.seat]
        yield SurplusDiscarded(source, DISCARD, find_cards_leaving(state, source, move.cards), move.cards, self.seat)
        yield StepPopped()

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        names = list_giveable_names(state, self.seat)
        return build_cards_pattern(DiscardSurplus.TAG, "pattern.discard_down", names, self.count)


@named("mc.PassTurn")
@dataclass(frozen=True)
class PassTurn(Step):
    """The turn goes to the next player, past a player who misses it.

    MC-TURN-END-2: After that it is the next player's turn.
    MC-LIFE-2: A defeated player has no turns and is passed over.
    MC-V1-SKIP-1: A skip card takes the coming turn from the next player.
    MC-AMB-7: A skip is used up as soon as the turn passes.
    MC-AMB-14: A sleeping monster wakes when the turn comes to, or passes, the seat that played the card.
    MC-AMB-14-R2: It wakes when the turn after that of the skip card is over.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-2", "MC-TERM-6", "MC-LIFE-2", "MC-AMB-7")

    def resolve(self, state: Table) -> Iterator[Event]:
        before = state.active
        coming = state.find_next_living(before)
        if state.skipped is None:
            raise Undetermined("who_misses_a_turn")
        if coming == state.skipped:
            yield TurnMissed(coming)
            coming = state.find_next_living(coming)
        if state.rules.is_against_monsters and state.is_monster_asleep():
            order = state.seats_after(before)
            slept = state.interpretation_number("MC-AMB-14") == 2 and before != state.sleeper
            if state.sleeper in order[: order.index(coming) + 1]:
                yield MonsterWoke()
            elif slept:
                yield MonsterWoke(("MC-AMB-14",))
        yield StepReplaced(TurnStart(coming))
