"""Opens a table on one phone, joins it on another, moves, and asks why something is not possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import Device, open_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with served() as (address, _):
        yield address


def test_two_phones_open_a_table_join_it_move_and_ask_why(browser: Any, base: str) -> None:
    ada, ben = Device(browser, base), Device(browser, base, scheme="dark", lang="en-US")
    ada.open("/")
    ada.tap("Tisch eröffnen")
    ada.tap("Monster Combat")
    ada.page.get_by_label("Dein Name").fill("Ada")
    ada.tap("Los")
    ada.sees("Scannen und hinsetzen")
    code = ada.page.locator("p.code").inner_text()
    assert re.fullmatch("[A-Z0-9]{6}", code)
    ben.open(f"/join#{code}")
    ben.page.get_by_label("What is your name?").fill("Ben")
    ben.tap("Sit down")
    ben.sees("It begins when the host starts.")
    ada.sees("Ben")
    ada.tap("Spiel starten")
    first, second = ada.page.locator("h1.turn"), ben.page.locator("h1.turn")
    first.wait_for()
    second.wait_for()
    mover = ada if re.search("Du bist", first.inner_text()) else ben
    mover.page.locator("button.why").first.click()
    assert mover.page.get_by_role("dialog").locator("a.clause").first.inner_text().startswith("MC-")
    mover.page.keyboard.press("Escape")
    before = mover.page.locator(".ref").inner_text()
    mover.page.locator("main button.move").first.click()
    mover.page.wait_for_function("before => document.querySelector('.ref').innerText !== before", arg=before)
    assert ada.complaints == ben.complaints == []
    ada.close()
    ben.close()
