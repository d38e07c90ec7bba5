"""A match that sleeps says so on the phone and the big screen, in a line that is gone once somebody plays on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.audit.bundles.archiving import ASLEEP, put_match_to_sleep
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from tests.api import house
from tests.clients.house import served
from tests.infrastructure.archiving import plain
from tests.page.browsing import SCREEN, Device
from tests.page.tables import open_table
from tests.service import house as desks

pytestmark = pytest.mark.deep
SLEEPS = {
    "de": "Die Partie schläft, weil hier lange niemand gespielt hat. Spielt einfach weiter: Der nächste Zug weckt sie.",
    "en": "The match is asleep, because nobody has played for long. Just play on: the next move wakes it.",
}


@pytest.mark.parametrize("language", SLEEPS)
def test_a_sleeping_match_says_so_until_somebody_plays_on(browser: Any, tmp_path: Path, language: str) -> None:
    memory, archive = MemoryLog(), Archive(tmp_path / "archive")
    service = desks.service(attach_archive(memory, archive))
    with served(lambda _: house.app(service)) as (base, _):
        table = open_table(base, ["Ada", "Ben"], game="monster_combat", variant="V1")
        device = Device(browser, base, lang=language)
        with device.page.expect_response(lambda answer: answer.url.endswith("/seed")):  # the last that a phone names
            table.give(device, 0)
        assert put_match_to_sleep(service, archive, table.match, plain, memory.now() + 1) == ASLEEP
        device.page.reload()
        said = device.page.get_by_text(SLEEPS[language])
        said.wait_for()
        device.take_picture(f"asleep-{language}")
        screen = Device(browser, base, size=SCREEN, scale=1, lang=language)
        saved = [{"match": table.match, "role": "host", "seat": None, "game": table.game, "at": 1, "token": table.host}]
        screen.open("/")
        screen.page.evaluate("saved => localStorage.setItem('referee.seats', saved)", json.dumps(saved))
        screen.open(f"/table#{table.match}")
        shown = screen.page.get_by_text(SLEEPS[language])
        shown.wait_for()
        screen.take_picture(f"asleep-screen-{language}")
        seat = table.read("")["awaits"][0]
        legal = table.read(f"/seats/{seat}/moves", seat)["legal"]
        table.move(seat, next(each for each in legal if each["flag"] != "gives_up")["move"])
        said.wait_for(state="detached")
        shown.wait_for(state="detached")
        assert device.page.locator("h1.turn").is_visible()
        assert not service.load_match(table.match).head.asleep
        assert device.complaints == []
        assert screen.complaints == []
