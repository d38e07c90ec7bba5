"""The arbiter's desk: from the invitation's link to a ruling that everybody sees."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import open_table, request
from tests.page.test_bars import axe, find_faults, find_wide

pytestmark = pytest.mark.deep
__all__ = ["axe"]


def test_an_arbiter_joins_by_a_link_is_accepted_and_rules(browser: Any, base: str, axe: str) -> None:
    body = {"game": "monster_combat", "variant": "V1", "settings": {"first_player": 0, "trigger_count": 0}}
    table = open_table(base, ["Ada", "Ben"], courts={"levels": ["referee", "arbiter"]}, **body)
    table.play_others(1)
    path = f"/v1/matches/{table.match}"
    made = request(base, "POST", f"{path}/invitations", {"role": "arbiter"}, table.host)
    arbiter = Device(browser, base)
    arbiter.open(f"/join#{made['code']}/arbiter")
    arbiter.page.locator("input").last.fill("Kim")
    arbiter.tap("Schiedsrichter werden")
    arbiter.sees("Kein offener Streit")
    arbiter.sees("Noch nicht angenommen von")
    ada, ben = (Device(browser, base) for _ in range(2))
    for seat, phone in enumerate((ada, ben)):
        table.give(phone, seat)
        phone.page.locator(".question .answers button").first.click()
    arbiter.sees("Alle haben dich angenommen")
    move = next(each for each in table.read("/entries")["items"] if each["seat"] == 0)
    claim = {"seat": 1, "about": move["version"], "claim": "other", "statement": "Ada hat das nicht gesagt"}
    request(base, "POST", f"{path}/disputes", claim, table.tokens[1], version=table.read("")["version"])
    arbiter.page.locator("article.case .ruling-form").wait_for()
    assert find_wide(arbiter) == ""
    assert find_faults(arbiter, axe) == []
    arbiter.take_picture("desk-open", whole=True)
    form = arbiter.page.locator(".ruling-form")
    assert form.locator("button.solid").is_disabled(), "nothing is chosen yet"
    arbiter.tap("Es war richtig so")
    form.locator("[data-remedy=leave]").click()
    form.locator("input").fill("Ich habe es gehört")
    form.locator("button.solid").click()
    arbiter.sees("Schon entschieden")
    (ruled,) = table.read("/disputes")["items"]
    assert (ruled["stage"], ruled["rulings"][-1]["by"]) == ("ruled", "arbiter")
    assert ruled["rulings"][-1]["statement"] == "Ich habe es gehört"
    arbiter.take_picture("desk-ruled", whole=True)
    ben.open(f"/dispute#{table.match}/1")
    ben.page.locator("article.case[data-stage=ruled]").wait_for()
    arbiter.open("/desk")
    arbiter.sees("Kein offener Streit")
    arbiter.take_picture("desk-list")
    arbiter.open("/")
    arbiter.tap("Tische, an denen du entscheidest")
    for phone in (arbiter, ada, ben):
        assert phone.complaints == []
        phone.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_holds_no_office_is_told_how_to_get_one(browser: Any, base: str, axe: str, scheme: str) -> None:
    device = Device(browser, base, size=(320, 700), scheme=scheme)
    device.open("/desk")
    device.sees("Auf diesem Gerät ist kein Amt gespeichert")
    assert find_faults(device, axe) == []
    assert find_wide(device) == ""
    assert device.complaints == []
    device.close()


def test_a_refused_move_is_disputed_from_its_reason(browser: Any, base: str) -> None:
    table = open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1", settings={"first_player": 0})
    for _ in range(20):  # until one of Ada's cards cannot be played
        table.play_others(0)
        moves = table.read("/seats/0/moves?near=6", 0)
        if moves["near"]:
            break
        table.move(0, next(each for each in moves["legal"] if each["flag"] != "gives_up")["move"])
    phone = Device(browser, base)
    table.give(phone, 0)
    phone.page.locator(".hand button, button.covered, button.why").first.click()
    grey = phone.page.locator("button.why")
    grey.first.click()
    phone.tap("Sehe ich anders")
    phone.sees("Dein Zug wurde abgelehnt")
    phone.take_picture("dispute-refused", whole=True)
    phone.tap("Ja, das hätte gehen müssen")
    phone.page.locator("article.case").first.wait_for()
    assert not phone.page.get_by_text("Ja, das hätte gehen müssen").count()  # it was said
    (dispute,) = table.read("/disputes?viewer=seat:0", 0)["items"]
    assert dispute["claim"] == "wrong_refusal"
    cited = {each["id"] for each in dispute["rulings"][0]["clauses"]}
    assert "TABLE-DISPUTE-8" not in cited, "a move that never came in cannot have been refused"
    assert [each for each in phone.complaints if "409 (CONFLICT)" not in each] == []  # the browser notes the refusal
    phone.close()
