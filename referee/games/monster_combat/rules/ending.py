"""Chapter 3, how a match ends, and what defeat brings (chapter 9).

Clauses: MC-V1-END-1, MC-V1-GOAL-1, MC-V2-END-1, MC-V2-END-2, MC-V2-GOAL-1, MC-LIFE-2, MC-AMB-18, MC-AMB-21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import ONLY_CHANCE, Below, ChanceStep
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import Outcome
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Cleared, Closed, Opened, Step
from referee.engine.zones import Cards, is_back
from referee.games.monster_combat.events import Defeated, HandLost
from referee.games.monster_combat.monster_events import LastSurvivor, MonstersWon
from referee.games.monster_combat.moves import LaidOpen
from referee.games.monster_combat.rules.naming import check_names, could_give, guessed, what_leaves
from referee.games.monster_combat.state import DISCARD, HANDS, Table


@named("mc.Fall")
@dataclass(frozen=True)
class Fall(Step):
    """Whoever has no full heart left is defeated (MC-TERM-7, MC-LIFE-2).

    First it is looked whether that ends the match, which it does at once (MC-V1-END-1, MC-V2-END-2); the hand goes to
    the discard only if the match goes on (MC-AMB-18).
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-7", "MC-LIFE-1", "MC-AMB-18")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.lives(self.seat):
            yield Closed()
        else:
            yield Defeated(self.seat)
            yield Became(LoseHand(self.seat))
            yield Opened(EndCheck())


@named("mc.LoseHand")
@dataclass(frozen=True)
class LoseHand(ChanceStep):
    """A whole hand goes to the discard, in the order of the hand, and does nothing (MC-EVENT-DISCARD-1, MC-AMB-13).

    Where only backs are known, as at a table, its cards are reported one by one as they are laid open.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-DISCARD-1", "MC-AMB-13", "MC-AMB-18")
    device: ClassVar[str] = "deck"

    def awaits(self, state: Table) -> frozenset[Seat]:
        return ONLY_CHANCE if any(map(is_back, state.hand(self.seat))) else frozenset()

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(LaidOpen, could_give(state, self.seat))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, LaidOpen):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if state.hand_size(self.seat):
            clause = "MC-AMB-18" if state.hearts[self.seat] == 0 else "MC-EVENT-DISCARD-1"
            check_names(state, self.seat, (move.card,), seat, clause)

    def draw(self, state: Table, below: Below) -> Move:
        """A card that the first back may be: for a bot that thinks ahead, and for trials."""
        shape = next(card for card in state.hand(self.seat) if is_back(card))
        return LaidOpen(guessed(state, (shape,), below)[0])

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, LaidOpen)
        yield self.lost(state, (move.card,))

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.hand(self.seat):
            yield self.lost(state, state.hand(self.seat))
        yield Closed()

    def lost(self, table: Table, cards: Cards) -> Event:
        """The fact that moves these cards."""
        source = HANDS[self.seat]
        return HandLost(source, DISCARD, what_leaves(table, self.seat, cards), cards, self.seat)


@named("mc.EndCheck")
@dataclass(frozen=True)
class EndCheck(Step):
    """A player was defeated: it is looked whether the match is over (MC-V1-END-1, MC-V2-END-2).

    Whoever has still to answer lightning lives, so that it cannot end the match before all have answered (MC-AMB-21).
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-21",)

    def resolve(self, state: Table) -> Iterator[Event]:
        if over := ended(state):
            yield over
            yield Cleared()
        else:
            yield Closed()


def ended(table: Table) -> Event | None:
    """The fact that ends the match now that somebody was defeated, None if it goes on. Raises Unknown."""
    if sum(map(bool, table.hearts)) >= (1 if table.rules.against_monsters else 2):
        return None  # enough are known to live, whatever a position says of the others
    if table.rules.against_monsters:
        return None if table.living() else MonstersWon()
    return LastSurvivor(table.living()[0]) if len(table.living()) == 1 else None


def outcome(table: Table) -> Outcome | None:
    """How the match has ended, None while something is pending (MC-V1-END-1, MC-V2-END-1, MC-V2-END-2)."""
    if table.agenda:
        return None
    everybody = tuple(table.seats)
    if not table.rules.against_monsters:
        winner = table.living()[0]
        known = tuple(reversed(table.fallen or ()))
        rest = tuple(seat for seat in everybody if seat != winner and seat not in known)
        placement = ((winner,), *((seat,) for seat in known), *((rest,) if rest else ()))
        return Outcome((winner,), "last_survivor", ("MC-V1-END-1", "MC-V1-GOAL-1"), placement)
    if table.living():
        return Outcome(everybody, "monsters_beaten", ("MC-V2-END-1", "MC-V2-GOAL-1"), (everybody,))
    return Outcome((), "players_defeated", ("MC-V2-END-2", "MC-V2-GOAL-1"), (everybody,))
