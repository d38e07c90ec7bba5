"""The parts of a game besides its rules, and the defaults of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.engine.game import Game


class GamePart:
    """One part of a game. `game` holds the rules that it belongs to."""

    def __init__(self, game: Game) -> None:
        self.game = game
