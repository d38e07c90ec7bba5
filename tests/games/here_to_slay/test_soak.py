"""A sample of the thousands of random matches that `tests/bench/soak.py` plays by hand."""

from __future__ import annotations

import pytest

from referee.engine.game import Setup
from referee.games import load_games
from tests.bench.soak import soak, watched_words


@pytest.mark.clause("HTS-ZONE-6", "HTS-TEXT-2")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_random_matches_end_keep_every_card_and_leave_out_no_line_in_silence(seats: int) -> None:
    setup = load_games()["here_to_slay"].complete_setup(Setup("standard", seats))
    with watched_words() as silent:
        for seed in range(1000, 1003):
            _, reason = soak("here_to_slay", setup, seed)
            assert reason in ("outcome.three_monsters", "outcome.six_classes")
    assert not silent
