"""Commands whose exit codes are answers: their misuse has a code of its own."""

from __future__ import annotations

from typing import Any

import click


class CommandMisuseError(click.UsageError):
    """A command whose exit codes are answers was misused."""

    exit_code = 64  # EX_USAGE of sysexits.h, as 2 is an answer


class ExitCodeCommand(click.Command):
    """A command whose exit codes are answers."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """As of any command. Raises CommandMisuseError where another raises UsageError."""
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as wrong:
            raise CommandMisuseError(wrong.format_message(), wrong.ctx) from wrong
