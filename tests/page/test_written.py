"""A box whose cards are free texts only, on a phone: a report in two parts, and what the others read of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.house import Person, publish
from tests.clients.house import served
from tests.page.browsing import Device
from tests.page.tables import OpenTable, open_table

pytestmark = pytest.mark.deep
CLASSES = ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
OPERATOR = "rfs_" + "o" * 43
SAYS = '{en: "Draw two, then give one away.", de: "Ziehe zwei und gib eine her."}'
MOST_MOVES = 200
FITS = "dialog => [...dialog.querySelectorAll('*')].every(each => each.getBoundingClientRect().right <= innerWidth)"


PUT_OFF = (
    "[{do: lasting, what: roll_bonus, value: 2, until: own_turn_end}, "
    "{do: later, when: turn_ends, lines: [{do: draw, count: 1}]}, {do: as_written}]"
)


def plain_box() -> str:
    """A box of Here to Slay in which the table carries out every text, after what spells put off and give."""
    free = "[{do: as_written}]"
    cards = [f"{{id: chief_{name}, kind: leader, class: {name}, name: Chief, text: {SAYS}}}" for name in CLASSES]
    cards += [
        f"{{id: beast_{number}, kind: monster, name: Beast, text: {SAYS}, requires: [hero], slay: {{min: 8}}, "
        f"fight_back: {{max: 4}}, penalty: {free}, reward: {free}}}"
        for number in range(9)
    ]
    cards += [
        f"{{id: spell_{number}, kind: magic, name: Spell {number}, copies: 20, text: {SAYS}, does: {PUT_OFF}}}"
        for number in range(4)
    ]
    listed = "\n".join(f"- {card}" for card in cards)
    return f"book: plain_box\ngame: here_to_slay\ntitle: Plain Box\ncards:\n{listed}\n"


def play_to_report(table: OpenTable) -> None:
    """Plays until Ada carries out a spell."""
    for _ in range(MOST_MOVES):
        table.play_others(0)
        legal = [each["move"] for each in table.read("/seats/0/moves?whole=true", 0)["legal"]]
        if any(move["type"] == "choose.as_written" for move in legal):
            return
        table.move(0, min(legal, key=lambda move: move["type"] != "hts.play"))
    raise AssertionError("no spell came")


def test_a_report_is_noted_in_two_parts_and_told_to_everybody(browser: Any) -> None:
    with served() as (base, app):
        app.config["IS_OPERATOR"] = lambda token: token == OPERATOR
        made = publish(Person(app.test_client(), OPERATOR), "here_to_slay", plain_box())
        assert made.status_code == 201, made.text
        table = open_table(base, ["Ada", "Ben"], game="here_to_slay", edition="plain_box")
        play_to_report(table)
        ada, ben = Device(browser, base), Device(browser, base, scheme="dark", lang="en-US")
        table.give(ada, 0)
        table.give(ben, 1)
        for device, words in (
            (ada, ("am Ende des Zuges", "+2, bis zum Ende")),
            (ben, ("at the end of", "+2, until the end")),
        ):
            device.page.locator("p.pending").nth(1).wait_for()
            told = " ".join(device.page.locator("p.pending").all_inner_texts())
            assert all(each in told for each in (*words, "Spell")), told
        many = len(table.read("/board?viewer=seat:0", 0)["board"]["seats"][0]["hand"]["cards"])
        ada.page.locator("button[data-type='choose.as_written']").click()
        dialog = ada.page.get_by_role("dialog")
        dialog.locator("[data-field=written_kind]").select_option("draw")
        dialog.locator("[data-field=written_how_many]").fill("2")
        dialog.get_by_role("button", name="Änderung aufschreiben").click()
        dialog.get_by_text("zieht 2").wait_for()  # her name stands between marks of direction
        assert "Ziehe zwei" in dialog.inner_text()
        ada.take_picture("written-draw")
        dialog.get_by_role("button", name="So weit").click()
        dialog.wait_for(state="detached")
        ada.page.locator("button[data-type='choose.as_written']").click()
        dialog.locator("[data-field=written_from]").select_option("hand:0")
        dialog.locator("[data-field=written_card]").select_option(index=1)
        dialog.locator("[data-field=written_to]").select_option("hand:1")
        assert dialog.evaluate(FITS), "a part of the form lies beside the phone"
        ada.take_picture("written-move", whole=True)
        dialog.get_by_role("button", name="Änderung aufschreiben").click()
        dialog.get_by_role("button", name="Das war alles").click()
        dialog.wait_for(state="detached")
        told = [each["told"]["en"] for each in table.read("/entries?after=0&limit=200", 1)["items"] if each.get("told")]
        assert len(table.read("/board?viewer=seat:0", 0)["board"]["seats"][0]["hand"]["cards"]) == many + 1, told
        ben.page.wait_for_timeout(500)
        ben.take_picture("written-seen", whole=True)
        assert not ada.complaints + ben.complaints
