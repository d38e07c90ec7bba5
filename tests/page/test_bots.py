"""Bots as the page names them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import Device
from tests.page.tables import open_table

pytestmark = pytest.mark.deep


def test_a_bot_that_is_thinking_is_called_a_bot_once(browser: Any, base: str) -> None:
    table = open_table(
        base, ["Ada", "Ben"], 1, game="monster_combat", variant="V1", settings={"first_player": 2, "trigger_count": 0}
    )
    ada, ben = Device(browser, base), Device(browser, base, lang="en-US")
    table.give(ada, 0)
    table.give(ben, 1)
    assert ada.page.locator("h1.turn").inner_text() == "\u2068Bot 3\u2069 denkt nach"
    assert ben.page.locator("h1.turn").inner_text() == "\u2068Bot 3\u2069 is thinking"
    ada.close()
    ben.close()
