"""A keyboard alone plays a match, and what a screen reader says names turn and verdict."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import Device
from tests.page.tables import open_table

pytestmark = pytest.mark.deep
MOST_TABS, MOST_MOVES = 60, 200
FOCUSED = "() => document.activeElement.matches('main button.move') && document.activeElement.innerText"


def press_until_move(device: Device) -> str:
    """Tabs to the first button of a move, opening the hand on the way if all moves are covered."""
    page = device.page
    for key in ("Tab", "Shift+Tab"):  # backwards once the end is reached: here is no frame of a browser to pass through
        for _ in range(MOST_TABS):
            page.keyboard.press(key)
            if page.evaluate("() => document.activeElement.matches('button.covered')"):
                page.keyboard.press("Enter")
                page.wait_for_function(FOCUSED)
            if found := page.evaluate(FOCUSED):
                return str(found)
    raise AssertionError("no move was reached by the keyboard")


def test_a_keyboard_alone_plays_a_match_to_its_end(browser: Any) -> None:
    with served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1", settings={"first_player": 0})
        ada = Device(browser, base)
        table.give(ada, 0)
        for _ in range(MOST_MOVES):
            table.play_others(0)
            if table.read("")["status"] != "running":
                break
            version = table.read("")["version"]
            ada.page.wait_for_function("() => /^Du bist/.test(document.querySelector('h1.turn').innerText)")
            if ada.page.locator("main button.move, main button.covered").count() == 0:
                # only a picker, for giving up several cards at once: chosen here without the page
                several = table.read("/seats/0/moves?whole=true", 0)["legal"]
                table.move(0, next(each for each in several if each["flag"] != "gives_up")["move"])
                continue
            press_until_move(ada)
            ada.page.keyboard.press("Enter")
            ada.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
            for _ in range(500):
                if table.read("")["version"] > version:
                    break
                ada.page.wait_for_timeout(20)
        assert table.read("")["status"] == "finished"
        ada.sees("Noch eine Partie")
        assert ada.page.locator("section.ref[role=status]").inner_text()
        assert ada.complaints == []
        ada.close()


def test_turn_and_verdict_are_announced(browser: Any) -> None:
    with served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="here_to_slay", variant="standard")
        ada = Device(browser, base)
        table.give(ada, 0)
        assert ada.page.locator("section.ref").get_attribute("aria-live") == "polite"
        assert ada.page.locator("html").get_attribute("lang") == "de"
        assert ada.page.locator("ol.order").get_attribute("aria-label")
        while ada.page.locator("button.why").count() == 0:
            table.play_others(0)
            legal = table.read("/seats/0/moves", 0)["legal"]
            table.move(0, legal[0]["move"])
            table.play_others(0)
            ada.page.wait_for_timeout(600)
        ada.page.locator("button.why").first.focus()
        ada.page.keyboard.press("Enter")
        assert ada.page.locator("[role=dialog] [role=alert]").inner_text()
        assert ada.page.evaluate("() => document.activeElement.id") == "sheet-title"
        ada.page.keyboard.press("Escape")
        ada.page.get_by_role("dialog").wait_for(state="detached")
        assert ada.page.evaluate("() => document.activeElement.matches('button.why')")
        ada.close()
