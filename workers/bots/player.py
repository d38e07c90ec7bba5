"""Plays the seats of bots.

A bot is given the view of its seat, what that seat remembers and a seed, and nothing else, and it moves through
`MatchService` like a person. The seed comes from the match's secret, so that its thoughts can be repeated after the
match (`referee.thoughts`).

Bots are asked where they are awaited, and where they are invited (`Step.invited_seats`). An invited bot may decline. It
is then not asked again before the version changes. At each version the invited bots are asked first, because the next
move of an awaited seat may withdraw what was offered. Bots that answer each other's invitations again and again are not
asked any more until somebody else has moved.

Bots that search take as long for each move, however much there is to think about: how long somebody thinks tells what
he holds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from traceback import format_tb
from typing import Any

from referee.bots.env import UNPROMPTED_MOVES_PER_SEAT
from referee.bots.minds import BRIEF, GREEDY, clamp_level
from referee.bots.search import MayGoOn, Thought, go_on_always
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.referee import seats_that_may_respond, seats_that_must_act
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.errors import IdempotencyKeyConflict, MoveRejected, VersionConflict
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from referee.thoughts.thinking import record_decision, think_for_seat
from workers.bots.recall_cache import RecallCache

LOGGER = logging.getLogger("referee.workers.bots")
MOVES = 200  # at most in one job
SECONDS = 2.0  # at most in one job, because a worker finishes its job before it stops
THOUGHT_SECONDS = 0.75  # of a bot that searches, where people play: so long it thinks, and so long it takes
SHORTEST_THOUGHT = 0.1  # however many others wait


@dataclass
class ThinkingTime:
    """How bots that search may think in one job.

    - `seconds`: what a thought may take; None: as long as it needs. Where people play, it takes just as long.
    - `recalls`: what bots remember, kept from job to job.
    """

    seconds: float | None = None
    recalls: RecallCache = field(default_factory=RecallCache)


@dataclass(frozen=True)
class Decision:
    """A thought, and the level and the memory that it was thought with."""

    thought: Thought
    level: int
    memory: Memory


def share_thinking_time(waiting: int) -> float:
    """Return how long a thought may take while some jobs wait, in seconds."""
    return max(SHORTEST_THOUGHT, THOUGHT_SECONDS / (1 + waiting))


def share_job_time(waiting: int) -> float:
    """Return how long a job may take while some others wait, in seconds.

    Bots that play each other always have more to do. A person who plays against bots waits for a move of theirs, not
    for many.
    """
    return SECONDS / (1 + waiting)


class BotStuckError(RuntimeError):
    """A bot is awaited and finds no move.

    Either the game is at fault or, at a real table, nobody has named the bot's cards.
    """


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


def has_searching_bot(match: Match) -> bool:
    """Whether one of the bots of a match searches."""
    return any(chair.kind == "bot" and clamp_level(chair.level) >= BRIEF for chair in match.chairs)


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
    moves: int = MOVES,
    seconds: float = SECONDS,
    left: int = 0,
    leave: Callable[[int], None] | None = None,
    thinking: ThinkingTime | None = None,
    may_search: bool = True,
) -> bool:
    """Play the bots of a match as long as they are awaited or accept invitations.

    Return whether there is more to do, because the bounds `moves` or `seconds` were reached, or because the next bot
    searches and it is not to be asked here (`may_search`). `left` is the version at which the invited bots declined
    before, and `leave` is called with a version at which they decline now. All bots that are invited at one version are
    asked, however long that takes: the next job would begin with the first of them again.

    Raises UnknownMatch, MatchUnavailable, BotStuckError, and MoveRejected if a bot's move is illegal although nothing
    has changed.
    """
    until, is_late = 0.0, False
    thinking = thinking or ThinkingTime()
    version, asked = 0, set[Seat]()
    for _ in range(moves):
        loaded = service.load_match(match)
        invitations = find_invited_bots(loaded.match)
        if loaded.version != version:
            until = until or time.monotonic() + seconds  # from the first look, which may take longer than a short job
            is_late = time.monotonic() > until
            version, asked = loaded.version, set(invitations if loaded.version == left else ())
        guest = next((seat for seat in invitations if seat not in asked), None)
        seat = find_awaited_bot(loaded.match) if guest is None else guest
        if seat is None:
            if asked and leave is not None:
                leave(version)
            return False
        searches = clamp_level(loaded.match.chairs[seat].level) >= BRIEF
        if is_late or (searches and not may_search):
            return True
        if guest is None:
            make_awaited_move(service, loaded, seat, thinking)
        else:
            asked.add(seat)
            answer_invitation(service, loaded, seat, thinking, len(invitations))
    return True


def make_awaited_move(service: MatchService, loaded: LoadedMatch, seat: Seat, thinking: ThinkingTime) -> bool:
    """Make one move of a bot that is awaited; return False if the version has changed.

    Then the caller has to load the match again. Raises MoveRejected, BotStuckError, MatchUnavailable.
    """
    table = loaded.match
    try:
        found = decide(service, loaded, seat, thinking)
    except Undetermined as unknown:
        raise BotStuckError(f"the bot at seat {seat} of {table.id} needs to know: {unknown.need.key}") from unknown
    if found.thought.move is None:
        raise BotStuckError(f"the bot at seat {seat} of {table.id} finds no move at version {loaded.version}")
    return submit_move(service, loaded, seat, found)


def answer_invitation(
    service: MatchService, loaded: LoadedMatch, seat: Seat, thinking: ThinkingTime, invited: int = 1
) -> bool:
    """Let an invited bot move or decline; `invited` is how many bots share the time.

    Return False if it declines or the version has changed. Raises MoveRejected, MatchUnavailable.
    """
    try:
        found = decide(service, loaded, seat, thinking, invited)
    except Undetermined:
        return False  # nobody waits for the bot, so it may decline
    return found.thought.move is not None and submit_move(service, loaded, seat, found)


def decide(
    service: MatchService, loaded: LoadedMatch, seat: Seat, thinking: ThinkingTime, sharing: int = 1
) -> Decision:
    """Return what the bot of a seat decides, in its part of the time.

    Raises Undetermined.
    """
    table = loaded.match
    seed = service.derive_thought_seed(loaded, seat)
    level = clamp_level(table.chairs[seat].level)
    if level < BRIEF:
        return Decision(think_for_seat(table, seat, seed), level, NOTHING_REMEMBERED)
    until = None if thinking.seconds is None else time.monotonic() + thinking.seconds / sharing
    searching = [at for at, chair in enumerate(table.chairs) if chair.kind == "bot" and chair.level >= BRIEF]
    try:
        memory = thinking.recalls.load_recall(service.repository, loaded, searching).list_places(seat)
        found = Decision(think_for_seat(table, seat, seed, memory, build_time_guard(until)), level, memory)
    except Undetermined:
        raise
    except Exception as wrong:
        # A fault in searching must not stop a match. The entry says at which level the move was made.
        LOGGER.error(  # the message of the exception may name a hidden card
            "the bot at seat %d of %s cannot search at version %d: %s\n%s",
            *(seat, table.id, loaded.version, type(wrong).__name__, "".join(format_tb(wrong.__traceback__))),
        )
        found = Decision(think_for_seat(table, seat, seed, level=GREEDY), GREEDY, NOTHING_REMEMBERED)
    if until is not None and any(chair.kind == "human" for chair in table.chairs):
        time.sleep(max(0.0, until - time.monotonic()))
    return found


def build_time_guard(until: float | None) -> MayGoOn:
    """Return what tells a search to end at a time of the monotonic clock."""
    return go_on_always if until is None else lambda _playouts: time.monotonic() < until


def submit_move(service: MatchService, loaded: LoadedMatch, seat: Seat, found: Decision) -> bool:
    """Submit a bot's move; return False if the version has changed since the load.

    The idempotency key names the version of the question, or of the bot's own last move since, because a window may
    take several moves of one seat. So one question gets one answer, no matter how often a job runs. What the
    decision rests on is recorded with the move. Raises MoveRejected, MatchUnavailable.
    """
    table, move = loaded.match, found.thought.move
    assert move is not None
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
                decision=record_decision(table, loaded.version, seat, found.level, found.thought, found.memory),
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
                found.level,
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
