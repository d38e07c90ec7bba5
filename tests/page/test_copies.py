"""In a League both decks may hold the same card: lists say whose it is, and show no number of a copy."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import OpenTable, open_table, request

pytestmark = pytest.mark.deep
GOING = ("chance.rolled", "cc.deck_ready", "cc.end_combat", "cc.end_turn")  # lead to a turn in which cards are drawn
MOST_MOVES = 30
ISOLATES = re.compile("[\u2068\u2069]")  # around names, whatever their script


def test_a_list_of_cards_from_two_decks_says_whose_they_are(browser: Any, base: str) -> None:
    table = open_table(base, ["Ada", "Ben"], game="creature_crush", variant="league", chance="table")
    seat = _play_to_cards_of_both(table)
    phone = Device(browser, base, scale=1)
    table.give(phone, seat)
    phone.page.locator('main button[data-type="cc.summon"]').click()
    cards = phone.page.locator("[role=dialog] [data-value*='ash_acolyte#']").locator("visible=true")
    cards.first.wait_for()
    name = next(
        each["name"]["de"]
        for each in request(base, "GET", "/v1/games/creature_crush/cards")["items"]
        if each["id"] == "ash_acolyte"
    )
    said = [ISOLATES.sub("", each.inner_text().splitlines()[-1]) for each in cards.all()]
    assert sorted(said) == [f"{name} (Ada)", f"{name} (Ben)"]
    assert cards.locator("svg.face").count() == 2
    phone.take_picture("cards-of-two-decks")
    assert "#" not in phone.page.locator("[role=dialog]").inner_text()
    phone.close()


def _play_to_cards_of_both(table: OpenTable) -> int:
    """Plays until somebody may summon cards of which nobody knows whose they are; returns the seat."""
    random = Random(1)
    for _ in range(MOST_MOVES):
        seat = table.read("")["awaits"][0]
        listed = table.read(f"/seats/{seat}/moves", 0 if seat == "chance" else seat)
        values = [value for picker in listed["pickers"] for choice in picker["choices"] for value in choice["values"]]
        if {"ash_acolyte#1", "ash_acolyte#2"} <= {value for value in values if isinstance(value, str)}:
            return int(seat)
        table.move(seat, _find_way_on(listed, random))
    raise AssertionError("nobody could summon cards of both decks within these moves")


def _find_way_on(listed: dict[str, Any], random: Random) -> dict[str, Any]:
    going = [legal["move"] for legal in listed["legal"] if legal["move"]["type"] in GOING]
    if going:
        return dict(random.choice(going))
    picker = listed["pickers"][0]  # more dice than a list of moves holds
    return {
        **picker["move"],
        **{each["field"]: random.sample(each["values"], each["least"]) for each in picker["choices"]},
    }
