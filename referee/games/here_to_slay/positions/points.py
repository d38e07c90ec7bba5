"""How many action points a table can show, for positions and for the census alike."""

from __future__ import annotations

from functools import cache

from referee.games.here_to_slay.components import BOXES, PROGRAMS
from referee.games.here_to_slay.positions.texts import list_text_names
from referee.games.here_to_slay.state import POINTS_PER_TURN, Table
from referee.games.here_to_slay.values import MOST_POINTS

GIVERS = ("gain_points", "as_written")  # a free text may say anything


@cache
def gives_points(edition: str) -> bool:
    """Return whether a card of this edition may give points in a turn.

    HTS-POINTS-1: A text may give its player more action points for the turn under way.
    """
    texts = ((card, text) for card in BOXES[edition].all_cards for text in list_text_names(card))
    return any(line.effect.WORD in GIVERS for each in texts for line in PROGRAMS[each])


def count_most_points(table: Table, seat: int) -> int:
    """Return how many points a seat can have at most in its turn.

    HTS-TURN-2: A turn starts with three points, for the owner of Mega Slime with four.
    """
    return MOST_POINTS if gives_points(table.rules.edition) else POINTS_PER_TURN + table.count_extra_points(seat)
