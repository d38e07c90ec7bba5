"""A `referee serve` of its own for a test, with stand-ins for the API and the workers.

The stand-ins answer and wait, and note who they are: what is tested is how they are started, watched and stopped.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from referee.infrastructure.settings import PREFIX
from tests.infrastructure.machine import ROOT, lives

API = """
import os, time
from pathlib import Path
def create_app():
    if "BROKEN_API" in os.environ:
        raise RuntimeError("this API is broken")
    here = Path(os.environ["NOTES"])
    (here / f"api-{os.getpid()}").touch()
    (here / f"gunicorn-{os.getppid()}").touch()
    def app(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"] == "/stream":
            return (time.sleep(0.1) or b"." for _ in range(1000))
        if environ["PATH_INFO"] == "/healthz":
            return [b'{"status": "ok"}']
        return [os.environ["REFEREE_STORE_URL"].encode()]
    return app
"""
WORKER = """
import os, signal, sys
from pathlib import Path
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
(Path(os.environ["NOTES"]) / f"{sys.argv[1]}-{os.getpid()}").touch()
while True:
    signal.pause()
"""


def stand_ins(folder: Path) -> Path:
    """The packages `api` and `workers` as stand-ins, in that folder."""
    (folder / "api").mkdir(parents=True)
    (folder / "api" / "__init__.py").write_text("")
    (folder / "api" / "app.py").write_text(API)
    (folder / "notes").mkdir()
    stand_in_workers(folder)
    return folder


def stand_in_workers(folder: Path) -> None:
    """The package `workers` as a stand-in whose workers do nothing."""
    (folder / "workers").mkdir()
    (folder / "workers" / "__init__.py").touch()
    (folder / "workers" / "__main__.py").write_text(WORKER)
    (folder / "workers" / "warmup.py").write_text("def load_workers(): pass")


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The variables of a server with these stand-ins, and none of Referee's own from outside."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX) and name != "FLASK_DEBUG"}
    path = os.pathsep.join((str(folder), str(ROOT)))
    return kept | {"PYTHONPATH": path, "NOTES": str(folder / "notes"), "REFEREE_WORKERS": "1"} | more


class Serving:
    """`referee serve --json`, started and, at the latest in the end, stopped with all it has started."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        self.notes = folder / "notes"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee.cli", "serve", "--port", "0", "--json", *options],
            env=environment(folder, **variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        readable, _, _ = select.select([self.process.stdout], [], [], 180)
        line = self.process.stdout.readline() if readable else b""
        self.told: dict[str, Any] = json.loads(line) if line else {}

    def noted(self, name: str) -> list[int]:
        """The processes of that name that have ever been."""
        return sorted(int(note.name.rpartition("-")[2]) for note in self.notes.glob(f"{name}-*"))

    def living(self) -> list[int]:
        """Of all processes that have been noted, those that live."""
        return [pid for pid in self.noted("*") if lives(pid)]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends the signal and waits; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)

    def end(self) -> str:
        """Whatever became of it: nothing is left. Returns what it said."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            _, said = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
        for pid in self.living():
            os.kill(pid, signal.SIGKILL)
        return said.decode()
