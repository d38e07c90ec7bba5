"""Recorded matches: played again they yield the same facts, and end as they ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.engine.codec import encode
from referee.games.mau_mau import GAME
from tests.games.mau_mau.golden import ENDINGS, FOLDER
from tests.games.recording import folded, replayed


@pytest.fixture(params=ENDINGS)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A golden match as it is written down."""
    data: dict[str, Any] = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return data | {"name": request.param}


@pytest.mark.clause("MM-END-1", "MM-AMB-2", "MM-DRAW-3")
def test_a_golden_match_goes_as_it_went_and_ends_as_it_ended(record: dict[str, Any]) -> None:
    assert ENDINGS[record["name"]][1](replayed(GAME, record))


def test_a_log_of_last_year_folds_to_its_end_without_the_rules(record: dict[str, Any]) -> None:
    assert encode(GAME.find_outcome(folded(GAME, record))) == record["outcome"]
