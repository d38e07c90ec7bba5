"""Recorded matches: played again they yield the same facts, and end as they ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.games.here_to_slay import GAME
from referee.kernel.box import Setup
from referee.kernel.codec import decode, decode_named, encode
from referee.kernel.facts import Event, Move, fold
from referee.kernel.play import play, settle
from referee.kernel.seats import Seat
from tests.games.here_to_slay.golden import FOLDER, MATCHES, Turn, written


@pytest.fixture(params=MATCHES)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A golden match as it is written down."""
    data: dict[str, Any] = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return data | {"name": request.param}


@pytest.mark.clause("HTS-WIN-1", "HTS-WIN-2", "HTS-AMB-73")
def test_a_golden_match_goes_as_it_went_and_ends_as_it_ended(record: dict[str, Any]) -> None:
    state = GAME.open(decode(Setup, record["setup"]))
    state = fold(state, settle(state))
    turns = []
    for line in record["course"]:
        move = decode_named(line["move"], Move)
        turns.append(Turn(state, Seat(line["seat"]), move, play(state, Seat(line["seat"]), move)))
        assert written(turns[-1]) == line
        state = turns[-1].after
    assert encode(GAME.outcome(state)) == record["outcome"]
    assert MATCHES[record["name"]][2](turns)


def test_a_log_of_last_year_folds_to_its_end_without_the_rules(record: dict[str, Any]) -> None:
    state = GAME.open(decode(Setup, record["setup"]))
    state = fold(state, settle(state))
    for line in record["course"]:
        state = fold(state, [decode_named(fact, Event) for fact in line["facts"]])
    assert encode(GAME.outcome(state)) == record["outcome"]
