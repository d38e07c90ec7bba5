"""On a big screen cards fly from where they lay, unless somebody wants nothing to move."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import Device
from tests.page.tables import open_table

pytestmark = pytest.mark.deep
LONGEST = 300  # milliseconds

# Notes the animations that a script begins: how long, and from how far.
NOTE_FLIGHTS = """flights = []; const begin = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  flights.push({ card: this.dataset.card ?? null, from: frames[0].transform, duration: options.duration });
  return begin.call(this, frames, options);
};"""


@pytest.mark.parametrize("is_still", [False, True])
def test_a_played_card_flies_on_the_big_screen(browser: Any, is_still: bool) -> None:
    with served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="mau_mau", variant="standard", visibility="public")
        screen = Device(browser, base, size=(1280, 800))
        screen.page.emulate_media(reduced_motion="reduce" if is_still else "no-preference")
        screen.page.add_init_script(NOTE_FLIGHTS)
        screen.open(f"/table#{table.match}")
        screen.page.locator("main.big").wait_for()
        assert screen.page.evaluate("flights") == [], "nothing moves as it is opened"
        played = 0
        while played < 3:
            seat = table.read("")["awaits"][0]
            legal = table.read(f"/seats/{seat}/moves", seat)["legal"]
            chosen = next((each for each in legal if each["cards"]), legal[0])
            played += bool(chosen["cards"])
            version = table.move(seat, chosen["move"])["version"]
            screen.page.locator(f"main[data-version='{version}']").wait_for()
        flights = screen.page.evaluate("flights")
        assert (len(flights) >= 2) is not is_still, flights
        assert all(each["duration"] <= LONGEST and each["card"] for each in flights)
        assert all("0px, 0px" not in each["from"] for each in flights), "they come from elsewhere"
        assert screen.complaints == []
        screen.close()
