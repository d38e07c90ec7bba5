"""Gunicorn's settings (`--config python:referee.infrastructure.gunicorn.config`).

The metrics of several processes add up in files. They lie in a directory of this server, made before the first worker
is forked and removed at the end. The next start removes the directory of a server that was killed.

The master loads the code of the API and the games once, and the forked workers share it. So a worker that dies is
replaced at once, not after the second or two that loading takes. Each worker has its own app with its own connections.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from referee.infrastructure import logs
from referee.infrastructure.gunicorn import METRICS_DIR_VARIABLE, shutdown
from referee.infrastructure.telemetry.tracing import TRACING

MAX_CONNECTIONS = 4096  # of each process
SPARE_FILES = 256  # a process opens for other things


def allow_open_files(wanted: int) -> int:
    """Raise this process's limit of open files, if it may, and return it."""
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    if limit != resource.RLIM_INFINITY and limit < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
        limit = allowed
    return wanted if limit == resource.RLIM_INFINITY else limit


# A phone keeps its connection from one move to the next; to open a new one takes longer than a move.
keepalive = 75
worker_connections = min(MAX_CONNECTIONS, allow_open_files(MAX_CONNECTIONS + SPARE_FILES) - SPARE_FILES)
METRICS_DIR_PREFIX = "referee-metrics-{}-"


def on_starting(_server: Any) -> None:
    """Prepare the master, before anything is forked."""
    ours = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if sys.flags.safe_path and sys.path[0] not in ours:
        sys.path.pop(0)  # gunicorn puts its working directory first; an `api` there is not ours
    level = os.environ.get("REFEREE_LOG_LEVEL", "info")
    logs.configure_logging(level, "gunicorn.error")
    remove_stale_metrics()
    os.environ[METRICS_DIR_VARIABLE] = tempfile.mkdtemp(prefix=METRICS_DIR_PREFIX.format(os.getpid()))


def when_ready(_server: Any) -> None:
    """Load the app's code in the master before it forks; signals are handled by now."""
    importlib.import_module("api.app")
    gc.collect()
    gc.freeze()  # or the collector of each worker would touch shared memory and so copy it


def remove_stale_metrics() -> None:
    """Remove the metrics of this user's servers that no longer run."""
    for folder in Path(tempfile.gettempdir()).glob(METRICS_DIR_PREFIX.format("*") + "*"):
        pid = folder.name.split("-")[2]
        with contextlib.suppress(OSError):
            mine = folder.stat().st_uid == os.getuid()
            if pid.isdecimal() and mine and not is_process_alive(int(pid)) and not has_live_worker(folder):
                shutil.rmtree(folder)


def has_live_worker(folder: Path) -> bool:
    """Return whether a worker still counts in this directory.

    A worker outlives its killed master until its requests are answered. An answer that cannot be counted would be lost.
    The names of its files end in its process id.
    """
    pids = (file.stem.rpartition("_")[2] for file in folder.glob("*.db"))
    return any(pid.isdecimal() and is_process_alive(int(pid)) for pid in pids)


def is_process_alive(pid: int) -> bool:
    """Return whether there is a process of that number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def post_worker_init(_worker: Any) -> None:
    """Install the signal handler of a worker, in the main thread of its process."""
    shutdown.install_signal_handler()


def worker_exit(_server: Any, _worker: Any) -> None:
    """Send the spans that are left, in the process that ends."""
    TRACING.stop()


def child_exit(_server: Any, worker: Any) -> None:
    """Drop the live gauges of a worker that ended; its counters still count."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(_server: Any) -> None:
    """Remove the metrics when the master stops."""
    if METRICS_DIR_VARIABLE in os.environ:
        shutil.rmtree(os.environ[METRICS_DIR_VARIABLE], ignore_errors=True)
