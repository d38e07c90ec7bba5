"""The units of systemd: they parse, run commands that there are, with settings that are read, and may do little."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from referee.cli.main import cli
from referee.infrastructure.settings import PREFIX, list_variables
from tests.infrastructure.operations.test_alerts import FILES

UNITS = ("referee.service", "referee-backup.service", "referee-backup.timer")
BIN = "/opt/referee/bin/referee"
MOST_EXPOSED = 1.5  # of 10, by `systemd-analyze security`


def read_unit(name: str) -> RawConfigParser:
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((FILES / name).read_text("utf-8"))
    return unit


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_a_unit_runs_a_command_that_there_is(name: str) -> None:
    service = read_unit(name)["Service"]
    program, command, *arguments = service["ExecStart"].split()
    assert program == BIN
    cli.commands[command].make_context("x", arguments)
    assert set(re.findall(rf"{PREFIX}[A-Z_]+", (FILES / name).read_text("utf-8"))) <= list_variables()
    assert service["User"] == "referee"


def test_a_server_whose_store_is_unsafe_or_whose_settings_are_wrong_is_not_started_again_and_again() -> None:
    assert read_unit("referee.service")["Service"]["RestartPreventExitStatus"].split() == ["2", "78"]


def test_both_services_may_do_as_little() -> None:
    bounds = [
        {
            name: value
            for name, value in read_unit(unit)["Service"].items()
            if re.match("Protect|Restrict|Private|System", name)
        }
        for unit in UNITS
        if unit.endswith(".service")
    ]
    assert bounds[0] == bounds[1]
    assert len(bounds[0]) > 15


def test_systemd_finds_nothing_wrong_and_little_exposed(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for name in UNITS:
        (tmp_path / name).write_text((FILES / name).read_text("utf-8").replace(BIN, "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", *(f"./{name}" for name in UNITS)],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    for name in UNITS[:2]:
        command = ["systemd-analyze", "security", "--offline=true", f"./{name}"]
        said = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True).stdout
        found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
        assert found is not None, said
        assert float(found[1]) <= MOST_EXPOSED
