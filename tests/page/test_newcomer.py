"""A newcomer's first ten minutes: from the README's command to a match that is over, and from a QR code to a seat."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import segno

from referee.infrastructure.settings import PREFIX
from tests.infrastructure.machine import ROOT
from tests.page.browsing import Device
from tests.page.tables import request

pytestmark = pytest.mark.deep
STARTED_WITHIN, STOPPED_WITHIN = 120, 30  # seconds
PLAYED_WITHIN, SEATED_WITHIN = 600, 40
MOST_TAPS = 3

# Counts taps as long as the page is open; another scene does not load it again.
COUNT_TAPS = "taps = 0; addEventListener('click', (event) => { if (event.isTrusted) taps += 1; }, true)"

# The modules of the QR code as the page shows it: drawn, and looked at in the middle of each.
READ_MODULES = """async ([source, size, border]) => {
  const picture = new Image(), canvas = document.createElement('canvas'), scale = 8;
  picture.src = source;
  await picture.decode();
  canvas.width = canvas.height = (size + 2 * border) * scale;
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const middle = (at) => (at + border) * scale + scale / 2;
  const isDark = (x, y) => pen.getImageData(middle(x), middle(y), 1, 1).data[0] < 128;
  return Array.from({length: size}, (_, y) => Array.from({length: size}, (_, x) => Number(isDark(x, y))));
}"""


@contextmanager
def serve(data: Path) -> Iterator[dict[str, Any]]:
    """What `referee serve --lan` says about itself while it runs, on a free port with its data in a folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    process = subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--lan", "--port", "0", "--json", "--data-dir", str(data)],
        # The tests sit more people down in a minute than a code's guesser, whom the default stops, should get to try.
        env=kept | {"PYTHONPATH": str(ROOT), f"{PREFIX}WORKERS": "1", f"{PREFIX}RATE_JOINS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        readable, _, _ = select.select([process.stdout], [], [], STARTED_WITHIN)
        line = process.stdout.readline() if readable else b""
        assert line, "it did not start"
        yield json.loads(line)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOPPED_WITHIN)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def server_info(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with serve(tmp_path_factory.mktemp("data")) as said:
        yield said


@pytest.fixture(scope="module")
def near(server_info: dict[str, Any]) -> str:
    """The address that the program names first; it is good on its own machine only."""
    return str(server_info["url"]).rstrip("/")


def count_taps(device: Device) -> int:
    return int(device.page.evaluate("taps"))


def play_to_the_end(device: Device) -> int:
    """Taps what can be tapped, cards before drawing, until the match is over. Returns the number of moves."""
    moves, until = 0, time.monotonic() + PLAYED_WITHIN
    over = device.page.locator("section.ref ol.places")
    while not over.count():
        assert time.monotonic() < until, f"not over after {moves} moves"
        covered, cards = device.page.locator("main button.covered"), device.page.locator("main button.move.with-card")
        button = next(
            (each for each in (covered, cards, device.page.locator("main button.move")) if each.count()), None
        )
        if button is None:
            device.page.wait_for_timeout(50)  # it is the bot's turn
            continue
        version = device.page.locator(".page-seat").get_attribute("data-version")
        is_move = button is not covered
        button.first.click()
        if is_move:
            moves += 1
            device.page.wait_for_function(
                "version => document.querySelector('.page-seat').dataset.version !== version", arg=version
            )
    return moves


def open_table_for_two(device: Device) -> str:
    """Opens a table as a host does, and returns the invitation that the page shows."""
    device.tap("Tisch eröffnen")
    device.tap("Mau-Mau")
    device.tap("Los")
    device.page.locator("img.qr").wait_for()
    return str(device.page.locator(".link input").input_value())


def test_three_taps_open_a_match_against_a_bot_and_it_is_played_to_its_end(browser: Any, near: str) -> None:
    ada = Device(browser, near)
    ada.context.add_init_script(COUNT_TAPS)
    ada.open("/")
    ada.take_picture("newcomer-home", whole=True)
    ada.tap("Allein gegen Bots")
    ada.tap("Mau-Mau")
    ada.page.get_by_role("button", name="Los").click()
    began = time.monotonic()
    ada.page.locator("h1.turn").wait_for()
    assert count_taps(ada) == MOST_TAPS
    moves = play_to_the_end(ada)
    print(f"{moves} moves, over after {time.monotonic() - began:.1f} s")
    ada.sees("Noch eine Partie")
    assert ada.page.locator("section.ref ol.places li").count() == 2
    assert ada.page.locator("section.ref[role=status]").inner_text()
    assert ada.page.locator("footer.hand").count() == 0  # there is nothing to hide any more
    ada.take_picture("newcomer-over", whole=True)
    ada.tap("Zur Startseite")
    ada.sees("Zu Ende (1)")
    assert ada.complaints == []
    ada.close()


def test_three_taps_do_it_in_english_too(browser: Any, near: str) -> None:
    ada = Device(browser, near, lang="en-US")
    ada.context.add_init_script(COUNT_TAPS)
    ada.open("/")
    ada.tap("Alone against bots")
    ada.tap("Monster Combat")
    ada.page.get_by_role("button", name="Go").click()
    ada.page.locator("h1.turn").wait_for()
    assert count_taps(ada) == MOST_TAPS
    ada.tap("Front page")
    ada.sees("with \u2068Bot 2\u2069")
    assert ada.complaints == []
    ada.close()


def test_a_qr_code_leads_to_a_seat_in_three_taps_and_ten_seconds(
    browser: Any, server_info: dict[str, Any], near: str
) -> None:
    ada = Device(browser, near)
    ada.context.add_init_script(COUNT_TAPS)
    ada.open("/")
    link = open_table_for_two(ada)
    assert count_taps(ada) == MOST_TAPS
    assert link.startswith(f"{server_info['lan_url']}/join#")  # not the address that is good on this machine only
    assert urlsplit(server_info["lan_url"]).netloc in ada.page.locator("section.ref").inner_text()
    wanted = segno.make(link, error="m", micro=False)
    size = len(wanted.matrix)
    source = ada.page.locator("img.qr").get_attribute("src")
    assert ada.page.evaluate(READ_MODULES, [source, size, 4]) == [list(row) for row in wanted.matrix]
    ada.take_picture("newcomer-invitation", whole=True)

    ben = Device(browser, "", lang="en-US")
    ben.context.add_init_script(COUNT_TAPS)
    began = time.monotonic()
    ben.page.goto(link)
    field = ben.page.get_by_label("What is your name?")
    field.click()
    field.press_sequentially("Ben")
    ben.tap("Sit down")
    ben.sees("It begins when the host starts.")
    took = time.monotonic() - began
    print(f"seated after {took:.1f} s and {count_taps(ben)} taps")
    assert took < SEATED_WITHIN
    assert count_taps(ben) <= MOST_TAPS
    ada.sees("Ben")
    ada.tap("Spiel starten")
    for device in (ada, ben):
        device.page.locator("h1.turn").wait_for()
        assert device.complaints == []
    ben.page.reload()
    ben.page.locator("h1.turn").wait_for()
    ben.page.goto(link)  # the same picture once more: nobody sits down twice by mistake
    ben.tap("Back to your seat")
    ben.page.locator("h1.turn").wait_for()
    ada.close()
    ben.close()


def test_a_wrong_code_can_be_mended_and_a_full_table_says_so(browser: Any, near: str) -> None:
    ada, ben, cleo = (Device(browser, near) for _ in range(3))
    ada.open("/")
    link = open_table_for_two(ada)
    code = ada.page.locator("p.code").inner_text()
    ben.open("/join#NOPE99")
    assert ben.page.get_by_label("Code").count() == 0
    ben.page.get_by_label("Wie heißt du?").fill("Ben")
    ben.tap("Hinsetzen")
    ben.sees("Unbekannter Code")
    ben.tap("Verstanden")
    ben.page.get_by_label("Code").fill(link)  # a whole link is understood where a code is asked for
    ben.tap("Hinsetzen")
    ben.sees("Es geht los, sobald der Gastgeber startet.")
    cleo.open(f"/join#{code.lower()}")
    cleo.page.get_by_label("Wie heißt du?").fill("x" * 60)
    assert len(cleo.page.get_by_label("Wie heißt du?").input_value()) == 40
    cleo.tap("Hinsetzen")
    cleo.sees("Kein Platz mehr frei")
    assert re.search("40[49]|410", " ".join(ben.complaints + cleo.complaints))  # only what the browser says of refusals
    for device in (ada, ben, cleo):
        device.close()


def test_a_host_fills_free_seats_with_bots_or_closes_the_table(browser: Any, near: str) -> None:
    ada, ben = Device(browser, near), Device(browser, near)
    ada.page.on("dialog", lambda asked: asked.accept())
    ada.open("/")
    open_table_for_two(ada)
    ada.tap("Freie Plätze mit Bots besetzen")
    ada.sees("Bot 2")
    ada.tap("Spiel starten")
    ada.page.locator("h1.turn").wait_for()
    ada.tap("Zur Startseite")
    ada.sees("Bot 2")
    link = open_table_for_two(ada)
    ben.page.goto(link)
    ben.page.get_by_label("Wie heißt du?").fill("Ben")
    ben.tap("Hinsetzen")
    ben.sees("Es geht los, sobald der Gastgeber startet.")
    ada.tap("Mehr")
    ada.tap("Tisch auflösen")
    for device in (ada, ben):
        device.sees("Dieser Tisch wurde aufgelöst")
        assert device.complaints == []
        device.close()


def test_a_link_without_a_seat_offers_none(browser: Any, near: str) -> None:
    ada = Device(browser, near)
    ada.open("/")
    open_table_for_two(ada)
    saved = json.loads(ada.page.evaluate("localStorage.getItem('referee.seats')"))
    host = next(each for each in saved if each["role"] == "host")
    for role, says, leads in (
        ("spectator", "Zuschauen", "/table"),
        ("arbiter", "Schiedsrichter werden", "/desk"),
        ("auditor", "Partie prüfen", "/table"),
    ):
        made = request(near, "POST", f"/v1/matches/{host['match']}/invitations", {"role": role}, host["token"])
        zoe = Device(browser, near)
        zoe.page.goto(made["url"])
        assert zoe.page.locator("h1").inner_text() == says
        assert zoe.page.get_by_text("Hinsetzen").count() == 0
        zoe.page.get_by_label("Wie heißt du?").fill("Zoe")
        zoe.page.locator("form button").click()
        zoe.page.wait_for_url(f"**{leads}#*")
        zoe.sees("Alle da?" if leads == "/table" else "Mau-Mau")  # a private table is shown to its onlookers
        assert zoe.complaints == []
        zoe.close()
    ada.close()


def test_a_browser_that_stores_nothing_says_so_and_plays_while_it_is_open(browser: Any, near: str) -> None:
    ada = Device(browser, near)
    ada.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }})"
    )
    ada.open("/")
    open_table_for_two(ada)
    ada.sees("Dieser Browser merkt sich nichts")
    ada.tap("Freie Plätze mit Bots besetzen")
    ada.sees("Bot 2")
    ada.tap("Spiel starten")
    ada.page.locator("h1.turn").wait_for()
    ada.page.reload()
    ada.sees("Das ist nicht dein Platz")
    ada.tap("Zur Startseite")
    ada.sees("Tisch eröffnen")
    assert ada.complaints == []
    ada.close()
