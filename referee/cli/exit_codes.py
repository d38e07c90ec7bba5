"""Commands whose exit codes are answers, with another code for wrong usage."""

from __future__ import annotations

from typing import Any

import click


class CommandMisuseError(click.UsageError):
    """Wrong usage of a command whose exit codes are answers."""

    exit_code = 64  # EX_USAGE of sysexits.h, as 2 is an answer


class ExitCodeCommand(click.Command):
    """A command whose exit codes are answers."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments. Raises CommandMisuseError in place of UsageError."""
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as wrong:
            raise CommandMisuseError(wrong.format_message(), wrong.ctx) from wrong
