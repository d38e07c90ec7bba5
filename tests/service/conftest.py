"""What tests of the match service share."""

from __future__ import annotations

import pytest

from referee.games import load_games
from referee.service.match_service import MatchService
from tests.doubles.party import PARTY
from tests.service.house import service


@pytest.fixture(autouse=True)
def _party(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_games(), "party", PARTY)


@pytest.fixture
def house() -> MatchService:
    return service()
