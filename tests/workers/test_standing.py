"""Standing passes whose desk died before it played them: a drain goes on, with every log, also after a real kill -9."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import redis

from referee.engine.seats import Seat
from referee.eventstore.contract import AppendResult, Commit, MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.games import load_games
from referee.match.table import commands
from referee.match.table.auto_pass import UNTIL_MATCH_END, AutoPass
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.doubles.party import PARTY, Hush
from tests.doubles.party.house import Killed, dying
from tests.engine.toy import Play
from tests.service.house import service
from tests.workers.house import context_of, opened
from workers import queue
from workers.composition import set_context
from workers.jobs import recovery

pytestmark = pytest.mark.real_games


@pytest.fixture(autouse=True)
def _party(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_games(), "party", PARTY)


def seated(at: MatchService, *kinds: str) -> str:
    """A running party where everybody lets everything pass."""
    match = opened(at, *kinds, game="party", begin=False)
    people = [seat for seat, kind in enumerate(kinds) if kind == "human"]
    for seat in people:
        at.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    for seat in people:
        at.set_auto_pass(match, Seat(seat), ("applause", "encore"), "match", key="let")
    return match


def half_passed(at: MatchService, match: str, passes: int) -> int:
    """Plays a cake with a desk that dies after so many of the passes that follow; the version then."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(at.log, "append", dying(at.log, passes))
        with pytest.raises(Killed):
            at.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    return at.log.read(match, limit=0).head.version  # type: ignore[union-attr]


@pytest.mark.parametrize("passes", [0, 2])
def test_a_drain_plays_the_passes_that_a_dead_desk_did_not(log: MatchLog, passes: int) -> None:
    context = context_of(log)
    set_context(context)
    match = seated(context.service, "human", "human", "human")
    version = half_passed(context.service, match, passes)
    queue.drain_partition(partition_for_match(match))
    assert log.read(match, limit=0).head.version == version + 4 - passes  # type: ignore[union-attr]
    queue.drain_partition(partition_for_match(match))
    assert log.read(match, limit=0).head.version == version + 4 - passes  # type: ignore[union-attr]
    again = context.service.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    assert (again.replayed, again.version) == (True, version + 4 - passes)


def test_a_bot_that_is_awaited_after_the_passes_is_asked() -> None:
    context = context_of(MemoryLog())
    set_context(context)
    match = seated(context.service, "human", "human", "bot")
    version = half_passed(context.service, match, 0)
    queue.drain_partition(partition_for_match(match))
    assert [entry.seat for entry in context.service.repository.load_entries(match, version)] == [1]
    assert context.queues.asked == [match]  # type: ignore[attr-defined]
    queue.play_match_bots(match)
    assert [entry.seat for entry in context.service.repository.load_entries(match, version + 1)] == [2, 1, 2]


@pytest.mark.parametrize("passes", [0, 1])
def test_only_a_window_that_a_standing_pass_may_pass_at_once_is_looked_after(
    monkeypatch: pytest.MonkeyPatch, passes: int
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(recovery, "recover_match", lambda context, match: looked.append(match))
    context = context_of(MemoryLog())
    set_context(context)
    match = seated(context.service, "table", "table", "table")
    if passes:
        context.log.put_pass(match, 2, "k", b"ask", AutoPass((), UNTIL_MATCH_END, 0, 1).to_record(), 60_000)
    queue.drain_partition(partition_for_match(match))
    assert looked == []
    for seat, card in ((0, "bomb"), (1, "drum")):
        context.service.make_move(MoveRequest(match, Seat(seat), Play(card), key=card))
        queue.drain_partition(partition_for_match(match))
        assert looked == ([match] if card == "drum" and passes else [])
        for other in (0, 1, 2):
            if other != seat:
                context.service.make_move(MoveRequest(match, Seat(other), Hush(), key=f"{card}{other}"))
        queue.drain_partition(partition_for_match(match))
        looked.clear()


@pytest.mark.parametrize("passes", [0, 1, 3])
def test_a_desk_killed_in_the_middle_loses_nothing(server: redis.Redis, socket: Path, passes: int) -> None:
    match = seated(service(RedisLog(server)), "human", "human", "human")
    child = os.fork()
    if child == 0:
        try:
            own = RedisLog(redis.Redis(unix_socket_path=str(socket)))
            dies = dying(own, passes)

            def append(commit: Commit) -> AppendResult:
                try:
                    return dies(commit)
                except Killed:
                    os.kill(os.getpid(), signal.SIGKILL)
                    raise

            own.append = append  # type: ignore[method-assign]
            service(own).make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    log = RedisLog(server)
    before = log.read(match, limit=0).head.version  # type: ignore[union-attr]
    context = context_of(log)
    set_context(context)
    queue.drain_partition(partition_for_match(match))
    found = context.service.repository.load_entries(match, before - passes)
    assert [entry.seat for entry in found] == [1, 2, 1, 2]
    assert {entry.actor for entry in found} == {"player"}
