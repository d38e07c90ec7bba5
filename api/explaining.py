"""Explanations: why an entry of the log is as it is, for each of three pairs of eyes."""

from __future__ import annotations

from flask import Response

from api import door
from api.answers import answer, timed
from api.door import Room
from api.log import EYES, looking
from api.rights import FULL
from api.schemas import explaining as shapes
from referee.desk import explaining

room = Room("explanations", "Why what happened is right.")


def explain_entry(match: str, n: int, seat: int | None = None) -> Response:
    """Why an entry is as it is: the question that was open and who was asked, the clauses in the order of their use,
    each number with the card and the clause it comes from, what else was legal, and a sentence to read aloud.

    It is worked out from what these eyes saw, and from nothing else.
    """
    return answer(timed(explaining.explained(door.desk(), door.loaded(match), looking(seat), n)), version=n)


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/events/<int(min=1, max=2147483647):n>/explain", f"explain{each.name}Entry", each.right,
        etag=True, gives=(200, shapes.ExplanationSchema), problems=[*wrong, "unknown-version"],
    )(explain_entry)  # fmt: skip
