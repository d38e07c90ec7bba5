"""Read the first sheet of a CSV, XLSX or ODS file as rows of text.

Files come from anybody. Nothing is unpacked before it is known how large it gets, no XML may declare entities, no
formula is computed (what was last computed is read), and no row or cell is made that the file only repeats.
"""

from __future__ import annotations

import csv
import io
import itertools
import zipfile
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from referee.cardscript.sheets.layout import MAX_COLUMNS, MAX_ROWS
from referee.infrastructure.errors import HostError

MAX_FILE_BYTES = 2_000_000
MAX_UNPACKED_BYTES, MAX_MEMBERS = 6_000_000, 200
MOST_WRITTEN_ROWS = 2 * MAX_ROWS  # in a file that writes a row for many that are alike
MOST_EMPTY_ROWS = 20_000  # below the cards, where a program has only coloured them
SEPARATORS = (",", ";", "\t")
SUFFIXES = (".csv", ".xlsx", ".ods")


class SpreadsheetError(HostError):
    """A file that cannot be read as a table.

    `detail` says why, and `row` where (0: it is about the whole file).
    """

    def __init__(self, detail: str, row: int = 0) -> None:
        self.detail, self.row = detail, row
        super().__init__(f"row {row}: {detail}" if row else detail)


def read_spreadsheet(data: bytes, suffix: str) -> list[list[str]]:
    """Return the rows of the first sheet, without empty rows at the end.

    `suffix` is one of `SUFFIXES`. Raises SpreadsheetError.
    """
    if len(data) > MAX_FILE_BYTES:
        raise SpreadsheetError(f"a table can have at most {MAX_FILE_BYTES} bytes")
    if suffix not in SUFFIXES:
        raise SpreadsheetError(f"a table is a file that ends in {', '.join(SUFFIXES)}")
    rows = _read_csv(data) if suffix == ".csv" else _read_packed(data, suffix)
    while rows and not any(rows[-1]):
        rows.pop()
    return [_strip_row(row) for row in rows]


def _strip_row(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


def _read_csv(data: bytes) -> list[list[str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        raise SpreadsheetError("what stands here is no UTF-8; save the table as CSV UTF-8", line) from wrong
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    try:
        rows = csv.reader(io.StringIO(text), delimiter=separator)
        return [[cell.strip() for cell in row] for row in itertools.islice(rows, MOST_EMPTY_ROWS)]
    except csv.Error as wrong:
        raise SpreadsheetError(f"this CSV cannot be read: {wrong}") from wrong


def _read_packed(data: bytes, suffix: str) -> list[list[str]]:
    """Read a file that is a ZIP archive of XML."""
    try:
        safe = _repack(data)
        return _read_xlsx(safe) if suffix == ".xlsx" else _read_ods(safe)
    except SpreadsheetError:
        raise
    except Exception as wrong:  # the libraries raise whatever a damaged file leads them to
        raise SpreadsheetError(f"this is no readable {suffix[1:].upper()} file") from wrong


def _repack(data: bytes) -> bytes:
    """Return the archive unpacked, after its size and its XML have been looked at.

    The sizes that an archive states may be wrong; `zipfile` reads no more than stated, and the copy holds just that.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_UNPACKED_BYTES:
            raise SpreadsheetError("this file is too large when it is unpacked")
        unpacked = {member.filename: archive.read(member) for member in members}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as copy:
        for name, content in unpacked.items():
            if name.endswith((".xml", ".rels")):
                text = content.decode("utf-8-sig")
                if "<!DOCTYPE" in text or "<!ENTITY" in text:
                    raise SpreadsheetError("this file declares entities, which no table does")
            copy.writestr(name, content)
    return out.getvalue()


def _read_xlsx(data: bytes) -> list[list[str]]:
    import openpyxl  # it takes long to import, and few calls need it

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    sheet = book.worksheets[0]
    sheet.reset_dimensions()
    rows = sheet.iter_rows(max_row=MOST_EMPTY_ROWS, max_col=MAX_COLUMNS + 1, values_only=True)
    return _collect_rows(rows)


def _collect_rows(rows: Iterable[Sequence[Any]]) -> list[list[str]]:
    """Return rows as text. Raises SpreadsheetError if there are too many."""
    found: list[list[str]] = []
    for number, row in enumerate(rows, 1):
        cells = [format_cell(value) for value in row]
        if number <= MAX_ROWS:
            found.append(cells)
        elif any(cells):
            raise SpreadsheetError(f"a table can have at most {MAX_ROWS} rows", number)
    return found


def _read_ods(data: bytes) -> list[list[str]]:
    from odfdo import Document, Row  # as above

    table = Document(io.BytesIO(data)).body.tables[0]
    last = 0
    rows = table.get_elements("table:table-row")  # as they are written, repeated ones once
    for number, row in enumerate(rows, 1):
        assert isinstance(row, Row)
        last += row.repeated or 1
        if number > MOST_WRITTEN_ROWS or (last > MAX_ROWS and not row.is_empty()):
            raise SpreadsheetError(f"a table can have at most {MAX_ROWS} rows", last)
    return _collect_rows(table.get_values((0, 0, MAX_COLUMNS, MAX_ROWS - 1)))


def format_cell(value: Any) -> str:
    """Return the value of a cell as text.

    Whole numbers have no point, and truth is yes or no.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float | Decimal) and value == int(value):
        return str(int(value))
    return str(value).strip()
