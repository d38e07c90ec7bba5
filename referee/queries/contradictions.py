"""What a refused report contradicts, and what can be done about it.

TABLE-CENSUS-2: The referee names the entries that cannot all be true together.
"""

from __future__ import annotations

from typing import Any

from referee.arbitration.real_tables.as_it_lies import is_real_chance_awaited
from referee.census.observations import Sighting
from referee.census.suspects import find_suspects
from referee.engine.codec import encode
from referee.engine.rulings import Ruling
from referee.engine.seats import BYSTANDER, CHANCE
from referee.match.errors import MoveRejected
from referee.match.rulebook import TABLE_BOOK
from referee.queries.census_views import sighting_response
from referee.rendering import texts
from referee.service.match_service import MatchService


def contradiction_response(
    service: MatchService, error: MoveRejected, ruling: Ruling, viewer: int
) -> dict[str, Any] | None:
    """Return the entries that a refused move contradicts, as a viewer saw them.

    `ruling` is the one that the viewer is given. None if the cards are not real, or nothing is contradicted.
    """
    match, game = error.match, error.match.rules
    if not game.has_hidden_real_cards(match.setup):
        return None
    cards = tuple(game.tracking.find_contradicted_cards(error.find_view(viewer), ruling))
    history = service.repository.load_effective_entries(match.id, error.version) if cards else []
    suspects = find_suspects(history, viewer, cards)
    if not suspects:
        return None
    entries = ", ".join(str(each.version) for each in suspects)
    return {
        "says": TABLE_BOOK.render_texts("contradiction.says", entries=entries),
        "suspects": [sighting_response(game, each) for each in suspects],
        "ways": _list_ways(error, ruling, suspects),
    }


def _list_ways(error: MoveRejected, ruling: Ruling, suspects: tuple[Sighting, ...]) -> list[dict[str, Any]]:
    """Return what can be done: each way with its words and the request for it."""
    here, move = f"/v1/matches/{error.match.id}", encode(error.move)
    ways = [
        _build_way("misreported", f"{here}/disputes", {"about": each.version, "claim": "misreported"})
        for each in suspects
    ]
    public = error.move.view_for(int(BYSTANDER), int(error.seat)) == error.move
    if error.seat == CHANCE and public and is_real_chance_awaited(error.match):
        ways.append(_build_way("impossible_table", f"{here}/disputes", {"claim": "impossible_table", "move": move}))
    body = {"seat": texts.actor_label(error.seat), "move": move, "clauses": list(ruling.clauses), "reason": ""}
    return [*ways, _build_way("deviation", f"{here}/deviations", body)]


def _build_way(way: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    says = TABLE_BOOK.render_texts(f"contradiction.{way}", about=body.get("about", 0))
    return {"way": way, "says": says, "path": path, "body": body}
