"""Processes that are forks of one: each takes over what it is given and no more, and none outlives its parent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.commands.running.preload import preload_program
from referee.cli.processes import supervisor
from referee.cli.processes.forking import may_fork
from referee.cli.processes.supervisor import Child
from tests.infrastructure.machine import ROOT, eventually, lives

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
PROBE = """
import json, os, signal, sys, time
from pathlib import Path
what, notes = sys.argv[1], Path(sys.argv[2])
if what == "look":
    print(json.dumps({
        "argv": sys.argv, "word": os.environ.get("WORD"), "other": os.environ.get("OTHER"), "name": __name__,
        "own_session": os.getsid(0) == os.getpid(), "comm": Path("/proc/self/comm").read_text().strip(),
        "open": sorted(int(fd) for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")),
        "handlers": [signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
                     signal.getsignal(signal.SIGINT) == signal.default_int_handler],
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    }), flush=True)
elif what == "collect":
    import gc
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(20)]
    gc.collect()
    print(json.dumps([fd for fd in opened if not os.path.exists(f"/proc/self/fd/{fd}")]), flush=True)
elif what == "exit":
    sys.exit(3)
elif what == "fail":
    raise RuntimeError("the probe failed")
else:
    (notes / f"{os.getpid()}").touch()
    time.sleep(600)
"""
PARENT = """
import os, signal, socket, sys, time
from referee.cli.processes.forking import ForkedProcess, may_fork
assert may_fork()
what, notes = sys.argv[1:]
held = [socket.socket(), open(__file__)]  # what only the parent may hold
class Ring:
    def __init__(self):
        self.socket, self.self = socket.socket(), self
import gc
gc.disable()
Ring()  # garbage that only the collector finds, with a socket
given = os.open(os.devnull, os.O_RDONLY)
os.environ["OTHER"] = "only of the parent"
def stop(number, frame):
    print("stopped", flush=True)
    raise KeyboardInterrupt
signal.signal(signal.SIGTERM, stop)
print(given, flush=True)
environment = {"WORD": "of the child", "PATH": os.environ["PATH"]}
try:
    child = ForkedProcess("drain worker", "probe", (what, notes), environment, (given,))
    if what == "sleep":
        while not os.listdir(notes):
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL if notes.endswith("killed") else 0)
    print(child.wait(), child.returncode, flush=True)
finally:
    print("the end", flush=True)
"""


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[Any]:
    """Starts a process that forks the probe."""
    (tmp_path / "probe.py").write_text(PROBE)
    (tmp_path / "parent.py").write_text(PARENT)
    (tmp_path / "notes").mkdir()
    (tmp_path / "killed").mkdir()
    started: list[subprocess.Popen[str]] = []

    def begin(what: str, notes: str = "notes") -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, str(tmp_path / "parent.py"), what, str(tmp_path / notes)],
                env=os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_garbage_of_the_parent_closes_nothing_of_the_fork(parent: Any) -> None:
    said, _ = parent("collect").communicate(timeout=90)
    assert json.loads(said.splitlines()[1]) == []


def test_a_fork_takes_over_what_it_is_given_and_no_more(parent, tmp_path):
    said, wrong = parent("look").communicate(timeout=90)
    given, seen, *rest = said.splitlines()
    assert rest == ["0 0", "the end"], wrong
    assert json.loads(seen) == {
        "argv": [str(tmp_path / "probe.py"), "look", str(tmp_path / "notes")],
        "word": "of the child",
        "other": None,
        "name": "__main__",
        "own_session": True,
        "comm": "drain worker",
        "open": [0, 1, 2, int(given)],
        "handlers": [True, True],
        "blocked": [],
    }


@pytest.mark.parametrize(
    ("what", "notes", "code"), [("exit", "notes", 3), ("fail", "notes", 1), ("sleep", "killed", -9)]
)
def test_how_a_fork_ended_is_seen_and_it_never_goes_on_as_its_parent(parent, what, notes, code):
    said, wrong = parent(what, notes).communicate(timeout=90)
    assert said.splitlines()[1:] == [f"{code} {code}", "the end"]
    assert ("the probe failed" in wrong) is (what == "fail")


def test_a_fork_ends_when_its_parent_is_killed(parent, tmp_path):
    process = parent("sleep")
    (pid,) = eventually(lambda: [int(note.name) for note in (tmp_path / "notes").iterdir()])
    assert lives(pid)
    process.kill()
    process.wait()
    eventually(lambda: not lives(pid))


def test_a_signal_for_a_fork_does_not_run_the_handler_of_its_parent(parent, tmp_path):
    process = parent("sleep")
    (pid,) = eventually(lambda: [int(note.name) for note in (tmp_path / "notes").iterdir()])
    os.kill(pid, signal.SIGTERM)
    said, _ = process.communicate(timeout=90)
    assert said.splitlines()[1:] == ["-15 -15", "the end"]


def test_where_a_thread_runs_a_child_gets_an_interpreter_of_its_own(tmp_path, monkeypatch):
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not may_fork()
        assert preload_program() is False, "then nothing is read in advance either"
        monkeypatch.setattr(supervisor, "ForkedProcess", lambda *_: pytest.fail("it was forked"))
        (tmp_path / "probe.py").write_text(PROBE)
        path = os.pathsep.join((str(tmp_path), str(ROOT)))
        child = Child("drain worker", "probe", ("exit", "-"), os.environ | {"PYTHONPATH": path}, forks=True)
        child.start()
        assert isinstance(child.process, subprocess.Popen)
        assert child.process.wait(90) == 3
    finally:
        done.set()
        thread.join()
