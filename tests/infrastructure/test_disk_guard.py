"""A disk that runs full: writes are refused in time, reads go on, and both end by themselves."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.eventstore.contract import StoreFull
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.archives.backup import RUNTIME_FILES
from referee.infrastructure.clients import UNAVAILABLE_ERRORS, build_client
from referee.infrastructure.embedded import disk_guard
from referee.infrastructure.embedded.disk_guard import (
    CRITICAL_BYTES,
    ENOUGH_BYTES,
    LOW_WATER_BYTES,
    RESERVE_BYTES,
    RESERVE_FILE,
)
from referee.infrastructure.embedded.servers import EmbeddedServers
from tests.eventstore.servers import NO_SERVER, binaries
from tests.eventstore.writing import ELSEWHERE, MATCH, add, check_whole, grow, head_of
from tests.infrastructure.machine import eventually

pytestmark = [pytest.mark.deep, pytest.mark.skipif(not binaries(), reason=NO_SERVER)]
Usage = namedtuple("Usage", "free")
MB = 1 << 20


class Disk:
    """A disk of which a test says how much is free."""

    free = 10_000 * MB

    def usage(self, _: Path) -> Usage:
        return Usage(self.free)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk()
    monkeypatch.setattr(disk_guard.shutil, "disk_usage", made.usage)
    return made


@pytest.fixture(params=binaries())
def keeper(disk: Disk, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[EmbeddedServers]:
    with EmbeddedServers(tmp_path / "data", queue=False, server=binaries()[request.param]) as started:
        yield started


@pytest.fixture
def log(keeper: EmbeddedServers) -> RedisLog:
    return RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS, "test")


def setting(log: RedisLog, name: str) -> str:
    return log.client.config_get(name)[name]


def test_below_the_mark_writes_are_refused_and_reads_go_on(keeper, log, disk):
    grow(log, MATCH, 3)
    assert keeper.guard_disk() == ""
    disk.free = LOW_WATER_BYTES - 1
    assert "63 MB are free" in keeper.guard_disk()
    assert keeper.guard_disk() == "", "it is told once"
    for write in (lambda: grow(log, MATCH, 1), lambda: grow(log, ELSEWHERE, 1), log.check_room, log.raise_epochs):
        with pytest.raises(StoreFull):
            write()
    assert check_whole(log, MATCH) == 3
    assert log.read(MATCH, key=f"0:{MATCH}4").known is None, "nothing half-written stays"
    assert log.read(ELSEWHERE).head is None
    log.ping()


def test_writes_go_on_by_themselves_above_a_higher_mark(keeper, log, disk):
    grow(log, MATCH, 1)
    disk.free = 1 * MB
    keeper.guard_disk()
    disk.free = LOW_WATER_BYTES + 1
    assert keeper.guard_disk() == "", "not yet: it would flap"
    with pytest.raises(StoreFull):
        log.check_room()
    disk.free = ENOUGH_BYTES
    assert "writes go on" in keeper.guard_disk()
    log.check_room()
    grow(log, MATCH, 1)
    assert check_whole(log, MATCH) == 2


def test_whose_deadline_passed_meanwhile_gets_time_before_anybody_can_play_it(keeper, log, disk):
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=20)
    add(log, ELSEWHERE, "0:1", reopens_question=True, thinking_ms=3_600_000)
    before = log.read(ELSEWHERE).due
    disk.free = 0
    keeper.guard_disk()
    eventually(lambda: log.now() > log.read(MATCH).due.at_ms)
    disk.free = ENOUGH_BYTES
    assert "1 deadlines are extended by 30 s" in keeper.guard_disk()
    reading = log.read(MATCH)
    assert reading.due.at_ms > reading.now_ms + 5_000
    assert log.read(ELSEWHERE).due == before


def test_a_store_that_dies_on_the_full_disk_comes_back_refusing(keeper, log, disk):
    grow(log, MATCH, 2)
    disk.free = 0
    keeper.servers["store"].process.kill()
    eventually(keeper.find_dead_servers)
    assert keeper.guard_disk() == "", "there is nobody to tell; the next look does it"
    keeper.restart_server("store")
    assert setting(log, "maxmemory") == "1"
    assert check_whole(log, MATCH) == 2
    with pytest.raises(StoreFull):
        grow(log, MATCH, 1)
    disk.free = ENOUGH_BYTES
    keeper.guard_disk()
    grow(log, MATCH, 1)


def test_the_reserve_is_laid_in_given_up_and_laid_in_again(keeper, disk, tmp_path):
    reserve = tmp_path / "data" / RESERVE_FILE
    assert reserve.stat().st_size == RESERVE_BYTES
    assert reserve.stat().st_mode & 0o777 == 0o600
    assert reserve.stat().st_blocks * 512 >= RESERVE_BYTES, "it takes room, and is no hole"
    for free, there in (
        (CRITICAL_BYTES, True),
        (CRITICAL_BYTES - 1, False),
        (ENOUGH_BYTES + RESERVE_BYTES, False),
        (ENOUGH_BYTES + RESERVE_BYTES + 1, True),
    ):
        disk.free = free
        keeper.guard_disk()
        assert reserve.exists() is there, free
    assert RESERVE_FILE in RUNTIME_FILES, "a backup leaves it out"


def test_the_log_is_not_rewritten_where_there_is_no_room_beside_it(keeper, log, disk):
    grow(log, MATCH, 3)
    assert setting(log, disk_guard.REWRITE_OPTION) == "300"
    size = sum(path.stat().st_size for path in (keeper.data_dir / "store").glob("appendonly*/*"))
    disk.free = LOW_WATER_BYTES + size
    assert keeper.guard_disk() == ""
    assert setting(log, disk_guard.REWRITE_OPTION) == "0"
    log.check_room()
    disk.free = ENOUGH_BYTES + size
    keeper.guard_disk()
    assert setting(log, disk_guard.REWRITE_OPTION) == "300"


def test_a_start_on_a_full_disk_can_still_fence_and_freeze(disk, tmp_path):
    with EmbeddedServers(tmp_path / "data", queue=False) as keeper:
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS, "test")
        grow(log, MATCH, 1)
    disk.free = 0
    with EmbeddedServers(tmp_path / "data", queue=False) as keeper:
        assert not (tmp_path / "data" / RESERVE_FILE).exists()
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS, "test")
        log.raise_epochs()
        log.freeze_match(MATCH)
        assert "DISK FULL" in keeper.guard_disk()
        assert head_of(log, MATCH).status == "frozen"


def test_a_store_in_memory_has_no_disk_to_guard(disk, tmp_path):
    disk.free = 0
    with EmbeddedServers(tmp_path / "data", queue=False, durable=False) as keeper:
        assert keeper.guard_disk() == ""
        assert not (tmp_path / "data" / RESERVE_FILE).exists()
