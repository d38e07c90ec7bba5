"""Machines that run the parts of the program apart, on one store and one queue: `referee api` and `referee worker`.

Each has a data directory of its own with the same keys. What hosts must share is in a folder beside these.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.cli.commands.running.serve import WORKERS
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import load_server_secret
from referee.infrastructure.settings import PREFIX
from tests.bench.driving import Line
from tests.eventstore.replicas import free_port
from tests.faults.between import Address
from tests.faults.program import RATES, children_of, name_of
from tests.infrastructure.machine import ROOT, lives

READY_WITHIN = 240.0
GONE_WITHIN = 60.0


def ask(address: Address, asked: bytes) -> tuple[int, Any]:
    """The status and the body of an answer to one request."""
    line = Line(address)
    line.socket.settimeout(30)
    with contextlib.closing(line.socket):
        line.send(asked)
        while (reply := line.receive()) is None:
            pass
    return reply.status, reply.json()


class Host:
    """One machine: an API and workers. Kill parts of it; `keep_up` starts again what died as a whole."""

    def __init__(self, folder: Path, name: str, variables: Mapping[str, str]) -> None:
        self.data, self.shared = folder / name, folder / "shared"
        self.address: Address = ("127.0.0.1", free_port())
        self.said = folder / f"{name}.said"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self.environment = kept | RATES | {
            "PYTHONPATH": str(ROOT), f"{PREFIX}DATA_DIR": str(self.data), f"{PREFIX}PORT": str(self.address[1]),
            f"{PREFIX}ARCHIVE_DIR": str(self.shared / "archive"), f"{PREFIX}WORKERS": "2", f"{PREFIX}THREADS": "32",
            f"{PREFIX}WATERMARKS_DIR": str(self.shared / "watermarks"), f"{PREFIX}LOG_LEVEL": "warning", **variables,
        }  # fmt: skip
        self._processes: dict[str, subprocess.Popen[bytes] | None] = {"gunicorn": None, "supervisor": None}
        self.ever: set[int] = set()

    def take_keys(self, folder: Path) -> None:
        """Have the keys in a folder; they are made first if it has none."""
        load_server_secret(folder / "secret")
        load_signer(folder / "signing.pem")
        shutil.copytree(folder, self.data, copy_function=shutil.copy2)
        self.data.chmod(0o700)

    def start(self) -> None:
        """Start both parts; see `await_ready`."""
        self.shared.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._begin("gunicorn", "api")
        self._begin("supervisor", "worker", *WORKERS)

    def _begin(self, kind: str, *words: str) -> None:
        with self.said.open("ab") as said:
            self._processes[kind] = subprocess.Popen(
                [sys.executable, "-m", "referee.cli", *words],
                env=self.environment, stdout=said, stderr=said, cwd=ROOT, start_new_session=True,
            )  # fmt: skip

    def ask(self, asked: bytes) -> tuple[int, Any]:
        """The status and the body of an answer."""
        return ask(self.address, asked)

    @property
    def key(self) -> bytes:
        """The public key with which it signs."""
        return load_signer(self.data / "signing.pem").public

    def keep_up(self) -> None:
        """Start again what has ended as a whole, as the machine's own supervisor would."""
        for kind, words in (("gunicorn", ("api",)), ("supervisor", ("worker", *WORKERS))):
            if (process := self._processes[kind]) is not None and process.poll() is not None:
                self._begin(kind, *words)

    def is_ready(self) -> bool:
        """Whether it can serve."""
        line = http.client.HTTPConnection(*self.address, timeout=5)  # type: ignore[misc]
        with contextlib.closing(line), contextlib.suppress(OSError, http.client.HTTPException):
            line.request("GET", "/readyz")
            return line.getresponse().status == 200
        return False

    def await_ready(self) -> None:
        """Wait until it can serve. Raises AssertionError with its last words."""
        until = time.monotonic() + READY_WITHIN
        while not self.is_ready():
            assert time.monotonic() < until, self.words()
            self.keep_up()
            time.sleep(0.1)

    def words(self, most: int = 6000) -> str:
        """The end of what it has said."""
        return self.said.read_text(errors="replace")[-most:] if self.said.exists() else ""

    def processes(self) -> dict[str, list[int]]:
        """The living processes by what they do."""
        found: dict[str, list[int]] = {"gunicorn": [], "api": [], "supervisor": [], "horse": []}
        for kind, process in self._processes.items():
            if process is not None and process.poll() is None:
                found[kind].append(process.pid)
                for pid in children_of(process.pid):
                    name = "api" if kind == "gunicorn" else name_of(pid).removesuffix(" worker")
                    found.setdefault(name, []).append(pid)
                    if name == "bots":
                        found["horse"] += children_of(pid)
        self.ever.update(pid for pids in found.values() for pid in pids)
        return found

    def end(self) -> None:
        """Stop both parts, and kill what is left of them."""
        self.processes()
        for process in self._processes.values():
            if process is not None:
                process.terminate()
        for process in self._processes.values():
            if process is not None:
                try:
                    process.wait(GONE_WITHIN)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        for pid in self.ever:
            if lives(pid) and str(ROOT).encode() in Path(f"/proc/{pid}/environ").read_bytes():
                os.kill(pid, signal.SIGKILL)
