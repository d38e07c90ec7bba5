"""How a match ends (chapter 3), and what defeat brings (chapter 9).

Clauses: MC-V1-END-1, MC-V1-GOAL-1, MC-V2-END-1, MC-V2-END-2, MC-V2-GOAL-1, MC-LIFE-2, MC-AMB-18, MC-AMB-21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import ONLY_CHANCE, ChanceStep, RandomBelow
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import Outcome
from referee.engine.seats import Seat
from referee.engine.steps import StackCleared, Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, find_cards_leaving, is_back
from referee.games.monster_combat.events import HandLost, PlayerDefeated
from referee.games.monster_combat.monster_events import LastSurvivorWon, MonstersWon
from referee.games.monster_combat.moves import LayOpenResult
from referee.games.monster_combat.rules.naming import check_names, guess_cards, list_giveable_names
from referee.games.monster_combat.state import DISCARD, HANDS, Table


@named("mc.Fall")
@dataclass(frozen=True)
class DefeatCheck(Step):
    """A player who has no full heart left is defeated.

    MC-TERM-7: A player who has a full heart lives. A player who has none is defeated.
    MC-LIFE-2: A defeated player has no turns, is passed over and cannot be aimed at.
    MC-V1-END-1: The match is over at once when full hearts are left with one player only.
    MC-V2-END-2: When nobody has a full heart left, the match is over.
    MC-AMB-18: The hand goes to the discard only if the match goes on.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-7", "MC-LIFE-1", "MC-AMB-18")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.is_alive(self.seat):
            yield StepPopped()
        else:
            yield PlayerDefeated(self.seat, ("MC-AMB-19",) if is_own_event(state, self.seat) else ())
            yield StepReplaced(HandLoss(self.seat))
            yield StepPushed(EndCheck())


def is_own_event(table: Table, seat: int) -> bool:
    """Return whether an event of this player's own turn is being carried out.

    MC-AMB-19: If the event has defeated the active player, the turn is over and no card is played.
    """
    return table.turn == seat and any(step.TAG == "mc.AfterEvent" for step in table.agenda)


@named("mc.LoseHand")
@dataclass(frozen=True)
class HandLoss(ChanceStep):
    """A whole hand goes to the discard.

    If only backs are known, as at a table of real cards, its cards are reported one by one as they are laid open.

    MC-EVENT-DISCARD-1: Every card the active player holds goes to the discard and does nothing there.
    MC-AMB-13: The cards go to the discard in the order of the hand.
    """

    seat: int
    device: ClassVar[str] = "deck"

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if any(map(is_back, state.cards_in_hand(self.seat))) else frozenset()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(LayOpenResult, list_giveable_names(state, self.seat))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, LayOpenResult)
        if state.count_hand_cards(self.seat):
            clause = "MC-AMB-18" if state.hearts[self.seat] == 0 else "MC-EVENT-DISCARD-1"
            check_names(state, self.seat, (move.card,), seat, clause)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        """Draw a card at random that the first back may be.

        Bots that think ahead and simulated matches use it.
        """
        shape = next(card for card in state.cards_in_hand(self.seat) if is_back(card))
        return LayOpenResult(guess_cards(state, (shape,), below)[0])

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, LayOpenResult)
        yield self.build_loss(state, (move.card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.cards_in_hand(self.seat):
            yield self.build_loss(state, state.cards_in_hand(self.seat))
        yield StepPopped()

    def build_loss(self, table: Table, cards: Cards) -> Event:
        """Build the event that moves these cards to the discard."""
        source = HANDS[self.seat]
        rules = ("MC-AMB-18",) if table.hearts[self.seat] == 0 else ("MC-EVENT-DISCARD-1", "MC-AMB-13")
        return HandLost(source, DISCARD, find_cards_leaving(table, source, cards), cards, self.seat, rules)


@named("mc.EndCheck")
@dataclass(frozen=True)
class EndCheck(Step):
    """A player was defeated, which may end the match.

    MC-V1-END-1: The match is over at once when full hearts are left with one player only.
    MC-V2-END-2: When nobody has a full heart left, the match is over.
    MC-AMB-21: Lightning goes seat by seat. A player who has still to answer lives, so it cannot end the match before
        all have answered.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-21",)

    def resolve(self, state: Table) -> Iterator[Event]:
        if over := find_end(state):
            yield over
            yield StackCleared()
        else:
            yield StepPopped()


def find_end(table: Table) -> Event | None:
    """Return the event that ends the match after a defeat, or None if it goes on.

    Raises Undetermined.
    """
    if sum(map(bool, table.hearts)) >= (1 if table.rules.is_against_monsters else 2):
        return None  # enough are known to live, whatever a position says of the others
    if table.rules.is_against_monsters:
        return None if table.living_seats() else MonstersWon()
    return LastSurvivorWon(table.living_seats()[0]) if len(table.living_seats()) == 1 else None


def compute_outcome(table: Table) -> Outcome | None:
    """Return how the match has ended, or None while something is pending.

    MC-V1-END-1: The match is over when full hearts are left with one player only. That player wins.
    MC-V2-END-1: With the tenth monster beaten all players have won.
    MC-V2-END-2: When nobody has a full heart left, the players have lost.
    """
    if table.agenda:
        return None
    everybody = tuple(table.seats)
    if not table.rules.is_against_monsters:
        winner = table.living_seats()[0]
        fallen = tuple(reversed(table.fallen or ()))
        rest = tuple(seat for seat in everybody if seat != winner and seat not in fallen)
        placement = ((winner,), *((seat,) for seat in fallen), *((rest,) if rest else ()))
        return Outcome((winner,), "last_survivor", ("MC-V1-END-1", "MC-V1-GOAL-1"), placement)
    if table.living_seats():
        return Outcome(everybody, "monsters_beaten", ("MC-V2-END-1", "MC-V2-GOAL-1"), (everybody,))
    return Outcome((), "players_defeated", ("MC-V2-END-2", "MC-V2-GOAL-1"), (everybody,))
