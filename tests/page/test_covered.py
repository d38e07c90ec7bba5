"""With a covered hand the page looks the same whatever lies in it, and says no card of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import Device, open_browser
from tests.page.tables import open_table

pytestmark = pytest.mark.deep
TABLES, TRIES = 6, 40
QUIET = {"first_player": 0, "trigger_count": 0}  # no events, so that Ada is asked first
PUT_AWAY = "() => window.dispatchEvent(new Event('blur'))"


def test_a_window_shows_the_same_buttons_with_and_without_an_answer_in_the_hand() -> None:
    """Several tables reach a challenge window for Ben: in some he holds a challenge, in some he does not."""
    seen: dict[bool, set[tuple[str, ...]]] = {True: set(), False: set()}
    with open_browser() as browser, served() as (base, _):
        for _ in range(TABLES):
            table = open_table(base, ["Ada", "Ben"], game="here_to_slay", variant="standard")
            for _ in range(TRIES):
                asked = table.read("")["awaits"]
                seat = asked[0]
                listed = table.read(f"/seats/{seat}/situation", seat)
                window = listed["moves"]["window"]
                if seat == 1 and window and window["kind"] == "challenge":
                    break
                legal = [each for each in listed["moves"]["legal"] if each["flag"] != "gives_up"]
                plays = [each for each in legal if each["move"]["type"] == "hts.play"]
                table.move(seat, (plays or legal)[0]["move"])
            else:
                continue
            hand = next(each for each in listed["view"]["board"]["seats"] if each["seat"] == 1)["hand"]["cards"]
            ben = Device(browser, base)
            table.give(ben, 1)
            ben.page.wait_for_timeout(900)  # near misses would be there by now
            buttons = ben.page.locator("main button")
            shape = tuple(f"{buttons.nth(at).get_attribute('class')}" for at in range(buttons.count()))
            seen[any(card["card"] == "challenge" for card in hand)].add(shape)
            said = ben.page.locator("body").inner_text()
            public = str(listed["moves"]["question"]) + str(table.read("/board")["board"])
            names = {card["name"]["de"] for card in hand}
            assert not [name for name in names if name in said and name not in public]
            ben.close()
    shapes = seen[True] | seen[False]
    assert len(shapes) == 1, seen


def test_a_list_that_holds_the_hand_is_covered_with_it(browser: Any, base: str) -> None:
    table = open_table(base, ["Ada", "Ben"], game="creature_crush", variant="arena")
    seat = table.read("")["awaits"][0]
    phone = Device(browser, base)
    table.give(phone, seat)
    phone.page.locator("main section button[data-type]").first.click()
    phone.page.get_by_role("dialog").wait_for()
    phone.page.evaluate(PUT_AWAY)
    phone.page.get_by_role("dialog").wait_for(state="detached")
    phone.close()


def test_a_reason_that_names_a_card_of_the_hand_is_covered_with_it(browser: Any, base: str) -> None:
    for _ in range(TRIES):  # one hand in thirteen can play all that it holds
        table = open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1", settings=QUIET)
        if table.read("/seats/0/moves?near=6", 0)["near"]:
            break
    phone = Device(browser, base)
    table.give(phone, 0)
    phone.page.locator(".hand button").click()
    phone.page.locator("button.why").first.click()
    phone.page.get_by_role("dialog").wait_for()
    phone.page.evaluate(PUT_AWAY)
    phone.page.get_by_role("dialog").wait_for(state="detached")
    phone.close()


def test_a_hand_that_was_open_is_covered_when_the_phone_was_handed_on(browser: Any, base: str) -> None:
    """Both play on one phone; what Ben had to do was done before he took it, so it is Ada's seat again."""
    table = open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1", settings=QUIET)
    phone = Device(browser, base)
    table.give(phone, 0)
    phone.page.evaluate(
        """([match, token]) => {
          const saved = JSON.parse(localStorage.getItem('referee.seats'));
          saved.push({match, role: 'seat:1', seat: 1, game: 'monster_combat', at: 1, token});
          localStorage.setItem('referee.seats', JSON.stringify(saved));
        }""",
        [table.match, table.tokens[1]],
    )
    phone.page.locator(".hand button").click()
    phone.page.locator(".hand-cards").wait_for()
    table.play_others(1)
    phone.sees("Gib das Handy an")
    table.play_others(0)
    phone.page.locator("h1.turn").wait_for()
    assert phone.page.locator(".hand-cards").count() == 0
    phone.close()
