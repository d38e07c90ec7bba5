"""Runs a module in a fork of this process, which has imported everything before.

The fork shares the memory of its parent and need not read the games again. It takes over nothing else: no descriptors
but those it is given, no signal handlers, no environment. Only a process without threads may fork, because a lock that
another thread holds would stay held in the child for ever; and only on Linux, because the libraries of macOS do not
survive it.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import runpy
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.cli.processes.parent_watchdog import GC_THRESHOLDS, bind_to_parent

PR_SET_NAME = 15
STANDARD_ERROR = 2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def may_fork() -> bool:
    """Whether this process may run modules in forks of itself."""
    return sys.platform == "linux" and threading.active_count() == 1


class ForkedProcess:
    """A forked child: as much of `subprocess.Popen` as a supervisor needs."""

    def __init__(
        self,
        name: str,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        pass_fds: tuple[int, ...] = (),
        *,
        log: int | None = None,
    ) -> None:
        given = (name, module, tuple(arguments), dict(environment), pass_fds, os.getpid(), log)
        self._process = multiprocessing.get_context("fork").Process(target=_run_module, args=given, daemon=True)
        # until the child has handlers of its own, a signal would run those of its parent
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | Any:
        """The exit code, negative for a signal; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is alive."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self) -> int | None:
        """Wait until it has ended; return the exit code."""
        self._process.join()
        return self._process.exitcode


def _run_module(
    name: str,
    module: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    pass_fds: tuple[int, ...],
    parent: int,
    log: int | None,
) -> None:
    """Run a module as `python -m` does, in this child process."""
    os.setsid()
    if log is not None:
        os.dup2(log, STANDARD_ERROR)
    gc.freeze()  # a socket among the parent's garbage would later close its number, which is another one's by then
    close_descriptors(pass_fds)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    os.environ.clear()
    os.environ.update(environment)
    bind_to_parent(parent)
    ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode()[:15], 0, 0, 0)  # what `ps -o comm` and `top` show
    gc.set_threshold(*GC_THRESHOLDS)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def close_descriptors(kept: Sequence[int]) -> None:
    """Close all descriptors of this process but the standard ones and those to keep.

    A child that held its parent's lock or sockets would hold them beyond its parent's death.
    """
    edges = [STANDARD_ERROR, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
    for low, high in pairwise(edges):
        os.closerange(low + 1, high)
