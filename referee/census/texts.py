"""The texts of a census, with the game's names of cards and places."""

from __future__ import annotations

from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import Text
from referee.rendering import texts


def render_census_text(game: Game, key: str, params: dict[str, Any]) -> Text:
    """Return a text of the census in every language.

    Raises KeyError for an unknown key.
    """
    filled = dict(params)
    if params.get("card"):
        filled["card"] = {lang: game.rulebook.render_parameter(params["card"], lang) for lang in ("en", "de")}
    if params.get("place"):
        filled["place"] = game.tracking.zone_label(params["place"])
    return texts.render_text(game, key, **filled)
