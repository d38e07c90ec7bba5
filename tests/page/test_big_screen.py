"""The big screen says how things stand: a draw, a closed table, a line that is away; at the end nobody is on turn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.docs.clients.referee_client import DeviceKey
from tests.api.ended import table_of
from tests.api.house import Table
from tests.clients.house import served
from tests.faults.program import Program
from tests.page.browsing import SCREEN, Device
from tests.page.tables import open_table, request
from tests.page.test_after import give

pytestmark = pytest.mark.deep
DRAWN = {"de-DE": "Unentschieden", "en-US": "It is a draw"}


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[str, Any]]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def drawn(house: tuple[str, Any]) -> Table:
    """A match of Creature Crush that ended in an agreed draw."""
    table = table_of(house[1], None, None, game="creature_crush", variant="skirmish")
    for wanted in ("cc.offer_draw", "cc.accept_draw") * 20:
        if not table.awaited:
            return table
        seat = table.awaited[0]
        legal = table.seats[seat].get(f"{table.path}/seats/{seat}/moves").json["legal"]
        moves = {each["move"]["type"]: each["move"] for each in legal}
        assert table.move(seat, moves.get(wanted) or next(iter(moves.values()))).status_code == 201
    raise AssertionError("no draw")


@pytest.fixture
def rolled(house: tuple[str, Any]) -> Table:
    """A match of Creature Crush in a turn in which dice are left."""
    table = table_of(house[1], None, None, game="creature_crush", variant="skirmish")
    for _ in range(40):
        seat = table.awaited[0]
        if table.anyone.get(f"{table.path}/board").json["board"]["dice"]["left"]:  # type: ignore[index]
            return table
        legal = table.seats[seat].get(f"{table.path}/seats/{seat}/moves").json["legal"]
        assert table.move(seat, next(each["move"] for each in legal if not each["flag"])).status_code == 201
    raise AssertionError("no dice")


@pytest.mark.parametrize("lang", list(DRAWN))
def test_a_draw_is_called_one_and_nobody_is_on_turn(
    browser: Any, house: tuple[str, Any], drawn: Table, lang: str
) -> None:
    screen, phone = Device(browser, house[0], size=SCREEN, scale=1, lang=lang), Device(browser, house[0], lang=lang)
    screen.open(f"/table#{drawn.match}")
    give(phone, drawn, 0, "creature_crush")
    for device in (screen, phone):
        device.sees(DRAWN[lang])
        device.page.locator(".player").first.wait_for()
        assert device.page.locator(".now-tag, .on").count() == 0
    phone.open(f"/history#{drawn.match}/0")
    phone.page.locator(".player").first.wait_for()
    assert phone.page.locator(".now-tag").count() == 0
    ticker = screen.page.locator(".ticker").inner_text()
    assert "–" not in ticker
    screen.take_picture(f"drawn-screen-{lang}")
    assert screen.complaints == phone.complaints == []
    screen.close()
    phone.close()


@pytest.mark.parametrize(("lang", "word"), [("de-DE", "Würfel"), ("en-US", "Dice")])
def test_dice_of_the_last_turn_are_gone_after_the_end(
    browser: Any, house: tuple[str, Any], rolled: Table, lang: str, word: str
) -> None:
    screen = Device(browser, house[0], size=SCREEN, scale=1, lang=lang)
    screen.open(f"/table#{rolled.match}")
    screen.page.locator(".whole .dice .die").first.wait_for()
    seat = rolled.awaited[0]
    assert rolled.move(seat, {"type": "cc.concede"}).status_code == 201
    screen.page.locator(".now-tag").wait_for(state="detached")
    assert screen.page.locator(".whole .facts", has_text=word).count() == 0
    screen.close()


@pytest.mark.parametrize(("lang", "said"), [("de-DE", "Zeit abgelaufen"), ("en-US", "Time is up")])
def test_a_clock_that_ran_out_says_so(browser: Any, base: str, lang: str, said: str) -> None:
    screen = Device(browser, base, size=SCREEN, scale=1, lang=lang)
    screen.open("/")
    first = screen.page.evaluate(
        """async () => {
          const app = document.querySelector("script[src$='/main.js']").src.replace(/main[.]js$/, "");
          const { html, render } = await import(`${app}lib/html.js`);
          const { Countdown } = await import(`${app}parts/basic.js`);
          const deadline = { ends: performance.now() + 700, limit: 10_000 };
          const panel = html`<section class="ref"><${Countdown} deadline=${deadline} /></section>`;
          render(html`<main class="big">${panel}</main>`, document.getElementById("page"));
          return document.querySelector("[role=timer]").innerText;
        }"""
    )
    assert first == "0:01"
    timer = screen.page.get_by_role("timer")
    screen.sees(said)
    assert timer.get_attribute("aria-label") == said
    screen.take_picture(f"time-up-{lang}")
    screen.close()


def test_seeds_and_keys_are_no_news_at_the_table(browser: Any, base: str) -> None:
    seats = [{"kind": "human"}, {"kind": "bot", "level": 1}]
    opened = request(base, "POST", "/v1/matches", {"game": "mau_mau", "seats": seats, "visibility": "public"})
    path, seed, code = f"/v1/matches/{opened['match']}", "ab" * 32, opened["invitations"][0]["code"]
    commitment = hashlib.sha256(b"referee/v1/seed|" + bytes.fromhex(seed)).hexdigest()
    joined = request(base, "POST", "/v1/join", {"code": code, "name": "Ada", "seed_commitment": commitment})
    request(base, "PUT", f"{path}/seats/0/seed", {"reveal": seed}, joined["token"])
    request(base, "PUT", f"{path}/seats/0/key", {"key": DeviceKey().public}, joined["token"])
    screen = Device(browser, base, size=SCREEN, scale=1)
    version = request(base, "GET", path, token=opened["token"])["version"]
    request(base, "POST", f"{path}/start", token=opened["token"], version=version)
    entries = request(base, "GET", f"{path}/entries")["items"]
    assert "Startwert" in json.dumps(entries, ensure_ascii=False)  # the log tells auditors of it
    assert "Schlüssel" in json.dumps(entries, ensure_ascii=False)
    screen.open(f"/table#{opened['match']}")
    screen.page.locator(".ticker span").nth(2).wait_for()
    assert "Startwert" not in screen.page.locator(".ticker").inner_text()
    screen.open(f"/history#{opened['match']}")
    screen.page.locator(".replay input").wait_for()
    screen.page.get_by_label("Zum Anfang").click()
    for version in range(1, len(entries) + 1):
        screen.page.locator(".replay input").fill(str(version))
        said = screen.page.locator(".ref .ask").inner_text()
        assert said
        assert "Startwert" not in said
        assert "Schlüssel" not in said
    screen.close()


def test_a_table_that_was_closed_is_said_to_be(browser: Any, base: str) -> None:
    opened = request(
        base, "POST", "/v1/matches", {"game": "munchkin", "seats": [{"kind": "human"}] * 3, "visibility": "public"}
    )
    path, screen = f"/v1/matches/{opened['match']}", Device(browser, base, size=SCREEN, scale=1)
    screen.open(f"/table#{opened['match']}")
    screen.sees("Alle da?")
    version = request(base, "GET", path, token=opened["token"])["version"]
    request(base, "DELETE", path, token=opened["token"], version=version)
    screen.sees("Dieser Tisch wurde aufgelöst")
    screen.open("/")
    screen.open(f"/table#{opened['match']}")
    screen.sees("Dieser Tisch wurde aufgelöst")
    screen.close()


def test_a_server_that_is_away_is_said_to_be_until_it_is_back(browser: Any, tmp_path: Path) -> None:
    program = Program(tmp_path / "data").start()
    program.port = program.address[1]
    try:
        host, port = program.address
        table = open_table(f"http://{host}:{port}", ["Ada", "Ben"], game="mau_mau", visibility="public")
        screen = Device(browser, table.base, size=SCREEN, scale=1)
        screen.open(f"/table#{table.match}")
        screen.page.locator("main.big").wait_for()
        for pids in program.processes().values():
            for pid in pids:
                program.kill(pid)
        program.process = None
        screen.sees("Keine Verbindung")
        screen.take_picture("screen-lost")
        tall = screen.page.evaluate("() => [document.documentElement.scrollHeight, innerHeight]")
        assert tall[0] <= tall[1], tall
        program.start()
        screen.page.locator(".banner").wait_for(state="detached")
        screen.close()
    finally:
        program.stop()
