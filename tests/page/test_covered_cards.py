"""The search for covered cards on phones finds those that are there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.covered_cards import list_shown_secrets
from tests.page.tables import open_table

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
