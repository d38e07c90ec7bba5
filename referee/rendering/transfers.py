"""Transfers: which cards an entry moves from where to where.

They are given as the viewer sees them. A client animates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.parts.boards import board_place
from referee.engine.zones import Moved


def transfers_response(game: Game, events: Sequence[Event], version: int) -> list[dict[str, Any]]:
    """Return the transfers of an entry's events in order, as the viewer sees them."""
    return [
        {"n": f"{version}.{at}", **transfer} for at, event in enumerate(events) for transfer in _iterate(game, event)
    ]


def _iterate(game: Game, event: Event) -> Iterator[dict[str, Any]]:
    if isinstance(event, Moved):
        # what lies hidden where it came from may be seen where it goes, and the other way round
        shown = event.put if any(not card.startswith("?") for card in event.put) else event.took
        places = {"from": board_place(event.source), "to": board_place(event.target)}
        yield {**places, "count": len(event.put), "cards": game.boards.draw_cards(event.target, shown)}
        return
    swapped = game.tracking.exchanged_zones(event)
    if swapped is not None:
        one, other = map(board_place, swapped)
        yield {"from": one, "to": other, "count": None, "cards": []}
        yield {"from": other, "to": one, "count": None, "cards": []}
