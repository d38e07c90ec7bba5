"""How many writes a turn takes at a real table."""

from __future__ import annotations

import pytest

from tests.evenings.counting import count_writes


@pytest.mark.parametrize(("game", "mean"), [("here_to_slay", 12.8), ("munchkin", 9.2)])
def test_each_thing_said_by_itself_takes_many_writes(game: str, mean: float) -> None:
    assert count_writes(game, together=False).mean == mean
