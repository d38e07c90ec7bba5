"""Runs a module that must not outlive its parent.

Usage: `python -m referee.cli.processes.parent_watchdog <parent> <module> ...`, with the parent's process id.

On Linux the kernel sends SIGTERM when the parent dies (prctl PR_SET_PDEATHSIG). Elsewhere a thread watches the parent.
The module then stops as it does on any SIGTERM. Gunicorn's workers and RQ's forked jobs watch their own parents.
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
POLL_SECONDS = 1.0
# with Python's own (700, 10, 10) the collector takes a tenth of the start and finds nothing
GC_THRESHOLDS = (50_000, 20, 20)


def build_command(module: str, *arguments: str) -> list[str]:
    """Return the command line that runs a module bound to this process."""
    return [sys.executable, "-m", "referee.cli.processes.parent_watchdog", str(os.getpid()), module, *arguments]


def bind_to_parent(parent: int) -> None:
    """Make this process end when its parent dies.

    It exits at once if the parent has died already. Call it from the main thread.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    else:
        threading.Thread(target=_watch_parent, args=(parent,), name="parent", daemon=True).start()
    if os.getppid() != parent:  # it died after it started this process and before the line above
        sys.exit(0)


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


def main(arguments: Sequence[str]) -> None:
    """Bind this process to its parent, then run the module in it."""
    parent, module, *rest = arguments
    bind_to_parent(int(parent))
    gc.set_threshold(*GC_THRESHOLDS)
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
