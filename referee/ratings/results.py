"""What a match came to, as it counts for the standings: which matches count, and what they add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.engine.codec import canonical
from referee.ratings.projection_versions import DIGEST, digest

Row = Mapping[str, Any]  # of a match, as the view `standings` keeps it


def counts(row: Row) -> bool:
    """Whether a match counts: it was public, its rules ended it, and nobody decided alone what others should have. The
    word of a table crowns nobody, and what anyone may ask tells nothing of a private match."""
    return bool(row["visibility"] == "public" and row["status"] == "finished" and row["by_rules"] and not row["alone"])


def table(row: Row) -> str:
    """The standings to which a match belongs: game and variant."""
    return f"{row['game']}|{row['variant']}"


def added(match: str, row: Row) -> dict[str, dict[str, int]]:
    """What a match adds to its standings: how often each seat, and each place in the order of turns, played and won."""
    if not counts(row):
        return {}
    found = {"played": 1, DIGEST: digest(match, canonical(dict(row)))}
    for seat in range(len(row["seats"])):
        found[f"seat:{seat}:played"] = 1
        found[f"seat:{seat}:won"] = int(seat in row["winners"])
    for place, seat in enumerate(row["order"]):
        found[f"order:{place}:played"] = 1
        found[f"order:{place}:won"] = int(seat in row["winners"])
    return {table(row): {name: value for name, value in found.items() if value}}


def place_of(row: Row, seat: int) -> int | None:
    """The place that a seat came in, from 1 on, equals together; None if the match says nothing of it."""
    ahead = 0
    for equals in row["placement"]:
        if seat in equals:
            return ahead + 1
        ahead += len(equals)
    return None
