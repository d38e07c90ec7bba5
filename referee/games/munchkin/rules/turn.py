"""The turn: the door is kicked open, a fight or a choice follows, what is too much in the hand is given, the next turn.

Clauses: MK-5.1 to MK-5.10, MK-1.8, MK-6.6, MK-19.8 to MK-19.10, MK-4.9, MK-23.2, MK-26.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hand_disclosure import difference
from referee.cardscript.hidden_cards import can_name, check_in_hand, namable
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Cleared, Closed, Opened, Step
from referee.engine.zones import Cards, backs, is_back
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.derived import summed
from referee.games.munchkin.events.cards import NoLongerFresh
from referee.games.munchkin.events.course import BroughtBack, GameDrawn, TurnBegan, TurnEnded
from referee.games.munchkin.moves import EndTurn, Give, Kick, LookForTrouble, Loot
from referee.games.munchkin.rules import charity
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.drawing import OpenDoor, draw
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table

DEALT = 4  # cards of each deck in a first hand, and on coming back (MK-1.4, MK-19.8)


def no_longer_fresh(table: Table) -> Iterator[Event]:
    """The fact that the next step of the turn has begun, if there is anything that it concerns (MK-6.6)."""
    if any(table.fresh.values()):
        yield NoLongerFresh()


@named("mk.TurnBegins")
@dataclass(frozen=True)
class TurnBegins(Step):
    """A player comes on turn; who had died before draws eight cards first (MK-5.2, MK-19.8, MK-26.10)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.1", "MK-5.2")

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.turns >= state.rules.max_turns:
            yield GameDrawn(state.turns)
            yield Cleared()
            return
        yield Became(Calm(self.seat, "start"))
        yield TurnBegan(self.seat, state.dead)
        if self.seat in state.bereft:
            yield BroughtBack(self.seat)
            yield draw(state, self.seat, "treasure", DEALT)
            yield draw(state, self.seat, "door", DEALT)


def turn_given(table: Table, seat: int) -> Table:
    """The table as the turn of a player is about to begin, by a correction; no combat is running any more."""
    return changed(table, agenda=(TurnBegins(seat),), combat=None)


@named("mk.Calm")
@dataclass(frozen=True)
class Calm(Moment):
    """The active player is in calm, at the `start` of the turn (MK-24.2), before the `choice` (MK-24.3), or `after` it,
    up to charity (MK-5.9, MK-24.9, MK-24.10)."""

    seat: int
    stage: str = "start"
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.1", "MK-5.9")
    moment: ClassVar[str] = "calm"

    def asks(self, state: Table) -> tuple[int, ...]:
        return () if self.seat in state.dead else (self.seat,)

    def settles(self, state: Table) -> Iterator[Event]:
        yield Became(TurnEnds(self.seat))  # the dead have no charity (MK-19.9)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        if self.stage == "start":
            yield Kick()
        elif self.stage == "choice":
            yield Loot()
            monsters = (card for card in namable(state, HANDS[self.seat]) if FACES[card].kind == "monster")
            yield from map(LookForTrouble, monsters)
        else:
            yield EndTurn()
            yield from charity.typical(state, self.seat)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case Kick():
                if self.stage != "start":
                    raise Refused("door_is_open", "MK-5.1", "MK-5.3")
            case LookForTrouble() | Loot():
                self._check_choice(state, move)
            case EndTurn() | Give():
                if self.stage == "start":
                    raise Refused("kick_first", "MK-5.1", "MK-5.3")
                if self.stage == "choice":
                    raise Refused("choose_first", "MK-5.8", "MK-5.4")
                if isinstance(move, Give):
                    charity.check(state, self.seat, move)
                elif over := charity.excess(state, self.seat):
                    raise Refused("too_many_in_hand", "MK-21.1", count=over)
            case _:
                raise Refused("not_in_calm", "MK-5.9", move=move.TAG)

    def _check_choice(self, table: Table, move: LookForTrouble | Loot) -> None:
        if self.stage == "start":
            raise Refused("kick_first", "MK-5.1", "MK-5.4")
        if self.stage == "after":
            if table.fought:
                raise Refused("fought_already", "MK-5.6")
            raise Refused("chosen_already", "MK-5.4")
        if isinstance(move, LookForTrouble):
            if move.monster in FACES and FACES[move.monster].kind != "monster":
                raise Refused("no_monster", "MK-5.4", card=move.monster)
            check_in_hand(table, self.seat, move.monster, "MK-5.4")

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        from referee.games.munchkin.rules.combat import fighting  # a combat lies on the turn, and ends into it

        yield from no_longer_fresh(state)
        match move:
            case Kick():
                yield Became(AfterDoor(self.seat))
                yield Opened(OpenDoor(self.seat))
            case LookForTrouble(monster):
                yield Became(Calm(self.seat, "after"))
                yield from fighting.combat_with(state, monster, HANDS[self.seat], self.seat, by=self.seat)
            case Loot():
                yield Became(Calm(self.seat, "after"))
                yield from looted(state, self.seat)
            case Give():
                yield Became(TurnEnds(self.seat))
                yield from charity.given(state, self.seat, move)
            case EndTurn():
                yield Became(TurnEnds(self.seat))

    def by_default(self, state: Table, seat: Seat) -> Move:
        """The smallest legal step, never a fight: so nobody has to wait for one who is gone (MK-23.2, MK-26.9)."""
        if self.stage == "start":
            return Kick()
        if self.stage == "choice":
            return Loot()
        return charity.least(state, self.seat) if charity.excess(state, self.seat) else EndTurn()

    def nameless(self, state: Table) -> bool:
        return self.stage == "after" and charity.nameless(state, self.seat)

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        mine = charity.patterns(state, self.seat) if seat == self.seat and self.stage == "after" else ()
        return (*mine, *super().patterns(state, seat))


@named("mk.AfterDoor")
@dataclass(frozen=True)
class AfterDoor(Step):
    """The door is dealt with: after a combat there is no choice, and whoever died is done (MK-5.5, MK-5.6, MK-19.9)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.4", "MK-5.5", "MK-5.6", "MK-5.7")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.seat in state.dead:
            yield Became(TurnEnds(self.seat))
        else:
            yield Became(Calm(self.seat, "after" if state.fought else "choice"))


@named("mk.TurnEnds")
@dataclass(frozen=True)
class TurnEnds(Step):
    """A turn is over; the next player to the left comes on turn, be it one who died in this (MK-5.10, MK-19.10).

    So nobody is passed over (MK-26.8).
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.10", "MK-1.8")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield TurnEnded(self.seat)
        yield Became(TurnBegins((self.seat + 1) % state.rules.seats))


# ---- looting the room ------------------------------------------------------------------------------------------------


def looted(table: Table, seat: int) -> Iterator[Event]:
    """The facts of looting the room: one door face down, or two of which one is kept (MK-5.4, MK-4.9)."""
    number = max(1, summed(table, seat, "loot"))
    if number > 1:
        yield Opened(KeepOne(seat, table.hand(seat)))
    yield draw(table, seat, "door", number)


@named("mk.KeepOne")
@dataclass(frozen=True)
class KeepOne(Asking):
    """Of the doors just drawn the player keeps one; the other is named and discarded openly (MK-4.9)."""

    seat: int
    before: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.9",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if state.size(HANDS[self.seat]) > len(self.before) + 1 else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()

    def _drawn(self, table: Table) -> Cards:
        return difference(table.hand(self.seat), self.before)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        drawn = self._drawn(state)
        if any(map(is_back, drawn)):
            doors = (card for card in namable(state, HANDS[self.seat]) if FACES[card].deck == "door")
            yield from map(ChooseCard, doors)
        else:
            yield from map(ChooseCard, dict.fromkeys(state.hand(self.seat)))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        drawn = self._drawn(state)
        if move.card in drawn:
            return
        hidden = any(map(is_back, drawn)) and move.card in FACES and FACES[move.card].deck == "door"
        if not hidden or not can_name(state, HANDS[self.seat], move.card):
            raise Refused("one_of_those_drawn", "MK-4.9", card=move.card)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        yield Closed()
        yield from discarded(state, HANDS[self.seat], (move.card,))

    def nameless(self, state: Table) -> bool:
        return state.rules.cards_at_table and self.seat not in state.rules.named

    def seen_by(self, seat: int) -> Step:
        return self if seat == self.seat else changed(self, before=backs(self.before))
