"""What a tool answers: text to read, the same as data, or why it cannot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.rulebook.messages import format_message
from referee.games import load_games
from referee.position_rulings.natural_names import find_game
from referee.rendering.html import sanitize_line

WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("words.yaml"))


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as text and as data, both in one language."""

    text: str
    data: dict[str, Any]


class UnanswerableError(ValueError):
    """A call cannot be answered. The message names the argument or the clause."""


def say(key: str, lang: str, **values: Any) -> str:
    """Return the text under a key with its placeholders filled. Raises KeyError."""
    return format_message(WORDS[key][lang], lang, values)


def choose_language(data: Any, lang: str) -> Any:
    """Return data with each text that is there in every language in one of them."""
    if isinstance(data, Mapping):
        if set(data) == set(LANGUAGES):
            return data[lang]
        return {name: choose_language(value, lang) for name, value in data.items()}
    return [choose_language(each, lang) for each in data] if isinstance(data, list | tuple) else data


def join_lines(lines: Iterable[str]) -> str:
    """Return lines as one text without control characters."""
    return "\n".join(sanitize_line(line) for line in lines).strip("\n")


def render_section(head: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a heading with the lines below it, or nothing if there are none."""
    listed = list(lines)
    if listed:
        yield ""
        yield head
        yield from (f"  {line}" for line in listed)


def render_json(data: Any) -> str:
    """Return data as JSON in one line, as it is to be passed back in a call."""
    return json.dumps(data, ensure_ascii=False)


def require_game(name: str, lang: str) -> Game:
    """Return the game that is called so in either language.

    Raises UnanswerableError with the names of all games.
    """
    game = find_game(name)
    if game is None:
        raise UnanswerableError(say("no_game", lang, name=name, known=", ".join(load_games())))
    return game
