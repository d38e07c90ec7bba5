"""What the tests of this room share: waiting for something with a deadline, a keeper in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KEEP = """
import json, signal, sys
from pathlib import Path
from referee.infrastructure.embedded import server
from referee.infrastructure.embedded.servers import EmbeddedServers
if sys.argv[2:]:  # as on a system whose kernel does not end children with their parent
    server.build_parent_binder = lambda: None
signal.signal(signal.SIGINT, signal.SIG_IGN)
keeper = EmbeddedServers(Path(sys.argv[1]))
keeper.start()
pids = {name: server.process.pid for name, server in keeper.servers.items()}
print(json.dumps({"store": keeper.store_url, "queue": keeper.queue_url, "pids": pids}), flush=True)
sys.stdin.readline()
keeper.stop()
"""


def eventually(what: Callable[[], Any], within: float = 60.0) -> Any:
    """The first true answer; fails if there is none in that time."""
    deadline = time.monotonic() + within
    while True:
        if answer := what():
            return answer
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether a process is there and no mere zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not Path("/proc/self").exists():
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it has gone since
        return False


class OtherKeeper:
    """A keeper in another process, in a process group of its own."""

    def __init__(self, data_dir: Path, *, outlived: bool = False) -> None:
        """Start it; with `outlived` its servers stay when it is killed, as they do where the kernel is not Linux."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", KEEP, str(data_dir), *(["outlived"] if outlived else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the keeper did not start"
        told = json.loads(line)
        self.store_url: str = told["store"]
        self.pids: dict[str, int] = told["pids"]

    def kill(self) -> None:
        """With -9: it can stop nothing."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Lets it stop cleanly."""
        self.process.communicate("\n", timeout=60)
