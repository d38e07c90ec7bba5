"""The census of a match, for each of three pairs of eyes."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import door
from api.answers import answer
from api.door import Room
from api.log import EYES, looking
from api.rights import FULL
from api.schemas import census as shapes
from referee.desk.court.census_told import census
from referee.desk.court.counting import Claim

room = Room("census", "Whether everything that was shown can be.")


def count_match(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """Whether all that these eyes were shown can be; if not, the earliest entry that made it so, where each copy in
    question was named and by whom, and what to count again.

    With `place` and `card`, or `place` and `count`: whether that can be besides, and if not, since which entry. A
    census decides nothing; what is wrong is put right by a dispute.
    """
    claim = Claim(query["place"], query.get("card", ""), query.get("count")) if "place" in query else None
    found = census(door.desk(), door.loaded(match), looking(seat), claim)
    return answer(found, version=found["version"])


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/census", f"count{each.name}Match", each.right, query=shapes.CensusQuery, etag=True,
        gives=(200, shapes.MatchCensusSchema), problems=wrong,
    )(count_match)  # fmt: skip
