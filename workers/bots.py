"""Bots: players that are given the view of their seat and nothing else, and move through the desk like anybody.

A mind is a function of a view, a seat and a source of chance. This room hands minds no state, no log and no desk.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from secrets import SystemRandom
from typing import Any

from referee.desk import seeing
from referee.desk.desk import Behind, Desk, IllegalMove, KeyReused, Loaded
from referee.desk.matches import OVER, Match
from referee.kernel.agenda import State
from referee.kernel.facts import Move
from referee.kernel.play import awaited, sampled
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.seats import BYSTANDER, Seat
from workers.greedy import greedy_mind

LOGGER = logging.getLogger("referee.workers.bots")
MOVES = 200  # moves that one job plays at most
SECONDS = 2.0  # and how long it plays; a worker that is asked to stop finishes its job first

COIN = SystemRandom().randrange
Below = Callable[[int], int]  # below(n): uniform in 0 … n-1
Mind = Callable[[State, Seat, Below], Move | None]


def random_mind(view: State, seat: Seat, below: Below) -> Move | None:
    """Any legal move: first the kind of move, then one of that kind."""
    return sampled(view, seat, below)


MINDS: dict[int, Mind] = {0: random_mind, 1: greedy_mind}  # by level


class Stuck(RuntimeError):
    """A bot is awaited and finds no move; a fault of the game or, at a table, cards that nobody has named."""


def mind_of(level: int) -> Mind:
    """The mind of a level, or of the highest one below it that there is."""
    return MINDS[max(known for known in MINDS if known <= max(level, 0))]


def awaited_bot(match: Match) -> Seat | None:
    """The first seat of a bot that the match awaits; None if it awaits none.

    Who is awaited follows from what everybody knows, so nothing else is looked at.
    """
    if match.state is None or match.status in OVER:
        return None
    public = match.state.seen_by(BYSTANDER)
    bots = (seat for seat in sorted(awaited(public)) if seat >= 0 and match.chairs[seat].kind == "bot")
    return next(bots, None)


def play_on(
    desk: Desk,
    match: str,
    below: Below = COIN,
    moves: int = MOVES,
    seconds: float = SECONDS,
) -> bool:
    """Moves for the bots of a match as long as they are awaited, within bounds; whether there is more to do.

    Raises UnknownMatch, Away, IllegalMove if a bot's move is refused although nothing had changed, Stuck if one finds
    no move.
    """
    until = time.monotonic() + seconds
    for _ in range(moves):
        loaded = desk.load(match)
        seat = awaited_bot(loaded.match)
        if seat is None:
            return False
        if time.monotonic() > until:
            return True
        move_once(desk, loaded, seat, below)
    return True


def move_once(desk: Desk, loaded: Loaded, seat: Seat, below: Below) -> bool:
    """One move of a bot from what was loaded; False if the match had moved on meanwhile, so that it is to look again.

    The key names the question, or the bot's own last move since: a window may take several. So however often a job
    runs, one question gets one answer. With it goes the hash of the view it saw, as it is served to its seat. Raises
    IllegalMove, Stuck, Away.
    """
    table = loaded.match
    assert table.state is not None
    level = table.chairs[seat].level
    try:
        move = mind_of(level)(table.state.seen_by(seat), seat, below)
    except Unknown as unknown:
        raise Stuck(f"the bot at seat {seat} of {table.id} needs to know: {unknown.need.key}") from unknown
    if move is None:
        raise Stuck(f"the bot at seat {seat} of {table.id} finds no move at version {loaded.version}")
    try:
        desk.move(
            table.id,
            seat,
            move,
            key=str(last_word(desk, loaded, seat)),
            scope=f"bot{int(seat)}",
            actor="bot",
            seen=loaded.version,
            view_hash=seeing.shown(loaded, seat)["view_hash"],
        )
    except (Behind, KeyReused):
        return False  # somebody moved, or the same bot in another job
    except Refused:
        return False  # the table has ended the match, or somebody has taken the seat back
    except IllegalMove as illegal:
        if illegal.version != loaded.version:
            return False  # it was judged against a later version than the bot saw
        LOGGER.error(
            "the bot at seat %d of %s (level %d) made an illegal move, %s, against %s",
            *(seat, table.id, level, move.TAG, ", ".join(illegal.ruling.clauses)),  # the move itself may name a card
        )
        raise
    return True


def last_word(desk: Desk, loaded: Loaded, seat: Seat) -> int:
    """The version at which this seat was asked, or that of its own last entry since."""
    asked = loaded.head.asked
    since: list[Any] = desk.entries(loaded.match.id, asked, loaded.version) if asked < loaded.version else []
    return max((entry.version for entry in since if entry.seat == seat), default=asked)
