"""What tests of the desk share."""

from __future__ import annotations

import pytest

from referee.desk.desk import Desk
from referee.games import games
from tests.desk.house import desk
from tests.desk.party import PARTY


@pytest.fixture(autouse=True)
def _party(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games(), "party", PARTY)


@pytest.fixture
def house() -> Desk:
    return desk()
