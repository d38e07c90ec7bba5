"""A player's matches: which entries seated him is known to his account, what became of the matches to a projection."""

from __future__ import annotations

from typing import Any

import orjson

from api import door
from api.answers import moment
from referee.desk import speech
from referee.games import games
from referee.reckoning import results
from referee.reckoning.builds import BUILDS
from referee.store.base import partition_of


def items_of(player: str, own: bool, after: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
    """A page of a player's matches, the latest first, and where the next one begins (None: there is none).

    What is not his `own` account shows public matches only. Matches that the projection has not seen are left out.
    """
    log = door.desk().log
    noted = []
    for sitting, note in log.enlisted(player).items():
        match, _, version = sitting.partition(":")
        kept = orjson.loads(note)
        noted.append((f"{kept['at_ms']:015d}-{match}-{version}", match, int(version), kept["seat"]))
    noted.sort(reverse=True)
    found: list[dict[str, Any]] = []
    last = ""
    for cursor, match, version, seat in noted:
        if after is not None and cursor >= after:
            continue
        row = row_of(match)
        if row is None or not (own or row["visibility"] == "public"):
            continue
        if log.links([match]).get(match, {}).get(version) != player:
            continue  # he was noted and never linked: whoever repeats the request ends it
        if len(found) == limit:
            return found, last
        found.append(item(match, row, seat, version))
        last = cursor
    return found, None


def row_of(match: str) -> dict[str, Any] | None:
    """What became of a match, as far as the projection has read; None if it has not met it."""
    rows = door.desk().log.projected(partition_of(match), "standings", BUILDS["standings"], "matches", [match])
    return orjson.loads(rows[match]) if match in rows else None


def item(match: str, row: dict[str, Any], seat: int, version: int) -> dict[str, Any]:
    """A match as a history shows it. `held`: he was the last to sit there, so the result is his."""
    held = row["seats"][seat]["kind"] == "human" and row["seats"][seat]["sat"] == version
    over = row["ended_at_ms"] is not None
    result = None
    if over and held and row["status"] == "finished":
        result = "won" if seat in row["winners"] else "lost" if row["winners"] else "drawn"
    return {
        "match": match,
        "game": row["game"],
        "variant": row["variant"],
        "visibility": row["visibility"],
        "status": row["status"],
        "seat": seat,
        "sat_down_at_version": version,
        "held": held,
        "started_at": None if row["started_at_ms"] is None else moment(row["started_at_ms"]),
        "ended_at": moment(row["ended_at_ms"]) if over else None,
        "result": result,
        "place": results.place_of(row, seat) if result else None,
        "counts": results.counts(row),
        "reason": speech.texts(games()[row["game"]], row["reason"]) if row["reason"] else None,
    }
