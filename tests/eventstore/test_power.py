"""Power that fails and a disk that is full: what a store was still writing vanishes whole, what it acknowledged stays.

Power loss is a model: of the file that the store appends to, only what was there when the last completed sync began.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from referee.eventstore.contract import Commit, LogWriteStatus, StoreFull, StoreUnavailable
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.embedded.aof_repair import find_append_file, truncate_incomplete
from tests.eventstore.conftest import FOUND
from tests.eventstore.crash import Course
from tests.eventstore.servers import NO_SERVER, Server
from tests.eventstore.writing import MATCH, OTHER, add, check_feed, check_whole, following, grow, head_of
from tests.faults.shim import NO_COMPILER, Shim, compiler
from tests.infrastructure.machine import eventually

pytestmark = [pytest.mark.crash, pytest.mark.skipif(not FOUND, reason=NO_SERVER), pytest.mark.deep]
compiled = pytest.mark.skipif(compiler() is None, reason=NO_COMPILER)
AT_ONCE = 8  # servers that start beside each other: most of a start is waiting
EVERY = int(os.environ.get("REFEREE_TORN_EVERY", "3"))  # offsets of which one is cut at, another one in each run


@pytest.fixture(params=FOUND)
def binary(request: pytest.FixtureRequest) -> Path:
    return FOUND[request.param]


# -- a torn tail -------------------------------------------------------------------------------------------------------


def begun(binary: Path) -> tuple[Server, Path, bytes, int]:
    """A dead server; the file it appended to, what is in it, and how long it was before the last commit."""
    server = Server(binary).start()
    log = server.log()
    grow(log, MATCH, 3)
    grow(log, OTHER, 2)
    written = find_append_file(server.folder)
    assert written is not None
    whole = written.stat().st_size
    add(log, MATCH, "0:torn", b"torn", reopens_question=True, thinking_ms=600_000)
    log.client.close()
    server.kill()
    return server, written, written.read_bytes(), whole


def look(server: Server, written: Path, kept: bytes, cuts: range) -> int:
    """Starts the server over its file cut at each of these offsets: exactly the commit before is left, in every key.

    What comes next takes its place, also for whoever starts the server once more: that is looked at on every fifth
    cut. How many cuts it looked at.
    """
    for cut in cuts:
        written.write_bytes(kept[:cut])
        truncate_incomplete(
            server.folder
        )  # as the keeper does: what some servers leave behind would hurt the commit after
        server.start()
        log = server.log()
        assert (check_whole(log, MATCH), check_whole(log, OTHER)) == (3, 2), cut
        check_feed(log, 7, {MATCH: 3, OTHER: 2})
        reading = log.read(MATCH, key="0:torn")
        assert (reading.known, reading.due) == (None, None), cut
        assert add(log, MATCH, "0:torn", b"again").version == 4
        server.kill()
        log.client.close()
        if cut // AT_ONCE % 5 == 0:
            server.start()
            log = server.log()
            assert (check_whole(log, MATCH), check_whole(log, OTHER)) == (4, 2), cut
            check_feed(log, 7, {MATCH: 4, OTHER: 2})
            server.kill()
            log.client.close()
    return len(cuts)


def test_a_commit_torn_at_any_offset_vanishes_whole(binary: Path) -> None:
    """The file is cut at every third offset inside what the last commit wrote, other ones in each run; with
    `REFEREE_TORN_EVERY=1` at every single one."""
    servers: list[Server] = []
    try:
        first, written, kept, whole = begun(binary)
        servers.append(first)
        begin = whole + random.randrange(EVERY)
        assert len(kept) > whole + 700, "the commit's effects are the script's: log, head, key, feed, deadline, flag"
        for _ in range(1, AT_ONCE):
            servers.append(Server(binary))
            shutil.copytree(first.folder, servers[-1].folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("s"))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            looks = [
                pool.submit(
                    look,
                    server,
                    server.folder / written.relative_to(first.folder),
                    kept,
                    range(begin + number * EVERY, len(kept), AT_ONCE * EVERY),
                )
                for number, server in enumerate(servers)
            ]
            assert sum(done.result() for done in looks) == len(range(begin, len(kept), EVERY))
    finally:
        for server in servers:
            server.remove()


# -- power loss --------------------------------------------------------------------------------------------------------


class Unplugged(Server):
    """A server that dies of a power cut: what was not synced is gone."""

    def __init__(self, binary: Path, shim: Shim, *options: str) -> None:
        super().__init__(shim.server(binary), *options)
        self._shim, self.taken = shim, 0

    def kill(self) -> None:
        super().kill()
        self.taken += self._shim.cut_power(self.folder)


@pytest.fixture
def shim(tmp_path: Path) -> Iterator[Shim]:
    made = Shim(tmp_path)
    yield made
    made.close()


@compiled
def test_power_loss_takes_nothing_that_was_acknowledged(binary: Path, shim: Shim) -> None:
    server = Unplugged(binary, shim).start()
    try:
        course = Course(server)
        for after in (0.1, 0.02, 0.2, 0.05, 0.3):
            before = course.acknowledged
            course.kill_once(after)
            assert course.acknowledged > before, "power failed before anybody wrote: the test tested nothing"
        assert shim.synced(), "no sync was seen: the test tested nothing"
    finally:
        server.remove()


@compiled
def test_without_a_sync_before_each_answer_power_loss_takes_acknowledged_commits(binary: Path, shim: Shim) -> None:
    """The control: with a sync every second the same model loses what was promised, so it can."""
    server = Unplugged(binary, shim, "--appendfsync", "everysec").start()
    try:
        course = Course(server)
        with pytest.raises((AssertionError, IndexError)):
            course.kill_once(0.4)
        assert server.taken
    finally:
        server.remove()


# -- a full disk -------------------------------------------------------------------------------------------------------


def full_by_shim(tmp_path: Path, binary: Path) -> tuple[Server, Callable[[int], None], Callable[[], None]]:
    """A server, and how its disk is made to take so many bytes more, and all again."""
    made = Shim(tmp_path)
    server = Server(made.server(binary)).start()
    return server, made.room, made.room


def full_by_limit(tmp_path: Path, binary: Path) -> tuple[Server, Callable[[int], None], Callable[[], None]]:
    """The same by a limit on the size of a file, where nothing can be built."""
    server = Server(binary).start()

    def full(room: int) -> None:
        assert server.process is not None
        written = find_append_file(server.folder)
        assert written is not None
        size = written.stat().st_size + room
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return server, full, lambda: None  # the limit dies with its process


@pytest.mark.parametrize(
    "fill",
    [
        pytest.param(full_by_shim, id="no-space", marks=compiled),
        pytest.param(
            full_by_limit,
            id="size-limit",
            marks=pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the limit of another process: Linux"),
        ),
    ],
)
@pytest.mark.parametrize("room", [0, 1, 300])
def test_a_full_disk_stops_the_store_and_loses_nothing(tmp_path: Path, binary: Path, fill, room: int) -> None:
    server, full, empty = fill(tmp_path, binary)
    try:
        log = server.log(retries=0)
        grow(log, MATCH, 3)
        refused = following(MATCH, head_of(log, MATCH), "0:refused", b"too much" * 50)
        full(room)
        with pytest.raises(StoreUnavailable):
            log.append(refused)
        assert server.process is not None
        assert server.process.wait(10) != 0, "a store that cannot write is not to go on answering"
        log.client.close()
        empty()
        server.start()
        log = server.log()
        assert check_whole(log, MATCH) == 3
        check_feed(log, 7, {MATCH: 3})
        assert log.read(MATCH, key="0:refused").known is None
        assert log.append(refused).version == 4
        log.client.close()
        server.kill()
        server.start()
        assert check_whole(server.log(), MATCH) == 4
    finally:
        server.remove()


@compiled
def test_a_store_that_outlives_a_full_disk_counts_as_full_until_it_can_write(binary: Path, shim: Shim) -> None:
    """A named store may be set so that it goes on without its disk; it then refuses to write, in words of its own."""
    server = Server(shim.server(binary), "--appendfsync", "everysec").start()
    try:
        log = server.log(retries=0)
        grow(log, MATCH, 3)
        shim.room(100)
        with pytest.raises(StoreFull, match="MISCONF"):  # not at the first one: it finds out by writing
            write_on(log)
        written = check_whole(log, MATCH)
        shim.room()
        after = following(MATCH, head_of(log, MATCH), "0:after")
        eventually(lambda: appended(log, after))
        assert check_whole(log, MATCH) == written + 1 > 4
    finally:
        server.remove()


def write_on(log: RedisLog) -> None:
    """Adds to a log until that fails."""
    for number in range(1000):
        log.append(following(MATCH, head_of(log, MATCH), f"0:{number}"))


def appended(log: RedisLog, commit: Commit) -> bool:
    """Whether the log has taken it; False while it is away."""
    try:
        return log.append(commit).status in (LogWriteStatus.OK, LogWriteStatus.DUP)
    except StoreUnavailable:
        return False
