"""Bots that search, over a server: their queue, their time, what they remember."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import fakeredis
import pytest

from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.thoughts.recall import MatchRecall
from tests.service.house import service
from tests.workers.house import Noted, context_of
from workers import queue
from workers.bots.player import ThinkingTime, play_bots, share_thinking_time
from workers.bots.recall_cache import RecallCache
from workers.composition import set_context
from workers.queues import BOTS, THINKERS, RedisJobQueue


def opened(at: MatchService, *levels: int | None, key: str = "one") -> str:
    """A match of Here to Slay with bots of these levels; None: a person."""
    game = load_games()["here_to_slay"]
    chairs = tuple(SeatAssignment("human") if each is None else SeatAssignment("bot", each) for each in levels)
    order = commands.OpenMatch(game.name, game.variants[0], {}, {}, chairs)
    match = at.open_match(order, key).match.id
    for seat, level in enumerate(levels):
        if level is None:
            at.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def thoughts_of(at: MatchService, match: str) -> list[Any]:
    return [entry.decision.thought for entry in at.repository.load_entries(match) if entry.actor == "bot"]


def test_a_job_for_quick_bots_leaves_those_that_search_to_another_queue() -> None:
    hints = Noted()
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = opened(context.service, 3, 3)
    requested: list[bool] = []
    real = hints.request_bots

    def request_bots(name: str, *, again: bool = False, search: bool = False) -> bool:
        requested.append(search)
        return real(name, again=again, search=search)

    hints.request_bots = request_bots  # type: ignore[method-assign]
    queue.play_match_bots(match)
    assert requested == [True]
    assert thoughts_of(context.service, match) == []


def test_the_two_kinds_of_jobs_lie_in_two_queues_and_a_mark_holds_for_both() -> None:
    jobs = RedisJobQueue(fakeredis.FakeRedis())
    assert jobs.request_bots("07-a")
    assert jobs.request_bots("07-b", search=True)
    assert (jobs._queues[BOTS].count, jobs._queues[THINKERS].count) == (1, 1)
    assert jobs.count_waiting_thinkers() == 1
    for match in ("07-a", "07-b"):
        jobs._connection.pexpire(jobs._bots_mark_key(match), 1_000_000)  # marked for longer than a taken job is trusted
        assert not jobs.request_bots(match)
    jobs._queues[THINKERS].empty()
    assert jobs.request_bots("07-b", search=True)


def test_a_bot_that_searches_records_its_thought() -> None:
    at = service()
    match = opened(at, 3, 2)
    play_bots(at, match, moves=12, seconds=60)
    thoughts = thoughts_of(at, match)
    assert {each.level for each in thoughts} == {2, 3}
    assert any(each.playouts for each in thoughts)
    assert all(each.seen >= 2 for each in thoughts)


@pytest.mark.parametrize(("levels", "is_paced"), [((3, None), True), ((3, 3), False)])
def test_a_thought_takes_the_same_time_where_people_play(
    levels: tuple[int | None, ...], is_paced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little there is to think about: how long somebody thinks tells what he holds."""
    at, pauses = service(), list[float]()
    match = opened(at, *levels)
    watched = SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append)  # other threads sleep as they like
    monkeypatch.setattr("workers.bots.player.time", watched)
    began = time.monotonic()
    play_bots(at, match, moves=1, seconds=60, thinking=ThinkingTime(1.5))
    took = time.monotonic() - began
    assert len(thoughts_of(at, match)) == 1
    if is_paced:
        assert took + sum(pauses) >= 1.5
    else:
        assert pauses == []


def test_the_longer_the_queue_the_shorter_the_thought() -> None:
    times = [share_thinking_time(waiting) for waiting in range(20)]
    assert times == sorted(times, reverse=True)
    assert times[0] == 0.75
    assert times[-1] == 0.1


def test_the_longer_the_queue_the_sooner_the_next_match_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots among themselves must not keep those waiting that people play against."""
    hints = Noted()
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = opened(context.service, 3, 3)
    monkeypatch.setattr(hints, "count_waiting_thinkers", lambda: 40, raising=False)
    queue.play_searching_bots(match)
    assert hints.asked == [match]
    assert len(thoughts_of(context.service, match)) < 5


def test_what_is_kept_from_job_to_job_is_what_the_log_gives() -> None:
    at, kept = service(), RecallCache(most=1)
    match = opened(at, 1, 1, 1)
    for _ in range(12):
        play_bots(at, match, moves=5, seconds=60)
        loaded = at.load_match(match)
        fresh = MatchRecall(range(3))
        fresh.append_entries(at.repository.load_entries(match, 0, loaded.version))
        recall = kept.load_recall(at.repository, loaded, range(3))
        assert recall.version == loaded.version
        for seat in range(3):
            assert recall.list_places(seat) == fresh.list_places(seat)
            known = recall._memories[seat].view
            assert loaded.match.state is not None
            assert known == loaded.match.state.view_for(seat)
    other = opened(at, 1, 1, key="two")
    kept.load_recall(at.repository, at.load_match(other), range(2))
    assert list(kept._recalls) == [other]
