"""Chapter 4, setup: shuffling, the first player, the first hands.

Clauses: MC-SETUP-2, MC-SETUP-3, MC-SETUP-5, MC-SETUP-6, MC-V1-SETUP-1, MC-V2-SETUP-1, MC-AMB-4, MC-AMB-5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import Below, ChanceStep, Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, backs
from referee.games.monster_combat.components import MONSTERS, Rules, event_cards, pile, playing_cards
from referee.games.monster_combat.events import Dealt, FirstPlayer
from referee.games.monster_combat.moves import Begins
from referee.games.monster_combat.rules.drawing import Draw, LookAtTop
from referee.games.monster_combat.rules.turn import TurnBegins
from referee.games.monster_combat.state import DEALT, DECK, DISCARD, EVENTS, FULL, HANDS, TRAY, Table


def laid_out(rules: Rules) -> Table:
    """The table before anything is shuffled (MC-SETUP-3, MC-V1-SETUP-1, MC-V2-SETUP-1).

    Of real cards only the backs are known.
    """
    deck, events = pile(playing_cards(rules)), pile(event_cards(rules))
    if rules.at_table:
        deck, events = backs(deck), backs(events)
    first = 1 if rules.against_monsters else 0
    return Table(
        agenda=(Opening(),),
        zones={DECK: deck, EVENTS: events, DISCARD: (), TRAY: (), **{HANDS[seat]: () for seat in range(rules.seats)}},
        rules=rules,
        hearts=(FULL,) * rules.seats,
        immune=(False,) * rules.seats,
        monster=first,
        monster_hearts=MONSTERS[first]["hearts"] if first else 0,
    )


@named("mc.Opening")
@dataclass(frozen=True)
class Opening(Step):
    """Both piles are shuffled, and it is settled who begins (MC-SETUP-2, MC-SETUP-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-2", "MC-SETUP-6", "MC-V1-SETUP-1", "MC-V2-SETUP-1")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Became(FirstHands())
        if state.rules.first_player is None:
            yield Opened(Lot())
        else:
            yield FirstPlayer(state.rules.first_player)
        yield Opened(Shuffle(EVENTS))
        yield Opened(LookAtTop())
        yield Opened(Shuffle(DECK))


@named("mc.Lot")
@dataclass(frozen=True)
class Lot(ChanceStep):
    """Who begins is drawn by lot (MC-AMB-5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")
    device: ClassVar[str] = "deck"

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (Begins(other) for other in state.seats)

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Begins):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.seat not in state.seats:
            raise Refused("no_such_seat", "MC-MAT-5", seat=move.seat, seats=state.rules.seats)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Begins)
        yield FirstPlayer(move.seat)
        yield Closed()

    def draw(self, state: Table, below: Below) -> Move:
        return Begins(below(state.rules.seats))


@named("mc.FirstHands")
@dataclass(frozen=True)
class FirstHands(Step):
    """Everyone is dealt a hand, from the first player on round the table (MC-SETUP-5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Became(TurnBegins(state.active))
        for seat in reversed(range(state.rules.seats)):
            yield Opened(Deal((state.active + seat) % state.rules.seats, DEALT))


@named("mc.Deal")
@dataclass(frozen=True)
class Deal(Draw):
    """A player is dealt a first hand. Trigger cards among it do nothing (MC-SETUP-5, MC-AMB-4)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5", "MC-AMB-4")

    def drawn(self, took: Cards, put: Cards) -> Event:
        return Dealt(DECK, HANDS[self.seat], took, put, self.seat)
