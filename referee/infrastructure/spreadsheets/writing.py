"""Write tables as CSV, XLSX or ODS files."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.infrastructure.errors import HostError
from referee.infrastructure.spreadsheets.reading import SUFFIXES, SpreadsheetError

Rows = Sequence[Sequence[str]]
NARROWEST, WIDEST = 10, 60  # columns, in characters


def write_spreadsheet(path: Path, sheets: Mapping[str, Rows]) -> list[Path]:
    """Write sheets into a file, and return the files written.

    The ending decides on the form. CSV has one sheet, so every further one goes into a file beside it. Raises
    SpreadsheetError, HostError.
    """
    if path.suffix not in SUFFIXES:
        raise SpreadsheetError(f"{path.name}: a table is a file that ends in {', '.join(SUFFIXES)}")
    if path.suffix == ".csv":
        first = next(iter(sheets))
        files = {path if name == first else path.with_suffix(f".{name}.csv"): rows for name, rows in sheets.items()}
        contents = {file: render_csv(rows).encode("utf-8-sig") for file, rows in files.items()}
    else:
        contents = {path: (render_xlsx if path.suffix == ".xlsx" else render_ods)(sheets)}
    for file, content in contents.items():
        try:
            file.write_bytes(content)
        except OSError as wrong:
            raise HostError(f"{file} cannot be written: {wrong.strerror}") from wrong
    return list(contents)


def render_csv(rows: Rows) -> str:
    """Return rows as CSV (RFC 4180)."""
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def render_xlsx(sheets: Mapping[str, Rows]) -> bytes:
    """Return sheets as an XLSX file."""
    import openpyxl  # it takes long to import, and few calls need it
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook()
    for number, (name, rows) in enumerate(sheets.items()):
        sheet = book.worksheets[0] if number == 0 else book.create_sheet()
        sheet.title = name
        for row in rows:
            sheet.append(list(row))
        for column, width in enumerate(_measure_columns(rows), 1):
            sheet.column_dimensions[get_column_letter(column)].width = width
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _measure_columns(rows: Rows) -> list[int]:
    """Return how wide each column should be."""
    columns = max(map(len, rows), default=0)
    longest = (max((len(row[place]) for row in rows if place < len(row)), default=0) for place in range(columns))
    return [min(max(length + 2, NARROWEST), WIDEST) for length in longest]


def render_ods(sheets: Mapping[str, Rows]) -> bytes:
    """Return sheets as an ODS file."""
    from odfdo import Document, Table  # as above

    document = Document("ods")
    document.body.clear()
    for name, rows in sheets.items():
        table = Table(name)
        for number, row in enumerate(rows):
            table.set_row_values(number, list(row))
        document.body.append(table)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
