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
    if is_pile(value):
        key = "place.more" if value.get("more") else "place.counted"
        number = value.get("count", len(value["cards"]))
        return render_text(game, key, cards=describe_place_value(game, value["cards"], is_seat=False), count=number)
    if is_seat and type(value) is int:
        return render_text(game, "seat", seat=value)
    if value is None or value == []:
        return dict(RULING_TEXTS["place.nothing"])
    if isinstance(value, bool):
        return dict(RULING_TEXTS["place.yes" if value else "place.no"])
    if isinstance(value, list):
        return [describe_place_value(game, each, is_seat=is_seat) for each in value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value


def is_pile(value: Any) -> bool:
    """Return whether a value names cards of a place, and how many there are."""
    if not isinstance(value, Mapping) or not {*value} <= {"cards", "count", "more"}:
        return False
    return isinstance(value.get("cards"), list) and type(value.get("count", 0)) is int
