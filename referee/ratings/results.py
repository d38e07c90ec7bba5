"""Which finished matches count for the standings, and what each adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.engine.codec import encode_canonical
from referee.ratings.projection_versions import DIGEST_NAME, compute_row_digest

Row = Mapping[str, Any]  # of a match, as the projection `standings` keeps it


def is_counted(row: Row) -> bool:
    """Tell whether a match counts for the standings.

    It counts if it was public, its rules ended it, and nobody decided alone what others should have (TABLE-COURSE-2).
    The word of a table makes no winner. Standings are open to all, so they use no private match. A match of a
    tournament counts if that is rated, also if the tournament ended it (TABLE-TOURNAMENT-3).
    """
    ended = row["by_rules"] or row.get("by_tournament", False)
    shown = row["visibility"] == "public" and row["status"] == "finished"
    return bool(shown and ended and not row["alone"])


def find_table_key(row: Row) -> str:
    """Return the key of the standings that a match belongs to: game and variant."""
    return f"{row['game']}|{row['variant']}"


def compute_contributions(match: str, row: Row) -> dict[str, dict[str, int]]:
    """Return what a match adds to its standings, by their key.

    It says how often each seat, and each place in the order of turns, played and won.
    """
    if not is_counted(row):
        return {}
    found = {"played": 1, DIGEST_NAME: compute_row_digest(match, encode_canonical(dict(row)))}
    for seat in range(len(row["seats"])):
        found[f"seat:{seat}:played"] = 1
        found[f"seat:{seat}:won"] = int(seat in row["winners"])
    for place, seat in enumerate(row["order"]):
        found[f"order:{place}:played"] = 1
        found[f"order:{place}:won"] = int(seat in row["winners"])
    return {find_table_key(row): {name: value for name, value in found.items() if value}}


def find_place(row: Row, seat: int) -> int | None:
    """Return a seat's place from 1 on; None if the match does not say.

    Seats that are equal share a place.
    """
    ahead = 0
    for equals in row["placement"]:
        if seat in equals:
            return ahead + 1
        ahead += len(equals)
    return None
