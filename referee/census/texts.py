"""The texts of a census, with cards and places as the game calls them."""

from __future__ import annotations

from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import Text
from referee.rendering import texts


def render_census_text(game: Game, key: str, params: dict[str, Any]) -> Text:
    """A text of the census. Raises KeyError for a key that there is not."""
    filled = dict(params)
    if params.get("card"):
        filled["card"] = {lang: game.rulebook.render_parameter(params["card"], lang) for lang in ("en", "de")}
    if params.get("place"):
        filled["place"] = game.zone_label(params["place"])
    return texts.render_text(game, key, **filled)
