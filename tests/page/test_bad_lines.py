"""A line that fails at the wrong moment: a write is refused for a while, a scene is not loaded, a leftover is late."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import OpenTable, open_table

pytestmark = pytest.mark.deep


@pytest.fixture
def table(base: str) -> OpenTable:
    quiet = {"first_player": 0, "trigger_count": 0}  # no events, so that Ada is asked first
    return open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1", settings=quiet)


def refuse_first_write(device: Device, status: int) -> list[str]:
    """Answers the first move as a busy server does; returns the keys of all that were sent."""
    sent: list[str] = []

    def answer(route: Any) -> None:
        if route.request.method == "POST":
            sent.append(route.request.headers["idempotency-key"])
        if route.request.method != "POST" or len(sent) > 1:
            route.continue_()
            return
        problem = json.dumps({"type": "/problems/busy", "title": "Busy", "status": status})
        route.fulfill(status=status, content_type="application/problem+json", body=problem)

    device.page.route("**/seats/0/moves", answer)
    return sent


@pytest.mark.parametrize("status", [429, 503])
def test_a_move_that_a_busy_server_refuses_is_sent_again_and_nothing_is_left_to_say(
    browser: Any, table: OpenTable, status: int
) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    sent = refuse_first_write(ada, status)
    ada.page.locator("main button.move", has_text="Keine Karte").first.click()
    ada.page.wait_for_function("() => !/Du bist dran/.test(document.querySelector('h1.turn').innerText)")
    for _ in range(400):
        if sum(entry["seat"] == 0 for entry in table.read("/entries?limit=200")["items"]):
            break
        ada.page.wait_for_timeout(50)
    ada.page.wait_for_timeout(1500)  # longer than a banner waits
    assert ada.page.locator(".banner").count() == 0
    assert ada.page.get_by_role("dialog").count() == 0
    assert len(sent) == 2
    assert len(set(sent)) == 1
    assert sum(entry["seat"] == 0 for entry in table.read("/entries?limit=200")["items"]) == 1
    ada.close()


def test_a_move_that_was_left_over_and_comes_too_late_is_told(browser: Any, table: OpenTable) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.page.context.set_offline(True)
    ada.page.locator("main button.move", has_text="Keine Karte").first.click()
    ada.sees("Dein Zug ist gespeichert")
    ada.page.close()
    table.play_others(1)  # from another phone
    ada.context.set_offline(False)
    ada.page = ada.context.new_page()
    ada.open(f"/play#{table.match}/0")
    ada.sees("Zu spät")
    ada.close()


def test_a_scene_that_cannot_be_loaded_says_so_and_comes_when_the_network_is_back(
    browser: Any, table: OpenTable
) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.context.set_offline(True)
    ada.page.locator("a[href^='/rules']").click()
    ada.sees("Keine Verbindung")
    assert not ada.page.get_by_text("Das ist nicht dein Platz").count()
    assert ada.page.locator("h1.turn").is_visible()  # my seat stays
    ada.take_picture("scene-not-loaded")
    ada.context.set_offline(False)
    ada.page.get_by_role("heading", name="Regelbuch").wait_for()
    ada.page.locator(".banner").wait_for(state="detached")
    assert not [each for each in ada.complaints if "Failed to load resource" not in each]
    ada.close()


def test_the_title_says_that_it_is_my_turn_only_at_my_seat(browser: Any, table: OpenTable) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.page.wait_for_function("() => /Du bist dran/.test(document.title)")
    ada.page.locator("nav a[href='/']").click()
    ada.page.wait_for_function("() => document.title === 'Referee'")
    ada.close()


def test_what_cannot_be_asked_for_without_a_line_is_said_and_done_later(
    browser: Any, table: OpenTable, tmp_path: Any
) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.open(f"/history#{table.match}/0")
    ada.page.locator("summary", has_text="Drucken").click()
    ada.context.set_offline(True)
    ada.tap("Den Beweis mitnehmen")
    assert "Das hat nicht geklappt" in ada.page.get_by_role("dialog").inner_text()
    ada.tap("Verstanden")
    ada.context.set_offline(False)
    with ada.page.expect_download() as download:
        ada.tap("Den Beweis mitnehmen")
    download.value.save_as(tmp_path / "proof")
    ada.open("/")
    ada.context.set_offline(True)
    ada.page.get_by_role("button", name="Bots beim Spielen zusehen").click()
    ada.page.get_by_role("dialog").wait_for()
    assert not [each for each in ada.complaints if "Failed to load resource" not in each]
    ada.close()


def test_a_host_whose_server_is_away_is_told_so(browser: Any, base: str) -> None:
    ada = Device(browser, base)
    ada.open("/host")
    ada.tap("Mau")
    ada.page.get_by_label("Dein Name").fill("Ada")
    ada.tap("Los")
    ada.sees("Alle da?")
    ada.context.set_offline(True)
    ada.tap("Freie Plätze mit Bots besetzen")
    assert "Das hat nicht geklappt" in ada.page.get_by_role("dialog").inner_text()
    assert not [each for each in ada.complaints if "Failed to load resource" not in each]
    ada.close()
