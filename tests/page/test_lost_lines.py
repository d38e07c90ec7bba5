"""No tap is lost and none is sent twice: Wi-Fi off, server killed, two tabs, a locked phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.program import Program
from tests.page.browsing import Device
from tests.page.tables import OpenTable, open_table

pytestmark = pytest.mark.deep
QUIET = {"settings": {"first_player": 0, "trigger_count": 0}}  # no events, so that Ada is asked first


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    found = Program(tmp_path_factory.mktemp("page") / "data").start()
    found.port = found.address[1]
    yield found
    found.stop()


@pytest.fixture
def table(program: Program) -> OpenTable:
    host, port = program.address
    return open_table(f"http://{host}:{port}", ["Ada", "Ben"], game="monster_combat", variant="V1", **QUIET)


def count_moves(table: OpenTable, seat: int) -> int:
    """How many moves of a seat are in the log."""
    return sum(entry["seat"] == seat for entry in table.read("/entries?limit=200")["items"])


def pass_turn(device: Device) -> None:
    device.page.locator("main button.move", has_text="Keine Karte").first.click()


def wait_for_move(device: Device, table: OpenTable, seat: int) -> None:
    device.page.wait_for_function("() => !/Keine Verbindung|Wird gesendet/.test(document.body.innerText)")
    device.page.wait_for_function("() => !/Du bist dran/.test(document.querySelector('h1.turn').innerText)")
    for _ in range(400):
        if count_moves(table, seat):
            break
        device.page.wait_for_timeout(50)
    assert count_moves(table, seat) == 1


def test_a_tap_while_the_network_is_away_is_sent_once_when_it_is_back(browser: Any, table: OpenTable) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.context.set_offline(True)
    pass_turn(ada)
    ada.sees("Dein Zug ist gespeichert")
    ada.page.wait_for_timeout(4000)
    assert count_moves(table, 0) == 0
    ada.context.set_offline(False)
    wait_for_move(ada, table, 0)
    ada.close()


def test_a_tap_survives_that_the_page_is_closed_before_it_is_sent(browser: Any, table: OpenTable) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.context.set_offline(True)
    pass_turn(ada)
    ada.sees("Dein Zug ist gespeichert")
    ada.page.close()
    ada.context.set_offline(False)
    ada.page = ada.context.new_page()
    ada.open(f"/play#{table.match}/0")
    ada.page.locator("h1.turn").wait_for()
    wait_for_move(ada, table, 0)
    ada.close()


def test_a_server_that_is_killed_and_started_again_is_found_again(
    browser: Any, program: Program, table: OpenTable
) -> None:
    ada, ben = Device(browser, table.base), Device(browser, table.base)
    table.give(ada, 0)
    table.give(ben, 1)
    for pids in program.processes().values():
        for pid in pids:
            program.kill(pid)
    program.process = None
    pass_turn(ada)
    ada.sees("Dein Zug ist gespeichert")
    ben.sees("Keine Verbindung")
    program.start()
    wait_for_move(ada, table, 0)
    ben.page.wait_for_function("() => /Du bist/.test(document.querySelector('h1.turn').innerText)")
    ada.close()
    ben.close()


def test_two_tabs_of_one_seat_make_one_move(browser: Any, table: OpenTable) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    first, second = ada.page, ada.context.new_page()
    second.goto(f"{table.base}/play#{table.match}/0")
    second.locator("h1.turn").wait_for()
    press = "() => [...document.querySelectorAll('main button.move')].find(e => /Keine/.test(e.innerText))?.click()"
    for page in (first, second):  # both at once, before either has heard of the other
        page.evaluate(press)
    for page in (first, second):
        page.bring_to_front()
        page.wait_for_function("() => !/Du bist dran/.test(document.querySelector('h1.turn').innerText)")
    assert count_moves(table, 0) == 1
    ada.close()


def test_a_hand_is_covered_when_the_phone_is_put_away(browser: Any, table: OpenTable) -> None:
    ada = Device(browser, table.base)
    table.give(ada, 0)
    ada.page.locator(".hand button").click()
    ada.page.locator(".hand-cards").wait_for()
    ada.page.evaluate("() => window.dispatchEvent(new Event('blur'))")
    ada.page.locator(".hand-cards").wait_for(state="detached")
    ada.close()


def test_a_page_whose_files_are_gone_is_loaded_again(browser: Any, table: OpenTable) -> None:
    """The server was given another page while this one was open: its files have other addresses now."""
    ada = Device(browser, table.base)
    table.give(ada, 0)
    loads: list[str] = []

    def note(request: Any) -> None:
        if request.is_navigation_request():
            loads.append(request.url)

    ada.page.on("request", note)
    ada.page.route("**/app/**", lambda route: route.continue_() if loads else route.fulfill(status=404))
    ada.tap("Regelbuch")
    ada.page.get_by_role("heading", name="Regelbuch").wait_for()
    assert len(loads) == 1
    ada.close()
