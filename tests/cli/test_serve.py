"""`referee serve`: everything starts, stops in order and in time, and nothing is left behind however it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from referee.cli.commands.running import serve
from referee.cli.processes.supervisor import LONGEST_PAUSE, STEADY_SECONDS, Backoff
from referee.infrastructure.clients import FakeServers
from referee.infrastructure.embedded.servers import EmbeddedServers, find_holder
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.settings import Settings
from tests.cli.serving import Serving, environment, stand_ins
from tests.infrastructure.machine import eventually, lives

pytestmark = pytest.mark.deep
SOON = 20.0  # seconds: on a busy machine the ending of a dozen processes takes some


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return stand_ins(tmp_path / "stand-ins")


@pytest.fixture
def start(folder: Path, tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """Starts a server over the test's data directory."""
    started: list[Serving] = []

    def begin(*options: str, **variables: str) -> Serving:
        started.append(Serving(folder, *(options or ("--data-dir", str(tmp_path / "data"))), **variables))
        return started[-1]

    yield begin
    for serving in started:
        serving.end()


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return str(answer.read().decode())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_answers_and_stops_cleanly(start, tmp_path, number):
    serving = start()
    assert get(serving.told["url"] + "/").startswith("unix://"), "the API was told where the store is"
    assert [len(serving.noted(name)) for name in ("drain", "bots", "sweeper")] == [1, 1, 1] or eventually(
        lambda: all(serving.noted(name) for name in ("drain", "bots", "sweeper"))
    )
    began = time.monotonic()
    assert serving.stop(number) == 0
    assert time.monotonic() - began < SOON
    assert serving.living() == []
    assert find_holder(tmp_path / "data") is None
    with EmbeddedServers(tmp_path / "data") as keeper:  # the directory is free, and no orphan had to be stopped
        assert keeper.find_dead_servers() == []


def test_ctrl_c_in_the_terminal_stops_the_store_last(start):
    serving = start()
    store = redis.Redis.from_url(get(serving.told["url"] + "/"))
    os.killpg(serving.process.pid, signal.SIGINT)  # what a terminal does: to everyone in the foreground group
    assert serving.process.wait(60) == 0
    assert serving.living() == []
    with pytest.raises(redis.exceptions.ConnectionError):
        store.ping()


def test_an_open_stream_does_not_hold_up_the_stop(start):
    serving = start()
    with urllib.request.urlopen(serving.told["url"] + "/stream", timeout=60) as stream:
        assert stream.read(1) == b"."
        began = time.monotonic()
        assert serving.stop() == 0
        assert time.monotonic() - began < SOON, "the stream goes on for a hundred seconds, and the grace is five"
    assert serving.living() == []


def test_the_data_and_the_operators_token_are_of_the_first_start(start):
    first = start()
    assert first.told["operator_token"].startswith("rfs_")
    assert first.told["durable"] is True
    redis.Redis.from_url(get(first.told["url"] + "/")).set("kept", "1")
    assert first.stop() == 0
    second = start()
    assert second.told["operator_token"] is None, "it is shown once"
    assert redis.Redis.from_url(get(second.told["url"] + "/")).get("kept") == b"1"


def test_killed_with_9_it_leaves_no_process_and_the_next_start_goes_on(start):
    first = start()
    eventually(lambda: len(first.living()) == 9)
    store = redis.Redis.from_url(get(first.told["url"] + "/"))
    store.set("kept", "1")
    server = store.info()["process_id"]
    first.stop(signal.SIGKILL)
    eventually(lambda: first.living() == [])
    if sys.platform == "linux":  # whose kernel ends a child with its parent
        eventually(lambda: not lives(server))
    second = start()
    assert redis.Redis.from_url(get(second.told["url"] + "/")).get("kept") == b"1"
    assert store.connection_pool.connection_kwargs["path"] in get(second.told["url"] + "/"), "at the same address"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_holds_neither_the_lock_nor_the_port_of_its_supervisor(start, tmp_path):
    """Held by a worker, they would outlive the supervisor, and the next one would be refused."""
    serving = start()
    (worker,) = eventually(lambda: serving.noted("drain"))
    held = {os.readlink(link) for link in Path(f"/proc/{worker}/fd").iterdir()}
    own = {os.readlink(link) for link in Path(f"/proc/{serving.process.pid}/fd").iterdir()}
    assert str(tmp_path / "data" / "keeper.lock") in own
    sockets = {place for place in own if place.startswith("socket:")}
    assert len(sockets) == 1, "the port; no connection to the store was open when the processes were forked"
    assert not held & (sockets | {str(tmp_path / "data" / "keeper.lock"), str(tmp_path / "data")})


def test_a_worker_and_a_store_that_die_are_started_again(start):
    serving = start()
    (before,) = eventually(lambda: serving.noted("drain"))
    os.kill(before, signal.SIGKILL)
    after = eventually(lambda: [pid for pid in serving.noted("drain") if pid != before and lives(pid)])
    assert len(after) == 1
    store = redis.Redis.from_url(get(serving.told["url"] + "/"))
    store.set("kept", "1")
    os.kill(int(store.info("server")["process_id"]), signal.SIGKILL)

    def again() -> bool:
        try:
            return store.get("kept") == b"1"
        except redis.exceptions.ConnectionError:
            return False

    eventually(again)
    assert serving.stop() == 0
    said = serving.end()
    assert "drain worker ended (SIGKILL); restarting in 0.5 s" in said
    assert "the store server ended; restarting in 0.5 s" in said


def test_an_api_that_cannot_start_ends_it_all_with_its_reason(start, tmp_path):
    serving = start("--data-dir", str(tmp_path / "data"), BROKEN_API="1")
    assert serving.told == {}
    assert serving.process.wait(90) == 1
    said = serving.end()
    assert "this API is broken" in said
    assert "the API ended while it was starting" in said
    assert find_holder(tmp_path / "data") is None


def test_two_servers_on_one_directory_are_refused(start):
    first, second = start(), start()
    assert second.told == {}
    assert second.process.wait(60) == 1
    assert f"process {first.process.pid}" in second.end()
    assert get(first.told["url"] + "/")


def test_a_port_in_use_is_named_and_nothing_is_begun(start, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        serving = start("--data-dir", str(tmp_path / "data"), "--port", port)
        assert serving.process.wait(60) == 1
    assert f"port {port}" in serving.end()
    assert not (tmp_path / "data").exists()


def test_without_a_store_server_the_exit_code_is_69(start, tmp_path):
    serving = start("--data-dir", str(tmp_path / "data"), REFEREE_STORE_SERVER=str(tmp_path / "nothing"))
    assert serving.process.wait(60) == 69
    assert "REFEREE_STORE_SERVER" in serving.end()


def test_ephemeral_says_so_and_leaves_nothing_on_disk(start, tmp_path):
    serving = start("--ephemeral", TMPDIR=str(tmp_path / "stand-ins"))
    assert serving.told["durable"] is False
    assert serving.told["data_dir"] is None
    store = redis.Redis.from_url(get(serving.told["url"] + "/"))
    assert store.config_get("appendonly") == {"appendonly": "no"}
    assert serving.stop() == 0
    assert list((tmp_path / "stand-ins").glob("referee-*")) == []


def test_a_named_store_and_queue_are_used_and_left_running(start, tmp_path):
    with EmbeddedServers(tmp_path / "elsewhere") as keeper:
        urls = {"REFEREE_STORE_URL": str(keeper.store_url), "REFEREE_QUEUE_URL": str(keeper.queue_url)}
        serving = start("--data-dir", str(tmp_path / "data"), **urls)
        assert get(serving.told["url"] + "/") == keeper.store_url
        assert not (tmp_path / "data" / "store").exists()
        assert serving.stop() == 0
        assert keeper.find_dead_servers() == []


def test_the_workers_alone_run_until_told_to_stop(folder, tmp_path):
    with EmbeddedServers(tmp_path / "elsewhere") as keeper:
        urls = {"REFEREE_STORE_URL": str(keeper.store_url), "REFEREE_QUEUE_URL": str(keeper.queue_url)}
        command = [sys.executable, "-m", "referee.cli", "worker", "sweeper", "drain"]
        with subprocess.Popen(command, env=environment(folder, **urls)) as process:
            try:
                (drain,) = eventually(lambda: list((folder / "notes").glob("drain-*")))
                (sweeper,) = eventually(lambda: list((folder / "notes").glob("sweeper-*")))
                assert not list((folder / "notes").glob("bots-*"))
            finally:
                process.terminate()
            assert process.wait(60) == 0
    assert not any(lives(int(note.name.rpartition("-")[2])) for note in (drain, sweeper))


@pytest.mark.parametrize("command", ["api", "worker"])
def test_api_and_worker_alone_need_both_urls(folder, command):
    done = subprocess.run(
        [sys.executable, "-m", "referee.cli", command],
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 69
    assert "REFEREE_STORE_URL" in done.stderr


def test_a_debugger_is_not_put_on_an_open_port(start, tmp_path):
    serving = start("--data-dir", str(tmp_path / "data"), FLASK_DEBUG="1")
    assert serving.process.wait(60) == 1
    assert "FLASK_DEBUG" in serving.end()


def test_packages_are_not_looked_for_in_the_current_directory(tmp_path):
    """Anything might be called `api` where somebody happens to stand."""
    bare = Settings(tmp_path, tmp_path, tmp_path, tmp_path)
    assert serve.build_child_environment(bare)["PYTHONSAFEPATH"] == "1"
    assert ("--chdir", str(serve.PACKAGES_ROOT)) in zip(
        *[iter(serve.build_gunicorn_arguments(bare, "x"))] * 2, strict=False
    )


def test_without_any_server_ephemeral_takes_the_fake_one_and_the_durable_start_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.infrastructure.embedded.store_binaries.find_wheel_binary", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data")
    with pytest.raises(StoreNotFoundError, match="--ephemeral"):
        serve.start_servers(settings)
    servers = serve.start_servers(replace(settings, ephemeral=True))
    assert isinstance(servers, FakeServers)
    servers.stop()
    with pytest.raises(HostError, match="unset"):
        serve.start_servers(replace(settings, ephemeral=True, store_url="redis://there"))


def test_the_pauses_grow_up_to_some_seconds_and_begin_anew_after_a_steady_life():
    backoff, now, pauses = Backoff(), 1000.0, []
    for _ in range(9):
        backoff.record_start(now)
        pauses.append(backoff.record_death(now + 1))
        now += 100
    assert pauses == [0.5, 1, 2, 4, 5, 5, 5, 5, 5]
    assert pauses[-1] == LONGEST_PAUSE
    backoff.record_start(now)
    assert backoff.record_death(now + STEADY_SECONDS) == 0.5
