"""Routes for the census of a match, for each viewer."""

from __future__ import annotations

from threading import Lock
from typing import Any

from cachetools import LRUCache
from flask import Response

from api.http import context
from api.http.access.authorization import ANY_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import json_response
from api.resources.census import schemas as shapes
from api.resources.matches.routes import MATCH_PATH
from referee.census.check import CensusClaim
from referee.queries.census_views import load_countable_entries, match_census_response

CACHE_SIZE = 128  # results kept in this process, because a long match takes a while to count
_cache: LRUCache[tuple[bytes, int, CensusClaim | None], dict[str, Any]] = LRUCache(CACHE_SIZE)
_lock = Lock()
blueprint = EndpointBlueprint("census", tag="real-tables")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/census",
        "getCensus",
        ANY_VIEWER,
        query=shapes.CensusQuery,
        etag=True,
        response=(200, shapes.MatchCensusSchema),
    )
)
def get_census(query: dict[str, Any], match: str) -> Response:
    """Check whether all that the viewer was shown of the cards can be true.

    If not, the answer names the earliest entry that made it impossible, where each copy in question was named and by
    whom, and what to count again. With `place` and `card`, or `place` and `count`: whether that can be true as well,
    and if not, since which entry.
    """
    claim = CensusClaim(query["place"], query.get("card", ""), query.get("count")) if "place" in query else None
    loaded, viewer = context.get_loaded_match(match), query["viewer"]
    entries = load_countable_entries(context.get_match_service(), loaded, viewer)
    key = (entries[-1].root, viewer, claim)
    with _lock:
        found = _cache.get(key)
    if found is None:
        found = match_census_response(loaded.match.rules, entries, viewer, claim)
        with _lock:
            _cache[key] = found
    return json_response(found, version=found["version"])
