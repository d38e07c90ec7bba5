"""Setup (chapter 4): shuffling, the first player, the first hands.

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
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, backs_of, list_copies
from referee.games.monster_combat.components import MONSTERS, Rules, list_event_cards, list_playing_cards
from referee.games.monster_combat.events import FirstPlayerChosen, HandDealt
from referee.games.monster_combat.moves import FirstPlayerResult
from referee.games.monster_combat.rules.drawing import CardDrawing, DeckTopReveal, has_trigger
from referee.games.monster_combat.rules.turn import TurnStart
from referee.games.monster_combat.state import (
    ANY,
    DECK,
    DISCARD,
    EVENTS,
    FIRST_HAND_SIZE,
    FULL_HEARTS,
    HANDS,
    TRAY,
    Table,
)


def build_initial_table(rules: Rules) -> Table:
    """Return the table before anything is shuffled.

    Of real cards only the backs are known.

    MC-SETUP-3: Everyone starts with three life cards in the open, all hearts full.
    MC-V1-SETUP-1: The monster cards stay out of the match.
    MC-V2-SETUP-1: The monsters come in the order of their hearts, from one up to ten.
    """
    deck, events = list_copies(list_playing_cards(rules)), list_copies(list_event_cards(rules))
    if rules.at_table:
        deck = backs_of(deck) if rules.counts_backs else (ANY,) * len(deck)
        events = backs_of(events)
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
    """Both piles are shuffled, and the first player is chosen.

    MC-SETUP-2: Playing cards and event cards are shuffled, each pile by itself.
    MC-SETUP-6: One player begins. At first the turn passes clockwise.
    """

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
    """The first player is drawn by lot.

    MC-AMB-5: The first player is drawn by lot, unless the table names someone.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")
    device: ClassVar[str] = "deck"

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (FirstPlayerResult(other) for other in state.seats)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, FirstPlayerResult)
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
    """Everyone is dealt a hand, beginning with the first player.

    MC-SETUP-5: A hand starts as five cards off the draw pile, for everybody.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(TurnStart(state.active))
        for seat in reversed(range(state.rules.seats)):
            yield StepPushed(Deal((state.active + seat) % state.rules.seats, FIRST_HAND_SIZE))


@named("mc.Deal")
@dataclass(frozen=True)
class Deal(CardDrawing):
    """A player is dealt a first hand.

    MC-SETUP-5: A hand starts as five cards off the draw pile, for everybody.
    MC-AMB-4: Only the card drawn at the start of the player's own turn can bring an event about. Trigger cards of a
        first hand do nothing.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5",)

    def count_late_events(self, table: Table, cards: Cards) -> int:
        return 0  # MC-SETUP-5: no event comes of a first hand

    def build_drawn_event(self, table: Table, took: Cards, put: Cards) -> Event:
        idle = has_trigger(put) and not table.rules.is_against_monsters
        return HandDealt(DECK, HANDS[self.seat], took, put, self.seat, ("MC-AMB-4",) if idle else ())
