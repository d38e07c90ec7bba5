"""No seat, host included, gains by procedure: no draw and no move of another goes by what one person asks."""

from __future__ import annotations

import pytest

from referee.match.events.dispute_state import DEFAULT_COURTS
from tests.arbitration.playing import FIRST_COURTS, GAMES
from tests.arbitration.scheming import find_gains


@pytest.mark.clause("TABLE-DISPUTE-9", "TABLE-RULING-7")
@pytest.mark.parametrize("game", GAMES)
def test_no_seat_gains_by_any_sequence_of_claims_rulings_takebacks_and_remedies(game: str) -> None:
    gains, granted = find_gains(game, DEFAULT_COURTS, range(4))
    assert gains == []
    assert {"table.dispute", "table.take_back"} <= set(granted), "the schemer was heard"


def test_by_the_first_rules_a_host_who_played_rolled_again() -> None:
    gains, _ = find_gains("munchkin", FIRST_COURTS, range(3))
    assert any("IssueRuling" in gain for gain in gains)
