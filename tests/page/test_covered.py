"""With a covered hand the page looks the same whatever lies in it, and says no card of it."""

from __future__ import annotations

import pytest

from tests.clients.house import served
from tests.page.browsing import Device, open_browser
from tests.page.tables import open_table

pytestmark = pytest.mark.deep
TABLES, TRIES = 6, 40


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
