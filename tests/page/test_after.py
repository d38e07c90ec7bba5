"""After the end: how evenly the reported dice fell, and the standings of those who have an account."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.ended import account, ended, led, table_of
from tests.api.house import Table
from tests.api.test_standings import with_dice
from tests.clients.house import served
from tests.page.browsing import SCREEN, Device
from tests.page.tables import open_table, request
from tests.page.test_bars import axe, find_faults, find_wide  # noqa: F401  # axe is a fixture

pytestmark = pytest.mark.deep
ROLLS = 36  # of two dice, or of one where the roll is of one


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[str, Any]]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def rolled(house: tuple[str, Any]) -> Table:
    """A match of Here to Slay with real dice, which ended because all others left."""
    app, dice = house[1], random.Random(4)
    rolls = [(0, [dice.randint(1, 6), dice.randint(1, 6)]) for _ in range(ROLLS)]
    table = next(table for n in range(1, 30) if (table := with_dice(app, rolls, n)).awaited)
    assert table.move(1, {"type": "hts.leave"}).status_code == 201
    led(app)
    return table


def give(device: Device, table: Table, seat: int, game: str) -> None:
    """Puts a seat into the memory of a device, and opens it."""
    saved = {"match": table.match, "role": f"seat:{seat}", "seat": seat, "game": game, "at": 1}
    device.open("/")
    kept = json.dumps([{**saved, "token": table.seats[seat].token}])
    device.page.evaluate("saved => localStorage.setItem('referee.seats', saved)", kept)
    device.open(f"/play#{table.match}/{seat}")


@pytest.mark.parametrize(("lang", "scheme"), [("de-DE", "light"), ("en-US", "dark")])
def test_the_end_shows_how_evenly_real_dice_fell(
    browser: Any,
    house: tuple[str, Any],
    rolled: Table,
    axe: str,  # noqa: F811
    lang: str,
    scheme: str,
) -> None:
    device = Device(browser, house[0], lang=lang, scheme=scheme, size=(390, 844))
    give(device, rolled, 0, "here_to_slay")
    device.page.locator(".evenness svg").first.wait_for()
    die = rolled.seats[0].get(f"{rolled.path}/fairness").json["dice"][0]  # type: ignore[index]
    assert device.page.locator(".evenness text").all_text_contents() == [str(count) for count in die["counts"]]
    spoken = device.page.locator(".evenness svg").first.get_attribute("aria-label")
    assert f"6: {die['counts'][5]}" in spoken
    heights = [bar.bounding_box()["height"] for bar in device.page.locator(".bar-of-die").all()]
    assert [round(height / max(heights), 2) for height in heights] == [
        round(count / max(die["counts"]), 2) for count in die["counts"]
    ]
    told = device.page.locator(".evenness > p").inner_text()
    if 0.1 <= die["p"] < 0.94:
        often = round(die["p"] * 10)
        assert (f"{often} von 10 Partien" if lang == "de-DE" else f"{often} of 10 matches") in told
    assert ("Partie" if lang == "de-DE" else "match") in told
    device.page.locator(".evenness").scroll_into_view_if_needed()
    device.take_picture(f"after-dice-{scheme}")
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    assert device.complaints == []
    device.close()


def test_the_big_screen_shows_it_without_scrolling(browser: Any, house: tuple[str, Any], rolled: Table) -> None:
    for size in (SCREEN, (1280, 800)):
        device = Device(browser, house[0], size=size, scale=1)
        device.open(f"/table#{rolled.match}")
        device.page.locator(".evenness svg").first.wait_for()
        height = device.page.evaluate("() => [document.documentElement.scrollHeight, innerHeight]")
        device.take_picture(f"after-screen-{size[0]}")
        assert height[0] <= height[1], height
        assert device.complaints == []
        device.close()


def test_the_end_shows_the_standings_of_those_with_an_account(
    browser: Any,
    house: tuple[str, Any],
    axe: str,  # noqa: F811
) -> None:
    base, app = house
    people = [account(app, name)[1] for name in ("Ada", "Ben")]
    for seed in range(2):
        ended(app, table := table_of(app, *people), seed)
    led(app)
    device = Device(browser, base, size=(320, 700))
    give(device, table, 0, "monster_combat")
    device.page.locator(".ranks li").first.wait_for()
    listed = device.page.locator(".ranks li").all_inner_texts()
    assert len(listed) == 2, listed
    assert all("von 2 gewonnen" in each for each in listed)
    assert {name for each in listed for name in ("Ada", "Ben") if name in each} == {"Ada", "Ben"}
    picture = device.page.locator(".strengths img")
    picture.scroll_into_view_if_needed()
    device.page.wait_for_function("() => document.querySelector('.strengths img').naturalWidth === 360")
    assert "lang=de" in str(picture.get_attribute("src"))
    assert find_faults(device, axe) == []
    device.take_picture("after-standings-light")
    device.page.emulate_media(color_scheme="dark")
    device.take_picture("after-standings-dark")
    assert find_wide(device) == ""
    device.close()


def test_nothing_is_said_of_dice_and_standings_where_there_are_none(browser: Any, house: tuple[str, Any]) -> None:
    base, app = house
    table = table_of(app, None, None, game="mau_mau")
    assert table.end("agreed", placement=[[0], [1]]).status_code in (200, 201)
    led(app)
    device = Device(browser, base)
    give(device, table, 0, "mau_mau")
    device.page.locator(".places, h1").first.wait_for()
    device.page.wait_for_load_state("networkidle")
    assert device.page.locator(".evenness, .ranks").count() == 0
    device.close()


@pytest.mark.parametrize("lang", ["de-DE", "en-US"])
def test_a_phone_with_two_seats_takes_both_to_the_next_match(browser: Any, base: str, lang: str) -> None:
    """Ben has no phone of his own: his seat must not be left to a bot."""
    table = open_table(base, ["Ada", "Ben"], game="creature_crush", variant="skirmish")
    phone = Device(browser, base, lang=lang)
    phone.open("/")
    roles = [("host", None, table.host), ("seat:0", 0, table.tokens[0]), ("seat:1", 1, table.tokens[1])]
    kept = [
        {"match": table.match, "role": role, "seat": seat, "game": table.game, "at": 1, "token": token}
        for role, seat, token in roles
    ]
    phone.page.evaluate("saved => localStorage.setItem('referee.seats', saved)", json.dumps(kept))
    asked = table.read("")["awaits"][0]
    table.move(asked, {"type": "cc.concede"})
    phone.open(f"/play#{table.match}/0")
    phone.tap("Noch eine Partie" if lang == "de-DE" else "Play again")
    phone.sees("Alle da?" if lang == "de-DE" else "Everyone here?")
    match = phone.page.url.partition("#")[2].partition("/")[0]
    assert match != table.match
    assert phone.page.url.endswith("/0")
    assert [seat["taken"] for seat in request(base, "GET", f"/v1/matches/{match}", token=table.tokens[0])["seats"]] == [
        True,
        True,
    ]
    saved = json.loads(phone.page.evaluate("localStorage.getItem('referee.seats')"))
    assert sorted(each["role"] for each in saved if each["match"] == match) == ["host", "seat:0", "seat:1"]
    phone.page.locator("button.call", has_text="Spiel starten" if lang == "de-DE" else "Start").click()
    phone.page.locator("h1.turn, .handing").first.wait_for()
    assert phone.complaints == []
    phone.close()
