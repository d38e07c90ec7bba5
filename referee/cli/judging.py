"""`referee judge`: a ruling on a position in a file, without a server."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.answering import Misused
from referee.cli.output import print_json
from referee.desk.quarrels import sheet
from referee.desk.quarrels.files import BYTES, BadFile, example, ruling_of
from referee.games import games
from referee.hosting import HostError

CODES = {"granted": 0, "refused": 1, "undecided": 2}


class WrongData(HostError):
    """The file cannot be judged; the message names line and member."""

    exit_code = 65  # EX_DATAERR


class NoInput(HostError):
    """The file cannot be read."""

    exit_code = 66  # EX_NOINPUT


class NoOutput(HostError):
    """The page cannot be written."""

    exit_code = 73  # EX_CANTCREAT


def judge(file: str, *, lang: str, as_json: bool, html: Path | None) -> int:
    """Prints the ruling on a file (`-`: standard input) and writes its page; the exit code tells the verdict.

    Raises WrongData, NoInput, NoOutput.
    """
    try:
        game, ruling = ruling_of(read(file), "standard input" if file == "-" else Path(file).name)
    except BadFile as wrong:
        raise WrongData(f"this cannot be judged\n{wrong}") from wrong
    if html is not None:
        try:
            html.write_text(sheet.page(game, ruling, lang), "utf-8")
        except OSError as wrong:
            raise NoOutput(f"{html} cannot be written: {wrong.strerror}") from wrong
    if as_json:
        print_json(ruling)
    else:
        click.echo(sheet.text(game, ruling, lang), nl=False)
    return CODES[ruling["verdict"]]


def read(file: str) -> bytes:
    """The bytes of a file, no more than can be judged and one. Raises NoInput."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(BYTES + 1)
        with Path(file).open("rb") as source:
            return source.read(BYTES + 1)
    except OSError as wrong:
        raise NoInput(f"{file} cannot be read: {wrong.strerror}") from wrong


def show_example(name: str, variant: str | None, lang: str) -> None:
    """Prints a file to start from. Raises UsageError where there is no such game or variant."""
    game = games().get(name)
    known = games() if game is None else game.variants
    if game is None or (variant is not None and variant not in game.variants):
        raise Misused(f"{name if game is None else variant} is none of: {', '.join(known)}")
    click.echo(example(game, variant or game.variants[0], lang), nl=False)
