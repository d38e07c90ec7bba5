"""Settings from a file: read before the command, less than the environment, and no line that goes unseen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from referee.infrastructure.settings import SettingsError
from tests.infrastructure.machine import ROOT


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("REFEREE_DATA_DIR", "REFEREE_PORT", "OTEL_SERVICE_NAME", "OTHER"):
        monkeypatch.setenv(name, "")  # so that it is restored afterwards
        monkeypatch.delenv(name)
    return tmp_path / "referee.env"


def test_a_command_runs_with_the_settings_of_the_file_and_the_environment_counts_more(
    env_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env_file.write_text(
        f'# where\nREFEREE_DATA_DIR="{tmp_path / "kept here"}"\nexport REFEREE_PORT=8123\n'
        "OTEL_SERVICE_NAME=table\nOTHER=x\n"
    )
    monkeypatch.setenv("REFEREE_PORT", "9999")
    done = CliRunner().invoke(cli, ["--env-file", str(env_file), "token", "operator"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "kept here" / "operator.sha256").exists()
    assert (os.environ["REFEREE_PORT"], os.environ["OTEL_SERVICE_NAME"]) == ("9999", "table")
    assert "OTHER" not in os.environ


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("REFEREE_PROT=1", "REFEREE_PROT is no setting"),
        ("REFEREE_PORT 1", "no line of the form"),
        ("REFEREE_PORT", "no line of the form"),
    ],
)
def test_a_line_that_sets_nothing_stops_the_command(env_file: Path, line: str, said: str) -> None:
    env_file.write_text(f"# one\n\n{line}\nREFEREE_PORT=1\n")
    done = CliRunner().invoke(cli, ["--env-file", str(env_file), "doctor"])
    assert isinstance(done.exception, SettingsError)
    assert said in str(done.exception)
    assert "line 3" in str(done.exception)
    assert "REFEREE_PORT" not in os.environ


def test_the_example_with_every_setting_in_force_is_read(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / ".env.example").read_text("utf-8")
    env_file.write_text(
        "\n".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# REFEREE_"))
    )
    names = [line.partition("=")[0] for line in env_file.read_text().splitlines()]
    for name in names:
        monkeypatch.setenv(name, "taken")
    assert CliRunner().invoke(cli, ["--env-file", str(env_file), "openapi", "--help"]).exit_code == 0
    assert len(names) > 50
