"""The games that can be refereed. No game knows another."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from referee.kernel.box import Game


@cache
def games() -> dict[str, Game]:
    """Every game by its name: each folder beside this file that has an object GAME."""
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))
    return {name: import_module(f"referee.games.{name}").GAME for name in folders}
