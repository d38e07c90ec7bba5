"""How strong the bots are: matches between levels with the seats rotated, and how long a move takes. Run by hand.

    python -m tests.bench.bots [matches per pairing] [first seed] [game]

Each line: the game, who plays, the share of matches won by the greedy (or by all, where all play together), the share
without a winner (or lost by all), and the milliseconds of processor time that a greedy move takes at the median, at the
99th percentile and at most. Where all play together, a line for a table of nothing but random bots stands beside it.
"""

from __future__ import annotations

import platform
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from referee.engine.events import Move, apply_events
from referee.engine.game import Game, Setup
from referee.engine.referee import (
    draw_chance_move,
    play_move,
    resolve_pending_steps,
    seats_that_may_respond,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from workers.bots.player import INVITED_STRATEGIES, UNPROMPTED_MOVES_PER_SEAT, Strategy, find_strategy

MOST = 6000  # moves of a match
RANDOM, GREEDY = 0, 1


@dataclass
class Tally:
    """What came of some matches: for each, how many of the seats that are counted won; and times of moves in ms."""

    matches: int = 0
    won: int = 0
    undecided: int = 0
    moves: int = 0
    times: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of matches won."""
        return self.won / max(1, self.matches)


Watch = Callable[[Any, Seat, Move], None]  # watch(state, seat, move): a bot is about to make this move


def match(game: Game, variant: str, levels: tuple[int, ...], seed: int, times: list[float]) -> tuple[int, ...] | None:
    """Plays one match between bots of these levels by seat: who won, None if it did not end in `MOST` moves."""
    dice = random.Random(f"{game.name} {variant} {levels} {seed}")
    minds = [timed(find_strategy(level), times) if level == GREEDY else find_strategy(level) for level in levels]
    guests = [find_strategy(level, INVITED_STRATEGIES) for level in levels]
    return play_match(game, variant, minds, guests, dice)


def timed(mind: Strategy, times: list[float]) -> Strategy:
    """The same bot, whose milliseconds of processor time for each move are noted."""

    def choose(view: Any, seat: Seat, below: Callable[[int], int]) -> Move | None:
        before = process_time()
        move = mind(view, seat, below)
        times.append(1000 * (process_time() - before))
        return move

    return choose


def play_match(
    game: Game,
    variant: str,
    minds: Sequence[Strategy],
    guests: Sequence[Strategy],
    dice: random.Random,
    watch: Watch = lambda state, seat, move: None,
) -> tuple[int, ...] | None:
    """Plays one match between these bots: who won, None if it did not end in `MOST` moves.

    `guests` are asked where their seats are invited.
    """
    state: Any = game.build_table(game.complete_setup(Setup(variant, len(minds))))
    state = apply_events(state, resolve_pending_steps(state))
    left: set[Seat] = set()  # those invited who leave things as they are, until somebody moves
    unbidden = 0
    for _ in range(MOST):
        outcome = game.find_outcome(state)
        if outcome is not None:
            return outcome.winners
        waiting = seats_that_must_act(state)
        if CHANCE in waiting:
            state = apply_events(state, play_move(state, CHANCE, draw_chance_move(state, dice.randrange)))
            continue
        guest = next((seat for seat in sorted(seats_that_may_respond(state)) if seat not in left), None)
        if guest is not None and unbidden < UNPROMPTED_MOVES_PER_SEAT * len(minds):
            answer = guests[guest](state.view_for(guest), guest, dice.randrange)
            if answer is None:
                left.add(guest)
            else:
                watch(state, guest, answer)
                state, left, unbidden = apply_events(state, play_move(state, guest, answer)), set(), unbidden + 1
            continue
        seat = Seat(min(seat for seat in waiting if seat >= 0))
        move = minds[seat](state.view_for(seat), seat, dice.randrange)
        assert move is not None, state.agenda[-1]
        watch(state, seat, move)
        state, left, unbidden = apply_events(state, play_move(state, seat, move)), set(), 0
    return None


def tally(game: Game, variant: str, levels: tuple[int, ...], matches: int, first: int) -> Tally:
    """Matches with the seats rotated; counted is a match that a seat of the highest level wins."""
    found, top = Tally(), max(levels)
    for number in range(matches):
        turn = number % len(levels)
        seats = levels[turn:] + levels[:turn]
        winners = match(game, variant, seats, first + number, found.times)
        found.matches += 1
        if winners is None or not winners:
            found.undecided += 1
        else:
            found.won += any(seats[seat] == top for seat in winners)
    return found


def pairings(game: Game, variant: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Who plays whom: one against the fewest, one among four; where all play together, all greedy beside all random."""
    if together(game, variant):
        for seats in sorted({game.min_seats, min(4, game.max_seats)}):
            yield f"{seats} random", (RANDOM,) * seats
            yield f"{seats} greedy", (GREEDY,) * seats
        return
    fewest = game.min_seats - 1
    yield f"greedy : {f'{fewest} ' if fewest > 1 else ''}random", (GREEDY, *(RANDOM,) * fewest)
    if game.max_seats >= 4:
        yield "greedy : 3 random", (GREEDY, RANDOM, RANDOM, RANDOM)


def together(game: Game, variant: str) -> bool:
    """Whether all players of a variant win or lose together."""
    return (game.name, variant) == ("monster_combat", "V2")


def main(matches: int, first: int, only: str) -> None:
    """Prints a line for each pairing."""
    print(f"Python {platform.python_version()}, {matches} matches each, seeds from {first}")
    for name, game in load_games().items():
        for variant in game.variants if only in ("", name) else ():
            for who, levels in pairings(game, variant):
                found = tally(game, variant, levels, matches, first)
                times = sorted(found.times) or [0.0]
                median, late = times[len(times) // 2], times[len(times) * 99 // 100]
                print(
                    f"{name:16} {variant:9} {who:18} won {found.share:6.1%}  no winner {found.undecided / matches:6.1%}"
                    f"  {median:5.2f} / {late:5.2f} / {times[-1]:6.2f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 100, int(given[1]) if len(given) > 1 else 0, given[2] if len(given) > 2 else "")
