"""Stop signals, as `referee serve` and `referee backup --every` take them."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from referee.cli.commands.running import backup
from referee.cli.processes.stop_signals import StopSignals
from referee.infrastructure.errors import HostError


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_of_a_start_interrupts_and_later_ones_are_noted(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with StopSignals(interrupts=True) as stopping:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        assert stopping.wait_for_stop(0)
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("fails", [False, True])
def test_a_backup_that_is_being_made_is_finished_before_the_program_stops(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fails: bool
) -> None:
    made: list[str] = []
    before = signal.getsignal(signal.SIGTERM)

    def make(*_: Any, **__: Any) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        made.append("finished")
        if fails:
            raise HostError("no store")
        return 0

    monkeypatch.setattr(backup, "run_dated_backup", make)
    unused: Any = None
    backup.run_backups(unused, tmp_path, store=True, as_json=False, keep=1, every_hours=1)
    assert made == ["finished"]
    assert signal.getsignal(signal.SIGTERM) is before
