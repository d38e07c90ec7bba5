"""Looks at the boards of Munchkin, Creature Crush and Shy Monsters on a phone and on a big screen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.page.browsing import LAPTOP, PHONE, SCREEN, Device

CELLS = ["1,0", "2,0", "2,1", "1,1", "0,1", "-1,0"]  # a floor: each place touches the entrance or one before it
FITS = "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"


def seat_all(browser: Any, base: str, game: str, many: int = 2) -> tuple[list[Device], str]:
    """Opens a table by API, seats all on phones and returns the phones and the match."""
    looks = [("light", "de-DE"), ("dark", "en-US"), ("light", "en-US")]
    phones = [Device(browser, base, scheme=scheme, lang=lang) for scheme, lang in looks[:many]]
    request = phones[0].context.request
    post = request.post
    opened = post(
        f"{base}/v1/matches",
        headers={"Idempotency-Key": "a" * 30 + game[:2]},
        data={"game": game, "seats": [{"kind": "human"}] * many, "visibility": "public"},
    ).json()
    for invitation, device, name in zip(opened["invitations"], phones, ("Ada", "Ben", "Cleo"), strict=False):
        joined = post(
            f"{base}/v1/join",
            headers={"Idempotency-Key": name + opened["match"]},
            data={"code": invitation["code"], "name": name},
        ).json()
        saved = {"match": opened["match"], "role": f"seat:{joined['seats'][0]}", "seat": joined["seats"][0]}
        kept = json.dumps(json.dumps([{**saved, "token": joined["token"], "game": game, "at": 0}]))
        device.context.add_init_script(f"localStorage.setItem('referee.seats', {kept})")
    host = {"Authorization": f"Bearer {opened['token']}"}
    version = request.get(f"{base}/v1/matches/{opened['match']}", headers=host).json()["version"]
    begun = post(
        f"{base}/v1/matches/{opened['match']}/start",
        headers={**host, "Idempotency-Key": "start-" + opened["match"], "If-Match": f'"v{version}"'},
    )
    assert begun.ok, begun.text()
    for seat, device in enumerate(phones):
        device.open(f"/play#{opened['match']}/{seat}")
        device.page.locator("h1.turn").wait_for()
    return phones, opened["match"]


@pytest.mark.deep
def test_a_floor_is_laid_and_explored_by_taps_on_a_map(browser: Any, base: str) -> None:
    (ada, ben), _ = seat_all(browser, base, "shy_monsters")
    master, hero = (ada, ben) if "Du bist" in ada.page.locator("h1.turn").inner_text() else (ben, ada)
    master.page.locator("main button[data-type]").first.click()
    sheet = master.page.get_by_role("dialog")
    for cell in CELLS:
        place = cell.replace(",", "|")
        sheet.get_by_role("button", name=re.compile(re.escape(f"({place})"))).click()
    sheet.locator("button.call").click()
    hero.page.locator(".move-map button.spot").first.wait_for()
    for turned in (1, 2):
        hero.page.locator(".move-map button.spot").first.click()
        hero.page.wait_for_function("many => document.querySelectorAll('.table .badge').length === many", arg=turned)
    hero.page.locator(".move-map button.spot").first.wait_for()
    hidden = master.page.locator(".table .tile[class~=hidden]")
    assert hidden.count() == 0, "a hidden card shows its face on the table of a phone"
    master.page.locator("button.covered", has_text=re.compile("Verdecktes|face down")).click()
    hidden.first.wait_for()
    assert hidden.count() == 4
    for device, size in ((ada, PHONE), (ben, (320, 640))):
        device.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert device.page.evaluate(FITS)[0], "the phone scrolls sideways"
        device.take_picture(f"shy-monsters-{size[0]}", whole=True)
    assert ada.complaints == ben.complaints == []
    ada.close()
    ben.close()


@pytest.mark.deep
@pytest.mark.parametrize("game", ["munchkin", "creature_crush", "shy_monsters"])
def test_a_big_screen_shows_the_whole_table(browser: Any, base: str, game: str) -> None:
    phones, match = seat_all(browser, base, game, 3 if game == "munchkin" else 2)
    for size, scheme in ((LAPTOP, "light"), (SCREEN, "dark")):
        screen = Device(browser, base, size=size, scheme=scheme)
        screen.open(f"/table#{match}")
        screen.page.locator(".whole").wait_for()
        assert screen.page.evaluate(FITS) == [True, True]
        screen.take_picture(f"{game}-{size[0]}")
        assert screen.complaints == []
        screen.close()
    for phone in phones:
        phone.close()
