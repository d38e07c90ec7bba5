"""A test skips a game by what the game declares."""

from __future__ import annotations

import pytest

from referee.engine.chance import RollResult, TurnUpResult
from referee.games import load_games
from tests.games.declared import CHANCE_MOVES, require_devices, require_moves


def test_a_game_without_devices_is_skipped_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, game in load_games().items():
        assert require_devices(name) == game.devices
        assert set(require_devices(name, hidden=True)) == set(game.devices) - {"dice"}
        require_moves(name, *CHANCE_MOVES)
    monkeypatch.setattr(type(load_games()["mau_mau"]), "devices", ())
    with pytest.raises(pytest.skip.Exception, match="mau_mau declares no devices"):
        require_devices("mau_mau")
    monkeypatch.setattr(type(load_games()["mau_mau"]), "devices", ("dice",))
    with pytest.raises(pytest.skip.Exception, match="mau_mau declares no hidden devices"):
        require_devices("mau_mau", hidden=True)
    require_moves("mau_mau", RollResult, TurnUpResult)
    with pytest.raises(pytest.skip.Exception, match=r"none of the moves chance\.rolled"):
        require_moves("mau_mau", RollResult)
