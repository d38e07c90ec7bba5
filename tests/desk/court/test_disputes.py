"""Disputes at the desk: judged at once, mended by the mildest remedy that is left."""

from __future__ import annotations

import pytest

from referee.desk.court.remedies import ladder, preview
from referee.kernel.codec import encode
from tests.desk.court.playing import GAMES, disputes, evidence, plays, started


@pytest.mark.clause("TABLE-DISPUTE-1")
@pytest.mark.parametrize("game", GAMES)
def test_what_was_played_by_the_rules_stands(game: str) -> None:
    house, match = started(game)
    done = plays(house, match, 2, 12)
    about = done[-1].entry
    dispute = disputes(house, match, about, "illegal_move")
    assert [each.verdict for each in dispute.verdicts] == ["stands"]
    rungs = {rung.name: rung for rung in ladder(evidence(house, match), dispute)}
    assert list(rungs) == ["leave", "partial_fix", "rewind", "void"]
    assert rungs["leave"].offered
    back = preview(evidence(house, match), dispute, "rewind")
    assert back.state is not None
    then = house.at(match, about - 1).match.state
    piles = {place for place in getattr(then, "zones", {}) if place.endswith(":")}
    assert encode(back.state) == encode(then) or piles
