"""Opens a table on one phone, joins it on another, moves, and asks why something is not possible."""

from __future__ import annotations

import re
from typing import Any

from tests.page.browsing import Device


def find_mover(*devices: Device) -> Device:
    """The first of the devices whose owner is asked."""
    mine = re.compile("^(Du bist|Your turn|You are)")
    while True:
        for device in devices:
            headline = device.page.locator("h1.turn")
            headline.wait_for()
            if mine.search(headline.inner_text()):
                return device


def test_two_phones_open_a_table_join_it_move_and_ask_why(browser: Any, base: str) -> None:
    ada, ben = Device(browser, base), Device(browser, base, scheme="dark", lang="en-US")
    ada.open("/")
    ada.tap("Tisch eröffnen")
    ada.tap("Here to Slay")
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
    for _ in range(2):  # each takes a leader
        mover = find_mover(ada, ben)
        mover.page.locator("main button.move").first.click()
        mover.page.wait_for_function(
            "() => !/Welchen Anführer|Which leader/.test(document.querySelector('.ref').innerText)"
        )
    mover = find_mover(ada, ben)
    mover.page.locator("button.why").first.click()
    dialog = mover.page.get_by_role("dialog")
    assert dialog.locator("a.clause").first.inner_text().startswith("HTS-")
    assert dialog.get_by_role("alert").inner_text()
    mover.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    mover.tap("Karte ziehen" if mover is ada else "Draw a card")
    mover.sees("2 Aktionspunkte" if mover is ada else "2 action points")
    assert ada.complaints == ben.complaints == []
    ada.close()
    ben.close()
