"""Takes the screenshots of the README: `python -m tests.page.pictures`.

A seat in the middle of a roll, the big screen, and a dispute, all from the scripted evening of Here to Slay; a call of
an official on a phone, and the board on the wall, from a tournament of eight.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.api.house import Table
from tests.clients.house import served
from tests.evenings import here_to_slay
from tests.evenings.evening import Move, Nobody, Shown
from tests.page.browsing import FLAGS, Device, find_chromium
from tests.page.tables import OpenTable, request
from tests.page.tournaments import RefereedEvening

FOLDER = Path(__file__).parents[2] / "referee/docs/pictures"
NAMES = ("Ada", "Ben", "Cleo")
PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gül", "Hal")
MOST_BYTES = 60 * 1024


def happen(table: Table, happening: Move | Shown | Nobody) -> None:
    """Writes down one thing of the evening."""
    if isinstance(happening, Move):
        done = [table.move(happening.seat, happening.move)]
    elif isinstance(happening, Shown):
        done = [table.move("chance", happening.move, table.seats[0])]
    else:
        asked = [each for each in table.awaited if isinstance(each, int)]
        done = [table.move(seat, {"type": happening.passing}) for seat in asked]
    assert all(each.status_code == 201 for each in done), [each.text for each in done]


def save(device: Device, name: str) -> None:
    path = FOLDER / f"{name}.png"
    device.page.wait_for_timeout(700)
    device.page.screenshot(path=path)
    print(f"{path.name}: {path.stat().st_size} bytes")
    assert path.stat().st_size < MOST_BYTES, name


def open_tournament(base: str) -> RefereedEvening:
    """Begin the second round of a tournament: one table is over, one calls an official."""
    evening = RefereedEvening(base, PLAYERS, {"system": "swiss", "rounds": 3, "round_ms": 50 * 60_000})
    for table in evening.list_tables():
        evening.rule(table["table"], winner=table["players"][0])
    evening.command("tournament.pair")
    first, second = evening.list_tables()[:2]
    evening.rule(first["table"], winner=first["players"][1])
    evening.match = second["match"]
    evening.call(evening.names[second["players"][0]], "rules")
    item = request(base, "GET", f"{evening.path}/queue", token=evening.tokens["Kim"])["items"][0]["item"]
    evening.command("tournament.claim", by="Kim", item=item)
    return evening


def take_tournament(browser: Any, base: str) -> None:
    """Take the pictures of a tournament."""
    evening = open_tournament(base)
    second = evening.list_tables()[1]
    phone = evening.give(browser, evening.names[second["players"][0]], size=(390, 740), lang="en-US", scale=1)
    phone.tap("Go to the match")
    phone.sees("Kim is coming")
    save(phone, "call")
    wall = Device(browser, base, size=(1280, 720), scheme="dark", lang="en-US", scale=0.75)
    wall.open(f"/rounds#{evening.id}")
    wall.sees("Standings")
    save(wall, "rounds")


def main() -> None:
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright, served() as (base, app):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        table = here_to_slay.sit_down(app, visibility="public", spectator_delay=0)
        service: Any = app.config["SERVICE"]
        service.log.put_seat_names(table.match, {str(seat): name for seat, name in enumerate(NAMES)})
        tokens = [person.token or "" for person in table.seats]
        opened = OpenTable(base, table.match, "here_to_slay", table.host.token or "", tokens)
        happenings = [each for turn in here_to_slay.evening() for each in turn]
        for happening in happenings[:-2]:
            happen(table, happening)
        seat = next((each for each in table.awaited if isinstance(each, int)), 0)
        phone = Device(browser, base, size=(390, 740), lang="en-US", scale=1)
        opened.give(phone, seat)
        save(phone, "seat")
        screen = Device(browser, base, size=(1280, 800), scheme="dark", lang="en-US", scale=0.75)
        screen.open(f"/table#{table.match}")
        screen.page.locator(".screen-places").wait_for()
        save(screen, "screen")
        phone.page.get_by_role("button", name="Something is wrong here").click()
        phone.page.locator("ol.log button").last.wait_for()
        phone.page.locator("ol.log button", has_text="roll").last.click()
        save(phone, "dispute")
        take_tournament(browser, base)
        browser.close()


if __name__ == "__main__":
    main()
