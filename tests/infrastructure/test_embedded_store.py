"""The embedded servers: one keeper to a directory, nothing acknowledged is lost, nothing is left behind."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from referee.infrastructure.embedded import servers as keeping
from referee.infrastructure.embedded.server import ServerUnreachableError, read_persistence_info, send_command
from referee.infrastructure.embedded.servers import LONGEST_SOCKET, EmbeddedServers, find_holder
from referee.infrastructure.errors import AlreadyServedError, HostError, StoreNotFoundError
from tests.infrastructure.machine import OtherKeeper, eventually, lives

pytestmark = pytest.mark.deep
outlived = pytest.mark.parametrize("other", [True], indirect=True, ids=["outlived"])
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def other(data: Path, request: pytest.FixtureRequest) -> Iterator[OtherKeeper]:
    """A keeper in another process; whatever becomes of it, its servers do not outlive the test."""
    started = OtherKeeper(data, outlived=getattr(request, "param", False))
    yield started
    started.kill()
    for pid in started.pids.values():
        if lives(pid):
            os.kill(pid, signal.SIGKILL)


def client(url: str | None) -> redis.Redis:
    assert url is not None
    return redis.Redis.from_url(url)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_is_there_after_a_stop_and_a_start(data):
    with EmbeddedServers(data) as keeper:
        client(keeper.store_url).xadd("log", {"e": "\x00\xff"}, "1-0")
        client(keeper.queue_url).set("hint", "1")
    with EmbeddedServers(data) as keeper:
        assert client(keeper.store_url).xlen("log") == 1
        assert not client(keeper.queue_url).exists("hint"), "the queue keeps nothing"


def test_the_store_writes_every_commit_to_disk_and_has_no_port(data):
    with EmbeddedServers(data) as keeper:
        store = client(keeper.store_url).config_get("*")
        queue = client(keeper.queue_url).config_get("*")
    wanted = {"appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no", "save": "", "port": "0"}
    wanted |= {"maxmemory-policy": "noeviction", "unixsocketperm": "700"}
    assert {name: store[name] for name in wanted} == wanted
    assert (queue["appendonly"], queue["save"], queue["port"]) == ("no", "", "0")


def test_directory_and_sockets_are_for_their_owner_alone(data):
    data.mkdir(mode=0o755)
    with EmbeddedServers(data):
        assert {mode(data), mode(data / "run"), mode(data / "store")} == {0o700}
        assert mode(data / "run" / "store.sock") == 0o700
        assert all(not mode(path) & 0o077 for path in (data / "store").rglob("*.aof"))


def test_a_second_keeper_is_refused_while_the_first_lives(data, other):
    with pytest.raises(AlreadyServedError, match=f"process {other.process.pid}"):
        EmbeddedServers(data).start()
    assert find_holder(data) == f"process {other.process.pid}"
    assert send_command(data / "run" / "store.sock", "PING") == b"+PONG", "the first one is not disturbed"
    other.stop()
    assert find_holder(data) is None
    with EmbeddedServers(data) as keeper:
        assert keeper.find_dead_servers() == []


def test_a_clean_stop_leaves_no_server_no_socket_and_a_short_log(data, other):
    store = client(other.store_url)
    for number in range(200):
        store.set("same", number)
    long = int(read_persistence_info(data / "run" / "store.sock")["aof_current_size"])
    other.stop()
    assert not any(lives(pid) for pid in other.pids.values())
    assert list((data / "run").iterdir()) == []
    with EmbeddedServers(data):
        assert int(read_persistence_info(data / "run" / "store.sock")["aof_current_size"]) < long / 4


@on_linux
def test_store_and_queue_end_with_a_keeper_that_was_killed_and_nothing_acknowledged_is_lost(data, other):
    store = client(other.store_url)
    for number in range(100):
        store.xadd("log", {"e": b"x" * 100}, f"{number + 1}-0")
    other.kill()
    eventually(lambda: not any(lives(pid) for pid in other.pids.values()))
    with EmbeddedServers(data) as keeper:
        assert client(keeper.store_url).xlen("log") == 100


@outlived
def test_after_kill_9_of_the_keeper_the_next_finds_the_orphan_and_goes_on_with_all_data(data, other):
    store = client(other.store_url)
    for number in range(100):
        store.xadd("log", {"e": b"x" * 100}, f"{number + 1}-0")
    other.kill()
    assert lives(other.pids["store"]), "the store outlives its keeper"
    lock = os.open(data, os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # and holds the lock it inherited
    os.close(lock)
    store.xadd("log", {"e": "from a client of the orphan"}, "101-0")
    with EmbeddedServers(data) as keeper:
        assert client(keeper.store_url).xlen("log") == 101
        assert not any(lives(pid) for pid in other.pids.values()), "both orphans are gone"


@outlived
def test_an_orphan_that_cannot_be_reached_is_named_and_not_run_over(data, other, monkeypatch):
    monkeypatch.setattr(keeping, "ORPHANS_GO_WITHIN", 0.3)
    other.kill()
    (data / "run" / "store.sock").unlink()
    (data / "run" / "queue.sock").unlink()
    with pytest.raises(AlreadyServedError, match="cannot be reached"):
        EmbeddedServers(data).start()
    assert lives(other.pids["store"])
    assert find_holder(data) is None, "the refused keeper let go of its own lock"


@outlived
def test_ctrl_c_in_the_terminal_does_not_reach_the_servers(data, other):
    os.killpg(other.process.pid, signal.SIGINT)  # the keeper ignores it, to show what the others do
    os.killpg(other.process.pid, signal.SIGTERM)  # nobody survives that in this group
    assert other.process.wait(60) == -signal.SIGTERM
    assert send_command(data / "run" / "store.sock", "PING") == b"+PONG"


def test_a_path_too_long_for_a_socket_gets_a_short_private_directory(tmp_path):
    data = tmp_path / ("deep" * 20) / ("deeper" * 20)
    assert len(os.fsencode(data / "run" / "store.sock")) > LONGEST_SOCKET
    with EmbeddedServers(data) as keeper:
        client(keeper.store_url).set("kept", "1")
        folder = keeper.plans["store"].socket.parent
        assert mode(folder) == 0o700
        assert not folder.is_relative_to(data)
    assert not folder.exists()
    with EmbeddedServers(data) as keeper:
        assert client(keeper.store_url).get("kept") == b"1"


def test_with_a_long_path_too_the_orphan_is_found(tmp_path):
    data = tmp_path / ("deep" * 20) / ("deeper" * 20)
    other = OtherKeeper(data, outlived=True)
    try:
        client(other.store_url).set("kept", "1")
        other.kill()
        with EmbeddedServers(data) as keeper:
            assert client(keeper.store_url).get("kept") == b"1"
            assert not lives(other.pids["store"])
    finally:
        for pid in filter(lives, other.pids.values()):
            os.kill(pid, signal.SIGKILL)


def test_a_path_with_blanks_quotes_and_umlauts_works(tmp_path):
    data = tmp_path / 'spiele "der" würfel\\100%'
    with EmbeddedServers(data) as keeper:
        client(keeper.store_url).set("kept", "1")
    with EmbeddedServers(data) as keeper:
        assert client(keeper.store_url).get("kept") == b"1"


def test_a_store_that_dies_is_noticed_and_started_again_with_all_data(data):
    with EmbeddedServers(data) as keeper:
        client(keeper.store_url).set("kept", "1")
        keeper.servers["store"].process.kill()
        assert eventually(keeper.find_dead_servers) == ["store"]
        keeper.restart_server("store")
        assert keeper.find_dead_servers() == []
        assert client(keeper.store_url).get("kept") == b"1"


def test_in_memory_nothing_is_written_to_disk(data):
    with EmbeddedServers(data, durable=False) as keeper:
        client(keeper.store_url).set("kept", "1")
        assert not list((data / "store").glob("append*"))
    with EmbeddedServers(data, durable=False) as keeper:
        assert not client(keeper.store_url).exists("kept")


def test_only_the_servers_asked_for_are_run(data):
    with EmbeddedServers(data, store=False) as keeper:
        assert keeper.store_url is None
        assert client(keeper.queue_url).ping()
        assert list(keeper.servers) == ["queue"]


def test_a_server_that_ends_at_once_is_told_with_its_last_words_and_frees_the_directory(data, tmp_path):
    false = tmp_path / "valkey-server"
    false.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Valkey server v=9.9.9" && exit\necho no room; exit 3\n')
    false.chmod(0o755)
    with pytest.raises(HostError, match=r"ended at once \(3\)(.|\n)*no room"):
        EmbeddedServers(data, server=false).start()
    with EmbeddedServers(data) as keeper:
        assert keeper.find_dead_servers() == []


def test_no_server_at_all_is_a_refusal_of_its_own(data, tmp_path):
    with pytest.raises(StoreNotFoundError, match="REFEREE_STORE_SERVER"):
        EmbeddedServers(data, server=tmp_path / "nothing").start()
    assert not data.exists(), "nothing was begun"


def test_nobody_answers_where_no_server_is(tmp_path):
    with pytest.raises(ServerUnreachableError):
        send_command(tmp_path / "no.sock", "PING")


def test_a_temporary_directory_that_is_too_long_itself_is_passed_over(tmp_path, monkeypatch):
    long = tmp_path / ("temporary" * 10)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    with EmbeddedServers(long / "data") as keeper:
        assert not keeper.plans["store"].socket.is_relative_to(long)
    monkeypatch.setattr(keeping, "LONGEST_SOCKET", 10)
    with pytest.raises(HostError, match="set TMPDIR"):
        EmbeddedServers(long / "data").start()


def test_a_directory_without_room_is_said_to_be_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(keeping.os, "write", fail)
    with pytest.raises(HostError, match="cannot be used: No space left"):
        EmbeddedServers(tmp_path / "data", queue=False).start()


@pytest.mark.parametrize("name", ["a\nb", "a\r", "a\x85b", "a\udcff"])
def test_a_directory_whose_name_no_worker_could_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(HostError, match="its name has a line break, or is not UTF-8"):
        EmbeddedServers(tmp_path / name, queue=False).start()
    assert not list(tmp_path.iterdir())
