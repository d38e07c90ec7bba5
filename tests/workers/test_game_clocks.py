"""Clocks of a game: a window is closed at its deadline by whoever looks, before a late move is judged; answers do not
lengthen it, and a window that is opened anew has the whole time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import redis
from rq import Queue

from referee.engine.prompts import TimedOut
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CLOCK, Seat
from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.clocks import find_deadline
from referee.match.errors import MoveRejected, VersionConflict
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.service.house import service
from tests.workers.brawl import BRAWL, Blow, Calm, Let, Shout, Strike

pytestmark = [pytest.mark.real_games, pytest.mark.deep]  # among them the brawl
CLAIM_MS = 2600
SOON_MS = 5000  # after its deadline a window is closed, on a machine that does much else; the worker burns longer
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _brawl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_games(), "brawl", BRAWL)


def brawling(at: MatchService, limit_ms: int, kinds: tuple[str, ...] = ("table",) * 4) -> str:
    """A match in which seat 0 has just struck, so that the others have so long."""
    ask = commands.OpenMatch(
        "brawl", "standard", {"limit_ms": limit_ms}, {}, tuple(map(SeatAssignment, kinds)), "public"
    )
    match = at.open_match(ask, f"{time.time_ns()}").match.id
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    at.make_move(MoveRequest(match, Seat(0), Strike(), key="strike"))
    return match


def closing(at: MatchService, match: str) -> list[Any]:
    return [entry for entry in at.repository.load_entries(match) if entry.seat == CLOCK]


def left(at: MatchService, match: str) -> int:
    found = find_deadline(at.load_match(match))
    assert found is not None
    return found.left_ms


def advance(at: MatchService, ms: int) -> None:
    assert isinstance(at.log, MemoryLog)
    at.log.advance_clock(ms)


# ---- what a deadline is of -------------------------------------------------------------------------------------


def test_whoever_lets_it_pass_does_not_lengthen_the_time_of_the_others() -> None:
    at = service()
    match = brawling(at, CLAIM_MS)
    for seat, passed in ((1, 1000), (2, 1500)):
        advance(at, passed)
        at.make_move(MoveRequest(match, Seat(seat), Let(), key=f"let{seat}"))
    assert left(at, match) == CLAIM_MS - 2500
    advance(at, 99)
    assert closing(at, at.load_match(match).match.id) == []
    advance(at, 1)
    assert isinstance(at.load_match(match).match.state.agenda[-1], Calm)
    (entry,) = closing(at, match)
    assert entry.move == TimedOut()


def test_who_cuts_in_without_asking_anybody_does_not_lengthen_it_either() -> None:
    at = service()
    match = brawling(at, CLAIM_MS)
    advance(at, 1000)
    at.make_move(MoveRequest(match, Seat(0), Shout(), key="shout"))
    assert left(at, match) == CLAIM_MS - 1000


@pytest.mark.parametrize("passed", [(), (2,), (2, 3)])
def test_a_window_that_is_opened_anew_has_the_whole_time_whoever_had_let_it_pass(passed: tuple[int, ...]) -> None:
    at = service()
    match = brawling(at, CLAIM_MS)
    for seat in passed:
        at.make_move(MoveRequest(match, Seat(seat), Let(), key=f"let{seat}"))
    advance(at, CLAIM_MS - 1)
    at.make_move(MoveRequest(match, Seat(1), Strike(), key="back"))
    assert seats_that_must_act(at.load_match(match).match.state) == {0, 2, 3, CLOCK}
    assert left(at, match) == CLAIM_MS
    assert [window.limit_ms for window in at.windows.list_windows(at.load_match(match))] == [CLAIM_MS] * 2


def test_the_last_answer_closes_it_at_once_and_no_deadline_is_left() -> None:
    at = service()
    match = brawling(at, CLAIM_MS)
    for seat in (1, 2, 3):
        at.make_move(MoveRequest(match, Seat(seat), Let(), key=f"let{seat}"))
    assert find_deadline(at.load_match(match)) is None
    assert at.log.find_next_deadline() is None
    assert closing(at, match) == []


# ---- every worker is dead --------------------------------------------------------------------------------------


def test_with_every_worker_dead_the_next_request_closes_it_before_a_late_move_is_judged(log: MatchLog) -> None:
    at = service(log)
    match = brawling(at, 50)
    seen = at.log.read(match).head.version  # which closes nothing
    if isinstance(log, MemoryLog):
        log.advance_clock(50)
    else:
        time.sleep(0.06)
    with pytest.raises(MoveRejected):  # it is judged after the closing, at a table where nothing is to be let pass
        at.make_move(MoveRequest(match, Seat(1), Let(), key="late"))
    with pytest.raises(VersionConflict):
        at.make_move(MoveRequest(match, Seat(2), Strike(), key="later", seen=seen))
    (entry,) = closing(at, match)
    assert (entry.version, entry.actor) == (seen + 1, "clock")
    now = at.load_match(match)
    assert (now.version, now.match.state.landed) == (seen + 1, 1)


def test_two_who_look_at_once_close_it_once(log: MatchLog) -> None:
    at, other = service(log), service(log)
    match = brawling(at, 20)
    other.load_match(match)
    if isinstance(log, MemoryLog):
        log.advance_clock(20)
    else:
        time.sleep(0.03)
    assert at.load_match(match).version == other.load_match(match).version
    assert len(closing(at, match)) == 1


# ---- workers of their own processes ----------------------------------------------------------------------------


@pytest.fixture
def start(server: redis.Redis, socket: Path, tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Starts worker processes that know the brawl, and ends them."""
    environment = os.environ | {
        "REFEREE_STORE_URL": f"unix://{socket}",
        "REFEREE_QUEUE_URL": f"unix://{socket}",
        "REFEREE_DATA_DIR": str(tmp_path),
    }
    begun: list[subprocess.Popen[bytes]] = []

    def begin(*names: str) -> None:
        for name in names:
            call = f"import sys; from tests.workers.brawl import serve; sys.exit(serve({name!r}))"
            begun.append(subprocess.Popen([sys.executable, "-c", call], env=environment, cwd=ROOT))

    yield begin
    for process in begun:
        process.terminate()
    for process in begun:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def late_by(at: MatchService, match: str) -> int:
    """How long after its deadline the first window of a match was closed, in ms."""
    (asked,) = [entry for entry in at.repository.load_entries(match) if entry.move == Strike()]
    (closed,) = closing(at, match)
    limit: int = at.load_match(match).match.state.limit_ms
    return int(closed.at_ms) - int(asked.at_ms) - limit


def until(done: Callable[[], bool], seconds: float = 120) -> None:
    given_by = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < given_by, "it took too long"
        time.sleep(0.02)


def is_closed(log: MatchLog, match: str) -> bool:
    """Whether the window of a match is closed a while later, by somebody else."""
    time.sleep(0.8)
    return log.read(match).due is None


def test_windows_are_closed_soon_after_their_deadline_while_the_worker_is_busy(
    server: redis.Redis, socket: Path, start: Callable[..., None], tmp_path: Path
) -> None:
    burning = tmp_path / "burning"
    burning.touch()
    log = RedisLog(redis.Redis(unix_socket_path=str(socket)))
    at = service(log)
    start("sweeper", "drain")
    until(lambda: is_closed(log, brawling(at, 300)))  # the sweeper is up: what fell due before that has grace
    jobs = Queue("drain", connection=server)
    burn = jobs.enqueue("tests.workers.brawl.burn", str(burning))
    until(lambda: burn.id not in jobs.job_ids)  # and the worker burns
    matches = [brawling(at, limit) for limit in (CLAIM_MS, 250, 250, CLAIM_MS, 100, 700, CLAIM_MS, 1300)]
    waiting = jobs.enqueue("workers.queue.drain_partition", 1)
    until(lambda: all(log.read(match).due is None for match in matches))
    assert waiting.id in jobs.job_ids, "the worker was busy all the time"
    burning.unlink()
    late = [late_by(at, match) for match in matches]
    assert min(late) >= 0
    assert median(late) <= SOON_MS, late  # of one window the machine itself may be late
    assert not any(isinstance(at.load_match(match).match.state.agenda[-1], Blow) for match in matches)
