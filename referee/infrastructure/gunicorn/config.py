"""What gunicorn runs in its processes (`--config python:referee.infrastructure.gunicorn.config`).

Metrics of several processes add up in files: a directory of this server's own, made before the first worker is forked
and taken away in the end. What a server left that was killed goes with the next start.

The code of the API and the games is read once, by the master, and shared by the workers that it forks: one that dies is
back at once, and not after the second or two that reading takes. The app, with its connections, is each worker's own.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from referee.infrastructure import logs
from referee.infrastructure.gunicorn import shutdown

METRICS_DIR_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # the name by which prometheus_client knows the directory
METRICS_DIR_PREFIX = "referee-metrics-{}-"


def on_starting(_server: Any) -> None:
    """The master, before anything is forked."""
    ours = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if sys.flags.safe_path and sys.path[0] not in ours:
        sys.path.pop(0)  # gunicorn looks first where it was started: an `api` that lies there is not ours
    level = os.environ.get("REFEREE_LOG_LEVEL", "info")
    logs.configure_logging(level, "gunicorn.error")
    remove_stale_metrics()
    os.environ[METRICS_DIR_VARIABLE] = tempfile.mkdtemp(prefix=METRICS_DIR_PREFIX.format(os.getpid()))


def when_ready(_server: Any) -> None:
    """The master, once it heeds signals and before anything is forked."""
    importlib.import_module("api.app")
    gc.collect()
    gc.freeze()  # the collectors of the workers leave alone what they share, or each would copy it


def remove_stale_metrics() -> None:
    """Takes away the figures of servers of this user that are no more."""
    for folder in Path(tempfile.gettempdir()).glob(METRICS_DIR_PREFIX.format("*") + "*"):
        pid = folder.name.split("-")[2]
        with contextlib.suppress(OSError):
            mine = folder.stat().st_uid == os.getuid()
            if pid.isdecimal() and mine and not is_process_alive(int(pid)) and not has_live_worker(folder):
                shutil.rmtree(folder)


def has_live_worker(folder: Path) -> bool:
    """Whether a worker still counts there: it outlives its killed master by the requests that are under way, and an
    answer that could not be counted would be lost. Its files end in its process id."""
    pids = (file.stem.rpartition("_")[2] for file in folder.glob("*.db"))
    return any(pid.isdecimal() and is_process_alive(int(pid)) for pid in pids)


def is_process_alive(pid: int) -> bool:
    """Whether there is a process of that number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def post_worker_init(_worker: Any) -> None:
    """The worker has its app and its signal handlers, and runs in the main thread of its process."""
    shutdown.install_signal_handler()


def child_exit(_server: Any, worker: Any) -> None:
    """A worker is gone: what it held open it holds no more; what it has counted stays counted."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(_server: Any) -> None:
    """The master stops."""
    if METRICS_DIR_VARIABLE in os.environ:
        shutil.rmtree(os.environ[METRICS_DIR_VARIABLE], ignore_errors=True)
