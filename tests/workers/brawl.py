"""A toy with a window of its own time: who brawls is waited for by all others for some ms, then the blow has landed.

Whoever is awaited lets it pass, or strikes; then the window is closed and another one opened, for all the others and
for the whole time. Anyone may shout meanwhile, which asks nobody anything.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import Outcome, Setup
from referee.engine.prompts import SeatPrompt, SharedPrompt, TimedOut
from referee.engine.rulebook.book import Rulebook
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import State, StepPopped, StepPushed, StepReplaced
from tests.engine.toy import GAME, Toy


@named("brawl.strike")
@dataclass(frozen=True)
class Strike(Move):
    """Begin a brawl, or strike back."""


@named("brawl.let")
@dataclass(frozen=True)
class Let(Move):
    """Let it pass."""


@named("brawl.shout")
@dataclass(frozen=True)
class Shout(Move):
    """Make a noise."""


@dataclass(frozen=True)
class Ring(State):
    seats: int = 3
    limit_ms: int = 1000
    landed: int = 0
    shouts: int = 0


@named("brawl.Landed")
@dataclass(frozen=True)
class Landed(Event):
    def apply(self, state: Any) -> Any:
        return replace(state, landed=state.landed + 1)


@named("brawl.Shouted")
@dataclass(frozen=True)
class Shouted(Event):
    def apply(self, state: Any) -> Any:
        return replace(state, shouts=state.shouts + 1)


class Loud:
    """Anyone may shout."""

    def admitted_seats(self, state: Ring) -> frozenset[Seat]:
        return frozenset(map(Seat, range(state.seats)))


@named("brawl.Calm")
@dataclass(frozen=True)
class Calm(Loud, SeatPrompt):
    """Seat 0 begins a brawl."""

    def candidate_moves(self, state: Ring, seat: Seat) -> Iterable[Move]:
        return (Strike(), Shout())

    def check_move(self, state: Ring, seat: Seat, move: Move) -> None:
        if not isinstance(move, Shout) and (seat != self.seat or not isinstance(move, Strike)):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide_move(self, state: Ring, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Shout):
            yield Shouted()
        else:
            yield StepPushed(Blow(others(state, seat)))


@named("brawl.Blow")
@dataclass(frozen=True)
class Blow(Loud, SharedPrompt):
    """A blow is coming."""

    window_kind = "blow"

    def time_limit(self, state: Ring) -> int | None:
        return state.limit_ms

    def passing_move(self, seat: Seat) -> Move | None:
        return Let()

    def candidate_moves(self, state: Ring, seat: Seat) -> Iterable[Move]:
        return (Let(), Strike(), Shout())

    def check_move(self, state: Ring, seat: Seat, move: Move) -> None:
        if isinstance(move, TimedOut if seat == CLOCK else Shout):
            return
        if seat not in self.waiting or not isinstance(move, Let | Strike):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide_move(self, state: Ring, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case Shout():
                yield Shouted()
            case Let():
                yield StepReplaced(self.without_seat(int(seat)))
            case Strike():
                yield StepPopped()
                yield StepPushed(Blow(others(state, seat)))
            case _:
                yield StepReplaced(replace(self, waiting=()))

    def resolve(self, state: Ring) -> Iterator[Event]:
        yield StepPopped()
        yield Landed()


def others(state: Ring, seat: int) -> tuple[int, ...]:
    """All seats but one."""
    return tuple(other for other in range(state.seats) if other != seat)


class Brawl(Toy):
    name = "brawl"
    prefix = "brawl"
    title = {"en": "Brawl", "de": "Rauferei"}
    devices = ()
    windows = ("blow",)
    settings = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"limit_ms": {"type": "integer", "minimum": 1, "maximum": 10**6, "default": 1000}},
    }
    move_types = (Strike, Let, Shout)
    state_type = Ring
    rulebook = Rulebook(
        {},
        {
            "question.Calm": {"en": "Strike?", "de": "Zuschlagen?"},
            "question.Blow": {"en": "Let it pass, or strike?", "de": "Hinnehmen oder zuschlagen?"},
        },
        base=GAME.rulebook,
    )

    def build_table(self, setup: Setup) -> Ring:
        return Ring((Calm(0),), setup.seats, setup.settings["limit_ms"])

    def find_outcome(self, state: Ring) -> Outcome | None:
        return None


BRAWL = Brawl()


def burn(while_there: str) -> None:
    """A job that keeps its worker busy as long as a file is there, five minutes at most."""
    until = time.monotonic() + 300
    while Path(while_there).exists() and time.monotonic() < until:
        pass


def serve(name: str) -> int:
    """A worker process that knows this game; its exit code."""
    from referee.games import load_games
    from workers.__main__ import run_worker

    load_games()["brawl"] = BRAWL
    return run_worker(name, "WARNING")
