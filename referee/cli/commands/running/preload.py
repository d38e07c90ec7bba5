"""Imports the whole program once, for processes forked from this one.

Reading the games, and playing a little of each, takes most of the CPU of a start and of the memory of a process. In
forks of one process both are paid once.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from pathlib import Path

import referee
from referee.cli.processes.forking import may_fork
from referee.infrastructure.gunicorn import METRICS_DIR_VARIABLE

PACKAGES_ROOT = Path(referee.__file__).parent.parent  # the folder of the packages `api`, `workers` and `referee`
# by name, because this room may not import the API and the workers
MODULES = ("gunicorn.app.wsgiapp", "referee.infrastructure.gunicorn.worker", "api.app", "workers.warmup")


def preload_program() -> bool:
    """Import everything that API and workers need, for forks of this process.

    Return False, and import nothing, if it must not fork: each process then does it for itself.
    """
    if not may_fork():
        return False
    if not sys.flags.safe_path:
        sys.path.pop(0)  # the current directory, or that of the script; an `api` there is not ours
    if str(PACKAGES_ROOT) not in sys.path:
        sys.path.append(str(PACKAGES_ROOT))
    gc.disable()  # it would search all that is read here again and again, and find nothing
    # the library decides when it is imported whether several processes share their metrics
    os.environ[METRICS_DIR_VARIABLE] = os.devnull
    try:
        loaded = [importlib.import_module(name) for name in MODULES]
        loaded[-1].load_workers()
    finally:
        del os.environ[METRICS_DIR_VARIABLE]
        gc.freeze()  # or the collector of each child would touch shared memory and so copy it
        gc.enable()
    return True
