"""Recorded matches: played again they yield the same facts, and end as they ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.referee import play_move
from referee.engine.seats import Seat
from referee.games.monster_combat import GAME
from tests.games.monster_combat.golden import ENDINGS, FOLDER
from tests.games.recording import folded, opened, replayed


@pytest.fixture(params=ENDINGS)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A golden match as it is written down."""
    data: dict[str, Any] = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return data | {"name": request.param}


@pytest.mark.clause("MC-V1-END-1", "MC-V2-END-1", "MC-V2-END-2")
def test_a_golden_match_goes_as_it_went_and_ends_as_it_ended(record: dict[str, Any]) -> None:
    turns = replayed(GAME, record)
    assert ENDINGS[record["name"]][1](turns[-1])


def test_a_log_of_last_year_folds_to_its_end_without_the_rules(record: dict[str, Any]) -> None:
    assert encode(GAME.find_outcome(folded(GAME, record))) == record["outcome"]


@pytest.mark.parametrize("path", sorted((FOLDER / "older_citations").glob("*.json")), ids=lambda path: path.stem)
def test_an_older_log_is_what_the_rules_say_though_they_cite_more_today(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    state = opened(GAME, record)
    for line in record["course"]:
        kept = [decode_named(fact, Event) for fact in line["facts"]]
        today = play_move(state, Seat(line["seat"]), decode_named(line["move"], Move))
        assert [event.without_refusal() for event in kept] == [event.without_refusal() for event in today]
        assert [encode(event) for event in kept] == line["facts"]  # old bytes stay what they were
        state = apply_events(state, kept)
    assert encode(GAME.find_outcome(state)) == record["outcome"]
