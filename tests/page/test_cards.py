"""Cards by form: entered by hand, looked at, checked, kept in files, loaded again, and published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cardscript.sheets.catalog import load_catalog
from referee.cardscript.sheets.layout import build_empty_table
from referee.games.books import check_book_text
from referee.infrastructure.spreadsheets.writing import write_spreadsheet
from tests.clients.house import served
from tests.page.browsing import LAPTOP, Device
from tests.page.test_bars import axe, find_faults, find_wide

__all__ = ["axe"]
pytestmark = pytest.mark.deep
OPERATOR = "rfs_" + "o" * 43
SMALL = (320, 700)


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with served() as (address, app):
        app.config["IS_OPERATOR"] = lambda token: token == OPERATOR
        yield address


def enter_eel(device: Device) -> None:
    """Enters a creature with a sentence and a free text."""
    device.open("/cards#creature_crush")
    device.tap("Neue Karte")
    page = device.page
    page.get_by_label("Name", exact=True).fill("Zitteraal")
    for label, value in (("Kosten *", "5"), ("Angriff *", "2"), ("Leben *", "3")):
        page.get_by_label(label).fill(value)
    page.get_by_label("Schlüsselwörter").fill("munter")
    page.get_by_role("combobox", name="Text 1").select_option("damage_chosen")
    page.get_by_role("spinbutton", name="{n}").fill("2")
    page.get_by_role("combobox", name="{whom}").select_option("enemy_a")
    page.get_by_role("combobox", name="Text 2").select_option("*")
    page.get_by_label("Was auf der Karte steht").fill("Alle singen ein Lied")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_card_is_entered_seen_checked_kept_and_published(
    browser: Any, host: str, axe: str, scheme: str, tmp_path: Path
) -> None:
    device = Device(browser, host, size=SMALL if scheme == "dark" else LAPTOP, scheme=scheme)
    enter_eel(device)
    device.sees("Munter. Aktion: Verursache 2 Schaden an einem Feind deiner Wahl in der A-Zone. Alle singen ein Lied.")
    assert device.page.locator(".ref .face").count() == 1
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    device.take_picture(f"cards-{scheme}", whole=True)
    device.tap("Karte fertig")
    device.tap("Alle prüfen")
    device.sees("Alles richtig: 1 Karte.")
    for button, ending in (("Kartenbuch (YAML)", "yaml"), ("Tabelle (CSV)", "csv")):
        with device.page.expect_download() as kept:
            device.tap(button)
        kept.value.save_as(tmp_path / f"kept.{ending}")
    book = check_book_text((tmp_path / "kept.yaml").read_text("utf-8"))
    assert [line["do"] for line in book.entries[0]["action"]] == ["choose", "damage", "as_written"]
    device.page.reload()
    device.sees("Zitteraal")  # the browser has kept it
    device.page.locator('input[type="file"]').set_input_files(tmp_path / "kept.csv")
    device.sees("1 Karte geladen.")
    device.tap("Auf diesem Server veröffentlichen")
    device.page.get_by_label("Token des Betreibers").fill("rfs_" + "x" * 43)
    device.page.locator("form button.solid").click()
    device.page.get_by_role("dialog").wait_for()
    device.page.locator(".sheet button.wide").click()
    device.page.get_by_label("Token des Betreibers").fill(OPERATOR)
    device.page.locator("form button.solid").click()
    device.sees(f"als {book.edition}.")
    device.close()


def test_errors_are_told_where_they_are_and_tables_of_programs_are_loaded(
    browser: Any, host: str, axe: str, tmp_path: Path
) -> None:
    device = Device(browser, host, size=SMALL)
    grid = build_empty_table(load_catalog("munchkin"), "de")
    row = [""] * len(grid[-1])
    row[:3], row[4] = ["Bear", "Mottenbär", "Monster"], "drei"
    row[grid[-1].index("Text 1")] = "Du verlierst 2 Stufen."
    good = [*row[:4], "3", *row[5:]]
    write_spreadsheet(tmp_path / "t.ods", {"Karten": [*grid, row, good]})
    device.open("/cards#munchkin")
    device.page.locator('input[type="file"]').set_input_files(tmp_path / "t.ods")
    device.sees("2 Karten geladen.")
    device.sees("Bear, level: 'drei' ist keine ganze Zahl.")
    device.page.locator("li button.wide").first.click()
    device.page.get_by_label("Stufe *").fill("4")
    device.sees("Du verlierst 2 Stufen.")
    device.take_picture("cards-munchkin", whole=True)
    device.tap("Karte löschen")
    device.page.locator("li button.wide").first.click()
    device.tap("Noch eine wie diese")
    device.page.get_by_label("Name", exact=True).fill("Zweiter")
    device.tap("Alle prüfen")
    device.sees("Alles richtig: 2 Karten.")
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    (tmp_path / "t.xlsx").write_bytes(b"nothing")
    device.page.locator('input[type="file"]').set_input_files(tmp_path / "t.xlsx")
    device.sees("Das ist keine lesbare XLSX-Datei.")
    assert device.page.locator("li button.wide").count() == 2
    device.tap("Alle Karten löschen")
    device.tap("Wirklich alle löschen")
    device.sees("0 Karten")
    assert device.complaints == []
    device.close()
