"""What a request may order by a house ruling."""

from __future__ import annotations

from typing import Any

from api.http.problems import Problem
from referee.engine.game import Game

HOUSE_PROBLEMS = ("house-by-party", "reading-fixed")


def require_house_ruling(body: dict[str, Any], game: Game) -> None:
    """Raise Problem if a ruling orders for the rest of the match what no ruling can."""
    wrong = [{"pointer": f"/{name}", "detail": "needs `keep`"} for name in ("readings", "allows") if body.get(name)]
    errors = [] if body["keep"] else wrong
    if errors := [*errors, *game.find_interpretation_errors(body.get("readings", {}))]:
        raise Problem("invalid-input", errors=errors)
    if body.get("allows") and body["allows"] not in {kind.TAG for kind in game.move_types}:
        detail = "There is no such kind of move in this game."
        raise Problem("invalid-input", errors=[{"pointer": "/allows", "detail": detail}])
