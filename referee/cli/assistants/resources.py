"""What an assistant may read about a game: rulebook, example, schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from referee.cli.assistants.rules import describe_clause, render_clause
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES
from referee.games import load_games
from referee.position_rulings.file_format import build_example

SCHEME = "referee"
LANGUAGE_NAMES = {"en": "English", "de": "German"}


@dataclass(frozen=True, slots=True)
class GameResource:
    """A text about a game under an address, made when it is read."""

    uri: str
    name: str
    description: str
    media_type: str
    read: Callable[[], str]


def list_resources() -> Iterator[GameResource]:
    """Yield the resources of every game."""
    for name, game in load_games().items():
        title = game.title["en"]
        for lang in LANGUAGES:
            yield GameResource(
                f"{SCHEME}://{name}/rulebook/{lang}",
                f"{name}-rulebook-{lang}",
                f"All numbered clauses of {title}, restated in our own words, in {LANGUAGE_NAMES[lang]}",
                "text/plain",
                partial(render_rulebook, game, lang),
            )
        for variant in game.variants:
            yield GameResource(
                f"{SCHEME}://{name}/example/{variant}",
                f"{name}-example-{variant}",
                f"A position of {title} ({variant}) with a disputed move, as judge_position takes it (YAML)",
                "application/yaml",
                partial(build_example, game, variant, "en"),
            )
            yield GameResource(
                f"{SCHEME}://{name}/positions/{variant}",
                f"{name}-positions-{variant}",
                f"The JSON Schema of positions of {title} ({variant}), with examples for every question of the game",
                "application/json",
                partial(render_position_schema, game, variant),
            )


def render_rulebook(game: Game, lang: str) -> str:
    """Return all clauses of a game by chapters, as plain text."""
    lines, chapter = [game.title[lang]], None
    for clause in game.rulebook.clauses.values():
        data = describe_clause(game, clause, lang)
        if data["chapter"] != chapter:
            chapter = data["chapter"]
            lines += ["", chapter or ""]
        lines += render_clause(data, lang)
    return "\n".join(lines) + "\n"


def render_position_schema(game: Game, variant: str) -> str:
    """Return the JSON Schema of positions, with examples."""
    schema, examples = game.positions.build_schema(variant), game.positions.build_examples(variant)
    return json.dumps({**schema, "examples": examples}, ensure_ascii=False)
