"""The seats are asked on their devices whether the match may move to another server, and answer with one tap."""

from __future__ import annotations

import pytest

from referee.transfer.service import propose_transfer
from tests.clients.house import served
from tests.page.browsing import Device, open_browser
from tests.page.tables import open_table

pytestmark = pytest.mark.deep
HOME = "https://spiele.example/"


def test_a_seat_sees_where_the_match_is_to_move_and_answers() -> None:
    with served() as (base, app), open_browser() as browser:
        table = open_table(base, ["Ada", "Ben"], game="monster_combat")
        device = Device(browser, base, lang="de-DE", size=(390, 844))
        table.give(device, 1)
        asked = propose_transfer(app.config["SERVICE"], table.match, new_home=HOME)
        assert asked is not None
        question = device.page.locator(".question .ask")
        question.wait_for()
        assert question.inner_text() == (
            f"Soll die Partie diesen Server verlassen und auf {HOME} weitergehen? "
            "Gewürfelt und gezogen würde dann dort."
        )
        device.take_picture("asked-to-move")
        device.page.locator(".question").get_by_role("button", name="Ja").click()
        question.wait_for(state="detached")
        found = app.config["SERVICE"].load_match(table.match).match.transfers[-1]
        assert (found.granted, found.stage) == ((1,), "asked")
        assert device.complaints == []
        device.close()
