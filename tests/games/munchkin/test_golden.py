"""Recorded matches: played again they yield the same facts, and end as they ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.engine.codec import encode
from referee.games.munchkin import GAME
from tests.games.munchkin.golden import FOLDER, MATCHES
from tests.games.recording import folded, replayed


@pytest.fixture(params=MATCHES)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A golden match as it is written down."""
    data: dict[str, Any] = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return data | {"name": request.param}


@pytest.mark.clause("MK-22.1", "MK-26.10")
def test_a_golden_match_goes_as_it_went_and_ends_as_it_ended(record: dict[str, Any]) -> None:
    turns = replayed(GAME, record)
    assert MATCHES[record["name"]][1](turns)


def test_a_log_of_last_year_folds_to_its_end_without_the_rules(record: dict[str, Any]) -> None:
    assert encode(GAME.find_outcome(folded(GAME, record))) == record["outcome"]


def test_both_ways_to_end_are_recorded() -> None:
    ends = {json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["outcome"]["reason"] for name in MATCHES}
    assert ends == {"outcome.level_ten", "outcome.too_many_turns"}
