"""Plays the seats of bots.

A bot is given the view of its seat and nothing else, and it moves through `MatchService` like a person. A strategy is a
function of view, seat and randomness. It gets no state, no log and no service.

Bots are asked where they are awaited, and where they are invited (`Step.invited_seats`). An invited bot may decline. It
is then not asked again before the version changes. At each version the invited bots are asked first, because the next
move of an awaited seat may withdraw what was offered. Bots that answer each other's invitations again and again are not
asked any more until somebody else has moved.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from secrets import SystemRandom
from typing import Any

from referee.bots.env import UNPROMPTED_MOVES_PER_SEAT
from referee.bots.minds import ANSWERS, CHOICES, Choice
from referee.engine.events import Move
from referee.engine.referee import seats_that_may_respond, seats_that_must_act
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.errors import IdempotencyKeyConflict, MoveRejected, VersionConflict
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest

LOGGER = logging.getLogger("referee.workers.bots")
MOVES = 200  # at most in one job
SECONDS = 2.0  # at most in one job, because a worker finishes its job before it stops

RANDOM_BELOW = SystemRandom().randrange
Below = Callable[[int], int]  # below(n): uniform in 0 … n-1


# by level, for bots that are awaited
STRATEGIES: dict[int, Choice] = dict(CHOICES)
# by level, for bots that are invited; None means that the bot declines
INVITED_STRATEGIES: dict[int, Choice] = dict(ANSWERS)


class BotStuckError(RuntimeError):
    """A bot is awaited and finds no move.

    Either the game is at fault or, at a real table, nobody has named the bot's cards.
    """


def find_strategy(level: int, strategies: Mapping[int, Choice] = STRATEGIES) -> Choice:
    """Return the strategy of a level, or of the highest level below it."""
    return strategies[max(present for present in strategies if present <= max(level, 0))]


def find_awaited_bot(match: Match) -> Seat | None:
    """Return the first seat of a bot that the match awaits, or None.

    Only public knowledge is used, because it decides who is awaited.
    """
    if match.state is None or match.status in FINAL_STATUSES or match.is_halted:
        return None
    public = match.state.view_for(BYSTANDER)
    bots = (seat for seat in sorted(seats_that_must_act(public)) if seat >= 0 and match.chairs[seat].kind == "bot")
    return next(bots, None)


def find_invited_bots(match: Match) -> tuple[Seat, ...]:
    """Return the seats of bots that are invited to move while nobody waits for them.

    Only public knowledge is used. Return none if bots have moved on invitations too often in a row: they would go round
    in circles.
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
    """Whether a bot has to be asked: one is awaited, or one is invited.

    `left` is the version at which the invited bots declined.
    """
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
    """Play the bots of a match as long as they are awaited or accept invitations.

    Return whether there is more to do, because the bounds `moves` or `seconds` were reached. `left` is the version at
    which the invited bots declined before, and `leave` is called with a version at which they decline now.

    Raises UnknownMatch, MatchUnavailable, BotStuckError, and MoveRejected if a bot's move is illegal although nothing
    has changed.
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
    """Make one move of a bot that is awaited; return False if the version has changed.

    Then the caller has to load the match again. Raises MoveRejected, BotStuckError, MatchUnavailable.
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
    """Let an invited bot move or decline.

    Return False if it declines or the version has changed. Raises MoveRejected, MatchUnavailable.
    """
    table = loaded.match
    assert table.state is not None
    try:
        move = find_strategy(table.chairs[seat].level, INVITED_STRATEGIES)(table.state.view_for(seat), seat, below)
    except Undetermined:
        return False  # nobody waits for the bot, so it may decline
    return move is not None and submit_move(service, loaded, seat, move)


def submit_move(service: MatchService, loaded: LoadedMatch, seat: Seat, move: Move) -> bool:
    """Submit a bot's move; return False if the version has changed since the load.

    The idempotency key names the version of the question, or of the bot's own last move since, because a window may
    take several moves of one seat. So one question gets one answer, no matter how often a job runs. The hash of the
    view that the bot saw is recorded with the move. Raises MoveRejected, MatchUnavailable.
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
        return False  # the match has ended, or a person has taken the seat back
    except MoveRejected as illegal:
        if illegal.version != loaded.version:
            return False  # it was judged against a later version than the bot saw
        LOGGER.error(
            "the bot at seat %d of %s (level %d) made an illegal move, %s, against %s",
            *(
                seat,
                table.id,
                level,
                move.TAG,
                ", ".join(illegal.ruling.clauses),
            ),  # the tag alone: the move may name a hidden card
        )
        raise
    return True


def find_last_prompt_version(service: MatchService, loaded: LoadedMatch, seat: Seat) -> int:
    """Return the version at which this seat was asked.

    If the seat has made entries since, return the version of the last of them.
    """
    asked = loaded.head.question_version
    since: list[Any] = (
        service.repository.load_entries(loaded.match.id, asked, loaded.version) if asked < loaded.version else []
    )
    return max((entry.version for entry in since if entry.seat == seat), default=asked)
