"""The census of a match, for each of three pairs of eyes."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from flask import Response

from api.http import endpoint
from api.http.access.authorization import FULL
from api.http.endpoint import Room
from api.http.responses import answer
from api.resources.census import schemas as shapes
from api.resources.entries.routes import EYES, looking
from referee.census.check import Claim
from referee.queries.census_views import census, entries_for

KEPT = 128  # counts kept in this process for whoever asks again: a long match takes a while to count
_kept: OrderedDict[tuple[bytes, int, Claim | None], dict[str, Any]] = OrderedDict()
_lock = Lock()
room = Room("census", "Whether everything that was shown can be.")


def get_census(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """Whether all that these eyes were shown can be; if not, the earliest entry that made it so, where each copy in
    question was named and by whom, and what to count again.

    With `place` and `card`, or `place` and `count`: whether that can be besides, and if not, since which entry. A
    census decides nothing; what is wrong is put right by a dispute.
    """
    claim = Claim(query["place"], query.get("card", ""), query.get("count")) if "place" in query else None
    loaded, eyes = endpoint.loaded(match), looking(seat)
    entries = entries_for(endpoint.desk(), loaded, eyes)
    key = (entries[-1].root, eyes, claim)
    with _lock:
        found = _kept.get(key)
    if found is None:
        found = census(loaded.match.rules, entries, eyes, claim)
        with _lock:
            _kept[key] = found
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return answer(found, version=found["version"])


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/census", f"get{each.name}Census", each.right, query=shapes.CensusQuery, etag=True,
        gives=(200, shapes.MatchCensusSchema), problems=wrong,
    )(get_census)  # fmt: skip
