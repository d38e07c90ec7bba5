"""The clock of the store jumps: nobody loses a turn to it, waits for hours, or finds the table closed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from referee.engine.seats import Seat
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.service.requests import MoveRequest
from tests.engine.toy import Suffer
from tests.infrastructure.archiving import plain
from tests.service.house import service
from tests.workers.house import context_of, opened
from tests.workers.test_archiving import led
from tests.workers.test_deadlines import THINKING, bombed, clocked
from workers.context import WorkerContext
from workers.jobs.archiving import CLOSING, DAY_MS, Archiver, ArchiveService
from workers.jobs.clock_jumps import NOTICED_FROM_MS, ClockJumps
from workers.jobs.sweeper import GRACE_MS, SET_BACK_MS, Sweeper

HOUR_MS = 3_600_000


class Clocks:
    """The store's clock, and that of a process, which runs on evenly."""

    def __init__(self) -> None:
        self.log, self._ms = MemoryLog(), 0

    def pass_by(self, ms: int) -> None:
        self._ms += ms
        self.log.advance_clock(ms)

    def jump(self, ms: int) -> None:
        self.log.advance_clock(ms)

    def elapsed(self) -> float:
        return self._ms / 1000


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def context(clocks: Clocks) -> WorkerContext:
    return context_of(clocks.log)


def find_due_in(clocks: Clocks) -> int:
    due = clocks.log.find_next_deadline()
    assert due is not None
    return due - clocks.log.now()


def test_only_what_the_even_clock_does_not_show_is_a_jump(clocks: Clocks) -> None:
    jumps = ClockJumps(clocks.elapsed)
    assert jumps.measure_jump(clocks.log.now()) == 0
    clocks.pass_by(HOUR_MS)
    clocks.jump(NOTICED_FROM_MS)
    assert jumps.measure_jump(clocks.log.now()) == 0
    clocks.jump(HOUR_MS)
    assert jumps.measure_jump(clocks.log.now()) == HOUR_MS
    clocks.jump(-HOUR_MS)
    assert jumps.measure_jump(clocks.log.now()) == -HOUR_MS
    assert jumps.measure_jump(clocks.log.now()) == 0


def test_a_jump_ahead_costs_nobody_the_turn(clocks: Clocks, context: WorkerContext) -> None:
    sweeper = Sweeper(context, clocks.elapsed)
    match = bombed(context.service)
    sweeper.play_due_deadlines()
    clocks.jump(HOUR_MS)
    sweeper.play_due_deadlines()
    assert (clocked(context, match), find_due_in(clocks)) == ([], GRACE_MS)
    clocks.pass_by(GRACE_MS - 1)
    for seat in (1, 2):
        context.service.make_move(MoveRequest(match, Seat(seat), Suffer(), key=f"s{seat}"))
    clocks.pass_by(HOUR_MS)
    sweeper.play_due_deadlines()
    assert clocked(context, match) == []


def test_after_a_jump_ahead_the_clock_plays_once_the_grace_is_over(clocks: Clocks, context: WorkerContext) -> None:
    sweeper = Sweeper(context, clocks.elapsed)
    match = bombed(context.service)
    sweeper.play_due_deadlines()
    for _ in range(2):  # each jump counts for itself
        clocks.jump(HOUR_MS)
        sweeper.play_due_deadlines()
        assert find_due_in(clocks) == GRACE_MS
    clocks.pass_by(GRACE_MS)
    sweeper.play_due_deadlines()
    assert len(clocked(context, match)) == 1


def test_a_request_leaves_to_the_sweeper_what_is_overdue_for_long(clocks: Clocks) -> None:
    at = service(clocks.log)
    at.appender.plays_overdue_ms = 5000  # as requests have it
    match = bombed(at)
    clocks.jump(HOUR_MS)  # a phone asks before the sweeper has looked
    before = at.load_match(match).version
    at.make_move(MoveRequest(match, Seat(1), Suffer(), key="late"))
    entries = at.repository.load_entries(match, before, before + 1)
    assert [(entry.seat, entry.actor) for entry in entries] == [(1, "player")]


def test_after_a_jump_back_a_question_has_its_time_anew(clocks: Clocks, context: WorkerContext) -> None:
    sweeper = Sweeper(context, clocks.elapsed)
    match = bombed(context.service)
    sweeper.play_due_deadlines()
    clocks.jump(-HOUR_MS)
    sweeper.play_due_deadlines()
    assert find_due_in(clocks) == THINKING
    clocks.pass_by(THINKING - 1)
    sweeper.play_due_deadlines()
    assert clocked(context, match) == []
    clocks.pass_by(1)
    sweeper.play_due_deadlines()
    assert len(clocked(context, match)) == 1


def test_a_clock_set_back_while_the_server_was_down_is_noticed_at_the_start(clocks: Clocks) -> None:
    context = context_of(clocks.log)
    bombed(context.service)
    clocks.jump(-HOUR_MS)
    run = WorkerContext(context.service, clocks.log, context.queues, lambda: "another run", context.publisher)
    Sweeper(run, clocks.elapsed).play_due_deadlines()
    assert find_due_in(clocks) == THINKING


def test_a_small_jump_back_moves_no_deadline(clocks: Clocks, context: WorkerContext) -> None:
    sweeper = Sweeper(context, clocks.elapsed)
    bombed(context.service)
    sweeper.play_due_deadlines()
    clocks.jump(-SET_BACK_MS)
    sweeper.play_due_deadlines()
    assert find_due_in(clocks) == THINKING + SET_BACK_MS


def test_a_jump_ahead_closes_no_lobby(clocks: Clocks, tmp_path: Path) -> None:
    at, archive = service(clocks.log), Archive(tmp_path / "archive")
    match = opened(at, "human", "human", begin=False)
    led(at.log)
    archiver = Archiver(ArchiveService(at, archive, plain), 1, CLOSING, clocks.elapsed)
    for jump in (2 * DAY_MS, -2 * DAY_MS, 2 * DAY_MS):
        assert archiver.handle_due_matches(threading.Event()) == 0
        clocks.jump(jump)
    assert archiver.handle_due_matches(threading.Event()) == 0
    assert at.load_match(match).match.status == "lobby"
    clocks.pass_by(DAY_MS + 1)
    assert archiver.handle_due_matches(threading.Event()) == 1
