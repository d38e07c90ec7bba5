"""Events (chapter 7): turning one up, its effect, and how the turn goes on.

Clauses: MC-EVENT-1, MC-EVENT-3, MC-EVENT-HEARTS-1, MC-EVENT-IMMUNE-1, MC-EVENT-DISCARD-1, MC-V1-EVENT-ATTACK-1,
MC-V2-EVENT-ATTACK-1, MC-EVENT-DIRECTION-1, MC-V1-TURN-EVENT-1, MC-V2-TURN-EVENT-1, MC-SHIELD-2, MC-AMB-1, MC-AMB-6,
MC-AMB-7, MC-AMB-13, MC-AMB-16, MC-AMB-19.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.engine.chance import ONLY_CHANCE, ChanceStep, RandomBelow, Shuffle, TurnUpResult
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import back_of, count_unnamed_copies, find_cards_leaving, is_back
from referee.games.monster_combat.components import (
    FACELESS_TRIGGER,
    TRIGGER_BACK,
    design_name,
    list_box_cards,
    list_event_cards,
)
from referee.games.monster_combat.events import (
    BecameImmune,
    DirectionChanged,
    EventTurnedUp,
    HeartsRefilled,
    ImmunityEnded,
    ImmunityHeld,
    TriggerSpent,
)
from referee.games.monster_combat.rules.drawing import renew_pile
from referee.games.monster_combat.rules.ending import HandLoss
from referee.games.monster_combat.rules.monsters import resolve_attack_event
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.state import DISCARD, EVENTS, HANDS, NOBODY, SOME, TRAY, Table

EVENT_CLAUSES: dict[str, tuple[str, ...]] = {  # the clauses that say what an event does
    "all_hearts_back": ("MC-EVENT-HEARTS-1", "MC-EVENT-3"),
    "immune": ("MC-EVENT-IMMUNE-1", "MC-EVENT-3"),
    "discard_hand": ("MC-EVENT-DISCARD-1", "MC-AMB-13", "MC-EVENT-3"),
    "change_direction": ("MC-EVENT-DIRECTION-1", "MC-EVENT-3"),
}
ATTACK_CLAUSES = {
    "V1": ("MC-V1-EVENT-ATTACK-1", "MC-AMB-17"),
    "V2": ("MC-V2-EVENT-ATTACK-1", "MC-V2-MONSTER-3", "MC-AMB-17"),
}
SLEEP_CLAUSES = ("MC-V2-EVENT-ATTACK-1", "MC-AMB-17", "MC-EVENT-3")
DUE_CLAUSES = {"V1": ("MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1"), "V2": ("MC-V2-TURN-EVENT-1",)}
CLAUSES_OF_PHASE_TWO = ("MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1", "MC-EVENT-3")
HARMFUL_EVENTS = frozenset({"attacked", "discard_hand", "change_direction"})  # immunity may keep these off (MC-AMB-16)


@named("mc.EventPhase")
@dataclass(frozen=True)
class EventPhase(ChanceStep):
    """Phase 2: the top event is turned up and affects the active player.

    If the event pile is known it is turned up at once, else chance is awaited.

    MC-V1-TURN-EVENT-1: If the card drawn at the start of the turn is a trigger card, the top event is turned up and
        carried out.
    MC-V2-TURN-EVENT-1: Every turn has an event, whatever card was drawn.
    MC-AMB-6: The event tray is reshuffled when the event pile is empty.
    MC-AMB-4-R2: It may also come in phase 3, by a trigger drawn for a thief. Then no card is played after it.
    """

    seat: int
    is_late: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-1", "MC-TERM-3")
    device: ClassVar[str] = "deck"

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        pile = state.cards_at(EVENTS)
        return ONLY_CHANCE if pile and is_back(pile[0]) else frozenset()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, list_event_cards(state.rules))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, TurnUpResult)
        if move.card not in list_event_cards(state.rules):
            raise IllegalMove("no_such_event", "MC-MAT-3", card=move.card)
        if count_unnamed_copies(list_box_cards(state.rules), state)[move.card] <= 0:
            copies = list_event_cards(state.rules)[move.card]
            raise IllegalMove(
                "no_copy_left", "MC-AMB-3", "KERNEL-CENSUS-1", card=move.card, copies=copies, lying=copies
            )

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        free = count_unnamed_copies(list_box_cards(state.rules), state)
        pool = [card for card in list_event_cards(state.rules) for _ in range(free[card])]
        return TurnUpResult(pool[below(len(pool))])

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnUpResult)
        yield from self.resolve_event(state, back_of(move.card), move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        pile, tray = state.cards_at(EVENTS), state.cards_at(TRAY)
        if pile:
            yield from self.resolve_event(state, pile[0], pile[0])
        elif SOME in tray:
            raise Undetermined("what_lies_there", place=TRAY)
        elif tray:
            yield renew_pile(state, TRAY, EVENTS, tray)
            yield StepPushed(Shuffle(EVENTS))
        elif self.is_late:
            yield StepPopped()
        else:
            yield StepReplaced(PlayPhase(self.seat))

    def resolve_event(self, table: Table, took: str, card: str) -> Iterator[Event]:
        """Yield the events of this event card being turned up and carried out."""
        event = design_name(card)
        immune = table.rules.has_late_immunity and table.is_immune(self.seat)
        kept_off = immune and event in HARMFUL_EVENTS
        rules = (*DUE_CLAUSES[table.rules.variant], *find_event_rules(table, event, kept_off))
        if self.is_late:
            rules = ("MC-V1-TRIGGER-1", "MC-AMB-4", *(name for name in rules if name not in CLAUSES_OF_PHASE_TWO))
        yield EventTurnedUp(EVENTS, TRAY, (took,), (card,), self.seat, rules)
        goes_on = kept_off or event != "change_direction"
        yield StepReplaced(AfterEvent(self.seat, goes_on, immune and event != "immune", self.is_late))
        if kept_off:
            yield ImmunityHeld(self.seat, card)
        elif event == "all_hearts_back":
            yield HeartsRefilled(self.seat)
        elif event == "immune":
            yield BecameImmune(self.seat)
        elif event == "discard_hand":
            yield StepPushed(HandLoss(self.seat))
        elif event == "attacked":
            yield from resolve_attack_event(table, self.seat)
        else:
            yield DirectionChanged()


def find_event_rules(table: Table, event: str, kept_off: bool) -> tuple[str, ...]:
    """Return the clauses that say what an event does.

    With them comes how the turn goes on, if that is known by now.

    MC-EVENT-3: When the event is done a card may be played as usual, unless the direction has changed.
    """
    if kept_off:
        return ("MC-EVENT-3",)
    if event != "attacked":
        return EVENT_CLAUSES[event]
    asleep = table.rules.is_against_monsters and table.sleeper not in (NOBODY, None)
    return SLEEP_CLAUSES if asleep else ATTACK_CLAUSES[table.rules.variant]


@named("mc.AfterEvent")
@dataclass(frozen=True)
class AfterEvent(Step):
    """The event is over, and phase 3 may follow.

    `ends_immunity` says that an immunity ends with this event, `is_late` that a card was played before it.

    MC-EVENT-3: When the event is done a card may be played as usual, unless the direction has changed.
    MC-AMB-7: After a change of direction the turn goes to the nearest living seat in the new direction.
    MC-AMB-4-R2: After an event in phase 3 the turn goes on to its end.
    MC-AMB-7-R2: The interrupted turn is over at once, without the hand limit.
    MC-AMB-16: Immunity may last until the owner's next event is over.
    MC-AMB-1: A trigger card without a face is discarded after its event.
    """

    seat: int
    goes_on: bool = True
    ends_immunity: bool = False
    is_late: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-3", "MC-AMB-7", "MC-AMB-13")

    def resolve(self, state: Table) -> Iterator[Event]:
        source = HANDS[self.seat]
        if state.rules.has_faceless_triggers and any(back_of(card) == TRIGGER_BACK for card in state.cards_at(source)):
            yield TriggerSpent(
                source,
                DISCARD,
                find_cards_leaving(state, source, (FACELESS_TRIGGER,)),
                (FACELESS_TRIGGER,),
                self.seat,
            )
        if self.ends_immunity:
            yield ImmunityEnded(self.seat, rules=("MC-AMB-16",))
        if self.is_late:  # MC-AMB-4-R2: the card of this turn has been played
            yield StepPopped()
            return
        if self.goes_on:
            yield StepReplaced(PlayPhase(self.seat))
            return
        yield StepPopped()
        if state.interpretation_number("MC-AMB-7") == 2:
            beneath: Any = state.agenda[-2]  # the end of the turn
            yield StepReplaced(replace_fields(beneath, is_cut_short=True))
