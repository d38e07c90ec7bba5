"""Covered cards stay covered on phones, and the search for them finds those that are there."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.covered_cards import list_shown_secrets
from tests.page.tables import OpenTable, open_table

pytestmark = pytest.mark.deep


@pytest.mark.parametrize("lang", ["de-DE", "en-US"])
def test_the_search_finds_the_hand_of_another(browser: Any, base: str, lang: str) -> None:
    table = open_table(base, ["Ada", "Ben"], game="mau_mau", variant="standard")
    phones = [Device(browser, base, lang=lang) for _ in table.tokens]
    for seat, phone in enumerate(phones):
        table.give(phone, seat)
    phones[1].page.locator("footer.hand button").click()
    names = phones[1].page.locator(".hand-cards p b")
    names.first.wait_for()
    assert list_shown_secrets(table, phones) == []  # everybody may look at an own open hand
    found = list_shown_secrets(table, phones[::-1])  # as if the phone with Ben's hand were Ada's
    for name in names.all_inner_texts():
        assert any(line.endswith(f", seat 0: {name}") for line in found), found
    for phone in phones:
        phone.close()


def test_a_map_is_behind_the_hand_whose_card_it_lays_and_names_card_and_dice(browser: Any, base: str) -> None:
    table = open_table(base, ["Ada", "Ben"], game="creature_crush", variant="skirmish")
    legal = _play_to_a_map(table)
    phone = Device(browser, base)
    table.give(phone, 0)
    phone.page.locator("main button.covered").first.wait_for()
    phone.page.wait_for_timeout(900)  # near misses would be there by now
    assert phone.page.locator(".move-map").count() == 0
    assert list_shown_secrets(table, [phone]) == []
    phone.page.locator("main button.covered", has_text=LAYING).click()
    heads = phone.page.locator("section", has=phone.page.locator("h2", has_text=LAYING)).locator(".move-map .goes")
    heads.first.wait_for()
    phone.take_picture("map-of-a-card", whole=True)
    shown = {(head.locator("figcaption").inner_text(), head.locator("svg.die").count()) for head in heads.all()}
    assert shown == {(_name(each), len(each["move"]["dice"])) for each in legal}
    phone.close()


LAYING = "Verdeckt legen"
MOST_MOVES = 150


def _name(legal: dict[str, Any]) -> str:
    return str(legal["told"]["de"]).split("„")[1].split("“")[0]


def _play_to_a_map(table: OpenTable) -> list[dict[str, Any]]:
    """Plays until Ada can lay cards in few enough ways for maps, and returns these moves."""
    random = Random(1)
    for _ in range(MOST_MOVES):
        seat = table.read("")["awaits"][0]
        listed = table.read(f"/seats/{seat}/moves", seat)["legal"]
        laying = [each for each in listed if each["move"]["type"] == "cc.lay"]
        ways = {json.dumps({**each["move"], "place": ""}) for each in laying}
        if seat == 0 and len(laying) > 1 and len(ways) <= 2:
            return laying
        going = [each for each in listed if each["flag"] != "gives_up" and each["move"]["type"] != "cc.offer_draw"]
        table.move(seat, random.choice(going)["move"])
    raise AssertionError("no map within these moves")
