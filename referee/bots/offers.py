"""A bounded number of legal moves of a seat, for players that choose by number.

Most questions have fewer than 100 legal moves. Two have more than can be listed: the floor of the Shy Monsters and
the deck of the League. Of those a sample is offered. It has a move of each kind, so no way out is ever lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from referee.engine.chance import RandomBelow, shuffle_cards
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.engine.referee import collect_candidates, is_legal_in_view, may_act
from referee.engine.seats import Seat
from referee.engine.steps import State

LISTED_MOVES = 1000  # a sample is taken from this many, and from what the game itself draws


@dataclass(frozen=True)
class Offer:
    """Legal moves to choose from. `is_sample`: there are more."""

    moves: tuple[Move, ...]
    is_sample: bool = False


def offer_moves(seen: State, seat: Seat, most: int, below: RandomBelow) -> Offer:
    """Return the legal moves of a seat in its own view, or a sample of `most`.

    Concessions, and what is not played at random (leaving, showing one's hand), are offered only if nothing else is
    legal.
    """
    if not may_act(seen, seat):
        return Offer(())
    legal = (move for move in collect_candidates(seen, seat) if is_legal_in_view(seen, seat, move))
    listed, unwilling = list[Move](), list[Move]()
    for move in legal:
        (listed if is_willing(move) else unwilling).append(move)
        if len(listed) > max(LISTED_MOVES, most):
            break
    drawn = list[Move]()
    top = seen.agenda[-1]
    if len(listed) > most or (listed and top.lists_examples_only):
        sampled = (top.sample_move(seen, seat, below) for _ in range(most))
        drawn = [
            move for move in sampled if move is not None and is_willing(move) and is_legal_in_view(seen, seat, move)
        ]
    elif listed:
        return Offer(tuple(listed))
    if not listed:
        return Offer(tuple(unwilling[:most]), len(unwilling) > most)
    listed = shuffle_cards(listed, below)
    one_of_each_kind = {move.TAG: move for move in listed}.values()
    different = {encode_canonical(encode(move)): move for move in (*one_of_each_kind, *drawn, *listed)}
    return Offer(tuple(islice(different.values(), most)), is_sample=True)


def is_willing(move: Move) -> bool:
    """Return whether a player who wants to go on would think of this move."""
    return move.playable_at_random and not move.is_concession
