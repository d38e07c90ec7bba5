"""A sample of the 20,000 random matches that `python -m tests.bench.soak munchkin 5000` plays by hand."""

from __future__ import annotations

import pytest

from referee.engine.game import Setup
from referee.games import load_games
from tests.bench.soak import soak, watched_words

pytestmark = pytest.mark.deep


@pytest.mark.clause("MK-2.1", "MK-26.10")
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_random_matches_end_keep_every_card_and_leave_out_no_line_in_silence(seats: int) -> None:
    setup = load_games()["munchkin"].complete_setup(Setup("standard", seats))
    ends = set()
    with watched_words() as silent:
        for seed in range(1000, 1003):
            _, reason = soak("munchkin", setup, seed)
            ends.add(reason)
    assert ends <= {"outcome.level_ten", "outcome.too_many_turns"}
    assert not silent
