"""The manual page: it is the one that the commands make, it names them all, and troff finds nothing wrong in it."""

from __future__ import annotations

import shutil
import subprocess

import click
import pytest

from referee.cli.main import cli
from referee.cli.man_page import build_man_page
from referee.infrastructure.settings import list_variables
from tests.infrastructure.machine import ROOT

PAGE = ROOT / "referee" / "docs" / "referee.1"
SETTINGS = (ROOT / ".env.example").read_text("utf-8")


def test_the_page_that_is_kept_is_the_one_that_the_commands_make() -> None:
    assert PAGE.read_text("utf-8") == build_man_page(cli, SETTINGS), "run `referee dev man`"


def test_every_command_and_every_setting_is_named() -> None:
    page = PAGE.read_text("utf-8").replace("\\-", "-")

    def require(group: click.Group, before: str) -> None:
        for name, command in group.commands.items():
            if isinstance(command, click.Group):
                require(command, f"{before}{name} ")
            elif not command.hidden:
                assert f"\n.SS {before}{name}" in page, before + name

    require(cli, "")
    listed = {name for name in list_variables() if not name.endswith("_URL_FILE")}
    assert {name for name in listed if f"\\fB{name}\\fR" not in page} <= {"REFEREE_TOKEN_FILE"}


def test_letters_that_troff_would_read_are_escaped() -> None:
    @click.group()
    def program() -> None:
        """Do it.

        .TH is a word, 'so is this, and a \\path-name.
        """

    page = build_man_page(program, "# Why.\n# REFEREE_X=a-b\n")
    assert "\n\\&.TH is a word, 'so is this, and a \\epath\\-name.\n" in page
    assert "\\fBREFEREE_X\\fR=\\fIa\\-b\\fR\nWhy.\n" in page
    assert "referee \\- do it\n" in page


def test_troff_finds_nothing_wrong() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", str(PAGE)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
