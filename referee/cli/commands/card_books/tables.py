"""`referee cards table` and `referee cards import`: cards in a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cardscript.sheets.catalog import list_catalogs, load_catalog
from referee.cardscript.sheets.layout import TableProblem, build_empty_table, build_help_table
from referee.cli.output import print_json
from referee.engine.rulebook.book import Text
from referee.games.card_tables import check_table
from referee.infrastructure.errors import HostError
from referee.infrastructure.spreadsheets.reading import MAX_FILE_BYTES, SpreadsheetError, read_spreadsheet
from referee.infrastructure.spreadsheets.writing import write_spreadsheet
from referee.rendering.input_errors import translate_input_error

SHEETS: dict[str, Text] = {"cards": {"en": "cards", "de": "Karten"}, "help": {"en": "sentences", "de": "Sätze"}}


def write_empty_table(game: str, path: Path, lang: str) -> None:
    """Write an empty table of a game. Raises UsageError (no such game), HostError."""
    if game not in list_catalogs():
        raise click.UsageError(f"{game} has no tables; games: {', '.join(list_catalogs())}")
    catalog = load_catalog(game)
    sheets = {
        SHEETS["cards"][lang]: build_empty_table(catalog, lang),
        SHEETS["help"][lang]: build_help_table(catalog, lang),
    }
    for file in write_spreadsheet(path, sheets):
        click.echo(f"{file}: written")


def import_card_table(path: Path, output: Path, lang: str, *, as_json: bool) -> int:
    """Write the card book of a table, or print what is wrong. Return the exit code.

    Raises HostError if a file cannot be read or written.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SpreadsheetError(f"{path.name}: a table can have at most {MAX_FILE_BYTES} bytes")
        checked = check_table(read_spreadsheet(path.read_bytes(), path.suffix.lower()))
        if checked.book is not None:
            output.write_text(checked.text, "utf-8")
    except OSError as wrong:
        raise HostError(f"{wrong.filename}: {wrong.strerror}") from wrong
    problems = [describe_problem(each, lang) for each in checked.problems]
    if as_json:
        print_json({"file": path.name, "errors": problems, "book": output.name if checked.book else None})
    for problem in problems if not as_json else ():
        click.echo(f"{path.name}: {problem}")
    if checked.book is not None and not as_json:
        cards = len(checked.book.entries)
        click.echo(f"{output.name}: {checked.book.edition}, {cards} cards for {checked.book.game}, no errors")
    return 1 if problems else 0


def describe_problem(problem: TableProblem, lang: str) -> str:
    """Return what is wrong in a table, with its row and column."""
    detail = translate_input_error(problem.detail, lang)
    row, column = ("row", "column") if lang == "en" else ("Zeile", "Spalte")
    if problem.column:
        return f"{row} {problem.row}, {column} {problem.column}: {detail}"
    return f"{row} {problem.row}: {detail}" if problem.row else detail
