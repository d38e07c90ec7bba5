"""Whether a written position fits the schema of its game: asked so often that each schema is compiled once."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from referee.games import load_games


@cache
def schema_of(game: str, variant: str) -> Draft202012Validator:
    """The compiled schema of the positions of a game."""
    return Draft202012Validator(load_games()[game].positions.build_schema(variant))


def fit(position: dict[str, Any], game: str, variant: str = "standard") -> None:
    """Raises ValidationError, which names the place, unless the position is what the schema says."""
    schema_of(game, variant).validate(position)
