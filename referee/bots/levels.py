"""The levels and styles of bots that players are offered, with their strength."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import read_yaml

BOT_LEVELS: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("levels.yaml"))
BOT_STYLES: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("styles.yaml"))


def list_styles(game: str) -> list[dict[str, Any]]:
    """Return the styles that make a difference in a game."""
    return [{key: style[key] for key in ("id", "name", "looks_at")} for style in BOT_STYLES if game in style["games"]]
