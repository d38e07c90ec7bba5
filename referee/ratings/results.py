"""What a match came to, as it counts for the standings: which matches count, and what they add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.engine.codec import encode_canonical
from referee.ratings.projection_versions import DIGEST_NAME, compute_row_digest

Row = Mapping[str, Any]  # of a match, as the view `standings` keeps it


def is_counted(row: Row) -> bool:
    """Whether a match counts: it was public, its rules ended it, and nobody decided alone what others should have. The
    word of a table crowns nobody, and what anyone may ask tells nothing of a private match."""
    return bool(row["visibility"] == "public" and row["status"] == "finished" and row["by_rules"] and not row["alone"])


def find_table_key(row: Row) -> str:
    """The standings to which a match belongs: game and variant."""
    return f"{row['game']}|{row['variant']}"


def compute_contributions(match: str, row: Row) -> dict[str, dict[str, int]]:
    """What a match adds to its standings: how often each seat, and each place in the order of turns, played and won."""
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
    """The place that a seat came in, from 1 on, equals together; None if the match says nothing of it."""
    ahead = 0
    for equals in row["placement"]:
        if seat in equals:
            return ahead + 1
        ahead += len(equals)
    return None
