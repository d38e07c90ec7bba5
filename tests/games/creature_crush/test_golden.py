"""Recorded matches: played again they yield the same facts, and end as they ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.engine.codec import encode
from referee.games.creature_crush import GAME
from tests.games.creature_crush.golden import FOLDER, MATCHES
from tests.games.recording import folded, replayed


@pytest.fixture(params=MATCHES)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A golden match as it is written down."""
    data: dict[str, Any] = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return data | {"name": request.param}


@pytest.mark.clause("CC-END-1", "CC-END-2", "CC-END-3", "CC-AMB-4")
def test_a_golden_match_goes_as_it_went_and_ends_as_it_ended(record: dict[str, Any]) -> None:
    turns = replayed(GAME, record)
    assert MATCHES[record["name"]][1](turns)


def test_a_log_of_last_year_folds_to_its_end_without_the_rules(record: dict[str, Any]) -> None:
    assert encode(GAME.find_outcome(folded(GAME, record))) == record["outcome"]


def test_the_formats_and_the_ways_to_end_are_recorded() -> None:
    heads = [json.loads((FOLDER / f"{name}.json").read_text("utf-8")) for name in MATCHES]
    assert {head["setup"]["variant"] for head in heads} == {"skirmish", "arena", "league"}
    assert {head["outcome"]["reason"].rpartition(".")[2] for head in heads} == {
        "all_in_hell", "conceded", "agreed", "stalemate_quiet",
    }  # fmt: skip
