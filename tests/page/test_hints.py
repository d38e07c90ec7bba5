"""Hints on the page: allowed by a tick, asked for by one tap, chosen by another, and played only by a third."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import OpenTable, open_table, request

pytestmark = pytest.mark.deep
LEADERS_TAKEN = 8  # entries
MOST_MOVES = 60


def find_table(base: str, **body: Any) -> OpenTable:
    """A match of Here to Slay that waits for Ada in the middle of play, with something to compare."""
    while True:
        table = open_table(base, ["Ada", "Ben"], game="here_to_slay", **body)
        for _ in range(MOST_MOVES):  # in some matches nothing is to be compared until they are over
            table.play_others(0)
            legal = table.read("/seats/0/moves?whole=true", 0)["legal"]
            choices = [each for each in legal if each["flag"] != "gives_up"]
            if table.read("")["version"] > LEADERS_TAKEN and len(choices) > 3:
                return table
            if not choices:
                break
            table.move(0, choices[0]["move"])


def test_a_hint_shows_three_moves_and_plays_the_chosen_one_when_asked_to(browser: Any, base: str) -> None:
    table = find_table(base, hints=True)
    ada, ben = Device(browser, base), Device(browser, base, scheme="dark", lang="en-US")
    table.give(ada, 0)
    table.give(ben, 1)
    assert ben.page.get_by_role("button", name="sees that you ask").count() == 0, "Ben has nothing to decide"
    ada.take_picture("hint-button", whole=True)
    ada.page.wait_for_timeout(2000)  # phones name their keys meanwhile
    before = table.read("")["version"]
    ada.page.get_by_role("button", name="dass du fragst").click()
    dialog = ada.page.get_by_role("dialog")
    options = dialog.locator("button[aria-pressed]")
    options.first.wait_for()
    hint = table.read("")["version"]
    assert hint > before  # phones name their keys meanwhile
    ada.take_picture("hint")
    assert 2 <= options.count() <= 3
    assert options.first.get_attribute("aria-pressed") == "true"
    assert "Zügen" in options.first.inner_text()
    assert "%" in options.first.inner_text()
    assert "Das macht den Unterschied" in dialog.inner_text()
    facts = dialog.locator(".box").inner_text()
    assert "Ada" in dialog.inner_text()
    assert "Spieler 1" not in dialog.inner_text(), "players have names"
    ben.sees("has taken a hint")
    ben.take_picture("hint-others")
    options.nth(1).click()
    assert options.nth(1).get_attribute("aria-pressed") == "true"
    assert dialog.locator(".box").inner_text() != facts
    assert table.read("")["version"] == hint, "choosing is not playing"
    ada.take_picture("hint-chosen")
    again: Any = request(base, "POST", f"/v1/matches/{table.match}/seats/0/hints", token=table.tokens[0])
    chosen = again["options"][1]["legal"]["move"]
    dialog.get_by_text("So mache ich es").click()
    dialog.wait_for(state="detached")
    ada.page.wait_for_function(
        "version => Number(document.querySelector('.page-seat').dataset.version) > version", arg=hint
    )
    entries = table.read("/entries")["items"]
    assert entries[hint - 1]["events"][0]["told"]["de"] == "Spieler 1 hat sich einen Tipp geholt."
    made = entries[hint]
    assert made["seat"] == 0
    assert made["move"] == {**chosen, "told": made["move"]["told"]}
    assert ada.complaints == ben.complaints == []
    ada.close()
    ben.close()


def test_a_hint_is_covered_when_the_phone_is_put_away_and_comes_back_the_same(browser: Any, base: str) -> None:
    table = find_table(base, hints=True)
    ada = Device(browser, base, scheme="dark")
    table.give(ada, 0)
    shown = []
    for _ in range(2):
        ada.page.get_by_role("button", name="dass du fragst").click()
        dialog = ada.page.get_by_role("dialog")
        dialog.locator("button[aria-pressed]").first.wait_for()
        shown.append(dialog.inner_text())
        ada.take_picture("hint-dark")
        ada.page.evaluate("dispatchEvent(new Event('blur'))")
        dialog.wait_for(state="detached")
    assert shown[0] == shown[1]
    taken = [
        each
        for each in table.read("/entries?limit=200")["items"]
        if each["move"] and each["move"]["type"] == "table.take_hint"
    ]
    assert len(taken) == 1
    ada.close()


def test_without_the_hosts_consent_there_is_no_button(browser: Any, base: str) -> None:
    table = find_table(base)
    ada = Device(browser, base)
    table.give(ada, 0)
    ada.page.locator("main button.move, main button.covered").first.wait_for()
    assert ada.page.get_by_role("button", name="dass du fragst").count() == 0
    ada.close()


def test_the_host_ticks_it_and_everybody_in_the_lobby_reads_it(browser: Any, base: str) -> None:
    ada, ben = Device(browser, base), Device(browser, base, lang="en-US")
    ada.open("/host")
    ada.tap("Monster Combat")
    ada.page.get_by_label("Dein Name").fill("Ada")
    ada.page.locator("summary").click()
    ada.page.get_by_label("Tipps vom Referee erlauben").check()
    ada.take_picture("hint-host", whole=True)
    ada.tap("Los")
    ada.sees("In dieser Partie gibt der Referee Tipps.")
    code = ada.page.locator("p.code").inner_text()
    ben.open(f"/join#{code}")
    ben.page.get_by_label("What is your name?").fill("Ben")
    ben.tap("Sit down")
    ben.sees("In this match the referee gives hints.")
    assert ada.complaints == ben.complaints == []
    ada.close()
    ben.close()


def test_the_host_chooses_how_strong_bots_are_and_how_they_play(browser: Any, base: str) -> None:
    ada = Device(browser, base)
    ada.open("/host#bots")
    ada.tap("Here to Slay")
    ada.page.locator("summary").get_by_text("Mehr").click()
    assert ada.page.get_by_role("button", name="wagemutig").count() == 0, "a bot of medium strength has no style"
    ada.tap("sehr schwer")
    ada.tap("wagemutig")
    ada.take_picture("host-style", whole=True)
    with ada.page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/v1/matches")) as made:
        ada.page.locator("button.call").click()
    assert made.value.post_data_json["seats"][1:] == [{"kind": "bot", "level": 3, "style": "bold"}]
    ada.page.locator("h1.turn").wait_for()
    ada.open("/host#bots")
    ada.tap("Creature Crush")
    ada.page.locator("summary").get_by_text("Mehr").click()
    ada.tap("schwer")
    styles = ada.page.locator("details button").filter(has_text="vorsichtig")
    styles.wait_for()
    assert ada.page.get_by_role("button", name="missgünstig").count() == 0, "two players have nobody else to hinder"
    assert ada.complaints == []
    ada.close()
