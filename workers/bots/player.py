"""Bots: players that are given the view of their seat and nothing else, and move through the desk like anybody.

A mind is a function of a view, a seat and a source of chance. This room hands minds no state, no log and no desk.

Bots are asked where they are awaited, and where they are invited (`Step.invites`): there they may leave things as they
are, and then are not asked again before the match has moved on. At each version those invited are asked first, for the
next move of the awaited may take away what was offered; but bots that answer each other's invitations again and again
are heard no more until somebody else has moved.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from secrets import SystemRandom
from typing import Any

from referee.engine.events import Move
from referee.engine.referee import sample_legal_move, seats_that_may_respond, seats_that_must_act
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import State
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.errors import IdempotencyKeyConflict, MoveRejected, VersionConflict
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from workers.bots.strategies import choose_greedy_move, choose_tempting_move

LOGGER = logging.getLogger("referee.workers.bots")
MOVES = 200  # moves that one job plays at most
SECONDS = 2.0  # and how long it plays; a worker that is asked to stop finishes its job first
UNPROMPTED_MOVES_PER_SEAT = 3  # moves on invitations in a row, for each seat of the match

RANDOM_BELOW = SystemRandom().randrange
Below = Callable[[int], int]  # below(n): uniform in 0 … n-1
Strategy = Callable[[State, Seat, Below], Move | None]


def choose_random_move(view: State, seat: Seat, below: Below) -> Move | None:
    """Any legal move: first the kind of move, then one of that kind."""
    return sample_legal_move(view, seat, below)


def choose_random_move_or_none(view: State, seat: Seat, below: Below) -> Move | None:
    """Every other time any legal move; else it leaves things as they are."""
    return sample_legal_move(view, seat, below) if below(2) else None


STRATEGIES: dict[int, Strategy] = {0: choose_random_move, 1: choose_greedy_move}  # by level, where they are awaited
INVITED_STRATEGIES: dict[int, Strategy] = {
    0: choose_random_move_or_none,
    1: choose_tempting_move,
}  # and where they are invited; None: it leaves it


class BotStuckError(RuntimeError):
    """A bot is awaited and finds no move; a fault of the game or, at a table, cards that nobody has named."""


def find_strategy(level: int, minds: Mapping[int, Strategy] = STRATEGIES) -> Strategy:
    """The mind of a level, or of the highest one below it that there is."""
    return minds[max(known for known in minds if known <= max(level, 0))]


def find_awaited_bot(match: Match) -> Seat | None:
    """The first seat of a bot that the match awaits; None if it awaits none.

    Who is awaited follows from what everybody knows, so nothing else is looked at.
    """
    if match.state is None or match.status in FINAL_STATUSES or match.is_halted:
        return None
    public = match.state.view_for(BYSTANDER)
    bots = (seat for seat in sorted(seats_that_must_act(public)) if seat >= 0 and match.chairs[seat].kind == "bot")
    return next(bots, None)


def find_invited_bots(match: Match) -> tuple[Seat, ...]:
    """The seats of bots to which something is addressed that nobody waits for, from what everybody knows.

    Nobody, where bots have moved on invitations too often in a row: they would go round in circles.
    """
    idle = match.state is None or match.status in FINAL_STATUSES or match.is_halted
    if idle or not any(chair.kind == "bot" for chair in match.chairs):
        return ()
    assert match.state is not None
    if match.unbidden >= UNPROMPTED_MOVES_PER_SEAT * len(match.chairs):
        return ()
    public = match.state.view_for(BYSTANDER)
    return tuple(
        seat for seat in sorted(seats_that_may_respond(public)) if seat >= 0 and match.chairs[seat].kind == "bot"
    )


def needs_bots(loaded: LoadedMatch, left: int) -> bool:
    """Whether a bot is to be asked: it is awaited, or invited; `left` is the version at which those invited left it."""
    return find_awaited_bot(loaded.match) is not None or (
        loaded.version != left and bool(find_invited_bots(loaded.match))
    )


def play_bots(
    service: MatchService,
    match: str,
    below: Below = RANDOM_BELOW,
    moves: int = MOVES,
    seconds: float = SECONDS,
    left: int = 0,
    leave: Callable[[int], None] | None = None,
) -> bool:
    """Moves for the bots of a match as long as they are awaited, or invited and willing, within bounds; whether there
    is more to do.

    `left` is the version at which the invited have left things as they are, `leave` is told of it. Raises UnknownMatch,
    MatchUnavailable, MoveRejected if a bot's move is refused although nothing had changed, BotStuckError if one that is
    awaited finds no move.
    """
    until = time.monotonic() + seconds
    version, asked = 0, set[Seat]()
    for _ in range(moves):
        loaded = service.load_match(match)
        invitations = find_invited_bots(loaded.match)
        if loaded.version != version:
            version, asked = loaded.version, set(invitations if loaded.version == left else ())
        guest = next((seat for seat in invitations if seat not in asked), None)
        seat = find_awaited_bot(loaded.match) if guest is None else guest
        if seat is None:
            if asked and leave is not None:
                leave(version)
            return False
        if time.monotonic() > until:
            return True
        if guest is None:
            make_awaited_move(service, loaded, seat, below)
        else:
            asked.add(seat)
            answer_invitation(service, loaded, seat, below)
    return True


def make_awaited_move(service: MatchService, loaded: LoadedMatch, seat: Seat, below: Below) -> bool:
    """One move of a bot that is awaited, from what was loaded; False if the match had moved on meanwhile, so that it is
    to look again. Raises MoveRejected, BotStuckError, MatchUnavailable.
    """
    table = loaded.match
    assert table.state is not None
    try:
        move = find_strategy(table.chairs[seat].level)(table.state.view_for(seat), seat, below)
    except Undetermined as unknown:
        raise BotStuckError(f"the bot at seat {seat} of {table.id} needs to know: {unknown.need.key}") from unknown
    if move is None:
        raise BotStuckError(f"the bot at seat {seat} of {table.id} finds no move at version {loaded.version}")
    return submit_move(service, loaded, seat, move)


def answer_invitation(service: MatchService, loaded: LoadedMatch, seat: Seat, below: Below) -> bool:
    """What a bot that is invited does about it, from what was loaded; False if it leaves it, or the match had moved on
    meanwhile. Raises MoveRejected, MatchUnavailable.
    """
    table = loaded.match
    assert table.state is not None
    try:
        move = find_strategy(table.chairs[seat].level, INVITED_STRATEGIES)(table.state.view_for(seat), seat, below)
    except Undetermined:
        return False  # nobody waits for it, so it need not know
    return move is not None and submit_move(service, loaded, seat, move)


def submit_move(service: MatchService, loaded: LoadedMatch, seat: Seat, move: Move) -> bool:
    """Makes a bot's move; False if the match had moved on since it was loaded, so that it is to look again.

    The key names the question, or the bot's own last move since: a window may take several. So however often a job
    runs, one question gets one answer. With it goes the hash of the view it saw, as it is served to its seat. Raises
    IllegalMove, Away.
    """
    table = loaded.match
    level = table.chairs[seat].level
    try:
        service.make_move(
            MoveRequest(
                table.id,
                seat,
                move,
                key=str(find_last_prompt_version(service, loaded, seat)),
                scope=f"bot{int(seat)}",
                actor="bot",
                seen=loaded.version,
                view_hash=views.view_response(loaded, seat)["view_hash"],
            )
        )
    except (VersionConflict, IdempotencyKeyConflict):
        return False  # somebody moved, or the same bot in another job
    except IllegalMove:
        return False  # the table has ended the match, or somebody has taken the seat back
    except MoveRejected as illegal:
        if illegal.version != loaded.version:
            return False  # it was judged against a later version than the bot saw
        LOGGER.error(
            "the bot at seat %d of %s (level %d) made an illegal move, %s, against %s",
            *(seat, table.id, level, move.TAG, ", ".join(illegal.ruling.clauses)),  # the move itself may name a card
        )
        raise
    return True


def find_last_prompt_version(service: MatchService, loaded: LoadedMatch, seat: Seat) -> int:
    """The version at which this seat was asked, or that of its own last entry since."""
    asked = loaded.head.question_version
    since: list[Any] = (
        service.repository.load_entries(loaded.match.id, asked, loaded.version) if asked < loaded.version else []
    )
    return max((entry.version for entry in since if entry.seat == seat), default=asked)
