"""Spreadsheets: what is written is read again, and files meant to do harm are refused before they cost anything."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from referee.cardscript.sheets.layout import MAX_ROWS
from referee.infrastructure.errors import HostError
from referee.infrastructure.spreadsheets.reading import MAX_FILE_BYTES, SUFFIXES, SpreadsheetError, read_spreadsheet
from referee.infrastructure.spreadsheets.writing import render_ods, render_xlsx, write_spreadsheet
from tests.speed import measure_slowness

ROWS = [["game", "creature_crush"], [], ["name", "kind", "Kosten"], ['Aal; "groß", 1', "creature", "5"]]


def change_member(data: bytes, name: str, change: Callable[[str], str]) -> bytes:
    """Return an archive with one of its files changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            text = old.read(member)
            new.writestr(member, change(text.decode()).encode() if member == name else text)
    return out.getvalue()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_written_is_read_again(suffix: str, tmp_path: Path) -> None:
    files = write_spreadsheet(tmp_path / f"t{suffix}", {"cards": ROWS, "help": [["x"]]})
    assert [file.name for file in files] == (["t.csv", "t.help.csv"] if suffix == ".csv" else [f"t{suffix}"])
    assert read_spreadsheet(files[0].read_bytes(), suffix) == ROWS


@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_csv_is_read_with_the_separators_that_programs_use(separator: str) -> None:
    text = f"game{separator}munchkin\r\n\r\nname{separator}kind\r\nä{separator}1\r\n\r\n"
    rows = [["game", "munchkin"], [], ["name", "kind"], ["ä", "1"]]
    assert read_spreadsheet(text.encode("utf-8-sig"), ".csv") == rows
    with pytest.raises(SpreadsheetError, match="row 3: what stands here is no UTF-8"):
        read_spreadsheet(b"a\nb\n\xff", ".csv")


def test_numbers_truth_and_formulas_of_a_sheet_are_text() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append([3.0, 1.5, True, None, "=1+1", "x"])  # nothing has computed the formula yet
    out = io.BytesIO()
    book.save(out)
    assert read_spreadsheet(out.getvalue(), ".xlsx") == [["3", "1.5", "yes", "", "", "x"]]


def test_other_files_and_damaged_ones_are_refused() -> None:
    for suffix in (".xlsx", ".ods"):
        with pytest.raises(SpreadsheetError, match=f"this is no readable {suffix[1:].upper()} file"):
            read_spreadsheet(b"PK\x03\x04 nothing", suffix)
    with pytest.raises(SpreadsheetError, match="this is no readable ODS file"):
        read_spreadsheet(render_xlsx({"a": ROWS}), ".ods")
    with pytest.raises(SpreadsheetError, match="ends in"):
        read_spreadsheet(b"", ".pdf")
    with pytest.raises(SpreadsheetError, match="at most 2000000 bytes"):
        read_spreadsheet(b"x" * (MAX_FILE_BYTES + 1), ".csv")
    with pytest.raises(SpreadsheetError, match="this CSV cannot be read"):
        read_spreadsheet(b'a,"' + b"x" * 200_000, ".csv")
    with pytest.raises(HostError, match="cannot be written"):
        write_spreadsheet(Path("/nowhere/t.csv"), {"a": ROWS})
    with pytest.raises(SpreadsheetError, match="ends in"):
        write_spreadsheet(Path("t.doc"), {"a": ROWS})


CELL = (
    '<table:table-cell office:value-type="string" table:number-columns-repeated="16384"><text:p>x</text:p>'
    "</table:table-cell>"
)
FAR_XLSX = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row></sheetData>'
BOMB, EMPTY = " " * 20_000_000, "<table:table-row/>" * 20_000


def make_bombs() -> dict[str, tuple[bytes, str]]:
    """Return files that would take all memory if they were unpacked or filled in carelessly."""
    xlsx, ods, sheet = render_xlsx({"a": ROWS}), render_ods({"a": ROWS}), "xl/worksheets/sheet1.xml"
    entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    rows = f'<table:table-row table:number-rows-repeated="1048000">{CELL}</table:table-row></table:table>'
    many = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c></row>' for n in range(10, 3000))
    return {
        "unpacked xlsx": (change_member(xlsx, sheet, lambda text: text + BOMB), "too large when it is unpacked"),
        "unpacked ods": (change_member(ods, "content.xml", lambda text: text + BOMB), "too large when it is unpacked"),
        "entities": (change_member(xlsx, sheet, lambda text: text.replace("<work", f"{entities}<work", 1)), "entities"),
        "repeated ods": (
            change_member(ods, "content.xml", lambda text: text.replace("</table:table>", rows, 1)), "at most 520 rows"
        ),
        "written ods": (
            change_member(ods, "content.xml", lambda text: text.replace("</table:table>", f"{EMPTY}</table:table>", 1)),
            "at most 520 rows",
        ),
        "rows": (
            change_member(xlsx, sheet, lambda text: text.replace("</sheetData>", f"{many}</sheetData>")), "at most 520"
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["unpacked xlsx", "unpacked ods", "entities", "repeated ods", "written ods", "rows"])
def test_a_file_meant_to_fill_the_memory_is_refused(name: str) -> None:
    data, why = make_bombs()[name]
    assert len(data) < MAX_FILE_BYTES
    began = time.process_time()
    with pytest.raises(SpreadsheetError, match=why):
        read_spreadsheet(data, ".ods" if name.endswith("ods") else ".xlsx")
    assert time.process_time() - began < 2 * measure_slowness()


def test_cells_far_away_and_repeated_emptiness_cost_nothing() -> None:
    sheet = "xl/worksheets/sheet1.xml"
    far = change_member(render_xlsx({"a": ROWS}), sheet, lambda text: text.replace("</sheetData>", FAR_XLSX))
    empty = CELL.replace("<text:p>x</text:p>", "").replace(' office:value-type="string"', "")
    rows = f'<table:table-row table:number-rows-repeated="1048000">{empty}</table:table-row></table:table>'
    wide = change_member(render_ods({"a": ROWS}), "content.xml", lambda text: text.replace("</table:table>", rows, 1))
    began = time.process_time()
    assert read_spreadsheet(far, ".xlsx") == ROWS, "what lies below the 20000th row is another world"
    assert read_spreadsheet(wide, ".ods") == ROWS
    assert time.process_time() - began < 4 * measure_slowness()
    assert MAX_ROWS < 1000
