"""Chapter 4, setup: shuffling, the first player, the first hands.

Clauses: MC-SETUP-2, MC-SETUP-3, MC-SETUP-5, MC-SETUP-6, MC-V1-SETUP-1, MC-V2-SETUP-1, MC-AMB-4, MC-AMB-5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import ChanceStep, RandomBelow, Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import Cards, backs_of
from referee.games.monster_combat.components import MONSTERS, Rules, list_copies, list_event_cards, list_playing_cards
from referee.games.monster_combat.events import FirstPlayerChosen, HandDealt
from referee.games.monster_combat.moves import FirstPlayerResult
from referee.games.monster_combat.rules.drawing import CardDrawing, DeckTopReveal
from referee.games.monster_combat.rules.turn import TurnStart
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, FIRST_HAND_SIZE, FULL_HEARTS, HANDS, TRAY, Table


def build_initial_table(rules: Rules) -> Table:
    """The table before anything is shuffled (MC-SETUP-3, MC-V1-SETUP-1, MC-V2-SETUP-1).

    Of real cards only the backs are known.
    """
    deck, events = list_copies(list_playing_cards(rules)), list_copies(list_event_cards(rules))
    if rules.at_table:
        deck, events = backs_of(deck), backs_of(events)
    first = 1 if rules.is_against_monsters else 0
    return Table(
        agenda=(SetupStart(),),
        zones={DECK: deck, EVENTS: events, DISCARD: (), TRAY: (), **{HANDS[seat]: () for seat in range(rules.seats)}},
        rules=rules,
        hearts=(FULL_HEARTS,) * rules.seats,
        immune=(False,) * rules.seats,
        monster=first,
        monster_hearts=MONSTERS[first]["hearts"] if first else 0,
    )


@named("mc.Opening")
@dataclass(frozen=True)
class SetupStart(Step):
    """Both piles are shuffled, and it is settled who begins (MC-SETUP-2, MC-SETUP-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-2", "MC-SETUP-6", "MC-V1-SETUP-1", "MC-V2-SETUP-1")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(FirstHands())
        if state.rules.first_player is None:
            yield StepPushed(FirstPlayerLot())
        else:
            yield FirstPlayerChosen(state.rules.first_player)
        yield StepPushed(Shuffle(EVENTS))
        yield StepPushed(DeckTopReveal())
        yield StepPushed(Shuffle(DECK))


@named("mc.Lot")
@dataclass(frozen=True)
class FirstPlayerLot(ChanceStep):
    """Who begins is drawn by lot (MC-AMB-5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")
    device: ClassVar[str] = "deck"

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (FirstPlayerResult(other) for other in state.seats)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, FirstPlayerResult):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.seat not in state.seats:
            raise IllegalMove("no_such_seat", "MC-MAT-5", seat=move.seat, seats=state.rules.seats)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, FirstPlayerResult)
        yield FirstPlayerChosen(move.seat)
        yield StepPopped()

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return FirstPlayerResult(below(state.rules.seats))


@named("mc.FirstHands")
@dataclass(frozen=True)
class FirstHands(Step):
    """Everyone is dealt a hand, from the first player on round the table (MC-SETUP-5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(TurnStart(state.active))
        for seat in reversed(range(state.rules.seats)):
            yield StepPushed(Deal((state.active + seat) % state.rules.seats, FIRST_HAND_SIZE))


@named("mc.Deal")
@dataclass(frozen=True)
class Deal(CardDrawing):
    """A player is dealt a first hand. Trigger cards among it do nothing (MC-SETUP-5, MC-AMB-4)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5", "MC-AMB-4")

    def build_drawn_event(self, took: Cards, put: Cards) -> Event:
        return HandDealt(DECK, HANDS[self.seat], took, put, self.seat)
