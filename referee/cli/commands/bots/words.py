"""The words of the bots' commands, in each language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.bots.levels import BOT_LEVELS, BOT_STYLES
from referee.engine.rulebook.book import Text, read_yaml
from referee.engine.rulebook.messages import format_message

WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("words.yaml"))


def say(key: str, lang: str, **values: Any) -> str:
    """Return the text under a key with its placeholders filled. Raises KeyError."""
    return format_message(WORDS[key][lang], lang, values)


def name_mind(name: str, lang: str) -> str:
    """Return what users call a mind, with its level and style if it has them."""
    number, _, style = name.partition("-")
    level = next((bot["name"][lang] for bot in BOT_LEVELS if str(bot["level"]) == number), "")
    named = [level, *(each["name"][lang] for each in BOT_STYLES if each["id"] == style)]
    return f"{name} ({', '.join(named)})" if level else name


def format_number(number: float, lang: str, digits: int = 0) -> str:
    """Return a number with the decimal mark of a language."""
    text = f"{number:.{digits}f}"
    return text.replace(".", ",") if lang == "de" else text


def format_percent(share: float, lang: str, digits: int = 0) -> str:
    """Return a share in percent, with a thin space before the sign in German."""
    return format_number(100 * share, lang, digits) + ("\u202f%" if lang == "de" else "%")
