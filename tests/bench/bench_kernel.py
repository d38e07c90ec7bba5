"""Moves and random playouts per CPU second in the kernel, with every legal move listed at each move. Run by hand:

python -m tests.bench.bench_kernel [CPU seconds per line]
"""

from __future__ import annotations

import platform
import random
import sys
from time import process_time

from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    carry_out_move,
    draw_chance_move,
    find_legal_moves,
    find_listing_limit,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE
from referee.games import load_games


def playouts(name: str, setup: Setup, seconds: float) -> tuple[int, int, int, float]:
    """Matches, players' moves, listed moves and CPU seconds of random play from start to outcome."""
    game, dice = load_games()[name], random.Random(1)
    matches = moves = shown = 0
    start = process_time()
    while (took := process_time() - start) < seconds:
        state = game.build_table(setup)
        state = apply_events(state, resolve_pending_steps(state))
        while game.find_outcome(state) is None:
            waiting = seats_that_must_act(state)
            if CHANCE in waiting:
                _, state = carry_out_move(state, CHANCE, draw_chance_move(state, dice.randrange))
                continue
            seat = min(other for other in waiting if other >= 0)
            most, offered = find_listing_limit(state), []
            for move in find_legal_moves(state, seat):
                offered.append(move)
                if len(offered) > most:
                    break
            cut = len(offered) > most
            usual = [move for move in offered if move.playable_at_random]
            move = sample_legal_move(state, seat, dice.randrange) if cut else dice.choice(usual)
            _, state = carry_out_move(state, seat, move)
            moves, shown = moves + 1, shown + len(offered)
        matches += 1
    return matches, moves, shown, took


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(f"Python {platform.python_version()} ({platform.python_compiler()}), {platform.machine()}")
    print(f"{'game':<26}{'moves/s':>10}{'listed/move':>13}{'matches/s':>11}{'moves/match':>13}")
    for name, game in load_games().items():
        for variant in game.variants:
            for seats in sorted({game.min_seats, game.max_seats}):
                setup = game.complete_setup(Setup(variant, seats))
                matches, moves, shown, took = playouts(name, setup, seconds)
                label = f"{name} {variant} {seats}"
                print(
                    f"{label:<26}{moves / took:>10,.0f}{shown / moves:>13.1f}"
                    f"{matches / took:>11.1f}{moves / matches:>13.1f}"
                )


if __name__ == "__main__":
    main()
