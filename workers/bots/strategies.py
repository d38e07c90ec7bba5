"""The greedy mind: every move of the own view is looked at as far as its facts are fixed, and the best one is made.

It knows no game. A game says how well a seat stands (`Game.evaluate_state`) and what a move promises beyond the facts
foreseen (`Game.expected_gain`), both from a view. Chance only chooses among equals, and which moves are looked at where
many are.

A move that leaves the question open answers nothing, so it is measured by standing still, and has to better the seat.
Else two of them could take turns for ever, each a little better than an answer that costs something: a coat put on for
another and that one for the coat, to put off the end of a turn.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from referee.engine.chance import shuffle_cards
from referee.engine.events import Move, apply_events
from referee.engine.game import Game
from referee.engine.referee import build_view, find_legal_moves, preview_move, sample_legal_move
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.games import game_of

Below = Callable[[int], int]  # below(n): uniform in 0 … n-1

EVALUATE_ALL_UP_TO = 80  # so many legal moves are all looked at
SAMPLED_MOVES = 40  # of more, so many
LISTED_MOVES = 1000  # chosen from so many, where the game draws no moves itself
MATCH_VALUE = 1_000_000  # what a match won is worth, and one lost is not
IDLE_VALUE = (
    -3 * MATCH_VALUE
)  # less than anything that answers the question, be it a loss or what a game advises against


def choose_greedy_move(state: State, seat: Seat, below: Below) -> Move | None:
    """The legal move that promises most, from the seat's view alone; equals are as likely.

    None if there is none but to give up.
    """
    seen = build_view(state, seat)
    offered = choose_moves_to_evaluate(seen, seat, below)
    if len(offered) < 2:
        return offered[0] if offered else None
    game = game_of(seen)
    still = evaluate_standing_still(game, seen, seat)
    values = [evaluate_move(game, seen, seat, move, still) for move in offered]
    most = max(values)
    best = [move for move, value in zip(offered, values, strict=True) if value == most]
    return best[below(len(best))]


def choose_tempting_move(state: State, seat: Seat, below: Below) -> Move | None:
    """The legal move that promises most, if it promises more than to leave things as they are; else None.

    For a seat that nobody waits for.
    """
    seen = build_view(state, seat)
    move = choose_greedy_move(seen, seat, below)
    if move is None:
        return None
    game = game_of(seen)
    try:
        left = game.evaluate_state(seen, seat)
    except Undetermined:
        return None  # what cannot be judged is no reason to cut in
    return move if evaluate_move(game, seen, seat, move) > left else None


def choose_moves_to_evaluate(seen: State, seat: Seat, below: Below) -> list[Move]:
    """The legal moves that are worth a look: all, or some where there are many; none that gives up."""
    willing = (move for move in find_legal_moves(seen, seat) if move.playable_at_random and not move.is_concession)
    few = list(islice(willing, EVALUATE_ALL_UP_TO + 1))
    if len(few) <= EVALUATE_ALL_UP_TO:
        return few
    drawn = (
        [sample_legal_move(seen, seat, below) for _ in range(SAMPLED_MOVES)]
        if seen.agenda[-1].sample_move(seen, seat, below)
        else []
    )
    able = [move for move in drawn if move is not None and move.playable_at_random and not move.is_concession]
    return able or shuffle_cards([*few, *islice(willing, LISTED_MOVES - len(few))], below)[:SAMPLED_MOVES]


def evaluate_standing_still(game: Game, seen: State, seat: Seat) -> int | None:
    """How the seat stands as long as it does nothing; None if the view does not tell."""
    try:
        return game.evaluate_state(seen, seat)
    except Undetermined:
        return None


def evaluate_move(game: Game, seen: State, seat: Seat, move: Move, still: int | None = None) -> int:
    """What a move is worth: how the seat stands after the facts that are fixed, and what it promises beyond them.

    `IDLE_VALUE` if it leaves the question open and does not better `still`, how the seat stands as it is.
    """
    try:
        events, _ = preview_move(seen, seat, move)
        after = apply_events(seen, events)
        outcome = game.find_outcome(after)
        if outcome is not None:
            return MATCH_VALUE if seat in outcome.winners else 0 if not outcome.winners else -MATCH_VALUE
        value = game.evaluate_state(after, seat) + game.expected_gain(seen, seat, move)
        idle = still is not None and value <= still and after.agenda == seen.agenda
        return IDLE_VALUE if idle else value
    except Undetermined:
        return -MATCH_VALUE  # whatever can be judged comes before what cannot
