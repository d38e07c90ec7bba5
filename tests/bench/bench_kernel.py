"""Moves and random playouts per second in the kernel, with every legal move listed at each move. Run by hand:

python -m tests.bench.bench_kernel [seconds per line]
"""

from __future__ import annotations

import platform
import random
import sys
from time import perf_counter

from referee.engine.events import fold
from referee.engine.game import Setup
from referee.engine.referee import awaited, drawn, legal, listed, play, sampled, settle
from referee.engine.seats import CHANCE
from referee.games import games


def playouts(name: str, setup: Setup, seconds: float) -> tuple[int, int, int, float]:
    """Matches, players' moves, listed moves and seconds of random play from start to outcome."""
    game, dice = games()[name], random.Random(1)
    matches = moves = shown = 0
    start = perf_counter()
    while (took := perf_counter() - start) < seconds:
        state = game.open(setup)
        state = fold(state, settle(state))
        while game.outcome(state) is None:
            waiting = awaited(state)
            if CHANCE in waiting:
                state = fold(state, play(state, CHANCE, drawn(state, dice.randrange)))
                continue
            seat = min(other for other in waiting if other >= 0)
            most, offered = listed(state), []
            for move in legal(state, seat):
                offered.append(move)
                if len(offered) > most:
                    break
            cut = len(offered) > most
            usual = [move for move in offered if move.at_random]
            move = sampled(state, seat, dice.randrange) if cut else dice.choice(usual)
            state = fold(state, play(state, seat, move))
            moves, shown = moves + 1, shown + len(offered)
        matches += 1
    return matches, moves, shown, took


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(f"Python {platform.python_version()} ({platform.python_compiler()}), {platform.machine()}")
    print(f"{'game':<26}{'moves/s':>10}{'listed/move':>13}{'matches/s':>11}{'moves/match':>13}")
    for name, game in games().items():
        for variant in game.variants:
            for seats in sorted({game.min_seats, game.max_seats}):
                setup = game.set_up(Setup(variant, seats))
                matches, moves, shown, took = playouts(name, setup, seconds)
                label = f"{name} {variant} {seats}"
                print(
                    f"{label:<26}{moves / took:>10,.0f}{shown / moves:>13.1f}"
                    f"{matches / took:>11.1f}{moves / matches:>13.1f}"
                )


if __name__ == "__main__":
    main()
