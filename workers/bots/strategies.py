"""The greedy mind: every move of the own view is looked at as far as its facts are fixed, and the best one is made.

It knows no game. A game says how well a seat stands (`Game.worth`) and what a move promises beyond the facts foreseen
(`Game.promise`), both from a view. Chance only chooses among equals, and which moves are looked at where many are.

A move that leaves the question open answers nothing, so it is measured by standing still, and has to better the seat.
Else two of them could take turns for ever, each a little better than an answer that costs something: a coat put on for
another and that one for the coat, to put off the end of a turn.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from referee.engine.chance import shuffled
from referee.engine.events import Move, fold
from referee.engine.game import Game
from referee.engine.referee import foreseen, legal, sampled, view
from referee.engine.rulings import Unknown
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.games import game_of

Below = Callable[[int], int]  # below(n): uniform in 0 … n-1

ALL = 80  # so many legal moves are all looked at
SOME = 40  # of more, so many
LISTED = 1000  # chosen from so many, where the game draws no moves itself
DECIDED = 1_000_000  # what a match won is worth, and one lost is not
IDLE = -3 * DECIDED  # less than anything that answers the question, be it a loss or what a game advises against


def greedy_mind(state: State, seat: Seat, below: Below) -> Move | None:
    """The legal move that promises most, from the seat's view alone; equals are as likely.

    None if there is none but to give up.
    """
    seen = view(state, seat)
    offered = looked_at(seen, seat, below)
    if len(offered) < 2:
        return offered[0] if offered else None
    game = game_of(seen)
    still = standing_still(game, seen, seat)
    values = [value_of(game, seen, seat, move, still) for move in offered]
    most = max(values)
    best = [move for move, value in zip(offered, values, strict=True) if value == most]
    return best[below(len(best))]


def tempted_mind(state: State, seat: Seat, below: Below) -> Move | None:
    """The legal move that promises most, if it promises more than to leave things as they are; else None.

    For a seat that nobody waits for.
    """
    seen = view(state, seat)
    move = greedy_mind(seen, seat, below)
    if move is None:
        return None
    game = game_of(seen)
    try:
        left = game.worth(seen, seat)
    except Unknown:
        return None  # what cannot be judged is no reason to cut in
    return move if value_of(game, seen, seat, move) > left else None


def looked_at(seen: State, seat: Seat, below: Below) -> list[Move]:
    """The legal moves that are worth a look: all, or some where there are many; none that gives up."""
    willing = (move for move in legal(seen, seat) if move.at_random and not move.gives_up)
    few = list(islice(willing, ALL + 1))
    if len(few) <= ALL:
        return few
    drawn = [sampled(seen, seat, below) for _ in range(SOME)] if seen.agenda[-1].sample(seen, seat, below) else []
    able = [move for move in drawn if move is not None and move.at_random and not move.gives_up]
    return able or shuffled([*few, *islice(willing, LISTED - len(few))], below)[:SOME]


def standing_still(game: Game, seen: State, seat: Seat) -> int | None:
    """How the seat stands as long as it does nothing; None if the view does not tell."""
    try:
        return game.worth(seen, seat)
    except Unknown:
        return None


def value_of(game: Game, seen: State, seat: Seat, move: Move, still: int | None = None) -> int:
    """What a move is worth: how the seat stands after the facts that are fixed, and what it promises beyond them.

    `IDLE` if it leaves the question open and does not better `still`, how the seat stands as it is.
    """
    try:
        facts, _ = foreseen(seen, seat, move)
        after = fold(seen, facts)
        outcome = game.outcome(after)
        if outcome is not None:
            return DECIDED if seat in outcome.winners else 0 if not outcome.winners else -DECIDED
        value = game.worth(after, seat) + game.promise(seen, seat, move)
        idle = still is not None and value <= still and after.agenda == seen.agenda
        return IDLE if idle else value
    except Unknown:
        return -DECIDED  # whatever can be judged comes before what cannot
