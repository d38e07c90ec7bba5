"""What a phone kept of its own moves is compared with the proof of the match, which it can take with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import open_table
from tests.page.test_newcomer import serve

pytestmark = pytest.mark.deep


def test_a_phone_takes_the_proof_with_it_and_compares_its_receipts(browser: Any, tmp_path: Path) -> None:
    with serve(tmp_path / "data") as told:  # the real program: apps in tests sign nothing
        take_and_compare(browser, str(told["url"]).rstrip("/"), tmp_path)


def take_and_compare(browser: Any, base: str, tmp_path: Path) -> None:
    table, ada = open_table(base, ["Ada", "Ben"], game="here_to_slay"), Device(browser, base)
    table.play_others(0)
    table.give(ada, 0)
    ada.page.locator("main button.move").first.click()  # a leader
    ada.page.wait_for_function(f"() => localStorage.getItem('referee.receipts.{table.match}')")
    ada.open(f"/history#{table.match}/0")
    ada.tap("Drucken, teilen, prüfen")
    with ada.page.expect_download() as download:
        ada.tap("Den Beweis mitnehmen")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    ada.open("/verify")
    ada.page.locator(".drop input").set_input_files(path)
    ada.page.get_by_role("heading", name="Auf diesem Gerät bewiesen").wait_for()
    ada.sees("Alle Quittungen dieses Geräts passen (")  # of its move, and of what it added to the draws
    ada.sees("Schlüssel wie auf deinen Quittungen")
    ada.take_picture("own-receipts", whole=True)
    kept = json.loads(ada.page.evaluate("match => localStorage.getItem('referee.receipts.' + match)", table.match))
    origin, size, *rest = kept[0].split("\n")
    forged = json.dumps(["\n".join([origin, str(int(size) - 1), *rest])])
    ada.page.evaluate(
        "([match, notes]) => localStorage.setItem('referee.receipts.' + match, notes)", [table.match, forged]
    )
    ada.open("/verify")
    ada.page.locator(".drop input").set_input_files(path)
    ada.page.get_by_role("heading", name="Abgelehnt").wait_for()
    assert ada.complaints == []
    ada.close()
