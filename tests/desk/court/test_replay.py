"""A log judged again: what was played by the rules is found right to the last entry."""

from __future__ import annotations

import pytest

from referee.desk.court.replay import first_divergence
from tests.desk.court.playing import GAMES, plays, started


@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_was_played_by_the_rules_is_found_right(game: str, source: str) -> None:
    house, match = started(game, source=source)
    assert len(plays(house, match, 1, 120)) >= 10
    assert first_divergence(house.entries(match)) is None
