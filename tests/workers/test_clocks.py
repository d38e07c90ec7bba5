"""Limits of a match on a real server: played once by whoever looks, workers or requests, and never early."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
import redis

from referee.engine.seats import Seat
from referee.eventstore.redis.log import RedisLog
from referee.games import load_games
from referee.match.aggregate import Clocks, SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.doubles.party import PARTY
from tests.engine.toy import Play
from tests.service.house import service
from tests.workers.house import context_of
from workers.jobs.sweeper import Sweeper, sweep_until_stopped

LIMIT = 1000
SLOW_MS = 60_000  # of a machine that does much else; how quick the sweeper is, test_deadlines says
SEATS = 4
pytestmark = pytest.mark.real_games


@pytest.fixture(autouse=True)
def _party(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_games(), "party", PARTY)


def applauded(at: MatchService, name: str) -> tuple[str, int]:
    """A match in which three others are asked to applaud within a second; its id, and the version that asked."""
    ask = commands.OpenMatch(
        "party", "standard", {}, {}, (SeatAssignment("table"),) * SEATS, "public", clocks=Clocks(None, LIMIT)
    )
    match = at.open_match(ask, f"{time.time_ns()}-{name}").match.id
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match, at.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum")).version


def logs(socket: Path, many: int) -> list[RedisLog]:
    clients = [redis.Redis(unix_socket_path=str(socket)) for _ in range(many)]
    return [RedisLog(client, (redis.exceptions.ConnectionError,)) for client in clients]


def assert_played_once_and_in_time(at: MatchService, match: str, asked: int, due_ms: int, within_ms: int) -> None:
    played = [entry for entry in at.repository.load_entries(match) if entry.actor == "clock"]
    assert [entry.seat for entry in played] == [1, 2, 3]
    for entry in played:
        assert due_ms <= entry.at_ms <= due_ms + within_ms
    assert played[0].version == asked + 1
    assert len({entry.version for entry in at.repository.load_entries(match)}) == at.load_match(match).version


def test_requests_alone_apply_a_deadline_once_with_every_worker_dead(server: redis.Redis, socket: Path) -> None:
    desks = [service(log) for log in logs(socket, 8)]
    matches = [applauded(desks[0], str(number)) for number in range(4)]
    due = {match: desks[0].log.read(match).due for match, _ in matches}
    seen: list[tuple[str, int, int]] = []
    stop = threading.Event()

    def reads(at: MatchService) -> None:
        while not stop.is_set():
            for match, _ in matches:
                loaded = at.load_match(match)
                seen.append((match, loaded.read_result.now_ms, loaded.version))

    readers = [threading.Thread(target=reads, args=(at,)) for at in desks]
    for reader in readers:
        reader.start()
    given_by = time.monotonic() + 120
    while desks[0].log.find_next_deadline() is not None and time.monotonic() < given_by:
        time.sleep(0.05)
    stop.set()
    for reader in readers:
        reader.join()
    for match, asked in matches:
        deadline = due[match]
        assert deadline is not None
        assert_played_once_and_in_time(desks[0], match, asked, deadline.at_ms, SLOW_MS)
        early = {version for of, now, version in seen if of == match and now < deadline.at_ms}
        late = {version for of, now, version in seen if of == match and now >= deadline.at_ms}
        assert early <= {asked}
        assert min(late) > asked + 2  # whoever asks after the deadline finds it applied for all


def test_two_sweepers_close_windows_with_no_request_at_all(server: redis.Redis, socket: Path) -> None:
    contexts = [context_of(log) for log in logs(socket, 2)]
    at, sweepers = contexts[0].service, [Sweeper(context) for context in contexts]
    for sweeper in sweepers:
        sweeper.play_due_deadlines()  # what is past at the first look has grace
    matches = [applauded(at, str(number)) for number in range(8)]
    due = {match: at.log.read(match).due for match, _ in matches}
    stop = threading.Event()
    threads = [threading.Thread(target=sweep_until_stopped, args=(sweeper, stop)) for sweeper in sweepers]
    for thread in threads:
        thread.start()
    given_by = time.monotonic() + 120
    while at.log.find_next_deadline() is not None and time.monotonic() < given_by:
        time.sleep(0.05)
    stop.set()
    for thread in threads:
        thread.join()
    assert at.log.find_next_deadline() is None
    for match, asked in matches:
        deadline = due[match]
        assert deadline is not None
        assert_played_once_and_in_time(at, match, asked, deadline.at_ms, SLOW_MS)
