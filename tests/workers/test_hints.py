"""Hints on a real queue: worked out by a worker, kept for whoever asks again, and waited for only so long."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
import redis
from rq import Queue

from referee.engine.steps import State
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure import composition
from referee.infrastructure.composition import THINKER_QUEUE, build_hint_requester
from referee.infrastructure.settings import Settings
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service import hints as explaining
from referee.service.hints import compute_hint
from referee.service.match_service import MatchService
from tests.workers.house import Noted, context_of
from workers.composition import set_context
from workers.context import WorkerContext
from workers.jobs.hints import work_out_hint
from workers.queues import RedisJobQueue, build_worker

pytestmark = pytest.mark.real_games


def opened(at: MatchService) -> tuple[str, int, int]:
    """A running match, the seat to move, and the version."""
    chairs = (SeatAssignment("table"), SeatAssignment("table"))
    match = at.open_match(commands.OpenMatch("mau_mau", "standard", {}, {}, chairs, hints=True), "key").match.id
    after = at.execute_command(match, commands.StartMatch(), key="start", scope="host").after
    state: State = after.match.state  # type: ignore[assignment]
    return match, int(min(state.awaited_seats)), after.version


def asking(server: redis.Redis) -> Any:
    """How the API asks for hints on this server."""
    (path,) = {server.connection_pool.connection_kwargs["path"]}
    return build_hint_requester(Settings(*[Path()] * 4, queue_url=f"unix://{path}"))


def test_the_job_keeps_what_it_has_worked_out() -> None:
    noted = Noted()
    context = context_of(MemoryLog(), noted)
    set_context(context)
    asked = opened(context.service)
    work_out_hint(*asked)
    assert noted.hints == {asked: compute_hint(context.service, *asked)}
    assert noted.hints[asked]["options"]


def test_what_a_failed_job_says_names_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    card = "ace of spades"

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError(card)

    context = context_of(MemoryLog(), Noted())
    set_context(context)
    asked = opened(context.service)
    monkeypatch.setattr(explaining, "think", fail)
    with pytest.raises((ZeroDivisionError, RuntimeError)) as raised:
        work_out_hint(*asked)
    said = "".join(format_exception(raised.value))
    assert "ZeroDivisionError" in said
    assert card not in said


@pytest.fixture
def shop(server: redis.Redis, socket: Path) -> WorkerContext:
    """A context with store and queue on the real server."""
    context = context_of(RedisLog(server), RedisJobQueue(redis.Redis(unix_socket_path=str(socket))))
    set_context(context)
    return context


@pytest.mark.deep
def test_who_asks_waits_for_a_worker_and_gets_the_hint_again_without_one(
    shop: WorkerContext, server: redis.Redis, socket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "HINT_SECONDS", 60)  # of a machine that does much else
    match, seat, at = opened(shop.service)
    request, worker = asking(server), build_worker(THINKER_QUEUE, redis.Redis(unix_socket_path=str(socket)))
    with ThreadPoolExecutor() as threads:
        first, second = (threads.submit(request, match, seat, at) for _ in range(2))
        while not (waiting := Queue(THINKER_QUEUE, connection=server).count):
            assert not first.done()
        assert waiting == 1, "two who ask for the same hint share a job"
        worker.work(burst=True, logging_level="WARNING")
        hint = first.result(timeout=60)
        assert hint == second.result(timeout=10) == compute_hint(shop.service, match, seat, at)
    assert request(match, seat, at) == hint
    assert Queue(THINKER_QUEUE, connection=server).count == 0


@pytest.mark.deep
def test_a_person_who_waits_comes_before_bots_that_play_each_other(shop: WorkerContext, server: redis.Redis) -> None:
    assert shop.queues.request_bots("another match", search=True)
    request, asked, queue = asking(server), opened(shop.service), Queue(THINKER_QUEUE, connection=server)
    with ThreadPoolExecutor() as threads:
        # Looked at while somebody waits: the job expires together with the wait.
        asker = threads.submit(request, *asked)
        while queue.count < 2:
            assert not asker.done()
        first, *_others = queue.jobs
        assert first.func_name == composition.HINT_JOB


@pytest.mark.deep
def test_who_asks_does_not_wait_for_ever(
    shop: WorkerContext, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "HINT_SECONDS", 1)
    assert asking(server)(*opened(shop.service)) is None


def test_without_a_queue_nobody_is_asked() -> None:
    assert build_hint_requester(Settings(*[Path()] * 4))("match", 0, 1) is None
    away = build_hint_requester(Settings(*[Path()] * 4, queue_url="unix:///nowhere/at/all"))
    assert away("match", 0, 1) is None
