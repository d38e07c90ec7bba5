"""The words of the bots' commands, in each language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import Text, read_yaml
from referee.engine.rulebook.messages import format_message

WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("words.yaml"))


def say(key: str, lang: str, **values: Any) -> str:
    """Return the text under a key with its placeholders filled. Raises KeyError."""
    return format_message(WORDS[key][lang], lang, values)


def format_percent(share: float, lang: str, digits: int = 0) -> str:
    """Return a share in percent, with a thin space before the sign in German."""
    number = f"{100 * share:.{digits}f}"
    return f"{number.replace('.', ',')}\u202f%" if lang == "de" else f"{number}%"
