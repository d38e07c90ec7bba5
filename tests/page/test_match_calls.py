"""A match of a tournament calls an official: the clock stands, all see who comes, and play goes on afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.test_bars import axe, find_faults, find_wide
from tests.page.tournaments import RefereedEvening

pytestmark = pytest.mark.deep
__all__ = ["axe"]


@pytest.mark.parametrize(("lang", "scheme"), [("de-DE", "light"), ("en-US", "dark")])
def test_a_match_calls_an_official_who_comes(browser: Any, base: str, axe: str, lang: str, scheme: str) -> None:
    def words(german: str, english: str) -> str:
        return german if lang == "de-DE" else english

    evening = RefereedEvening(base)
    ada, ben, kim = (evening.give(browser, name, lang=lang, scheme=scheme) for name in ("Ada", "Ben", "Kim"))
    ada.sees(words("Referee leitet die Partien", "Referee runs the matches"))
    ada.take_picture(f"call-own-table-{scheme}", whole=True)
    for phone in (ada, ben):
        phone.tap(words("Zur Partie", "Go to the match"))
        phone.page.locator("h1.turn").wait_for()
    calling = ada.page.locator("details", has_text=words("Schiedsrichter rufen", "Call an official"))
    calling.locator("summary").click()
    ada.take_picture(f"call-reasons-{scheme}", whole=True)
    calling.locator("button", has_text=words("Eine Regelfrage", "A question about the rules")).click()
    for phone in (ada, ben):
        phone.sees(words("Ada\u2069 hat den Schiedsrichter gerufen", "Ada\u2069 has called an official"))
        phone.sees(words("Spiel und Uhr stehen still", "Play and its clock stand still"))
        phone.sees(words("Gemeldet hat sich noch niemand", "Nobody has answered yet"))
    assert not ben.page.get_by_text(words("Ruf zurückziehen", "Withdraw the call")).count(), "it is not his"
    kim.sees(words("Tisch 1 ruft", "Table 1"))
    kim.take_picture(f"call-queue-{scheme}", whole=True)
    kim.tap(words("Ich übernehme das", "I take this"))
    for phone in (ada, ben):
        phone.sees(words("Kim kommt", "Kim is coming"))
    assert find_wide(ada) == ""
    assert find_faults(ada, axe) == []
    ada.take_picture(f"call-open-{scheme}", whole=True)
    kim.tap(words("Ich bin am Tisch", "I am at the table"))
    for phone in (ada, ben):
        phone.page.locator("section.called").wait_for(state="detached")
    ben.page.locator("details summary", has_text=words("Schiedsrichter rufen", "Call an official")).click()
    ben.tap(words("Es geht nicht voran", "Slow play"))
    kim.tap(words("Zum Tisch", "To the table"))
    kim.page.locator("section.called", has_text=words("Es geht nicht voran", "Slow play")).wait_for()
    kim.sees(words("Alle haben dich angenommen", "Everybody has accepted you"))
    assert find_faults(kim, axe) == []
    kim.take_picture(f"call-desk-{scheme}", whole=True)
    kim.tap(words("Ich bin am Tisch", "I am at the table"))
    kim.page.locator("section.called").wait_for(state="detached")
    calling.locator("summary").click()
    calling.locator("button", has_text=words("Etwas anderes", "Something else")).click()
    ada.tap(words("Ruf zurückziehen", "Withdraw the call"))
    ada.page.locator("section.called").wait_for(state="detached")
    for phone in (ada, ben, kim):
        assert phone.complaints == []
        phone.close()
