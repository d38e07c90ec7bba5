"""Play one match between minds in memory, without a server.

It is what tournaments and benches run on. Everything that chance decides follows from a seed, for the table as for the
minds, and the clock is the caller's. So the same minds and the same seed give the same match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.bots.env import Environment
from referee.bots.seeded import SeededChance
from referee.engine.events import Event, Move
from referee.engine.game import Outcome, Setup
from referee.engine.seats import Seat
from referee.engine.steps import State

Below = Callable[[int], int]  # below(n): uniform in 0 … n-1
# watch(state, seat, move, events): what a move of a seat or of chance leads to; `state` is from before the seat's move
Watch = Callable[[Any, Seat, Move, tuple[Event, ...]], None]

MOST_MOVES = 6000  # of a match; one that takes longer has no winner


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

    `outcome`: None if it did not end within the most moves. `moves`: those of the seats; chance is not counted.
    `order`: the seats in the order of their first turns. `times`: by seat, how long each decision took by the caller's
    clock.
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


def watch_nothing(state: Any, seat: Seat, move: Move, events: tuple[Event, ...]) -> None:
    """Watch nothing."""


def stand_still() -> float:
    """Return the time of a clock that stands still."""
    return 0.0


def play_match(
    game: str,
    setup: Setup,
    minds: Sequence[Mind],
    seed: str,
    watch: Watch = watch_nothing,
    clock: Callable[[], float] = stand_still,
    most_moves: int = MOST_MOVES,
) -> PlayedMatch:
    """Play one match between these minds, by seat.

    Raises MindStuckError, IllegalMove if a mind moves against the rules, or MalformedInput if there is no such setup.
    """
    match = Environment(game)
    match.reset(seed, setup.variant, len(minds), setup.settings, setup.edition)
    lots = [SeededChance(f"mind|{seed}|{seat}") for seat in match.seats]
    times: tuple[list[float], ...] = tuple([] for _ in minds)
    order: list[int] = []
    before = match.state
    while True:
        _tell(match, minds, watch, before)
        turn = match.game.seat_on_turn(match.state) if match.outcome is None else None
        if turn is not None and turn not in order:
            order.append(turn)
        if match.outcome is not None or match.move_count >= most_moves:
            break
        before = match.state
        _decide(match, minds, lots, times, clock)
    return PlayedMatch(match.outcome, match.move_count, match.game.turn_number(match.state), tuple(order), times)


def _decide(
    match: Environment,
    minds: Sequence[Mind],
    lots: Sequence[Below],
    times: Sequence[list[float]],
    clock: Callable[[], float],
) -> None:
    """Ask seats until one of them moves, and make that move.

    Raises MindStuckError, IllegalMove.
    """
    while True:
        seat = match.seat_to_move
        mind, view, invited = minds[seat], match.view(seat), match.may_decline(seat)
        choose = mind.answer_invitation if invited else mind.choose_move
        began = clock()
        move = choose(view, seat, lots[seat])
        times[seat].append(clock() - began)
        if move is None and not invited:
            raise MindStuckError(f"{mind.name} at seat {seat} finds no move: {match.state.agenda[-1]!r}")
        match.step(move, seat)
        if move is not None:
            return


def _tell(match: Environment, minds: Sequence[Mind], watch: Watch, before: State) -> None:
    """Tell the caller and the minds what has happened since the move before."""
    for each in match.happenings:
        watch(before, each.seat, each.move, each.events)
        for seat, mind in enumerate(minds):
            note_events = getattr(mind, "note_events", None)
            if note_events is not None:
                note_events(tuple(event.view_for(seat) for event in each.events))
