"""An evening of Here to Slay and one of Munchkin with real cards, played on three phones, and the taps it takes."""

from __future__ import annotations

import json

import pytest

from tests.clients.house import served
from tests.evenings.counting import EVENINGS
from tests.page.browsing import Device, open_browser
from tests.page.evening import PageEvening
from tests.page.tables import OpenTable

pytestmark = pytest.mark.deep
SILENCE = 15_000  # milliseconds after which a window closes, as at tables that the page opens
TURNS = {"here_to_slay": 5, "munchkin": 3}  # the fourth of Munchkin depends on the wording of a bargain
MOST_TAPS = {"here_to_slay": (8.8, 6.4), "munchkin": (7.7, 6.7)}  # a turn, in the mean: spoken and silent


@pytest.mark.parametrize("is_silent", [False, True], ids=["spoken", "silent"])
@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_with_real_cards_is_played_on_three_phones(game: str, is_silent: bool) -> None:
    script = EVENINGS[game]
    with open_browser() as browser, served() as (base, app):
        table = script.sit_down(app, clocks={"window_ms": SILENCE} if is_silent else {"objection_ms": 0})
        tokens = [person.token or "" for person in table.seats]
        opened = OpenTable(base, table.match, game, table.host.token or "", tokens)
        phones = [Device(browser, base) for _ in table.seats]
        for seat, phone in enumerate(phones):
            opened.give(phone, seat)
        evening = PageEvening(table, phones, is_silent)
        for number, turn in enumerate(script.evening()[: TURNS[game]]):
            evening.play(turn)
            phones[0].take_picture(f"evening-{game}-{number}", whole=True)
        mean = sum(evening.taps) / len(evening.taps)
        print(json.dumps({"game": game, "silent": is_silent, "taps": evening.taps, "mean": mean}))
        assert mean <= MOST_TAPS[game][is_silent]
        for phone in phones:
            assert phone.complaints == []
            phone.close()
