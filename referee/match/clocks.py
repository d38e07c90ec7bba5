"""Clocks: the time limits of a match, and what is played when one runs out.

A game may have clocks of its own, where a step awaits CLOCK; they come first. Otherwise games know no time. For a seat
that is late the service plays a legal move, the least that the rules allow (`Step.timeout_move`), so nothing is
invented. Deadlines are not in the log: the store keeps the one of the open question by its own clock.

TABLE-CLOCK-1: A match may limit the time for moves and windows. A seat that lets its time run out is given the least
that the rules allow, by the clock and never earlier. After twenty moves of the clock in a row for each seat it waits
until somebody is there again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.engine.events import Move
from referee.engine.referee import find_timeout_move, seats_that_must_act
from referee.engine.seats import CLOCK, Seat
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.loaded import LoadedMatch
from referee.match.table.reactions import find_spoken_deadline

MAX_LATE_MOVES_PER_SEAT = 20  # after this many moves in a row the clock waits until somebody is back
MIN_LIMIT_MS, MAX_LIMIT_MS = 1000, 7 * 24 * 3600 * 1000
MAX_OBJECTION_MS = 60_000  # for objecting to what one person said for all


@dataclass(frozen=True, slots=True)
class QuestionDeadline:
    """Until when the open question may be answered, by the store's clock.

    `asked` is the version that asked it, `limit_ms` the time that it had, `left_ms` what is left of it.
    """

    asked: int
    at_ms: int
    limit_ms: int
    left_ms: int


def compute_halt(match: Match) -> tuple[bool, int | None]:
    """Return whether play is halted, and until when a court, a report or a call waits.

    A change of these reopens the question.
    """
    if match.gone is not None:
        return True, None
    waits = [each.until_ms for each in match.disputes if each.is_open and each.until_ms is not None]
    if match.witnessing is not None:
        waits.append(match.witnessing.until_ms)
    if match.offices.open_call is not None:
        waits.append(match.offices.open_call.until_ms)
    return match.is_halted, min(waits, default=None) if match.is_halted else None


def compute_waiting(match: Match) -> tuple[bool, int | None, int | None]:
    """Return `compute_halt`, and until when somebody can object that nobody reacts.

    A change of any of these sets another deadline.
    """
    return (*compute_halt(match), find_spoken_deadline(match))


def compute_time_left(match: Match, now_ms: int) -> int | None:
    """Return how long the open question may stay open, in ms; None: no limit.

    TABLE-DISPUTE-2: While a court has a dispute, moves wait, and afterwards the open question has the time that was
    left.

    While play is halted this is the time of the court or the call. A takeback buys no time either.
    """
    halted, until = compute_halt(match)
    if halted:
        return None if until is None else max(1, until - now_ms)
    limit, spoken = compute_time_limit(match), find_spoken_deadline(match)
    if limit is not None and match.left_ms is not None:
        limit = min(limit, match.left_ms)
    if spoken is not None:  # whatever comes first
        limit = spoken - now_ms if limit is None else min(limit, spoken - now_ms)
    return None if limit is None else max(1, limit)


def compute_time_limit(match: Match) -> int | None:
    """Return how long the open question may stay open in all, in ms; None: no limit.

    TABLE-CLOCK-2: What only people at a real table can do, no clock does for them.

    There is no limit either if the clock has moved twenty times in a row for each seat and nobody came back.
    """
    if match.late >= MAX_LATE_MOVES_PER_SEAT * len(match.chairs):
        return None  # nobody is there, so the question waits
    limit = find_configured_limit(match)
    if limit is None or match.is_halted or is_game_clock_awaited(match):
        return limit
    assert match.state is not None
    return (
        limit if all(find_default_move(match, seat) is not None for seat in seats_that_must_act(match.state)) else None
    )


def find_configured_limit(match: Match) -> int | None:
    """Return the configured limit of the open question in ms; None: no limit.

    It does not matter here whether a default move exists for a seat that is late.
    """
    state = match.state
    if state is None or match.status in FINAL_STATUSES or not state.agenda:
        return None
    if match.is_halted:
        return _find_halt_limit(match)
    top, seats = state.agenda[-1], seats_that_must_act(state)
    if CLOCK in seats:
        return top.time_limit(state)
    limit = match.clocks.window_ms if top.window_kind or top.reaction_kind else match.clocks.move_ms
    return None if not seats or min(seats) < 0 else limit


def _find_halt_limit(match: Match) -> int | None:
    """Return how long what halts play may last, in ms; None: no limit."""
    until, call = compute_halt(match)[1], match.offices.open_call
    if until is None:
        return None
    if call is not None and call.until_ms == until:
        return call.until_ms - call.since_ms
    ruling = any(each.stage == "ruling" for each in match.disputes)
    return match.courts.rule_ms if ruling else match.courts.answer_ms


def find_default_move(match: Match, seat: Seat) -> Move | None:
    """Return the move played for a late seat; None if only a person can answer."""
    assert match.state is not None
    return find_timeout_move(match.state, seat, guess="table" not in match.chance.values())


def find_overdue_moves(match: Match) -> Iterator[tuple[Seat, Move]]:
    """Yield each seat that the open question still awaits, with its default move.

    The caller has found that the time is up.
    """
    if compute_time_limit(match) is not None and not match.is_halted:
        assert match.state is not None
        for seat in sorted(seats_that_must_act(match.state)):
            if seat >= 0 and (move := find_default_move(match, seat)) is not None:
                yield seat, move


def is_game_clock_awaited(match: Match) -> bool:
    """Tell whether the game itself awaits its clock."""
    return (
        match.status not in FINAL_STATUSES
        and not match.is_halted
        and match.state is not None
        and CLOCK in seats_that_must_act(match.state)
    )


def find_deadline(loaded: LoadedMatch) -> QuestionDeadline | None:
    """Return the deadline of the open question.

    Return None if there is none, or if `loaded` is not the match at its last version.
    """
    due = loaded.read_result.due
    if due is None or loaded.version != loaded.head.version or loaded.head.status != "open":
        return None
    limit = find_configured_limit(loaded.match)  # a deadline exists, so default moves were found when it was set
    if limit is None:
        return None
    return QuestionDeadline(
        loaded.head.question_version, due.at_ms, limit, max(0, due.at_ms - loaded.read_result.now_ms)
    )
