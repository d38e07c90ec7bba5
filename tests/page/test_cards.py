"""Cards by form: entered by hand, looked at, checked, kept in files, loaded again, and published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

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
    assert device.page.locator("textarea").count() == 2
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
    device.page.get_by_role("link", name="Einen Tisch damit eröffnen").click()
    device.sees("Welche Karten?")
    assert device.page.get_by_role("button", name="My cards").count() == 0
    assert device.page.get_by_role("button", name="Meine Karten").get_attribute("aria-pressed") == "true"
    device.page.go_back()
    device.sees("Zitteraal")
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
    device.sees("Bear, Stufe: 'drei' ist keine ganze Zahl.")
    assert device.page.get_by_role("img", name="hier stimmt etwas nicht").count() == 1
    device.page.locator("button.mistake").click()
    device.page.get_by_label("Stufe *").fill("4")
    device.sees("Du verlierst 2 Stufen.")
    device.take_picture("cards-munchkin", whole=True)
    device.tap("Karte löschen")
    device.sees("Bear gelöscht.")
    device.tap("Rückgängig")
    device.page.locator("ol.list > li").nth(1).wait_for()
    device.page.locator("ol.list > li > button.wide").first.click()
    device.tap("Karte löschen")
    device.page.locator("ol.list > li > button.wide").first.click()
    device.tap("Noch eine wie diese")
    device.page.get_by_label("Name", exact=True).fill("Zweiter")
    device.tap("Alle prüfen")
    device.sees("Alles richtig: 2 Karten.")
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    (tmp_path / "t.xlsx").write_bytes(b"nothing")
    device.page.locator('input[type="file"]').set_input_files(tmp_path / "t.xlsx")
    device.sees("Das ist keine lesbare XLSX-Datei.")
    assert device.page.locator("ol.list > li").count() == 2
    device.tap("Alle Karten löschen")
    device.tap("Wirklich alle löschen")
    device.sees("0 Karten")
    device.tap("Rückgängig")
    device.sees("2 Karten")
    assert device.complaints == []
    device.close()


BOOK = """book: harbour
game: creature_crush
title: Hafen
extends: printed
cards:
- {id: eel, kind: creature, name: Salzaal, cost: 5, attack: 2, life: 300, text: {en: No effect., de: Kein Effekt.}}
- id: crab
  kind: creature
  name: Krabbe
  cost: 4
  attack: 1
  life: 5
  text: Zwickt.
  action:
  - {do: darw, count: 1}
"""


def test_a_card_book_is_loaded_mended_at_its_fields_and_published(
    browser: Any, host: str, axe: str, tmp_path: Path
) -> None:
    device = Device(browser, host, size=SMALL)
    device.open("/cards#munchkin")
    file = tmp_path / "harbour.yaml"
    file.write_text(BOOK, "utf-8")
    device.page.locator('input[type="file"]').set_input_files(file)
    device.sees("Das ist eine Tabelle für creature_crush.")
    assert device.page.locator("ol.list > li").count() == 0
    device.open("/cards#creature_crush")
    device.page.locator('input[type="file"]').set_input_files(file)
    device.sees("2 Karten geladen.")
    device.page.locator("button.mistake").first.click()
    device.page.get_by_label("Leben *").fill("3")
    device.page.locator("ol.list > li > button.wide").nth(1).click()
    said = device.page.get_by_label("Was die Karte sagt (YAML)")
    device.sees("Zeile 6: Das Verb 'darw' gibt es nicht. Ist 'draw' gemeint?")
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    device.take_picture("cards-yaml", whole=True)
    said.fill(said.input_value().replace("darw", "draw"))
    device.tap("Alle prüfen")
    device.sees("Alles richtig: 2 Karten.")
    with device.page.expect_download() as kept:
        device.tap("Kartenbuch (YAML)")
    kept.value.save_as(tmp_path / "kept.yaml")
    book = check_book_text((tmp_path / "kept.yaml").read_text("utf-8"))
    assert (book.name, [entry["life"] for entry in book.entries]) == ("harbour", [3, 5])
    device.tap("Lieber neu mit Feldern")
    device.page.get_by_label("Kosten *").wait_for()
    device.tap("Rückgängig")
    device.sees("Krabbe")
    assert device.complaints == []
    device.close()


def test_books_of_one_title_are_told_apart_by_their_names(browser: Any, host: str) -> None:
    fine = BOOK.replace("darw", "draw").replace("life: 300", "life: 3").replace("title: Hafen", "title: Zweimal")
    for name in ("harbour_1", "harbour_2"):
        headers = {
            "Authorization": f"Bearer {OPERATOR}",
            "Content-Type": "application/yaml",
            "Idempotency-Key": f"{name}-published-once",
        }
        text = fine.replace("book: harbour", f"book: {name}").encode()
        with urlopen(Request(f"{host}/v1/games/creature_crush/books", text, headers)) as answer:
            assert answer.status == 201
    device = Device(browser, host)
    device.open("/host#bots/creature_crush")
    device.sees("harbour_1")
    shown = [each for each in device.page.get_by_role("button").all_inner_texts() if "Zweimal" in each]
    assert [each.split("\n")[1] for each in shown] == ["harbour_1", "harbour_2"]
    device.close()


def enter_monster(device: Device, name: str, text: str) -> None:
    """Enters a monster whose bad stuff is free text."""
    device.page.get_by_label("Name", exact=True).fill(name)
    device.page.get_by_label("level *").fill("3")
    device.page.get_by_role("combobox", name="Text 1").select_option("*")
    device.page.get_by_label("What the card says").fill(text)


def test_a_near_miss_is_proposed_and_what_another_kind_does_not_have_falls_away(browser: Any, host: str) -> None:
    device = Device(browser, host, lang="en-GB")
    device.open("/cards")
    device.sees("0 cards")
    device.page.get_by_role("button", name="Munchkin").click()
    device.tap("New card")
    focused = device.page.evaluate("document.activeElement.parentElement.innerText")
    assert focused.startswith("Name")
    enter_monster(device, "Bear", "Lose 2 level")
    device.sees("Did you mean: You lose 2 levels.")
    device.tap("Yes, take this sentence")
    device.page.locator("p.note", has_text="You lose {n} levels.").wait_for()
    assert device.page.get_by_role("spinbutton", name="{n}").input_value() == "2"
    device.page.get_by_label("Kind").select_option("item")
    device.sees("What did not fit is gone.")
    assert device.page.get_by_label("level *").count() == 0
    device.sees("a card of kind item needs this")  # beside the field for where it is worn
    device.tap("Undo")
    device.sees("Bear")
    device.tap("Check all")
    device.sees("1 text is a sentence of the program, 0 carried out by the table, 0 only printed")
    assert device.complaints == []
    device.close()


def test_two_tabs_of_one_browser_do_not_overwrite_each_other(browser: Any, host: str) -> None:
    device = Device(browser, host, lang="en-GB")
    device.open("/cards#munchkin")
    device.tap("New card")
    device.page.get_by_label("Name", exact=True).fill("First")
    other = device.context.new_page()
    other.goto(f"{host}/cards#munchkin")
    other.get_by_text("1. First").wait_for()
    other.get_by_role("button", name="New card").click()
    other.get_by_label("Name", exact=True).fill("Second")
    device.sees("2. Second")
    device.sees("Another tab has changed the cards.")
    device.page.get_by_label("Name", exact=True).fill("First of all")
    other.get_by_text("1. First of all").wait_for()
    other.get_by_text("2. Second").wait_for()
    device.close()


def test_a_box_of_its_own_is_entered_published_and_played(browser: Any, host: str, tmp_path: Path) -> None:
    device = Device(browser, host, lang="en-GB")
    device.open("/cards#munchkin")
    device.tap("A box of my own")
    device.tap("New card")
    enter_monster(device, "Gnome", "It sulks")
    device.page.get_by_label("How many?").fill("20")
    device.sees("20 of 48 doors")
    rows = [
        ["Slug", "monster", "2", "20", "Bad stuff", "You lose 1 level.", ""],
        ["Frost", "curse", "", "10", "", "You lose 1 level.", ""],
        ["Hat", "item", "", "20", "", "", "headgear"],
        ["Boots", "item", "", "20", "", "", "footgear"],
    ]
    header = ["name", "kind", "level", "copies", "place 1", "text 1", "worn"]
    above = [["game", "munchkin"], ["book", "shed"], ["title", "The Shed"], ["extends", "no"]]
    device.tap("Check all")
    device.sees("a book that stands alone needs at least 48 doors with all copies, and this one has 20")
    write_spreadsheet(
        tmp_path / "t.csv", {"cards": [*above, header, ["Gnome", "monster", "3", "20", "", "It sulks"], *rows]}
    )
    device.page.locator('input[type="file"]').set_input_files(tmp_path / "t.csv")
    device.sees("5 cards loaded.")
    device.sees("50 of 48 doors")
    with device.page.expect_download() as kept:
        device.tap("Table (CSV)")
    kept.value.save_as(tmp_path / "kept.csv")
    assert "extends,no" in (tmp_path / "kept.csv").read_text("utf-8")
    device.take_picture("cards-own-box", whole=True)
    device.tap("Publish on this server")
    device.page.get_by_label("Operator's token").fill(OPERATOR)
    device.page.locator("form button.solid").click()
    device.tap("Play with it alone against bots")
    device.sees("Which cards?")
    chosen = device.page.get_by_role("button", name="The Shed")
    assert chosen.get_attribute("aria-pressed") == "true"
    device.take_picture("host-own-box", whole=True)
    device.page.get_by_label("Your name").fill("Ada")
    device.page.get_by_role("button", name="Go").click()
    device.page.locator("button.move").first.wait_for()
    hand = device.page.locator(".hand button").first
    hand.click()
    names = set(device.page.locator(".hand-cards").inner_text().splitlines())
    assert names & {"Gnome", "Slug", "Frost", "Hat", "Boots"}
    device.take_picture("seat-own-box", whole=True)
    assert device.complaints == []
    device.close()
