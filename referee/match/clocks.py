"""Clocks: limits of time that a match sets for any game, and what is done for whoever lets the time run out.

A game may have clocks of its own, where a step awaits CLOCK; they come first. The others know of no time: for a seat
that is late the desk makes a move that the rules allow, the least of them (`Step.when_late`), so nothing is invented.
Deadlines are not told by the log: the store keeps the one of the open question, by its own clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.engine.events import Move
from referee.engine.referee import find_timeout_move, seats_that_must_act
from referee.engine.seats import CLOCK, Seat
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.loaded import LoadedMatch

MAX_LATE_MOVES_PER_SEAT = 20  # the clock's moves in a row, for each seat, until it waits for somebody to come back
MIN_LIMIT_MS, MAX_LIMIT_MS = 1000, 7 * 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class QuestionDeadline:
    """Until when the open question may be answered, by the store's clock; how long it had, and has left, in ms."""

    asked: int
    at_ms: int
    limit_ms: int
    left_ms: int


def compute_halt(match: Match) -> tuple[bool, int | None]:
    """Whether play is halted, and until when a court, or a report, waits for the table: what changes it asks anew."""
    if match.gone is not None:
        return True, None
    waits = [each.until_ms for each in match.disputes if each.is_open and each.until_ms is not None]
    if match.witnessing is not None:
        waits.append(match.witnessing.until_ms)
    return match.is_halted, min(waits, default=None) if match.is_halted else None


def compute_time_left(match: Match, now_ms: int) -> int | None:
    """How long what is asked now may stay open, in ms; None: without limit.

    While play is halted it is the time of the court. What was left of the time for the open question is left of it
    when play goes on, and after a takeback: neither buys time (TABLE-DISPUTE-2).
    """
    halted, until = compute_halt(match)
    if halted:
        return None if until is None else max(1, until - now_ms)
    limit = compute_time_limit(match)
    return limit if limit is None or match.left_ms is None else min(limit, max(1, match.left_ms))


def compute_time_limit(match: Match) -> int | None:
    """How long the open question may stay open, in ms; None: without limit.

    Without limit is also what only the people at a real table can answer (TABLE-CLOCK-2), and what dice have to answer.
    """
    if match.late >= MAX_LATE_MOVES_PER_SEAT * len(match.chairs):
        return None  # nobody is there: the question waits until somebody is
    limit = find_configured_limit(match)
    if limit is None or match.is_halted or is_game_clock_awaited(match):
        return limit
    assert match.state is not None
    return (
        limit if all(find_default_move(match, seat) is not None for seat in seats_that_must_act(match.state)) else None
    )


def find_configured_limit(match: Match) -> int | None:
    """The limit of the open question, whether or not anything can be done for whoever lets it run out."""
    state = match.state
    if state is None or match.status in FINAL_STATUSES or not state.agenda:
        return None
    if match.is_halted:
        ruling = any(each.stage == "ruling" for each in match.disputes)
        return None if compute_halt(match)[1] is None else match.courts.rule_ms if ruling else match.courts.answer_ms
    top, seats = state.agenda[-1], seats_that_must_act(state)
    if CLOCK in seats:
        return top.time_limit(state)
    limit = match.clocks.window_ms if top.window_kind or top.reaction_kind else match.clocks.move_ms
    return None if not seats or min(seats) < 0 else limit


def find_default_move(match: Match, seat: Seat) -> Move | None:
    """What is done for a seat that lets its time run out; None if only it can say."""
    assert match.state is not None
    return find_timeout_move(match.state, seat, guess="table" not in match.chance.values())


def find_overdue_moves(match: Match) -> Iterator[tuple[Seat, Move]]:
    """The seats that the open question still waits for now that its time is up, and what is done for each."""
    if compute_time_limit(match) is not None and not match.is_halted:
        assert match.state is not None
        for seat in sorted(seats_that_must_act(match.state)):
            if seat >= 0 and (move := find_default_move(match, seat)) is not None:
                yield seat, move


def is_game_clock_awaited(match: Match) -> bool:
    """Whether the game itself awaits its clock: then it is told that the time is up."""
    return (
        match.status not in FINAL_STATUSES
        and not match.is_halted
        and match.state is not None
        and CLOCK in seats_that_must_act(match.state)
    )


def find_deadline(loaded: LoadedMatch) -> QuestionDeadline | None:
    """The deadline of what is asked now; None if there is none, or if this is the match as it was before."""
    due = loaded.read_result.due
    if due is None or loaded.version != loaded.head.version or loaded.head.status != "open":
        return None
    limit = find_configured_limit(
        loaded.match
    )  # there is a deadline, so something can be done: that was asked when it was set
    if limit is None:
        return None
    return QuestionDeadline(
        loaded.head.question_version, due.at_ms, limit, max(0, due.at_ms - loaded.read_result.now_ms)
    )
