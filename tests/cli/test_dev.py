"""`referee dev`: which checks it runs, in which order, and what it answers where one fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.commands.running import dev
from referee.cli.main import cli
from referee.infrastructure.errors import HostError

LINTERS = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> tuple[list[list[str]], dict[str, int]]:
    """The tools that were started, each with its words; a tool fails with the code that stands under its name."""
    tools: list[list[str]] = []
    codes: dict[str, int] = {}

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        assert command[:2] == [sys.executable, "-m"]
        tools.append(command[2:])
        return subprocess.CompletedProcess(command, codes.get(command[2], 0))

    monkeypatch.setattr(dev.subprocess, "run", run)
    return tools, codes


def test_check_runs_the_linters_the_type_checker_and_the_quick_tests(started: Any) -> None:
    tools, _ = started
    assert CliRunner().invoke(cli, ["dev", "check"]).exit_code == 0
    assert tools == [*LINTERS, ["pytest"]]
    tools.clear()
    assert CliRunner().invoke(cli, ["dev", "check", "--no-tests"]).exit_code == 0
    assert tools == LINTERS


def test_check_stops_at_the_first_tool_that_fails_with_its_code(started: Any) -> None:
    tools, codes = started
    codes["mypy"] = 2
    assert CliRunner().invoke(cli, ["dev", "check"]).exit_code == 2
    assert tools == LINTERS
    codes.clear()
    codes["pytest"] = 5
    assert CliRunner().invoke(cli, ["dev", "check"]).exit_code == 5


def test_test_runs_the_quick_tests_or_the_deep_ones_of_the_paths_given(started: Any) -> None:
    tools, _ = started
    CliRunner().invoke(cli, ["dev", "test", "tests/cli", "tests/api"])
    CliRunner().invoke(cli, ["dev", "test", "--deep"])
    assert tools == [["pytest", "tests/cli", "tests/api"], ["pytest", "-m", "deep"]]


def test_docs_builds_the_site_where_a_warning_is_an_error(started: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tools, codes = started
    monkeypatch.setattr(dev.importlib.util, "find_spec", lambda _: object())
    done = CliRunner().invoke(cli, ["dev", "docs"])
    assert done.exit_code == 0
    assert done.output.strip().endswith("build/docs/index.html")
    ((tool, *words),) = tools
    assert tool == "sphinx"
    assert "--fail-on-warning" in words
    assert (dev.CHECKOUT / words[words.index("-c") + 1] / "conf.py").is_file()
    codes["sphinx"] = 1
    failed = CliRunner().invoke(cli, ["dev", "docs"])
    assert (failed.exit_code, failed.output) == (1, "")


def test_docs_says_which_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev.importlib.util, "find_spec", lambda _: None)
    wrong = CliRunner().invoke(cli, ["dev", "docs"]).exception
    assert isinstance(wrong, HostError)
    assert "pip install -e '.[docs]'" in str(wrong)


def test_outside_a_clone_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dev, "CHECKOUT", tmp_path)
    wrong = CliRunner().invoke(cli, ["dev", "test"]).exception
    assert isinstance(wrong, HostError)
    assert "pip install -e '.[test]'" in str(wrong)
