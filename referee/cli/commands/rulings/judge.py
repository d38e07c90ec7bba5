"""`referee judge`: rules on a position in a file, without a server."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from referee.cli.commands.rulings.interview import judge_by_interview
from referee.cli.exit_codes import CommandMisuseError
from referee.cli.output import print_json
from referee.engine.game import Game
from referee.engine.rulebook.messages import fill_names
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.infrastructure.card_book_files import CardBookFileError, publish_book, publish_books
from referee.infrastructure.errors import HostError
from referee.position_rulings import report
from referee.position_rulings.file_format import (
    MAX_BYTES,
    FactsMissingError,
    QuestionFileError,
    build_example,
    read_file_data,
    rule_on_file,
)
from referee.position_rulings.words import RULING_TEXTS
from referee.repository.card_books import CardBookRepository

EXIT_CODES = {"granted": 0, "refused": 1, "undecided": 2}
FACTS_MISSING = 3  # the exit code if the file leaves out facts that the ruling depends on


class InvalidDataError(HostError):
    """The file cannot be judged. The message names line and member."""

    exit_code = 65  # EX_DATAERR


class UnreadableInputError(HostError):
    """The file cannot be read."""

    exit_code = 66  # EX_NOINPUT


class UnwritableOutputError(HostError):
    """The output file cannot be written."""

    exit_code = 73  # EX_CANTCREAT


def judge_file(
    file: str,
    *,
    lang: str,
    as_json: bool,
    html: Path | None,
    books: Sequence[Path] = (),
    shelf: Path | None = None,
    precedents: Sequence[Mapping[str, Any]] = (),
) -> int:
    """Print the ruling on a file, write its page, and return the exit code.

    `file` may be `-` for standard input. It may name the card books in `books` and those in the directory `shelf` as
    its edition. It is judged by the readings of the house rulings `precedents`. The code tells
    the verdict (`EXIT_CODES`). Facts that the file leaves out, and on which the ruling depends, are asked for on a
    terminal; elsewhere the questions are printed, and the code is FACTS_MISSING. Raises InvalidDataError,
    UnreadableInputError, UnwritableOutputError.
    """
    library = load_books(books, shelf)
    text, name = read_input(file), "standard input" if file == "-" else Path(file).name

    def judge(written: bytes) -> tuple[Game, dict[str, Any]]:
        return rule_on_file(written, name, library, precedents, lang)

    is_talk = file != "-" and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    complete = ""
    try:
        players = read_file_data(text, name, lang).get("names", [])
        names = dict(enumerate(map(str, players))) if isinstance(players, list) else {}
        if is_talk:
            game, ruling, complete = judge_by_interview(read_file_data(text, name, lang), judge, lang)
        else:
            game, ruling = judge(text)
    except FactsMissingError as missing:
        if as_json:
            print_json({"missing": missing.facts})
        else:
            click.echo(fill_names(report.render_missing_facts(missing.game, missing.facts, lang), names), nl=False)
        return FACTS_MISSING
    except QuestionFileError as wrong:
        raise InvalidDataError(f"this cannot be judged\n{wrong}") from wrong
    if html is not None:
        try:
            html.write_text(report.render_page(game, ruling, lang), "utf-8")
        except OSError as wrong:
            raise UnwritableOutputError(f"{html} cannot be written: {wrong.strerror}") from wrong
    if as_json:
        print_json(ruling)
    else:
        click.echo(report.render_plain_text(game, ruling, lang), nl=False)
    if complete:
        click.echo(f"\n{RULING_TEXTS['talk.file'][lang]}\n\n{complete}", nl=False)
    return EXIT_CODES[ruling["verdict"]]


def load_books(books: Iterable[Path], shelf: Path | None) -> CardBookRepository:
    """Load the card books in these files and in the directory `shelf`.

    They are checked as a server checks them, and kept in memory. Raises InvalidDataError.
    """
    log = MemoryLog()
    try:
        if shelf is not None:
            publish_books(log, shelf)
        for path in books:
            publish_book(log, path)
    except CardBookFileError as wrong:  # its own exit code would mean that the move is illegal
        raise InvalidDataError(str(wrong)) from wrong
    return CardBookRepository(log)


def read_input(file: str) -> bytes:
    """Return the bytes of a file, at most one more than can be judged.

    Raises UnreadableInputError.
    """
    try:
        if file == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(file).open("rb") as source:
            return source.read(MAX_BYTES + 1)
    except OSError as wrong:
        raise UnreadableInputError(f"{file} cannot be read: {wrong.strerror}") from wrong


def print_example(name: str, variant: str | None, lang: str) -> None:
    """Print an example file to start from.

    Raises CommandMisuseError if there is no such game or variant.
    """
    game = load_games().get(name)
    known = load_games() if game is None else game.variants
    if game is None or (variant is not None and variant not in game.variants):
        raise CommandMisuseError(f"{name if game is None else variant} is none of: {', '.join(known)}")
    click.echo(build_example(game, variant or game.variants[0], lang), nl=False)
