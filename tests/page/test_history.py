"""The replay steps through a match with the board at every version, and says why."""

from __future__ import annotations

import pytest

from tests.clients.house import served
from tests.page.browsing import Device, open_browser
from tests.page.tables import open_table

pytestmark = pytest.mark.deep


def test_a_match_is_stepped_through_and_each_entry_explained() -> None:
    with open_browser() as browser, served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="here_to_slay", variant="standard")
        for _ in range(6):
            for seat in (0, 1):
                table.play_others(seat)
                legal = table.read(f"/seats/{seat}/moves", seat)["legal"]
                table.move(seat, next(each for each in legal if each["flag"] != "gives_up")["move"])
        device = Device(browser, base)
        table.give(device, 0)
        device.open(f"/history#{table.match}/0")
        device.page.locator(".replay input").wait_for()
        device.page.locator(".place").first.wait_for()
        last = device.page.locator(".ref").inner_text()
        device.page.get_by_label("Einen zurück").click()
        device.page.wait_for_function("before => document.querySelector('.ref').innerText !== before", arg=last)
        device.tap("Warum?")
        device.page.locator(".ref a.clause").first.wait_for()
        device.take_picture("history", whole=True)
        device.page.get_by_label("Zum Anfang").click()
        device.sees("Eintrag 1")
        device.tap("Ada")
        device.page.get_by_label("Einen weiter").click()
        assert device.complaints == []
        device.close()
