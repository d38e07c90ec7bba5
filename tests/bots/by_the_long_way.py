"""The greedy choice as it is defined: every move is previewed with its check, and its events are folded afterwards.

`referee.bots.policy` comes to the same choice by a shorter way. Run by hand, this says how much shorter it is:

    python -m tests.bots.by_the_long_way [positions per game]
"""

from __future__ import annotations

import random
import sys
from itertools import islice
from time import process_time
from typing import Any

from referee.bots.policy import (
    EVALUATE_ALL_UP_TO,
    IDLE_VALUE,
    LISTED_MOVES,
    MATCH_VALUE,
    SAMPLED_MOVES,
    Below,
    choose_greedy_move,
    evaluate_standing_still,
)
from referee.engine.chance import shuffle_cards
from referee.engine.events import Move, apply_events
from referee.engine.game import Game
from referee.engine.referee import build_view, find_legal_moves, preview_move, sample_legal_move
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.games import game_of
from tests.games.matches import ids, random_match, setups


def list_moves_to_evaluate(seen: Any, seat: Seat, below: Below) -> list[Move]:
    """Return the moves to evaluate, from the list of all legal ones."""
    willing = (move for move in find_legal_moves(seen, seat) if move.playable_at_random and not move.is_concession)
    few = list(islice(willing, EVALUATE_ALL_UP_TO + 1))
    if len(few) <= EVALUATE_ALL_UP_TO and not seen.agenda[-1].lists_examples_only:
        return few
    drawn = [sample_legal_move(seen, seat, below) for _ in range(SAMPLED_MOVES)] if samples(seen, seat, below) else []
    able = [move for move in drawn if move is not None and move.playable_at_random and not move.is_concession]
    return able or shuffle_cards([*few, *islice(willing, LISTED_MOVES - len(few))], below)[:SAMPLED_MOVES]


def samples(seen: Any, seat: Seat, below: Below) -> bool:
    """Return whether the open question samples its moves itself."""
    return seen.agenda[-1].sample_move(seen, seat, below) is not None


def value_of(game: Game, seen: Any, seat: Seat, move: Move, still: int | None) -> int:
    """Return the value of a move, by its checked preview."""
    try:
        events, _ = preview_move(seen, seat, move)
        after = apply_events(seen, events)
        outcome = game.find_outcome(after)
        if outcome is not None:
            return MATCH_VALUE if seat in outcome.winners else 0 if not outcome.winners else -MATCH_VALUE
        value = game.evaluation.evaluate_state(after, seat) + game.evaluation.expected_gain(seen, seat, move)
        return IDLE_VALUE if still is not None and value <= still and after.agenda == seen.agenda else value
    except Undetermined:
        return -MATCH_VALUE


def choose_by_the_long_way(state: Any, seat: Seat, below: Below) -> Move | None:
    """Choose the move with the highest value."""
    seen = build_view(state, seat)
    offered = list_moves_to_evaluate(seen, seat, below)
    if len(offered) < 2:
        return offered[0] if offered else None
    game = game_of(seen)
    still = evaluate_standing_still(game, seen, seat)
    values = [value_of(game, seen, seat, move, still) for move in offered]
    best = [move for move, value in zip(offered, values, strict=True) if value == max(values)]
    return best[below(len(best))]


def main(most: int) -> None:
    """Print for each setup how many positions were chosen in, and what both ways take."""
    for pair in setups():
        ways = {choose_by_the_long_way: 0.0, choose_greedy_move: 0.0}
        turns = [turn for turn in islice(random_match(*pair, seed=3), 20 * most) if turn.seat >= 0][:most]
        for turn in turns:
            chosen = set()
            for way in ways:
                began = process_time()
                chosen.add(way(turn.before.view_for(turn.seat), turn.seat, random.Random(1).randrange))
                ways[way] += process_time() - began
            assert len(chosen) == 1, chosen
        long, short = (1000 * taken / len(turns) for taken in ways.values())
        print(f"{ids(pair):45} {len(turns):4}  {long:6.2f} ms  {short:6.2f} ms  {long / short:4.2f} times", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
