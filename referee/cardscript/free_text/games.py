"""The games with card texts, by the class of their tables.

A report on a free text changes a table as a correction by hand does, so it needs what the game says of its places, its
decks and its written positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.cardscript.game import CardGame

_GAMES: dict[type, CardGame] = {}


def register_game(game: CardGame) -> None:
    """Make a game known by the class of its tables."""
    _GAMES[game.state_type] = game


def find_game(table: Any) -> CardGame:
    """Return the game of a table. Raises KeyError if it is not loaded."""
    return _GAMES[type(table)]
