"""A keyboard alone plays a match, and what a screen reader says names turn and verdict."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import Device
from tests.page.tables import open_table

pytestmark = pytest.mark.deep
MOST_TABS, MOST_MOVES, MOST_CHOSEN = 60, 200, 12
FOCUSED = "() => document.activeElement.matches('main button.move') && document.activeElement.innerText"


FOCUS_IS = "what => document.activeElement.matches(what)"
SHOWS_VERSION = "version => Number(document.querySelector('.page-seat')?.dataset.version) >= version"
STARTS_AT = "where => document.querySelector(where).focus()"


def press_until(device: Device, what: str, keys: tuple[str, ...] = ("Tab", "Shift+Tab")) -> None:
    """Presses a key until the focus is on something of that kind; then the next key from where the first has led."""
    for key in keys:
        for _ in range(MOST_TABS):
            if device.page.evaluate(FOCUS_IS, what):
                return
            device.page.keyboard.press(key)
    raise AssertionError(f"{what} was not reached by {keys}")


def choose_in_sheet(device: Device) -> None:
    """Opens the list of a picker and chooses: a move that is listed, or cards until it is enough."""
    press_until(device, "main button[data-type]")
    device.page.keyboard.press("Enter")
    device.page.locator("[role=dialog] :is([data-move], .picks button)").first.wait_for()
    go = device.page.locator("[role=dialog] button.call")
    if not go.count():
        press_until(device, "[role=dialog] [data-move]")
        device.page.keyboard.press("Enter")
        return
    press_until(device, "[role=dialog] .picks button")
    for _ in range(MOST_CHOSEN):
        device.page.keyboard.press("Space")
        if go.is_enabled():
            break
        device.page.keyboard.press("Tab")
    press_until(device, "[role=dialog] button.call", ("Tab",))
    device.page.keyboard.press("Enter")


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
            ada.page.wait_for_function(SHOWS_VERSION, arg=version)  # an older turn of hers looks the same
            ada.page.wait_for_function("() => /^Du bist/.test(document.querySelector('h1.turn').innerText)")
            if ada.page.locator("main button.move, main button.covered").count() == 0:
                choose_in_sheet(ada)  # such as for giving up several cards at once
            else:
                press_until_move(ada)
                ada.page.keyboard.press("Enter")
            ada.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
            for _ in range(2000):
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


def hear(device: Device, text: str) -> None:
    """Waits until the open sheet announces this; the page draws a moment after a key was pressed."""
    said = "text => document.querySelector('[role=dialog] [role=status]')?.innerText === text"
    device.page.wait_for_function(said, arg=text)


def open_sheet(device: Device, kind: str) -> None:
    """Opens the list of a picker by the keyboard."""
    press_until(device, f"main button[data-type='{kind}']")
    device.page.keyboard.press("Enter")
    device.page.get_by_role("dialog").wait_for()


def test_several_cards_are_chosen_by_the_keyboard_and_counted_aloud(browser: Any) -> None:
    with served() as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="creature_crush", variant="arena")
        ada = Device(browser, base)
        table.give(ada, 0)
        table.play_others(0)
        open_sheet(ada, "cc.keep")
        cards = ada.page.locator("[role=dialog] .picks button")
        cards.first.wait_for()
        assert cards.count() == 7  # not one button for each of the 35 sets of four
        go = ada.page.locator("[role=dialog] button.call")
        hear(ada, "0 von 4 gewählt")
        seen = set()
        for _ in range(2 * MOST_TABS):  # the focus goes round inside the sheet
            ada.page.keyboard.press("Tab")
            seen.add(ada.page.evaluate("document.activeElement.innerText"))
            assert ada.page.evaluate(FOCUS_IS, "[role=dialog] *")
        assert len(seen) >= 7
        ada.page.keyboard.press("Escape")
        ada.page.get_by_role("dialog").wait_for(state="detached")
        assert ada.page.evaluate(FOCUS_IS, "main button[data-type='cc.keep']")
        ada.page.keyboard.press("Enter")
        cards.first.wait_for()
        ada.page.keyboard.press(
            "Shift+Tab"
        )  # from the heading to the end of the sheet, past a button that is not ready
        press_until(ada, "[role=dialog] .picks button:first-child")
        chosen = []
        for at in range(4):
            ada.page.keyboard.press("Space")
            hear(ada, f"{at + 1} von 4 gewählt")
            assert ada.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
            chosen.append(ada.page.evaluate("document.activeElement.dataset.value"))
            assert go.is_enabled() == (at == 3)
            ada.page.keyboard.press("ArrowRight" if at % 2 == 0 else "ArrowDown")
            if at == 1:
                ada.page.keyboard.press("ArrowLeft")  # the first of the next line
        assert len(set(chosen)) == 4
        ada.take_picture("keyboard-several")
        free = "[role=dialog] .picks button[aria-pressed=false]"
        ada.page.evaluate(STARTS_AT, free)
        ada.page.keyboard.press("Space")  # it is enough already: nothing more is taken
        ada.page.wait_for_timeout(200)  # longer than drawing takes: the count was the same before
        hear(ada, "4 von 4 gewählt")
        assert ada.page.locator(free).first.get_attribute("aria-disabled") == "true"
        ada.page.evaluate(STARTS_AT, "[role=dialog] .picks button[aria-pressed=true]")
        for pressed, says in (("Space", "3 von 4 gewählt"), ("Space", "4 von 4 gewählt")):
            ada.page.keyboard.press(pressed)
            hear(ada, says)
        press_until(ada, "[role=dialog] button.call", ("Tab",))
        version = table.read("")["version"]
        ada.page.keyboard.press("Enter")
        ada.page.get_by_role("dialog").wait_for(state="detached")
        for _ in range(2000):
            if table.read("")["version"] > version:
                break
            ada.page.wait_for_timeout(20)
        kept = table.read(f"/entries?after={version}&limit=1&viewer=seat:0", 0)["items"][0]["move"]
        assert (kept["type"], sorted(kept["cards"])) == ("cc.keep", sorted(chosen))
        assert ada.complaints == []
        ada.close()


def test_cards_are_laid_out_by_the_keyboard(browser: Any) -> None:
    with served() as (base, _):
        table = open_table(
            base, ["Ada", "Ben"], game="shy_monsters", variant="standard", settings={"roles": {"dungeon_master": 0}}
        )
        ada = Device(browser, base)
        table.give(ada, 0)
        table.play_others(0)
        open_sheet(ada, "sm.build")
        count, go = ada.page.locator("[role=dialog] [role=status]"), ada.page.locator("[role=dialog] button.call")
        laid = ada.page.locator("[role=dialog] .floor button.spot:not(:has(.plus))")
        count.wait_for()
        for number in range(6):
            hear(ada, f"{number} von 6 gewählt")
            assert not go.is_enabled()
            press_until(ada, "[role=dialog] .floor button:has(.plus)")
            said = ada.page.evaluate("document.activeElement.getAttribute('aria-label')")
            assert said.endswith("legen")
            ada.page.keyboard.press("Space")
            hear(ada, f"{number + 1} von 6 gewählt")
            assert laid.count() == number + 1
            assert ada.page.evaluate("document.activeElement.getAttribute('aria-label')").endswith("zurücknehmen")
            ada.page.keyboard.press("ArrowRight")  # to the place beside it
        hear(ada, "6 von 6 gewählt")
        ada.take_picture("keyboard-places")
        press_until(ada, "[role=dialog] button.call", ("Tab",))
        ada.page.keyboard.press("Enter")
        ada.page.get_by_role("dialog").first.wait_for(state="detached")
        for _ in range(2000):
            if table.read("")["version"] > 0 and 0 not in table.read("")["awaits"]:
                break
            ada.page.wait_for_timeout(20)
        built = table.read("/entries?after=0&limit=50&viewer=seat:0", 0)["items"]
        assert len(next(each["move"]["cells"] for each in built if (each["move"] or {}).get("type") == "sm.build")) == 6
        assert ada.complaints == []
        ada.close()


def test_charity_of_munchkin_is_chosen_card_by_card(browser: Any) -> None:
    """All cards above five go at once: of ten cards, five in one of 252 ways, and nobody to choose who gets them."""
    with served() as (base, _):
        table = open_table(base, ["Ada", "Ben", "Cleo"], game="munchkin")
        seat, gift = table.read("")["awaits"][0], None
        for _ in range(40):
            seat = table.read("")["awaits"][0]
            pickers = table.read(f"/seats/{seat}/moves", seat)["pickers"]
            if gift := next((each for each in pickers if each["type"] == "mk.give"), None):
                break
            legal = table.read(f"/seats/{seat}/moves?whole=true", seat)["legal"]
            kept = [each for each in legal if each["flag"] != "gives_up"]
            table.move(seat, min(kept, key=lambda each: (each["flag"] is None, "play" in each["move"]["type"]))["move"])
        assert gift, "nobody had more than five cards at the end of a turn"
        many = next(each["least"] for each in gift["choices"] if each["field"] == "cards")
        phone = Device(browser, base, lang="en-US")
        table.give(phone, seat)
        open_sheet(phone, "mk.give")
        go = phone.page.locator("[role=dialog] button.call")
        phone.page.locator("[role=dialog] .picks button").first.wait_for()
        assert phone.page.locator("[role=dialog] [data-move]").count() == 0, "each way is a button of its own"
        assert re.fullmatch(r"Level \d+", phone.page.locator(".order small").first.inner_text())
        for number in range(many):
            assert not go.is_enabled()
            press_until(phone, "[role=dialog] .picks button[aria-pressed=false]")
            phone.page.keyboard.press("Space")
            hear(phone, f"{number + 1} of {many} chosen")
        version = table.read("")["version"]
        press_until(phone, "[role=dialog] button.call", ("Tab",))
        phone.take_picture("keyboard-charity")
        assert go.inner_text() == "Done"
        phone.page.keyboard.press("Enter")
        phone.page.get_by_role("dialog").wait_for(state="detached")
        for _ in range(2000):
            if table.read("")["version"] > version:
                break
            phone.page.wait_for_timeout(20)
        given = table.read(f"/entries?after={version}&limit=1&viewer=seat:{seat}", seat)["items"][0]["move"]
        assert (given["type"], len(given["cards"])) == ("mk.give", many)
        assert phone.complaints == []
        phone.close()
