"""The figures that servers left are swept away, but never from under a worker that still answers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from referee.infrastructure.gunicorn import config


@pytest.fixture
def dead() -> int:
    """The number of a process that is no more."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def left(folder: Path, master: int, worker: int) -> Path:
    """What a server left that was killed: its master, and a worker that counted there."""
    made = folder / f"{config.METRICS_DIR_PREFIX.format(master)}x"
    made.mkdir()
    (made / f"gauge_livesum_{worker}.db").touch()
    return made


def test_only_figures_to_which_nobody_adds_any_more_are_swept_away(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    orphaned = left(tmp_path, dead, os.getpid())  # its master was killed, and the worker still has a request to answer
    config.remove_stale_metrics()
    assert orphaned.exists()
    (orphaned / f"gauge_livesum_{os.getpid()}.db").rename(orphaned / f"gauge_livesum_{dead}.db")
    living = left(tmp_path, os.getpid(), dead)
    config.remove_stale_metrics()
    assert not orphaned.exists()
    assert living.exists()
