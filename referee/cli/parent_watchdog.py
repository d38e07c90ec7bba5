"""Runs a module that must not outlive its parent: `python -m referee.cli.parent_watchdog <parent> <module> ...`.

On Linux the kernel sends SIGTERM when the parent dies (prctl PR_SET_PDEATHSIG); elsewhere a thread watches the parent.
The module then stops as it does when asked to. Gunicorn's workers and RQ's horses watch their own parents.
"""

from __future__ import annotations

import ctypes
import gc
import os
import runpy
import signal
import sys
import threading
import time
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 1.0  # seconds
GC_THRESHOLDS = (
    50_000,
    20,
    20,
)  # Python's own (700, 10, 10) has the collector take a tenth of a start, and finds nothing


def build_command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module tied to this process."""
    return [sys.executable, "-m", "referee.cli.parent_watchdog", str(os.getpid()), module, *arguments]


def bind_to_parent(parent: int) -> None:
    """Ties this process to its parent; leaves at once if that has died already. Call it from the main thread."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    else:
        threading.Thread(target=_watch_parent, args=(parent,), name="parent", daemon=True).start()
    if os.getppid() != parent:  # it died between starting us and the line above
        sys.exit(0)


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


def main(arguments: Sequence[str]) -> None:
    """Ties itself, then becomes the module."""
    parent, module, *rest = arguments
    bind_to_parent(int(parent))
    gc.set_threshold(*GC_THRESHOLDS)
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
