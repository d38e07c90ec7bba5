"""`referee cards table` and `referee cards import`: cards in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from referee.cardscript.sheets.catalog import list_catalogs, load_catalog
from referee.cardscript.sheets.layout import TableProblem, build_empty_table, build_help_table, find_heading
from referee.cli.commands.card_books.cards import CARD_WORDS
from referee.cli.output import print_json
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.messages import format_message
from referee.games.card_tables import CheckedTable, check_table
from referee.infrastructure.errors import HostError
from referee.infrastructure.spreadsheets.reading import MAX_FILE_BYTES, SpreadsheetError, read_spreadsheet
from referee.infrastructure.spreadsheets.writing import write_spreadsheet
from referee.rendering.input_errors import render_table_problem, translate_input_error

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
        click.echo(f"{file}: {fill('table_written', lang)}")


def import_card_table(path: Path, output: Path, lang: str, *, is_partial: bool, as_json: bool) -> int:
    """Write the card book of a table, or print what is wrong. Return the exit code.

    `is_partial`: what a box of its own lacks yet is told, but is no error. Raises HostError if a file cannot be read
    or written.
    """
    try:
        checked = check_table(read_table(path, lang))
        wrong = [each for each in checked.problems if not (is_partial and each.is_shortage)]
        if not wrong:
            output.write_text(checked.text, "utf-8")
    except OSError as failed:
        raise HostError(f"{failed.filename}: {failed.strerror}") from failed
    told = describe_import(path.name, output.name, checked, wrong, lang)
    if as_json:
        texts = describe_texts(checked, lang)
        errors = [describe_problem(each, checked.game, lang) for each in wrong]
        print_json({"file": path.name, "errors": errors, "book": None if wrong else output.name, "texts": texts})
    for line in told if not as_json else ():
        click.echo(line)
    return 1 if wrong else 0


def read_table(path: Path, lang: str) -> list[list[str]]:
    """Return the rows of a file. Raises SpreadsheetError, in a language, or OSError."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SpreadsheetError(f"a table can have at most {MAX_FILE_BYTES} bytes")
        return read_spreadsheet(path.read_bytes(), path.suffix.lower())
    except SpreadsheetError as wrong:
        place = f"{fill('import_row', lang, row=wrong.row)}: " if wrong.row else ""
        raise SpreadsheetError(f"{path.name}: {place}{translate_input_error(wrong.detail, lang)}") from wrong


def describe_import(
    table: str, book: str, checked: CheckedTable, wrong: Sequence[TableProblem], lang: str
) -> Iterator[str]:
    """Yield what became of a table, line by line."""
    for problem in wrong:
        yield f"{table}: {describe_problem(problem, checked.game, lang)}"
    if not wrong:
        edition = f"{checked.book.edition}, " if checked.book else ""
        cards = len(checked.book.entries) if checked.book else len(checked.cards)
        yield f"{book}: {edition}" + fill("import_good", lang, count=cards, game=checked.game)
    yield from (f"{table}: {line}" for line in describe_texts(checked, lang))
    if checked.stands_alone:
        for part, count in checked.box:
            yield f"{table}: " + fill("import_box", lang, part=part.label[lang], count=count, least=part.least)


def describe_texts(checked: CheckedTable, lang: str) -> list[str]:
    """Return what became of the texts of a table, and each that is no sentence."""
    texts = checked.texts
    counts = {"sentences": texts.sentences, "carried_out": texts.carried_out, "only_printed": texts.only_printed}
    lines = [fill("import_texts", lang, **counts)] if any(counts.values()) else []
    for each in texts.free:
        what = fill("import_printed" if each.is_only_printed else "import_free", lang)
        near = fill("import_near", lang, near=each.near[lang]) if each.near else ""
        place = describe_place(each.row, each.column, checked.game, lang)
        lines.append(f"{place}, {each.name}: {what}: {each.text}{near}")
    return lines


def describe_place(row: int, column: str, game: str, lang: str) -> str:
    """Return a row and a column of a table in words."""
    catalog = load_catalog(game) if game in list_catalogs() else None
    return fill("import_place", lang, row=row, column=find_heading(catalog, column, lang))


def describe_problem(problem: TableProblem, game: str, lang: str) -> str:
    """Return what is wrong in a table, with its row and column."""
    detail = render_table_problem(problem, lang)
    if problem.column and problem.row:
        return f"{describe_place(problem.row, problem.column, game, lang)}: {detail}"
    return f"{fill('import_row', lang, row=problem.row)}: {detail}" if problem.row else detail


def fill(text: str, lang: str, **params: Any) -> str:
    """Return a text of these commands with its parameters."""
    return format_message(CARD_WORDS[text][lang], lang, params)
