"""The texts of this room."""

from __future__ import annotations

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
