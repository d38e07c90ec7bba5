"""The cap on the matches that a host has open.

A host is an account, or an address where no account is shown. Counted is what the store notes of a host, who stands
there under a keyed hash. When the notes are full, those of matches that are over, asleep or gone are deleted first, so
what ends need not be noted. Matches that open at the same moment may go beyond the cap by their number.
"""

from __future__ import annotations

from collections.abc import Collection

import orjson
from flask import current_app

from api.http import context
from api.http.access import admission
from api.http.access.limits import get_client_address
from api.http.problems import Problem
from referee.eventstore.contract import MatchLog, partition_for_match
from referee.match.aggregate import FINAL_STATUSES
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.service.rights import tokens

KEPT_MS = 90 * 24 * 3600 * 1000  # how long notes are kept after the last opening


def require_room_for_match(match: str, account: str) -> None:
    """Note that the caller opens a match.

    Raises Problem if too many others of the caller are open. The operator opens as many as there are.
    """
    if admission.is_operator():
        return
    log = context.get_match_service().log
    kind, who = ("account", account) if account else ("address", get_client_address())
    host = tokens.compute_hmac(context.get_secret(), "opens", kind, who).hex()[:32]
    most: int = current_app.config[f"OPEN_MATCHES_PER_{kind.upper()}"]
    if log.reserve_opening(host, match, most, KEPT_MS):
        return
    log.drop_openings(host, find_closed_matches(log, log.read_openings(host)))
    if not log.reserve_opening(host, match, most, KEPT_MS) and log.read(match, limit=0).head is None:
        raise Problem("too-many-matches", params={"limit": most})


def find_closed_matches(log: MatchLog, matches: Collection[str]) -> frozenset[str]:
    """Return which of these matches are over, or no longer or never were in the store."""
    partitions = sorted({partition_for_match(match) for match in matches})
    found = log.read_across_partitions(
        "lobby", PROJECTION_VERSIONS["lobby"], "matches", sorted(matches), only=partitions
    )
    rows = {match: orjson.loads(row) for _, kept in found.values() for match, row in kept.items()}
    over = {match for match, row in rows.items() if row["status"] in FINAL_STATUSES}
    heads = {match: log.read(match, limit=0).head for match in matches if match not in over}
    return frozenset(over | {match for match, head in heads.items() if head is None or head.status != "open"})
