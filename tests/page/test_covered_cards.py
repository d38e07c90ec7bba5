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
TABLES, MOST_MOVES = 12, 60  # the server deals as it likes: not every table comes to what is looked for


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
    for seed in range(TABLES):
        table = open_table(base, ["Ada", "Ben"], game="creature_crush", variant="skirmish")
        if legal := _play_to_a_map(table, Random(seed)):
            break
    else:
        raise AssertionError(f"no map at {TABLES} tables")
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


def _name(legal: dict[str, Any]) -> str:
    return str(legal["told"]["de"]).split("„")[1].split("“")[0]


def _play_to_a_map(table: OpenTable, random: Random) -> list[dict[str, Any]]:
    """Plays until Ada can lay cards in few enough ways for maps, and returns these moves; none if that never comes."""
    for _ in range(MOST_MOVES):
        awaited = table.read("")["awaits"]
        if not awaited:
            return []
        seat = awaited[0]
        listed = table.read(f"/seats/{seat}/moves", seat)["legal"]
        laying = [each for each in listed if each["move"]["type"] == "cc.lay"]
        ways = {json.dumps({**each["move"], "place": ""}) for each in laying}
        if seat == 0 and len(laying) > 1 and len(ways) <= 2:
            return laying
        going = [each for each in listed if each["flag"] != "gives_up" and each["move"]["type"] != "cc.offer_draw"]
        table.move(seat, random.choice(going)["move"])
    return []


def test_monsters_set_aside_lie_face_down_on_the_phone_of_the_dungeon_master(browser: Any, base: str) -> None:
    for seed in range(TABLES):
        table = open_table(base, ["Ada", "Ben"], game="shy_monsters", variant="standard")
        seat = _play_until_one_is_set_aside(table, Random(seed))
        if seat is not None:
            break
    else:
        raise AssertionError(f"no monster was set aside at {TABLES} tables")
    phones = [Device(browser, base) for _ in table.tokens]
    for at, phone in enumerate(phones):
        table.give(phone, at)
    assert list_shown_secrets(table, phones) == []
    phones[seat].page.locator("section.table button.covered").click()
    aside = _read_aside(table, seat)
    shown = phones[seat].page.locator(".stacks svg.face").evaluate_all("faces => faces.map((each) => each.ariaLabel)")
    assert set(shown) & {card["name"]["de"] for card in aside}  # the one on top
    for phone in phones:
        phone.close()


def _read_aside(table: OpenTable, seat: int) -> list[dict[str, Any]]:
    piles = table.read(f"/board?viewer=seat:{seat}", seat)["board"]["piles"]
    return [card for pile in piles if pile["place"].startswith("undiscovered:") for card in pile["cards"]]


def _play_until_one_is_set_aside(table: OpenTable, random: Random) -> int | None:
    """Plays by chance and returns the seat that knows of a monster set aside, or None if the match ends before."""
    for _ in range(MOST_MOVES):
        aside = [seat for seat in range(2) if _read_aside(table, seat)]
        if aside:
            return aside[0]
        awaited = table.read("")["awaits"]
        if not awaited:
            return None
        listed = table.read(f"/seats/{awaited[0]}/moves?whole=true", awaited[0])["legal"]
        going = [each["move"] for each in listed if each["flag"] != "gives_up"]
        table.move(awaited[0], random.choice(going))
    return None
