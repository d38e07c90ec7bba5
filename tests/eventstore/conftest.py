"""One suite, every log: in memory, on a fake server, and on each real server of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import fakeredis
import pytest

from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from tests.eventstore.masters import Masters
from tests.eventstore.servers import AWAY, NO_SERVER, Server, binaries

FOUND = binaries()
REAL = list(FOUND) or ["server"]
CLUSTER = "cluster"


def sleep(ms: int) -> None:
    """Lets time pass by the clock on the wall, and a little more, for the server's has whole milliseconds."""
    time.sleep((ms + 2) / 1000)


@dataclass
class House:
    """A log, how time passes for it, and its client if it has one."""

    log: MatchLog
    wait: Callable[[int], None]
    client: Any = None


_servers: dict[str, Server | Masters] = {}


def real(family: str) -> Server | Masters:
    """The server of this family, or the "cluster", started once per test process and empty."""
    if not FOUND or family not in {*FOUND, CLUSTER}:
        pytest.skip(NO_SERVER)
    if family not in _servers:
        _servers[family] = Masters(FOUND[REAL[0]]).start() if family == CLUSTER else Server(FOUND[family]).start()
    with _servers[family].client() as client:
        client.flushall()
    return _servers[family]


@pytest.fixture(scope="session", autouse=True)
def no_server_stays() -> Iterator[None]:
    yield
    while _servers:
        _servers.popitem()[1].remove()


def build(kind: str) -> House:
    if kind == "memory":
        memory = MemoryLog()
        return House(memory, memory.advance_clock)
    client = fakeredis.FakeRedis(server=fakeredis.FakeServer()) if kind == "fake" else real(kind).client()
    return House(RedisLog(client, AWAY, "test", spread=kind == CLUSTER), sleep, client)


@pytest.fixture(params=["memory", "fake", *REAL, pytest.param(CLUSTER, marks=pytest.mark.cluster)])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    made = build(request.param)
    yield made
    if made.client is not None:
        made.client.close()


@pytest.fixture
def log(house: House) -> MatchLog:
    return house.log


@pytest.fixture(params=["fake", *REAL])
def streams(request: pytest.FixtureRequest) -> Iterator[House]:
    made = build(request.param)
    yield made
    made.client.close()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that the test may kill."""
    if not FOUND:
        pytest.skip(NO_SERVER)
    server = Server(next(iter(FOUND.values()))).start()
    yield server
    server.remove()
