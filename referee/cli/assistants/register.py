"""The command `referee mcp`."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys

import click

from referee.cli.output import print_notice
from referee.infrastructure.errors import HostError

INSTALL_HINT = "pip install '.[mcp]'"


class ExtraMissingError(HostError):
    """The libraries of an extra are not installed."""

    exit_code = 69  # EX_UNAVAILABLE


def is_sdk_installed() -> bool:
    """Return whether the SDK of the Model Context Protocol is there."""
    return importlib.util.find_spec("mcp") is not None


@click.command()
def mcp() -> None:
    """Answer the rules questions of an assistant program.

    The assistant starts this command itself, and speaks the Model Context Protocol (MCP) with it over standard input
    and output. It may search the rules, read a clause, have a position judged and its cards counted, and have entries
    of an exported match explained and the match verified. Nothing is written, no server is asked, and only files that
    it is given by path are read. Needs the extra: pip install '.[mcp]'
    """
    if not is_sdk_installed():
        raise ExtraMissingError(f"`referee mcp` needs the MCP SDK; install it with: {INSTALL_HINT}")
    os.environ["PYDANTIC_ERRORS_INCLUDE_URL"] = "0"  # an assistant reads the errors, and needs no address of a manual
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the SDK waits for a line of input before it ends; nothing is unsaved
    if sys.stdin.isatty():
        print_notice(
            "An assistant speaks with this program; referee/docs/ASSISTANTS.md says how to add it. Ctrl-C ends it."
        )
    from referee.cli.assistants.server import run_server

    run_server()


COMMANDS = (mcp,)
