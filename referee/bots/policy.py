"""The greedy policy: evaluate each move from the seat's view, take the best.

It looks at the events of one move that can be foreseen. It knows no game. A game says how well a seat stands
(`Evaluation.evaluate_state`), and how much a move promises beyond those events (`Evaluation.expected_gain`). Both see
only the view. Randomness only chooses among equal moves, and which moves are evaluated where there are many.

A move that leaves the question open has to improve the seat's position over doing nothing. Otherwise two such moves
could alternate for ever, each a little better than an answer that costs something: a bot could put off the end of its
turn by swapping two coats.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from referee.bots.offers import LISTED_MOVES, is_willing
from referee.engine.chance import shuffle_cards
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import (
    build_view,
    collect_candidates,
    foresee_state,
    is_legal_in_view,
    may_act,
    sample_legal_move,
)
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.games import game_of

Below = Callable[[int], int]  # below(n): uniform in 0 … n-1

EVALUATE_ALL_UP_TO = 80  # up to this many legal moves are all evaluated
SAMPLED_MOVES = 40  # of more moves, this many are evaluated
MATCH_VALUE = 1_000_000  # of a match that is won; a lost one counts negative
# less than any move that answers the question, even one that loses or that the game advises against
IDLE_VALUE = -3 * MATCH_VALUE


def choose_greedy_move(state: State, seat: Seat, below: Below) -> Move | None:
    """Choose the legal move with the highest value; equal moves are equally likely.

    Only the seat's view is used. Return None if no move is left but a concession.
    """
    return weigh_moves(state, seat, below)[0]


def weigh_moves(state: State, seat: Seat, below: Below) -> tuple[Move | None, int]:
    """Return the greedy choice of a seat, and how many moves were considered for it."""
    seen = build_view(state, seat)
    offered = choose_moves_to_evaluate(seen, seat, below)
    if len(offered) < 2:
        return (offered[0] if offered else None), len(offered)
    game = game_of(seen)
    still = evaluate_standing_still(game, seen, seat)
    values = [evaluate_move(game, seen, seat, move, still) for move in offered]
    most = max(values)
    best = [move for move, value in zip(offered, values, strict=True) if value == most]
    return best[below(len(best))], len(offered)


def choose_tempting_move(state: State, seat: Seat, below: Below) -> Move | None:
    """Choose the best legal move if it is better than doing nothing, else None.

    It is for a seat that nobody waits for.
    """
    seen = build_view(state, seat)
    move = choose_greedy_move(seen, seat, below)
    if move is None:
        return None
    game = game_of(seen)
    left = evaluate_standing_still(game, seen, seat)
    if left is None:
        return None  # an unclear position is no reason to move
    return move if evaluate_move(game, seen, seat, move) > left else None


def choose_moves_to_evaluate(seen: State, seat: Seat, below: Below) -> list[Move]:
    """Return the legal moves to evaluate: all, or a sample of many or unlisted ones.

    `seen` is the seat's own view. Concessions are left out.
    """
    if not may_act(seen, seat):
        return []
    thought_of = filter(is_willing, collect_candidates(seen, seat))
    willing = (move for move in thought_of if is_legal_in_view(seen, seat, move))
    few = list(islice(willing, EVALUATE_ALL_UP_TO + 1))
    if len(few) <= EVALUATE_ALL_UP_TO and not seen.agenda[-1].lists_examples_only:
        return few
    drawn = (
        [sample_legal_move(seen, seat, below) for _ in range(SAMPLED_MOVES)]
        if seen.agenda[-1].sample_move(seen, seat, below)
        else []
    )
    able = [move for move in drawn if move is not None and is_willing(move)]
    return able or shuffle_cards([*few, *islice(willing, LISTED_MOVES - len(few))], below)[:SAMPLED_MOVES]


def evaluate_standing_still(game: Game, seen: State, seat: Seat) -> int | None:
    """Return the value of the seat's position if it does nothing.

    Return None if the view lacks what is needed.
    """
    try:
        return game.evaluation.evaluate_state(seen, seat)
    except Undetermined:
        return None


def evaluate_move(game: Game, seen: State, seat: Seat, move: Move, still: int | None = None) -> int:
    """Return the value of a legal move: the position after it, and what it promises.

    Return `IDLE_VALUE` if the move leaves the question open and does not improve on `still`, the value of the present
    position.
    """
    try:
        after = foresee_state(seen, seat, move)
        outcome = game.find_outcome(after)
        if outcome is not None:
            return MATCH_VALUE if seat in outcome.winners else 0 if not outcome.winners else -MATCH_VALUE
        value = game.evaluation.evaluate_state(after, seat) + game.evaluation.expected_gain(seen, seat, move)
        idle = still is not None and value <= still and after.agenda == seen.agenda
        return IDLE_VALUE if idle else value
    except Undetermined:
        return -MATCH_VALUE  # a move that can be evaluated comes first
