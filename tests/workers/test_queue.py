"""The jobs on a real queue: named by their dotted paths, run by RQ's own workers, lost and found again."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis
from rq import Queue, SimpleWorker, Worker
from rq.registry import FailedJobRegistry

from referee.bots import minds
from referee.engine.seats import Seat
from referee.eventstore.contract import partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.composition import build_drain_requester
from referee.infrastructure.settings import Settings
from referee.service.requests import MoveRequest
from tests.engine.toy import Dodge, Play
from tests.workers.house import SHORT, Counting, busy, context_of, counted, in_feed, opened, played
from workers import queue, queues
from workers.composition import set_context
from workers.context import WorkerContext
from workers.jobs.drain import DrainRun
from workers.jobs.sweeper import Sweeper
from workers.projections import follower, runner
from workers.projections.public_match import PublicMatch
from workers.projections.rebuild import compare_builds, rebuild_projection
from workers.queues import RedisJobQueue, build_worker

pytestmark = pytest.mark.deep


@pytest.fixture
def shop(server: redis.Redis, socket: Path) -> WorkerContext:
    """A context with store and queue on the real server."""
    context = context_of(RedisLog(server), RedisJobQueue(redis.Redis(unix_socket_path=str(socket))))
    set_context(context)
    return context


def work(name: str, socket: Path, **how: int) -> None:
    build_worker(name, redis.Redis(unix_socket_path=str(socket))).work(burst=True, logging_level="WARNING", **how)  # type: ignore[arg-type]


def waking(server: redis.Redis) -> Callable[[int], None]:
    """How the API asks for drains on this server."""
    (path,) = {server.connection_pool.connection_kwargs["path"]}
    return build_drain_requester(Settings(*[Path()] * 4, queue_url=f"unix://{path}"))


def test_a_commit_wakes_a_drain_which_leads_the_views_on(
    shop: WorkerContext, server: redis.Redis, socket: Path
) -> None:
    match = opened(shop.service, "table", "table")
    partition = partition_for_match(match)
    assert Queue("drain", connection=server).count == 1  # three entries, one job
    played(shop.service, match, 2)
    work("drain", socket)
    assert shop.log.read_cursor(partition, "summary", 1) == shop.log.read_partition_info(partition).position
    assert json.loads(shop.log.read_projection(partition, "lobby", 1, "matches")[match])["status"] == "finished"


def test_nothing_is_left_of_a_job_that_is_done(shop: WorkerContext, server: redis.Redis, socket: Path) -> None:
    queue = Queue("drain", connection=server)
    queue.enqueue("workers.queue.drain_partition", 7)  # as the API does, which imports nothing of it
    queue.enqueue("workers.queue.drain_partition", 7)
    work("drain", socket)
    assert queue.count == 0
    assert not list(server.scan_iter("rq:job:*"))
    assert not list(server.scan_iter("rq:results:*"))


def test_the_wake_flag_goes_first_so_that_no_commit_is_slept_through(shop: WorkerContext, server: redis.Redis) -> None:
    match = opened(shop.service, "table", "table")
    partition = partition_for_match(match)
    real, seen = runner.catch_up, []

    def catching(*args: object, **how: object) -> object:
        caught = real(*args, **how)  # type: ignore[arg-type]
        seen.append(played(shop.service, match, 1, most=1))  # a move just after the feed was read to its end
        return caught

    before = Queue("drain", connection=server).count
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(runner, "catch_up", catching)
        queue.drain_partition(partition)
    assert seen == [1]
    assert Queue("drain", connection=server).count == before + 1


def test_a_drain_that_takes_too_long_goes_on_in_a_new_job(
    shop: WorkerContext, server: redis.Redis, socket: Path
) -> None:
    match = opened(shop.service, "table", "table")
    partition = partition_for_match(match)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(queue, "DRAIN_SECONDS", -1.0)
        queue.drain_partition(partition)
    assert Queue("drain", connection=server).count == 2
    assert shop.log.read_cursor(partition, "lobby", 1) == 0
    work("drain", socket)
    assert shop.log.read_cursor(partition, "lobby", 1) == shop.log.read_partition_info(partition).position


def test_one_job_drains_all_partitions_that_stir(shop: WorkerContext, server: redis.Redis, socket: Path) -> None:
    wake = waking(server)
    partitions = {partition_for_match(opened(shop.service, "table", "table")) for _ in range(5)}
    Queue("drain", connection=server).empty()
    for partition in partitions:
        wake(partition)
    assert Queue("drain", connection=server).count == 1
    work("drain", socket)
    for partition in partitions:
        assert shop.log.read_cursor(partition, "lobby", 1) == shop.log.read_partition_info(partition).position
    assert server.exists("referee:stirred", "referee:draining") == 0


def opened_in_other_partitions(shop: WorkerContext, count: int) -> list[str]:
    """Matches, each in a partition of its own."""
    found: dict[int, str] = {}
    while len(found) < count:
        match = opened(shop.service, "table", "table")
        found.setdefault(partition_for_match(match), match)
    return list(found.values())


def is_drained(shop: WorkerContext, match: str) -> bool:
    """Whether all projections are at the end of the feed of this match."""
    partition = partition_for_match(match)
    stand = shop.log.read_view_cursors(partition, [(view.name, view.build) for view in runner.LIVE_PROJECTIONS])
    return set(stand) == {shop.log.read_partition_info(partition).position}


def test_a_stuck_view_keeps_no_other_partition_from_its_drain(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, stuck, last = opened_in_other_partitions(shop, 3)
    build = runner.LobbyProjection.build_row

    def building(view: runner.LobbyProjection, match: str, told: PublicMatch) -> dict[str, object]:
        if match == stuck:
            raise ValueError("stuck")
        return build(view, match, told)

    monkeypatch.setattr(runner.LobbyProjection, "build_row", building)
    for match in (first, stuck, last):
        waking(server)(partition_for_match(match))
    with pytest.raises(ExceptionGroup):
        queue.drain_waiting_partitions()
    assert [is_drained(shop, match) for match in (first, stuck, last)] == [True, False, True]
    assert shop.log.read_cursor(partition_for_match(stuck), "summary", 1) > 0, "nor the other views of its partition"


def test_a_drain_sees_to_what_is_stirred_soon_after_and_no_other_job_is_asked_for(
    shop: WorkerContext, server: redis.Redis
) -> None:
    first, second = opened_in_other_partitions(shop, 2)
    wake = waking(server)
    wake(partition_for_match(first))
    Queue("drain", connection=server).empty()
    later = threading.Timer(queue.LINGER_SECONDS / 2, wake, [partition_for_match(second)])
    later.start()
    queue.drain_waiting_partitions()
    later.join()
    assert is_drained(shop, first)
    assert is_drained(shop, second)
    assert Queue("drain", connection=server).count == 0


def test_commits_in_a_partition_that_a_drain_follows_wake_nobody_and_are_drained(
    shop: WorkerContext, server: redis.Redis
) -> None:
    (match,) = opened_in_other_partitions(shop, 1)
    partition, woken = partition_for_match(match), []
    waking(server)(partition)
    shop.service.appender.wake = woken.append
    run = DrainRun(shop)
    assert run.drain_waiting()
    assert not run.drain_waiting()
    played(shop.service, match, 1, most=3)
    assert woken == []
    assert run.drain_waiting()
    assert is_drained(shop, match)
    run.end()
    played(shop.service, match, 2, most=1)
    assert woken == [partition], "from now on a commit asks for a drain again"
    assert run.drain_waiting(), "and one from before is seen by the last look"
    assert is_drained(shop, match)


@pytest.mark.parametrize("when", ["before the last look", "after it"])
def test_what_is_stirred_as_a_drain_ends_is_drained(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    first, second, third = opened_in_other_partitions(shop, 3)
    wake, ends = waking(server), RedisJobQueue.clear_drain_mark

    def ending(queues: RedisJobQueue) -> None:
        if when == "before the last look":
            wake(partition_for_match(second))
        ends(queues)
        if when == "after it":
            wake(partition_for_match(second))

    monkeypatch.setattr(RedisJobQueue, "clear_drain_mark", ending)
    wake(partition_for_match(first))
    Queue("drain", connection=server).empty()
    queue.drain_waiting_partitions()
    assert is_drained(shop, first)
    assert is_drained(shop, second)
    played(shop.service, second, 1, most=1)
    assert shop.log.read_partition_info(partition_for_match(second)).position
    assert not shop.log.set_wake_flag(partition_for_match(second)), "its commit has asked for a drain"
    wake(partition_for_match(third))
    assert Queue("drain", connection=server).count >= 1, "a job is asked for again"


def test_commits_between_the_last_looks_are_drained(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    (match,) = opened_in_other_partitions(shop, 1)
    ends, woken = DrainRun.end, []

    def ending(run: DrainRun) -> None:
        shop.service.appender.wake = woken.append
        played(shop.service, match, 1, most=2)
        ends(run)

    monkeypatch.setattr(DrainRun, "end", ending)
    waking(server)(partition_for_match(match))
    queue.drain_waiting_partitions()
    assert woken == []
    assert is_drained(shop, match)


def test_a_drain_that_fails_lets_commits_ask_again(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    (match,) = opened_in_other_partitions(shop, 1)
    partition = partition_for_match(match)
    looks = iter((False, True))
    take = RedisJobQueue.take_waiting_partitions

    def taking(queues: RedisJobQueue, most: int) -> list[int]:
        if next(looks):
            raise redis.ConnectionError("away")
        return take(queues, most)

    monkeypatch.setattr(RedisJobQueue, "take_waiting_partitions", taking)
    waking(server)(partition)
    with pytest.raises(redis.ConnectionError):
        queue.drain_waiting_partitions()
    assert shop.log.set_wake_flag(partition)


def test_a_drain_of_all_that_takes_too_long_goes_on_in_a_new_job(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = opened_in_other_partitions(shop, 2)
    monkeypatch.setattr(queue, "DRAIN_SECONDS", -1.0)
    monkeypatch.setattr(follower, "BATCH", 2)
    for match in matches:
        waking(server)(partition_for_match(match))
    Queue("drain", connection=server).empty()
    queue.drain_waiting_partitions()
    assert not any(is_drained(shop, match) for match in matches)
    assert Queue("drain", connection=server).jobs[-1].func_name == "workers.queue.drain_waiting_partitions"
    monkeypatch.setattr(queue, "DRAIN_SECONDS", 2.0)
    queue.drain_waiting_partitions()
    assert all(is_drained(shop, match) for match in matches)


def test_bots_are_asked_by_the_drain_and_play_in_a_forked_worker(
    shop: WorkerContext, server: redis.Redis, socket: Path
) -> None:
    match = opened(shop.service, "bot", "bot", "bot")
    for _ in range(20):
        work("drain", socket)
        if not Queue("bots", connection=server).count:
            break
        work("bots", socket)
    assert shop.service.load_match(match).match.status == "finished"
    assert not FailedJobRegistry("bots", connection=server).count
    assert server.get(f"referee:bots:{match}") is None


def test_bots_answer_a_player(shop: WorkerContext, server: redis.Redis, socket: Path) -> None:
    match = opened(shop.service, "table", "bot")
    cards = shop.service.load_match(match).match.state.cards_at("hand:0")
    shop.service.make_move(MoveRequest(match, Seat(0), Play(cards[0]), key="one"))
    work("drain", socket)
    work("bots", socket)
    assert any(entry.seat == 1 and entry.actor == "bot" for entry in shop.service.repository.load_entries(match))


def test_bots_are_asked_once_until_the_mark_passes(shop: WorkerContext, server: redis.Redis) -> None:
    assert shop.queues.request_bots("07-a")
    assert not shop.queues.request_bots("07-a")
    assert shop.queues.request_bots("07-b")
    shop.queues.mark_bots_playing("07-a")
    assert not shop.queues.request_bots("07-a")
    assert 0 < server.pttl("referee:bots:07-a") <= queues.PLAYING_MS
    shop.queues.clear_bots_mark("07-a")
    assert shop.queues.request_bots("07-a")
    assert shop.queues.request_bots("07-a", again=True)
    assert Queue("bots", connection=server).count == 4


def test_a_job_that_waits_long_is_not_asked_for_again_and_one_that_is_lost_is(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying = Queue("bots", connection=server)
    assert shop.queues.request_bots("07-a")
    monkeypatch.setattr(queues, "TRUSTED_MS", 0)  # as if it had been asked for long ago
    assert not shop.queues.request_bots("07-a")
    assert lying.count == 1
    lying.empty()
    assert shop.queues.request_bots("07-a")
    shop.queues.mark_bots_playing("07-a")
    assert not shop.queues.request_bots("07-a")
    monkeypatch.setattr(queues, "TRUSTED_MS", 5000)
    shop.queues.request_bots("07-b")
    server.lpop("rq:queue:bots", 9)
    assert not shop.queues.request_bots("07-b")  # a worker may have it in hand
    assert lying.count == 0


def test_a_bot_that_errs_fails_its_job_for_all_to_see(
    shop: WorkerContext, server: redis.Redis, socket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(minds.CHOICES, 0, lambda view, seat, below: Dodge())
    match = opened(shop.service, "bot", "table")
    work("drain", socket)
    work("bots", socket)
    failed = FailedJobRegistry("bots", connection=server)
    assert failed.count == 1
    job = Queue("bots", connection=server).fetch_job(failed.get_job_ids()[0])
    assert "IllegalMove" in job.latest_result().exc_string
    assert server.pttl(f"referee:bots:{match}") > queues.PLAYING_MS


def test_each_queue_has_workers_of_its_own(server: redis.Redis) -> None:
    drain, players = build_worker("drain", server), build_worker("bots", server)
    assert (type(drain), type(players)) == (queues.InProcessWorker, queues.ForkingWorker)
    assert isinstance(drain, SimpleWorker)
    assert isinstance(players, Worker)
    assert (drain.queue_names(), players.queue_names()) == (["drain"], ["bots"])
    assert (drain.worker_ttl, drain.maintenance_interval, drain.default_result_ttl) == (30, 5, 0)
    with pytest.raises(KeyError):
        build_worker("drain,bots", server)


@pytest.mark.parametrize("name", ["drain", "bots", "webhooks"])
def test_a_worker_is_seen_again_on_a_server_that_forgot_it(server: redis.Redis, name: str) -> None:
    served = build_worker(name, server)
    served.register_birth()
    served.run_maintenance_tasks()
    born = served.birth_date
    server.flushall()
    served.heartbeat()
    assert not Worker.all(connection=server)
    served.run_maintenance_tasks()
    (seen,) = Worker.all(connection=server)
    assert (seen.name, seen.queue_names(), seen.pid) == (served.name, [name], served.pid)
    again = served.birth_date
    assert again > born
    served.run_maintenance_tasks()
    assert served.birth_date == again


def test_a_queue_that_lost_everything_is_filled_again_by_the_sweeper(server: redis.Redis, socket: Path) -> None:
    """Views, an undrawn shuffle and a bot, all lost with the queue; the store's clock is moved, not waited for."""
    log = MemoryLog()
    context = context_of(log, RedisJobQueue(redis.Redis(unix_socket_path=str(socket))))
    set_context(context)
    match = opened(context.service, "bot", "bot")
    undrawn = opened(context.service, "table", "table", begin=False)
    with pytest.MonkeyPatch.context() as patched:
        from referee.match.table import commands

        patched.setattr(context.service.appender, "run_chance", lambda loaded: loaded)
        context.service.execute_command(undrawn, commands.StartMatch(), key="start", scope="host")
    server.flushall()
    sweeper = Sweeper(context)
    for _second in range(10):
        log.advance_clock(1000)
        sweeper.repair_stalled_work()
        work("drain", socket)
    for name in (match, undrawn):
        partition = partition_for_match(name)
        assert log.read_cursor(partition, "lobby", 1) == log.read_partition_info(partition).position
    assert len(context.service.load_match(undrawn).match.state.cards_at("hand:0")) == 3
    assert Queue("bots", connection=server).count >= 1


def test_a_drain_worker_killed_inside_a_job_loses_and_doubles_nothing(
    shop: WorkerContext, server: redis.Redis, socket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Counting(lambda: time.sleep(0.02))
    monkeypatch.setattr(follower, "BATCH", 5)
    monkeypatch.setattr(runner.catch_up, "__defaults__", ((slow, *runner.LIVE_PROJECTIONS), float("inf")))
    partition, _matches = busy(shop.service, 200)
    kills = 0
    for _ in range(4):
        shop.queues.request_drain(partition)
        pid = os.fork()
        if pid == 0:
            try:
                work("drain", socket)
            finally:
                os._exit(0)
        time.sleep(0.12)
        os.kill(pid, signal.SIGKILL)
        kills += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    assert kills
    assert shop.log.read_cursor(partition, "counting", 1) < shop.log.read_partition_info(partition).position, (
        "killed too late"
    )
    shop.queues.request_drain(partition)
    work("drain", socket)
    assert counted(shop.log, partition) == in_feed(shop.log, partition)


def test_a_live_table_is_drained_while_it_is_played(shop: WorkerContext, server: redis.Redis, socket: Path) -> None:
    stop = threading.Event()

    def playing() -> None:
        for seed in range(6):
            played(shop.service, opened(shop.service, "table", "table", game=SHORT.name), seed)
        stop.set()

    player = threading.Thread(target=playing)
    player.start()
    while not stop.is_set():
        work("drain", socket)
    player.join()
    work("drain", socket)
    for partition in range(64):
        for view in runner.LIVE_PROJECTIONS:
            assert (
                shop.log.read_cursor(partition, view.name, view.build)
                == shop.log.read_partition_info(partition).position
            )
    for view in runner.LIVE_PROJECTIONS:
        rebuild_projection(shop.log, view.name, view.build + 1)
        assert compare_builds(shop.log, view.name, view.build, view.build + 1) == ()
