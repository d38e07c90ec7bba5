"""The board of a match: what a viewer's client draws of it."""

from __future__ import annotations

from typing import Any

from referee.match.aggregate import FINAL_STATUSES
from referee.match.loaded import LoadedMatch
from referee.queries.views import VIEWER_NAMES, awaited_response, outcome_response
from referee.rendering import summary, texts


def board_response(loaded: LoadedMatch, viewer: int) -> dict[str, Any]:
    """Return a loaded match as it is drawn for a viewer, as plain data.

    It is built from the viewer's view alone. Before the start there is no board.
    """
    seen = loaded.match.view_for(viewer)
    table, game = seen.state, seen.rules
    is_open = table is not None and bool(table.agenda) and seen.status not in FINAL_STATUSES
    return {
        "match": loaded.match.id,
        "version": loaded.version,
        "status": seen.status,
        "viewer": VIEWER_NAMES.get(viewer, int(viewer)),
        "board": None if table is None else game.boards.draw(table, viewer, seen.variant),
        "sums": [summary.term_response(game, each) for each in game.breakdowns.compute_totals(table)]
        if is_open
        else [],
        "question": texts.question_response(game, table) if is_open and table is not None else None,
        "awaits": awaited_response(seen),
        "outcome": outcome_response(seen),
    }
