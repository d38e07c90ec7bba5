"""The texts of this room."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml

HERE = Path(__file__).parent
RULING_TEXTS: dict[str, Text] = read_yaml(HERE / "words.yaml")
MEMBER_NAMES: dict[str, Text] = read_yaml(HERE / "labels.yaml")
VALUE_NAMES: dict[str, Text] = read_yaml(HERE / "values.yaml")
FACT_QUESTIONS: dict[str, Text] = read_yaml(HERE / "fact_questions.yaml")
FILE_WORDS: dict[str, str] = read_yaml(HERE / "file_words.yaml")


def render_text(game: Game, key: str, **params: Any) -> Text:
    """Return a text of this room in every language, with cards called by name.

    Raises KeyError.
    """
    return fill_text(game, RULING_TEXTS[key], **params)


def fill_text(game: Game, text: Text, **params: Any) -> Text:
    """Return a text with its placeholders filled, in every language."""
    return {lang: game.rulebook.fill_template(text[lang], lang, params) for lang in LANGUAGES}


def describe_place_value(game: Game, value: Any, *, is_seat: bool) -> Any:
    """Return a value of a position as a text says it, not as Python writes it."""
    if is_seat and type(value) is int:
        return render_text(game, "seat", seat=value)
    if value is None or isinstance(value, bool):
        return dict(RULING_TEXTS[{None: "place.nothing", True: "place.yes", False: "place.no"}[value]])
    if isinstance(value, list):
        return [describe_place_value(game, each, is_seat=is_seat) for each in value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value
