"""An evening of every game, with cards of the server and with real ones, played by thumbs that know no rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import Device
from tests.page.tables import open_table
from tests.page.thumbs import Thumbs

pytestmark = pytest.mark.deep
NAMES = ("Ada", "Ben", "Cleo")
LOOKS = (("de-DE", "light"), ("en-US", "dark"), ("de-DE", "dark"))

# Game, form, people, settings; moves with cards of the server and with real ones (None: until the match is over)
EVENINGS: dict[str, tuple[str, str, int, dict[str, Any], tuple[int | None, int | None]]] = {
    "monster_combat_v1": ("monster_combat", "V1", 2, {}, (None, None)),
    "monster_combat_v2": ("monster_combat", "V2", 2, {}, (60, 30)),
    "skirmish": ("creature_crush", "skirmish", 2, {"quiet_turns": 10}, (60, 30)),
    "arena": ("creature_crush", "arena", 2, {}, (30, 25)),
    "league": ("creature_crush", "league", 2, {}, (30, 25)),
    "shy_monsters": ("shy_monsters", "standard", 2, {}, (None, None)),
    "mau_mau": ("mau_mau", "standard", 2, {"max_turns": 20}, (None, None)),
    "here_to_slay": ("here_to_slay", "standard", 3, {}, (30, 30)),
    "munchkin": ("munchkin", "standard", 3, {}, (30, 30)),
}
MOST = 500  # moves, where a match is played to its end


@pytest.mark.parametrize("is_real", [False, True], ids=["screens", "real"])
@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_is_played_by_tapping_what_is_shown(browser: Any, name: str, is_real: bool) -> None:
    game, variant, many, settings, limits = EVENINGS[name]
    most = limits[is_real]
    with served() as (base, _):
        body: dict[str, Any] = {"chance": "table"} if is_real else {}
        table = open_table(base, list(NAMES[:many]), game=game, variant=variant, settings=settings, **body)
        phones = [Device(browser, base, lang=lang, scheme=scheme, scale=1) for lang, scheme in LOOKS[:many]]
        thumbs = Thumbs(table, phones, Random(1), f"{name}-{'real' if is_real else 'screens'}")
        thumbs.avoided = ("cc.offer_draw",)
        thumbs.sit_down()
        is_over = thumbs.play(most or MOST)
        print(
            f"{thumbs.name}: {thumbs.moves} moves, {thumbs.taps} taps, {len(thumbs.refusals)} refused, over: {is_over}"
        )
        thumbs.look("end")
        assert is_over or thumbs.moves == most
        assert table.read("")["version"] >= thumbs.moves
        for phone in phones:
            if is_over:
                phone.page.locator("ol.places").wait_for()
            phone.close()
        assert thumbs.list_complaints() == []
        assert thumbs.odd == {}
        assert thumbs.secrets == []
