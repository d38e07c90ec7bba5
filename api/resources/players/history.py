"""A player's matches, put together from the account and a projection.

The account knows by which entries the player took seats. The projection knows how the matches ended.
"""

from __future__ import annotations

from typing import Any

import orjson

from api.http import context
from api.http.responses import format_time
from referee.eventstore.contract import partition_for_match
from referee.games import load_games
from referee.ratings import results
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.rendering import texts

LOOKUP_BATCH = 200  # sittings to look up at a time


def load_history_page(player: str, own: bool, after: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
    """Return a page of a player's matches, latest first, and the cursor of the next.

    The cursor is None on the last page. `own` says that it is for the player; for others it holds public matches only.
    Matches that the projection has not read yet are left out.
    """
    noted = []
    for sitting, note in context.get_match_service().log.read_sittings(player).items():
        match, _, version = sitting.partition(":")
        kept = orjson.loads(note)
        cursor = f"{kept['at_ms']:015d}-{match}-{version}"
        if after is None or cursor < after:
            noted.append((cursor, match, int(version), kept["seat"]))
    noted.sort(reverse=True)
    found: list[dict[str, Any]] = []
    last = ""
    for start in range(0, len(noted), LOOKUP_BATCH):
        batch = noted[start : start + LOOKUP_BATCH]
        rows, links = load_match_outcomes([match for _, match, _, _ in batch])
        for cursor, match, entry, seat in batch:
            row = rows.get(match)
            if row is None or not (own or (row["visibility"] == "public" and not row["late"])):
                continue  # a match that onlookers see late is listed for strangers only once it is over
            if links.get(match, {}).get(entry) != player:
                continue  # noted but not linked: the join broke off, and a repeated request completes it
            if len(found) == limit:
                return found, last
            found.append(history_item_to_dict(match, row, seat, entry))
            last = cursor
    return found, None


def load_match_outcomes(matches: list[str]) -> tuple[dict[str, dict[str, Any]], dict[str, dict[int, str]]]:
    """Return the projection's rows of matches, and their links to accounts.

    Matches that the projection has not read yet have no row.
    """
    log, parts = context.get_match_service().log, sorted({partition_for_match(match) for match in matches})
    partitions = log.read_across_partitions(
        "standings", PROJECTION_VERSIONS["standings"], "matches", sorted(set(matches)), only=parts
    )
    rows = {match: orjson.loads(body) for _, kept in partitions.values() for match, body in kept.items()}
    return rows, log.read_links(sorted(set(matches)))


def history_item_to_dict(match: str, row: dict[str, Any], seat: int, version: int) -> dict[str, Any]:
    """Return a match as a history shows it.

    `held`: nobody sat at the seat after the player, so the result is the player's.
    """
    held = row["seats"][seat]["kind"] == "human" and row["seats"][seat]["sat"] == version
    over = row["ended_at_ms"] is not None
    result = None
    if over and held and row["status"] == "finished":
        box = load_games()[row["game"]]
        beaten = row["winners"] or row["variant"] in box.cooperative_variants  # by other players, or by the game itself
        result = "won" if seat in row["winners"] else "lost" if beaten else "drawn"
    return {
        "match": match,
        "game": row["game"],
        "variant": row["variant"],
        "visibility": row["visibility"],
        "status": row["status"],
        "seat": seat,
        "sat_down_at_version": version,
        "held": held,
        "started_at": None if row["started_at_ms"] is None else format_time(row["started_at_ms"]),
        "ended_at": format_time(row["ended_at_ms"]) if over else None,
        "result": result,
        "place": results.find_place(row, seat) if result else None,
        "counts": results.is_counted(row),
        "uncounted": texts.unrated_reasons_response(
            load_games()[row["game"]], [(entry, key) for entry, key in row["alone"]]
        ),
        "reason": texts.render_text(load_games()[row["game"]], row["reason"]) if row["reason"] else None,
    }
