"""Commands whose exit codes are answers, and other codes for what is none."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import click

MAX_LETTERS = 200  # of the message of a failure


class CommandMisuseError(click.UsageError):
    """Wrong usage of a command whose exit codes are answers."""

    exit_code = 64  # EX_USAGE of sysexits.h, as 2 is an answer


def exit_after_failure(failure: Exception) -> NoReturn:
    """Say in one line that the program failed, and exit with 70.

    Python itself would exit with 1, which is an answer. The line names the failure and the place in the program. With
    REFEREE_LOG_LEVEL=debug the whole traceback stands before it.
    """
    if os.environ.get("REFEREE_LOG_LEVEL", "").lower() == "debug":
        traceback.print_exception(failure)
    frame = traceback.extract_tb(failure.__traceback__)[-1]
    said = "".join(letter if letter.isprintable() else "\ufffd" for letter in str(failure)[:MAX_LETTERS])
    click.echo(
        f"referee: the program failed: {type(failure).__name__}: {said} ({Path(frame.filename).name}:{frame.lineno})",
        err=True,
    )
    sys.exit(70)  # EX_SOFTWARE of sysexits.h


def show_usage_error(wrong: click.UsageError, arguments: Sequence[str]) -> None:
    """Say how a command was misused, in German if the arguments ask for that."""
    if ("--lang", "de") not in pairwise(arguments) and "--lang=de" not in arguments:
        wrong.show()
        return
    from referee.rendering.input_errors import translate_input_error

    if wrong.ctx is not None:
        click.echo(wrong.ctx.get_usage().replace("Usage:", "Aufruf:", 1), err=True)
        click.echo(f"Hilfe: {wrong.ctx.command_path} --help\n", err=True)
    click.echo(f"Fehler: {translate_input_error(wrong.format_message(), 'de')}", err=True)


class ExitCodeCommand(click.Command):
    """A command whose exit codes are answers."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments. Raises CommandMisuseError in place of UsageError."""
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as wrong:
            raise CommandMisuseError(wrong.format_message(), wrong.ctx) from wrong
