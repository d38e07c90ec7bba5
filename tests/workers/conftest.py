"""The toy game in place of the real ones, and logs to keep its matches: in memory, faked, and on a real server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from fakeredis import FakeRedis

from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.embedded.server import EmbeddedServer, ServerPlan
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from tests.workers.house import KNOWING_GAMES, SHORT
from workers.composition import set_context


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("real_games") is None:
        for module in KNOWING_GAMES:
            monkeypatch.setattr(f"{module}.load_games", lambda: {"toy": SHORT})
    yield
    set_context(None)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "real_games: plays the games of this server, not the toy")


@pytest.fixture(scope="session")
def socket() -> Iterator[Path]:
    """The socket of a real server without a log on disk; tests empty it."""
    found = find_installed_binaries()
    if not found:
        pytest.skip("no store server is installed")
    folder = Path(tempfile.mkdtemp(prefix="referee-workers-"))
    server = EmbeddedServer.start(found[0], ServerPlan("queue", folder, folder / "s", durable=False), None)
    yield folder / "s"
    server.stop(5)
    shutil.rmtree(folder)


@pytest.fixture
def server(socket: Path) -> Iterator[redis.Redis]:
    """A client of the real server, which is empty."""
    with redis.Redis(unix_socket_path=str(socket)) as client:
        client.flushall()
        yield client


@pytest.fixture(params=["memory", "fake", "real"])
def log(request: pytest.FixtureRequest) -> MatchLog:
    """Each log that keeps the contract."""
    kept: Any
    if request.param == "memory":
        kept = MemoryLog()
    elif request.param == "fake":
        kept = RedisLog(FakeRedis())
    else:
        kept = RedisLog(request.getfixturevalue("server"), (redis.exceptions.ConnectionError,))
    found: MatchLog = kept
    return found
