"""`referee cards table` and `referee cards import`: from an empty table to a book that can be checked."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from referee.cardscript.sheets.catalog import load_catalog
from referee.cardscript.sheets.layout import build_empty_table
from referee.cli.main import cli
from referee.infrastructure.card_book_files import read_book
from referee.infrastructure.spreadsheets.reading import SUFFIXES, read_spreadsheet
from referee.infrastructure.spreadsheets.writing import write_spreadsheet

EEL = ["Zitteraal", "", "Creature", "", "5", "2", "3"]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["cards", *map(str, arguments)])


def write_cards(path: Path, *rows: list[str]) -> Path:
    """Write a German table of Creature Crush with these rows of cards, the first in row 9."""
    write_spreadsheet(path, {"cards": [*build_empty_table(load_catalog("creature_crush"), "de"), *rows]})
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_table_is_written_filled_in_and_imported(suffix: str, tmp_path: Path) -> None:
    said = run("table", "creature_crush", "-o", tmp_path / f"t{suffix}", "--lang", "de")
    assert (said.exit_code, said.output.count(": geschrieben\n")) == (0, 2 if suffix == ".csv" else 1)
    rows = read_spreadsheet((tmp_path / f"t{suffix}").read_bytes(), suffix)
    assert rows == build_empty_table(load_catalog("creature_crush"), "de")
    write_cards(tmp_path / f"t{suffix}", EEL)
    said = run("import", tmp_path / f"t{suffix}")
    assert (said.exit_code, said.output.split("@")[0]) == (0, "t.yaml: my_cards")
    assert [entry["id"] for entry in read_book(tmp_path / "t.yaml").entries] == ["zitteraal"]
    assert run("check", tmp_path / "t.yaml").exit_code == 0


def test_the_second_sheet_lists_all_sentences(tmp_path: Path) -> None:
    assert run("table", "munchkin", "-o", tmp_path / "m.xlsx").exit_code == 0
    book = openpyxl.load_workbook(tmp_path / "m.xlsx")
    assert book.sheetnames == ["cards", "sentences"]
    cells = {cell for row in book["sentences"].iter_rows(values_only=True) for cell in row}
    assert cells >= {sentence.wording.show("en") for sentence in load_catalog("munchkin").sentences.values()}


def test_errors_are_told_with_row_and_column_and_no_book_is_written(tmp_path: Path) -> None:
    table = write_cards(tmp_path / "t.csv", EEL, [*EEL[:4], "viele", *EEL[5:]], ["X"])
    said = run("import", table, "-o", tmp_path / "b.yaml", "--lang", "de")
    assert (said.exit_code, (tmp_path / "b.yaml").exists()) == (1, False)
    assert said.output.splitlines() == [
        "t.csv: Zeile 10, Spalte Kosten: 'viele' ist keine ganze Zahl.",
        "t.csv: Zeile 11, Spalte Art: Art fehlt.",
    ]
    told = json.loads(run("import", table, "--json").output)
    assert (told["book"], told["errors"][0]) == (None, "row 10, column cost: 'viele' is not a whole number")


def write_box(path: Path) -> Path:
    """Write a table for a box of its own with one monster, which has a sentence, a near miss and a text to print."""
    header = ["name", "kind", "level", "place 1", "text 1", "place 2", "text 2", "place 3", "text 3"]
    bear = ["Bear", "monster", "3", "Bad stuff", "You lose 1 level.", "", "Lose 2 level", "While it fights", "It sings"]
    write_spreadsheet(path, {"cards": [["game", "munchkin"], ["book", "den"], ["extends", "no"], header, bear]})
    return path


def test_texts_that_are_no_sentences_are_counted_and_listed_and_half_a_box_can_be_checked(tmp_path: Path) -> None:
    table = write_box(tmp_path / "t.csv")
    refused = run("import", table)
    assert refused.exit_code == 1
    assert "row 2, column book: a book that stands alone needs at least 48 doors" in refused.output
    said = run("import", table, "--partial")
    assert (said.exit_code, (tmp_path / "t.yaml").exists()) == (0, True)
    assert said.output.splitlines() == [
        "t.yaml: 1 card for munchkin, no errors",
        "t.csv: 1 text is a sentence that the program carries out; the table carries out 1; 1 is only printed",
        "t.csv: row 5, column text 2, Bear: free text, the table carries it out: Lose 2 level; "
        "did you mean: You lose 2 levels.",
        "t.csv: row 5, column text 3, Bear: only printed, the program does not know of it: It sings",
        "t.csv: doors: 1 of the 48 that a box of its own needs",
        "t.csv: treasures: 0 of the 36 that a box of its own needs",
        "t.csv: monsters: 1 of the 12 that a box of its own needs",
    ]
    german = run("import", table, "--partial", "--lang", "de").output.splitlines()
    assert german[2].endswith("meintest du: Du verlierst 2 Stufen.")
    assert "von 48" in german[4]
    assert len(json.loads(run("import", table, "--partial", "--json").output)["texts"]) == 3


def test_a_check_of_a_book_says_which_cards_the_table_carries_out(tmp_path: Path) -> None:
    table = write_cards(tmp_path / "t.csv", [*EEL, "", "", "Sing"], EEL)
    assert run("import", table).exit_code == 0
    said = run("check", tmp_path / "t.yaml").output.splitlines()
    assert said[1:] == ["t.yaml: the table carries out texts of 1 card: zitteraal"]


def test_games_without_tables_and_files_that_are_none_are_refused(tmp_path: Path) -> None:
    assert "mau_mau has no tables; games: creature_crush" in run("table", "mau_mau").output
    assert run("table", "munchkin", "-o", tmp_path / "t.doc").exit_code == 1
    (tmp_path / "t.xlsx").write_bytes(b"nothing")
    said = run("import", tmp_path / "t.xlsx")
    assert (said.exit_code, "this is no readable XLSX file" in str(said.exception)) == (1, True)
    (tmp_path / "big.csv").write_bytes(b"x" * 2_000_001)
    assert "at most 2000000 bytes" in str(run("import", tmp_path / "big.csv").exception)
    assert run("import", write_cards(tmp_path / "t.csv", EEL), "-o", tmp_path / "no/b.yaml").exit_code == 1


def test_a_file_that_is_no_table_is_told_in_german_with_its_row(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes(b"game,creature_crush\nbook,\xff\n")
    said = run("import", table, "--lang", "de")
    assert str(said.exception) == "t.csv: Zeile 2: Was hier steht, ist kein UTF-8. Speichere die Tabelle als CSV UTF-8."
    assert str(run("import", table).exception).startswith("t.csv: row 2: what stands here is no UTF-8")
