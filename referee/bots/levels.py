"""The levels of bots that players are offered, with their measured strength."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import read_yaml

BOT_LEVELS: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("levels.yaml"))
