"""The sweeper: deadlines are played once, never early, and what the queue or a desk lost is done all the same."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.eventstore.contract import AppendResult, Commit, StoreUnavailable, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.clients import build_run_id_reader
from referee.match.aggregate import MatchEnded
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.engine.toy import Bomb, Play, Suffer
from tests.service.house import end_agreed_by_all, service
from tests.workers.house import Noted, context_of, opened, played
from workers import queue
from workers.composition import set_context
from workers.context import WorkerContext
from workers.jobs import recovery
from workers.jobs import sweeper as deadlines
from workers.jobs.sweeper import GRACE_MS, Sweeper, sweep_until_stopped

THINKING = 1000  # of the toy's window, in ms
SLOW_MS = 10_000  # of a machine that does much else; how long the sweeper pauses is looked at without a clock


def bombed(at: MatchService) -> str:
    """A match in which seats 1 and 2 have a second to dodge."""
    while True:
        match = opened(at, "table", "table", "table")
        if "bomb" in at.load_match(match).match.state.cards_at("hand:0"):
            at.make_move(MoveRequest(match, Seat(0), Play("bomb"), key="bomb"))
            assert isinstance(at.load_match(match).match.state.agenda[-1], Bomb)
            return match


def clocked(context: WorkerContext, match: str) -> list[int]:
    return [entry.version for entry in context.service.repository.load_entries(match) if entry.seat == CLOCK]


def test_a_deadline_is_played_when_it_has_passed_and_not_before() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = bombed(context.service)
    sweeper = Sweeper(context)
    log.advance_clock(THINKING - 1)
    assert sweeper.play_due_deadlines() == pytest.approx(0.001)
    assert clocked(context, match) == []
    log.advance_clock(1)
    sweeper.play_due_deadlines()
    assert len(clocked(context, match)) == 1
    assert log.find_next_deadline() is None
    sweeper.play_due_deadlines()
    assert len(clocked(context, match)) == 1


def test_the_sweeper_looks_again_when_the_next_one_falls_due() -> None:
    log = MemoryLog()
    context = context_of(log)
    assert Sweeper(context).play_due_deadlines() == 0.25
    bombed(context.service)
    assert Sweeper(context).play_due_deadlines() == 0.25
    log.advance_clock(THINKING - 30)
    assert Sweeper(context).play_due_deadlines() == pytest.approx(0.03)


def test_what_falls_due_while_the_sweeper_plays_another_is_not_left_for_the_next_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = MemoryLog()
    context = context_of(log)
    first = bombed(context.service)
    log.advance_clock(10)
    second = bombed(context.service)
    log.advance_clock(THINKING - 10)
    load = context.service.load_match

    def slow(match: str, key: str = "", grant: str = "") -> Any:
        monkeypatch.setattr(context.service, "load_match", load)
        log.advance_clock(10)
        return load(match, key, grant)

    monkeypatch.setattr(context.service, "load_match", slow)
    sweeper = Sweeper(context)
    assert sweeper.play_due_deadlines() == 0.0
    assert (len(clocked(context, first)), len(clocked(context, second))) == (1, 0)
    assert sweeper.play_due_deadlines() == 0.25
    assert len(clocked(context, second)) == 1


def test_one_who_answers_in_time_is_not_timed_out() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = bombed(context.service)
    log.advance_clock(THINKING - 1)
    for seat in (1, 2):
        context.service.make_move(MoveRequest(match, Seat(seat), Suffer(), key=f"s{seat}"))
    log.advance_clock(5000)
    Sweeper(context).play_due_deadlines()
    assert clocked(context, match) == []


def test_two_sweepers_play_each_deadline_once_and_never_early(server: redis.Redis, socket: Path) -> None:
    logs = [RedisLog(redis.Redis(unix_socket_path=str(socket))) for _ in range(2)]
    contexts = [context_of(log) for log in logs]
    sweepers, stop = [Sweeper(context) for context in contexts], threading.Event()
    for sweeper in sweepers:
        sweeper.play_due_deadlines()  # what is past at the first look has grace
    threads = [threading.Thread(target=sweep_until_stopped, args=(sweeper, stop)) for sweeper in sweepers]
    for thread in threads:
        thread.start()
    at = contexts[0].service
    matches = [bombed(at) for _ in range(12)]
    given_by = time.monotonic() + 120
    while time.monotonic() < given_by and any(logs[0].read(match).due for match in matches):
        time.sleep(0.02)
    stop.set()
    for thread in threads:
        thread.join()
    for match in matches:
        entries = at.repository.load_entries(match)
        (asked,) = [entry for entry in entries if entry.move == Play("bomb")]
        (version,) = clocked(contexts[0], match)
        took = entries[version - 1].at_ms - asked.at_ms
        assert THINKING <= took < THINKING + SLOW_MS


def test_a_void_deadline_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog()
    context = context_of(log)
    match = bombed(context.service)
    partition = log._partitions[partition_for_match(match)]
    tag = next(tag for of, tag in partition.due if of == match)
    context.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    partition.due[match, tag] = log.now()  # as an earlier release left it standing
    log._partitions[7].due["07-nobody", "3"] = log.now()
    Sweeper(context).play_due_deadlines()
    assert log.find_next_deadline() is None
    assert clocked(context, match) == []
    assert "07-nobody is void" in caplog.text


def test_a_deadline_that_cannot_be_played_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    context = context_of(log)
    broken, sound = bombed(context.service), bombed(context.service)
    load, tried = context.service.load_match, []

    def failing(match: str, key: str = "", grant: str = "") -> Any:
        if match == broken:
            tried.append(match)
            raise ValueError("no entry")
        return load(match, key, grant)

    monkeypatch.setattr(context.service, "load_match", failing)
    log.advance_clock(THINKING)
    sweeper = Sweeper(context)
    assert sweeper.play_due_deadlines() == 0.0
    assert len(clocked(context, sound)) == 1
    assert sweeper.play_due_deadlines() == 0.25  # it does not spin about what was put off
    assert tried == [broken]
    monkeypatch.setattr(deadlines, "RETRY_SECONDS", -1.0)
    sweeper._put_off[next(iter(sweeper._put_off))] = 0.0
    monkeypatch.setattr(context.service, "load_match", load)
    sweeper.play_due_deadlines()
    assert len(clocked(context, broken)) == 1


def test_an_answer_that_crosses_the_deadline_at_the_same_instant_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    context, player = context_of(log), service(log)
    match = bombed(context.service)
    log.advance_clock(THINKING)
    append = log.append

    def crossed(commit: Commit) -> AppendResult:
        if commit.key.startswith("clock:"):
            monkeypatch.setattr(log, "append", append)
            for seat in (1, 2):  # decided before the time was up
                now = player.repository.read_match(match)
                player._make_move(MoveRequest(match, Seat(seat), Suffer(), "in-time"), now)
        return append(commit)

    monkeypatch.setattr(log, "append", crossed)
    Sweeper(context).play_due_deadlines()
    assert clocked(context, match) == []
    assert log.find_next_deadline() is None


def test_after_the_store_was_away_passed_deadlines_get_grace_once_per_run() -> None:
    log, run = MemoryLog(), ["first"]
    context = context_of(log, run_id=lambda: run[0])
    sweeper = Sweeper(context)
    sweeper.play_due_deadlines()
    match = bombed(context.service)
    run[0] = "second"
    log.advance_clock(60_000)
    sweeper.play_due_deadlines()
    Sweeper(context).play_due_deadlines()  # the other one, which learns of the second run a little later
    assert clocked(context, match) == []
    assert log.find_next_deadline() == log.now() + GRACE_MS
    log.advance_clock(GRACE_MS - 1)
    sweeper.play_due_deadlines()
    assert clocked(context, match) == []
    log.advance_clock(1)
    sweeper.play_due_deadlines()
    assert len(clocked(context, match)) == 1


def test_the_run_of_a_store_is_its_servers_own(server: redis.Redis) -> None:
    assert build_run_id_reader(server)() == server.info("server")["run_id"]
    with pytest.raises(StoreUnavailable):
        build_run_id_reader(redis.Redis(unix_socket_path="/nonexistent/socket", retry=Retry(NoBackoff(), 0)))()


def test_the_sweeper_outlasts_a_store_and_a_queue_that_are_away(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog(lambda: int(time.time() * 1000))
    hints = Noted(away=redis.exceptions.ConnectionError("the queue is gone"))
    context = context_of(log)
    match = bombed(context.service)
    context.service.appender.wake = lambda partition: None
    context = WorkerContext(context.service, log, hints, context.run_id)
    next_due, failed = log.find_next_deadline, []

    def away() -> int | None:
        if len(failed) < 2:
            failed.append(True)
            raise StoreUnavailable("the store is gone")
        return next_due()

    monkeypatch.setattr(log, "find_next_deadline", away)
    stop = threading.Event()
    sweeping = threading.Thread(target=sweep_until_stopped, args=(Sweeper(context), stop))
    sweeping.start()
    given_by = time.monotonic() + 60
    while not clocked(context, match) and time.monotonic() < given_by:
        time.sleep(0.05)
    stop.set()
    sweeping.join()
    assert len(clocked(context, match)) == 1


def test_a_sweeper_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sweeper = Sweeper(context_of(MemoryLog()))
    monkeypatch.setattr(sweeper, "repair_stalled_work", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sweep_until_stopped(sweeper, threading.Event())


def test_it_ends_when_its_parent_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_PARENT", str(os.getppid()))
    assert not deadlines.is_orphaned()
    monkeypatch.setenv("REFEREE_PARENT", "1" if os.getppid() != 1 else "2")
    assert deadlines.is_orphaned()
    sweep_until_stopped(Sweeper(context_of(MemoryLog())), threading.Event())  # comes back by itself


def test_views_that_stand_still_are_led_on_although_nobody_was_woken() -> None:
    """The API died between commit and enqueueing, or the queue lost the job: the wake flag stands and passes."""
    log, hints = MemoryLog(), Noted()
    context = context_of(log, hints)
    set_context(context)
    match = opened(context.service, "table", "table")
    partition = partition_for_match(match)
    hints.drains.clear()  # the queue is lost
    sweeper = Sweeper(context)
    sweeper.repair_stalled_work()
    sweeper.repair_stalled_work()
    assert hints.drains == []  # the flag says that somebody is on his way
    log.advance_clock(5000)
    sweeper.repair_stalled_work()
    assert hints.drains == [partition]
    sweeper.repair_stalled_work()
    assert hints.drains == [partition]
    queue.drain_partition(hints.drains.pop())
    sweeper.repair_stalled_work()
    sweeper.repair_stalled_work()
    assert hints.drains == []
    assert log.read_cursor(partition, "lobby", 1) == log.read_partition_info(partition).position


def test_views_on_their_way_are_left_to_themselves() -> None:
    log, hints = MemoryLog(), Noted()
    context = context_of(log, hints)
    set_context(context)
    match = opened(context.service, "table", "table")
    hints.drains.clear()
    log.clear_wake_flag(partition_for_match(match))
    sweeper = Sweeper(context)
    for seed in range(3):
        sweeper.repair_stalled_work()
        queue.drain_partition(partition_for_match(match))
        played(context.service, match, seed, most=1)
        hints.drains.clear()
        log.clear_wake_flag(partition_for_match(match))
    assert hints.drains == []


def half_started(context: WorkerContext, *kinds: str) -> str:
    """A match whose desk died before chance could shuffle."""
    match = opened(context.service, *kinds, begin=False)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(context.service.appender, "run_chance", lambda loaded: loaded)
        context.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def test_a_drain_draws_what_a_dead_desk_did_not() -> None:
    context = context_of(MemoryLog())
    set_context(context)
    match = half_started(context, "bot", "table")
    queue.drain_partition(partition_for_match(match))
    state = context.service.load_match(match).match.state
    assert len(state.cards_at("hand:0")) == 3
    assert context.queues.asked == [match]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kinds", [("table", "table"), ("bot", "table")])
def test_what_awaits_a_worker_for_long_is_healed(kinds: tuple[str, str]) -> None:
    log, hints = MemoryLog(), Noted()
    context = context_of(log, hints)
    set_context(context)
    with pytest.MonkeyPatch.context() as patched:  # the worker dies after the views and before the healing
        patched.setattr(recovery, "recover_match", lambda context, match: None)
        match = half_started(context, *kinds)
        queue.drain_partition(partition_for_match(match))
    sweeper = Sweeper(context)
    log.advance_clock(4999)
    sweeper.repair_stalled_work()
    assert context.service.repository.read_match(match).match.state.agenda[-1].awaited_seats(
        context.service.repository.read_match(match).match.state
    ) == {CHANCE}
    log.advance_clock(1)
    sweeper.repair_stalled_work()
    assert len(context.service.load_match(match).match.state.cards_at("hand:0")) == 3
    assert hints.asked == ([match] if "bot" in kinds else [])


def test_a_draw_that_is_healed_twice_is_one_entry() -> None:
    log = MemoryLog()
    context = context_of(log)
    match = half_started(context, "table", "table")
    for _ in range(2):
        recovery.recover_match(context, match)
    assert [entry.seat for entry in context.service.repository.load_entries(match)].count(CHANCE) == 1


def test_a_match_that_cannot_be_healed_keeps_no_other_waiting(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog()
    context = context_of(log)
    frozen = half_started(context, "bot", "table")
    log.freeze_match(frozen)
    recovery.recover_match(context, frozen)
    recovery.recover_match(context, "07-nobody")
    assert caplog.text.count("cannot be recovered") == 2
    over = opened(context.service, "bot", "table")
    context.service.execute_command(over, end_agreed_by_all("abandoned"), key="end", scope="host")
    recovery.recover_match(context, over)
    assert context.queues.asked == []  # type: ignore[attr-defined]
    assert any(isinstance(event, MatchEnded) for event in context.service.repository.load_entries(over)[-1].events)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["drain", "bots", "sweeper"])
def test_a_worker_process_runs_until_it_is_told_to_stop(
    name: str, server: redis.Redis, socket: Path, tmp_path: Path
) -> None:
    environment = os.environ | {
        "REFEREE_STORE_URL": f"unix://{socket}",
        "REFEREE_QUEUE_URL": f"unix://{socket}",
        "REFEREE_DATA_DIR": str(tmp_path),
        "REFEREE_LOG_LEVEL": "warning",
    }
    latest = max(int(client["id"]) for client in server.client_list())
    process = subprocess.Popen(
        [sys.executable, "-m", "workers", name], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    given_by = time.monotonic() + 120
    busy = "blmove" if name != "sweeper" else ""  # an RQ worker waits for its first job
    while not any(int(client["id"]) > latest and busy in client["cmd"] for client in server.client_list()):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < given_by
        time.sleep(0.05)
    process.terminate()
    _out, words = process.communicate(timeout=60)
    assert process.returncode == 0, words


@pytest.mark.deep
def test_a_worker_without_a_store_says_what_is_missing(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    environment["REFEREE_DATA_DIR"] = str(tmp_path)
    for arguments, code, word in ((["sweeper"], 69, "REFEREE_STORE_URL"), (["nobody"], 2, "usage")):
        run = subprocess.run(
            [sys.executable, "-m", "workers", *arguments], env=environment, capture_output=True, text=True, timeout=180
        )
        assert (run.returncode, word in run.stderr) == (code, True), run.stderr


def test_dice_that_the_table_holds_are_awaited_from_people() -> None:
    log = MemoryLog()
    context = context_of(log)
    set_context(context)
    while True:
        match = opened(context.service, "table", "table", "table", dice="table")
        if "bomb" in context.service.load_match(match).match.state.cards_at("hand:0"):
            break
    context.service.make_move(MoveRequest(match, Seat(0), Play("bomb"), key="bomb"))
    for seat in (1, 2):
        context.service.make_move(MoveRequest(match, Seat(seat), Suffer(), key=f"s{seat}"))
    state = context.service.load_match(match).match.state
    assert CHANCE in state.agenda[-1].awaited_seats(state)
    queue.drain_partition(partition_for_match(match))
    assert log.read_ranking(partition_for_match(match), "awaited", 1, "since") == ()


def test_what_was_seen_to_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    log, seen = MemoryLog(), []
    context = context_of(log)
    set_context(context)
    matches = [opened(context.service, "bot", "table") for _ in range(3)]
    for match in matches:
        queue.drain_partition(partition_for_match(match))
    monkeypatch.setattr(deadlines, "PAGE", 1)
    monkeypatch.setattr(recovery, "recover_match", lambda context, match: seen.append(match))
    sweeper = Sweeper(context)
    log.advance_clock(5000)
    sweeper.repair_stalled_work()
    sweeper.repair_stalled_work()
    assert sorted(seen) == sorted(matches)
    log.advance_clock(5000)
    sweeper.repair_stalled_work()
    assert len(seen) == 6
