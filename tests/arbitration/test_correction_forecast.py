"""What a pair of eyes is told of a correction as sure is so, in every game, for everybody who looks on."""

from __future__ import annotations

import pytest

from referee.arbitration.remedies.correction_forecast import Correction, forecast_correction
from referee.arbitration.replay.divergence import is_game_entry
from referee.engine.codec import encode
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from tests.arbitration.playing import GAMES, evidence, plays, started


@pytest.mark.parametrize("key", ["law-1", pytest.param("", id="many", marks=pytest.mark.deep)])
@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_as_sure_of_a_correction_is_so(game: str, source: str, key: str) -> None:
    found = [count_sure_moves(game, source, each) for each in ([key] if key else [f"law-{n}" for n in range(3, 30)])]
    assert all(found) if key else sum(map(bool, found)) > len(found) // 2, found


def count_sure_moves(game: str, source: str, key: str) -> int:
    """Look at corrections of a match as everybody sees them; return how many later moves are told to stay."""
    house, match = started(game, source, key=key)
    plays(house, match, 1, 15)
    found, sure = evidence(house, match), 0
    moves = [entry for entry in found.effective_entries if entry.version > found.start_version and is_game_entry(entry)]
    for entry in moves[-8:-1]:
        for correction in (Correction(entry.version), Correction(entry.version, entry.seat, None, True)):
            whole = forecast_correction(found, correction, entry.version - 1, FULL_VIEWER)
            for viewer in (int(BYSTANDER), 0, 1):
                own = forecast_correction(found, correction, entry.version - 1, viewer)
                assert own.keeps == whole.keeps[: len(own.keeps)]
                assert own.drops in ((), whole.drops)
                assert whole.illegal or not own.illegal
                assert own.unsure or (own.keeps, own.drops) == (whole.keeps, whole.drops)
                sure += len(own.keeps)
                if own.after is not None:
                    assert whole.after is not None
                    shown = [encode(then.state.view_for(viewer)) for then in (own.after, whole.after)]  # type: ignore[union-attr]
                    assert shown[0] == shown[1]
    return sure
