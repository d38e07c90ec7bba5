"""The whole program as the README starts it, over one data directory: its processes by what they do, and their deaths.

The processes are found by parentage, starting from the one that was started here, so that nobody else's server on the
machine is ever aimed at. That needs /proc, so these tests run on Linux.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.cli.commands.running.serve import WORKERS
from referee.infrastructure.settings import PREFIX, RateLimits
from tests.infrastructure.machine import ROOT, lives

STARTED_WITHIN = 180.0
GONE_WITHIN = 60.0
RATES = {f"{PREFIX}RATE_{name.upper()}": "1000000" for name in RateLimits.__dataclass_fields__} | {
    f"{PREFIX}OPEN_MATCHES_PER_ADDRESS": "1000000"
}  # they are not what is tested
KINDS = ("api", "gunicorn", "drain", "bots", "horse", "webhooks", "sweeper", "queue", "store", "supervisor")


def children_of(pid: int) -> list[int]:
    """The processes that this one has started and that are there; none if it is gone."""
    try:
        text = "".join(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    except OSError:
        return []
    return [int(word) for word in text.split()]


def name_of(pid: int) -> str:
    """The name that it has given itself; empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def folder_of(pid: int) -> str:
    """The directory in which it works; empty if it is gone."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


class Program:
    """`referee serve` over a data directory. Kill parts of it or all of it, and start it again."""

    def __init__(self, data: Path, variables: Mapping[str, str] | None = None) -> None:
        self.data = data
        self.said = data.with_name(data.name + ".said")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        small = {f"{PREFIX}THREADS": "32", f"{PREFIX}LOG_LEVEL": "warning", f"{PREFIX}WORKERS": "2"}
        self.environment = kept | {"PYTHONPATH": str(ROOT)} | small | RATES | dict(variables or {})
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0  # any free one
        self.address = ("127.0.0.1", 0)
        self.ever: set[int] = set()  # every process that was seen, so that none is left in the end

    def begin(self) -> None:
        """Starts it and does not wait."""
        assert self.process is None
        with self.said.open("ab") as said:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "referee.cli",
                    "serve",
                    "--port",
                    str(self.port),
                    "--json",
                    "--data-dir",
                    str(self.data),
                ],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=said,
                cwd=ROOT,
                start_new_session=True,
            )
        self.ever.add(self.process.pid)

    def wait(self) -> None:
        """Waits until it says where it serves. Raises AssertionError with its last words if it ends instead."""
        assert self.process is not None
        assert self.process.stdout is not None
        readable, _, _ = select.select([self.process.stdout], [], [], STARTED_WITHIN)
        line = self.process.stdout.readline() if readable else b""
        assert line, f"it did not start:\n{self.words()}"
        told: dict[str, Any] = json.loads(line)
        host, _, port = told["url"].removeprefix("http://").rpartition(":")
        self.address = (host, int(port))

    def start(self) -> Program:
        """Starts it and waits until it serves. Raises AssertionError if it does not."""
        self.begin()
        self.wait()
        return self

    def words(self, most: int = 4000) -> str:
        """The end of what it has said."""
        return self.said.read_text(errors="replace")[-most:] if self.said.exists() else ""

    @property
    def socket(self) -> Path:
        """Where its store listens."""
        return self.data / "run" / "store.sock"

    def processes(self) -> dict[str, list[int]]:
        """The living processes by what they do."""
        found: dict[str, list[int]] = {kind: [] for kind in KINDS}
        if self.process is None or self.process.poll() is not None:
            return found
        found["supervisor"].append(self.process.pid)
        for pid in children_of(self.process.pid):
            name = name_of(pid)
            if (kind := Path(folder_of(pid)).name) in ("store", "queue") and str(self.data) in folder_of(pid):
                found[kind].append(pid)
            elif name == "API":
                found["gunicorn"].append(pid)
                found["api"] += children_of(pid)
            elif (kind := name.removesuffix(" worker")) in WORKERS:
                found.setdefault(kind, []).append(pid)
                if kind == "bots":
                    found["horse"] += children_of(pid)
        alive = {kind: [pid for pid in pids if lives(pid)] for kind, pids in found.items()}
        self.ever.update(pid for pids in alive.values() for pid in pids)
        return alive

    def kill(self, pid: int) -> bool:
        """kill -9 of one of its processes; False if it had gone by itself."""
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        if self.process is not None and pid == self.process.pid:
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None
        return True

    def stop(self) -> int:
        """Asks it to stop; the exit code."""
        assert self.process is not None
        self.processes()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(GONE_WITHIN)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    def end(self) -> None:
        """Whatever became of it: nothing that was seen of it is left."""
        self.processes()
        if self.process is not None:
            self.kill(self.process.pid)
        orphans = [pid for pid in self.ever if self._ours(pid)]
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + GONE_WITHIN
        while any(lives(pid) for pid in orphans) and time.monotonic() < until:
            time.sleep(0.02)

    def _ours(self, pid: int) -> bool:
        """Whether this number still names the process that was seen: numbers are used again."""
        own = str(self.data).encode()
        try:
            return own in Path(f"/proc/{pid}/cmdline").read_bytes() or str(self.data) in folder_of(pid)
        except OSError:
            return False
