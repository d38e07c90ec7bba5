"""Play one match between minds in memory, without a server.

It is what tournaments and benches run on. Nothing here draws lots or reads a clock: the caller hands in both, so the
same sources give the same match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game, Outcome, Setup
from referee.engine.referee import (
    carry_out_move,
    draw_chance_move,
    resolve_pending_steps,
    seats_that_may_respond,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import State

Below = Callable[[int], int]  # below(n): uniform in 0 … n-1
# sources(name): a source of chance of its own for each device of the game, and for the mind at each seat
Sources = Callable[[str], Below]
# watch(state, seat, move, events): what a move leads to in this state; None stands for the setup
Watch = Callable[[Any, Seat, Move | None, tuple[Event, ...]], None]

MOST_MOVES = 6000  # of a match; one that takes longer has no winner
UNPROMPTED_MOVES_PER_SEAT = 3  # moves on invitations in a row, times the seats of the match


class Mind(Protocol):
    """What thinks for one seat in one match.

    It may have `note_events(events)` besides. That is called with all that happens, as its seat may know it.
    """

    @property
    def name(self) -> str:
        """The name that results are listed under."""

    def choose_move(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is awaited."""

    def answer_invitation(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is invited, or None to decline."""


class MindStuckError(RuntimeError):
    """A mind is awaited and finds no move."""


@dataclass
class PlayedMatch:
    """How a match went.

    `outcome`: None if it did not end within `MOST_MOVES`. `moves`: those of the seats; chance is not counted.
    `order`: the seats in the order of their first turns. `times`: by seat, how long each move and each answer took by
    the caller's clock.
    """

    outcome: Outcome | None
    moves: int
    turns: int
    order: tuple[int, ...]
    times: tuple[list[float], ...]

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that won, none if nobody did; None if the match did not end."""
        return None if self.outcome is None else self.outcome.winners


def ignore_events(state: Any, seat: Seat, move: Move | None, events: tuple[Event, ...]) -> None:
    """Watch nothing."""


def stop_no_time() -> float:
    """Return the time of a clock that stands still."""
    return 0.0


@dataclass
class _Table:
    """A match under way."""

    game: Game
    state: Any
    minds: Sequence[Mind]
    sources: Sources
    watch: Watch
    clock: Callable[[], float]
    moves: int = 0
    order: list[int] = field(default_factory=list)
    left: set[Seat] = field(default_factory=set)  # those who declined an invitation, until somebody moves
    unprompted: int = 0
    times: tuple[list[float], ...] = ()

    def __post_init__(self) -> None:
        self.times = tuple([] for _ in self.minds)
        self.listeners = [
            (Seat(at), mind.note_events) for at, mind in enumerate(self.minds) if hasattr(mind, "note_events")
        ]
        self.lots = [self.sources(f"mind {at}") for at in range(len(self.minds))]
        self.note(CHANCE, None, resolve_pending_steps(self.state))

    def note(self, seat: Seat, move: Move | None, events: Iterable[Event], after: Any = None) -> None:
        """Go on to the state after a move, and tell everybody what happened."""
        events = tuple(events)
        self.watch(self.state, seat, move, events)
        self.state = apply_events(self.state, events) if after is None else after
        for viewer, note_events in self.listeners:
            note_events(tuple(event.view_for(viewer) for event in events))
        on_turn = self.game.seat_on_turn(self.state) if self.game.find_outcome(self.state) is None else None
        if on_turn is not None and on_turn not in self.order:
            self.order.append(on_turn)

    def make_move(self, seat: Seat, move: Move) -> None:
        """Carry out a move of a seat or of chance. Raises IllegalMove."""
        events, after = carry_out_move(self.state, seat, move)
        self.note(seat, move, events, after)
        if seat != CHANCE:
            self.moves += 1
            self.left = set()

    def ask(self, seat: Seat, *, invited: bool) -> Move | None:
        """Return what the mind at a seat does, and note how long it took."""
        mind, view = self.minds[seat], self.state.view_for(seat)
        choose = mind.answer_invitation if invited else mind.choose_move
        began = self.clock()
        move = choose(view, seat, self.lots[seat])
        self.times[seat].append(self.clock() - began)
        return move

    def find_guest(self) -> Seat | None:
        """Return the next seat to invite, or None.

        None is invited if minds have answered each other for too long.
        """
        if self.unprompted >= UNPROMPTED_MOVES_PER_SEAT * len(self.minds):
            return None
        return next((seat for seat in sorted(seats_that_may_respond(self.state)) if seat not in self.left), None)

    def go_on(self) -> None:
        """Let chance, an invited seat or an awaited seat act.

        Raises IllegalMove, MindStuckError.
        """
        waiting = seats_that_must_act(self.state)
        if CHANCE in waiting:
            device = getattr(self.state.agenda[-1], "device", "deck")
            self.make_move(CHANCE, draw_chance_move(self.state, self.sources(device)))
            return
        guest = self.find_guest()
        if guest is not None:
            answer = self.ask(guest, invited=True)
            if answer is None:
                self.left.add(guest)
            else:
                self.make_move(guest, answer)
                self.unprompted += 1
            return
        seat = Seat(min(seat for seat in waiting if seat >= 0))
        move = self.ask(seat, invited=False)
        if move is None:
            raise MindStuckError(f"{self.minds[seat].name} at seat {seat} finds no move: {self.state.agenda[-1]!r}")
        self.make_move(seat, move)
        self.unprompted = 0


def play_match(
    game: Game,
    setup: Setup,
    minds: Sequence[Mind],
    sources: Sources,
    watch: Watch = ignore_events,
    clock: Callable[[], float] = stop_no_time,
    most_moves: int = MOST_MOVES,
) -> PlayedMatch:
    """Play one match between these minds, by seat.

    Raises MindStuckError, or IllegalMove if a mind moves against the rules.
    """
    setup = game.complete_setup(setup)
    table = _Table(game, game.build_initial_state(setup), minds, sources, watch, clock)
    outcome = game.find_outcome(table.state)
    steps = 0
    while outcome is None and steps < most_moves:
        table.go_on()
        outcome = game.find_outcome(table.state)
        steps += 1
    return PlayedMatch(outcome, table.moves, game.turn_number(table.state), tuple(table.order), table.times)
