"""`referee judge`: a ruling on a position in a file, without a server."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from referee.cli.exit_codes import Misused
from referee.cli.output import print_json
from referee.eventstore.memory.log import MemoryLog
from referee.games import games
from referee.infrastructure.card_book_files import BadBook, publish, stock
from referee.infrastructure.errors import HostError
from referee.position_rulings import report
from referee.position_rulings.file_format import BYTES, BadFile, example, ruling_of
from referee.repository.card_books import Library

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


def judge(
    file: str, *, lang: str, as_json: bool, html: Path | None, books: Sequence[Path] = (), shelf: Path | None = None
) -> int:
    """Prints the ruling on a file (`-`: standard input) and writes its page; the exit code tells the verdict. It may
    name the card books in files, and those on a shelf, a directory.

    Raises WrongData, NoInput, NoOutput.
    """
    library = known(books, shelf)
    try:
        game, ruling = ruling_of(read(file), "standard input" if file == "-" else Path(file).name, library)
    except BadFile as wrong:
        raise WrongData(f"this cannot be judged\n{wrong}") from wrong
    if html is not None:
        try:
            html.write_text(report.page(game, ruling, lang), "utf-8")
        except OSError as wrong:
            raise NoOutput(f"{html} cannot be written: {wrong.strerror}") from wrong
    if as_json:
        print_json(ruling)
    else:
        click.echo(report.text(game, ruling, lang), nl=False)
    return CODES[ruling["verdict"]]


def known(books: Iterable[Path], shelf: Path | None) -> Library:
    """The card books in these files and on a shelf, in memory alone, checked as a server does. Raises WrongData."""
    log = MemoryLog()
    try:
        if shelf is not None:
            stock(log, shelf)
        for path in books:
            publish(log, path)
    except BadBook as wrong:  # whose own exit code would say that the move is not legal
        raise WrongData(str(wrong)) from wrong
    return Library(log)


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
