"""The recorded matches still lead to the same facts, lines and outcomes.

They were recorded before facts said why they happened, so the facts are compared as replay compares a log.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import Move
from referee.engine.seats import CHANCE, Seat
from referee.games.shy_monsters import GAME
from tests.games.recording import as_compared
from tests.games.shy_monsters.golden import FOLDER, SETTINGS, entry, opened


@pytest.mark.parametrize("reason", SETTINGS)
def test_a_recorded_match_is_played_again_to_the_same_end(reason: str) -> None:
    recorded: dict[str, Any] = json.loads((FOLDER / f"{reason.replace('.', '_')}.json").read_text("utf-8"))
    state = opened(recorded["settings"])
    for old in recorded["entries"]:
        seat = CHANCE if old["seat"] == "chance" else Seat(int(old["seat"]))
        new, state = entry(state, seat, decode_named(old["move"], Move))
        assert as_compared(new) == as_compared(old)
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert outcome.reason == reason
    assert (encode(outcome), GAME.positions.encode_position(state)) == (recorded["outcome"], recorded["final"])
