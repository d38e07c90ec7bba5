"""Takebacks: a seat asks to go back; within the four rules it is granted at once, else the others are asked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response, g

from api.http import endpoint
from api.http.access.authorization import SEATS, SEE, TABLE_SEATS, Caller
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer
from api.resources.matches.routes import MATCH, done_business, written
from api.resources.moves.routes import where
from api.resources.takebacks import schemas as shapes
from referee.arbitration import takebacks
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.events.dispute_state import Takeback
from referee.match.events.takeback_events import Consent, TakeBack
from referee.queries import views
from referee.service.match_service import Done, Loaded

TAKEBACKS = f"{MATCH}/takebacks"
ONE = f"{TAKEBACKS}/<int(min=1, max=2147483647):takeback>"
room = Room("takebacks", "Going back at the request of a seat.")


@room.call(
    "POST", TAKEBACKS, "askTakeback", TABLE_SEATS, body=shapes.TakebackBody, key=True, etag=True,
    gives=(201, shapes.TakebackWrittenSchema), precondition="required_of_play",
    problems=[
        "not-your-seat", "unknown-seat", "not-running", "nothing-to-take-back", "takeback-barred", "in-dispute",
        "too-many-takebacks", "no-say-in-takeback", "stale-version", "idempotency-key-reused",
    ],
)  # fmt: skip
def ask_takeback(body: dict[str, Any], match: str) -> Response:
    """Asks to go back to where play stood after an entry. It is granted at once if that changes neither who is to move
    nor the turn, if nobody else has moved since, if nobody has seen since what was hidden, and if chance has shown
    nothing since; else the other seats that people hold are asked, and the rules that are waived are named.

    A request blocks nobody: it is overtaken when play goes on. It touches no limit of time, and buys none.
    """
    seat, strict = speaking(g.caller, body.get("seat")), endpoint.precondition(True)
    done = done_business(match, TakeBack(seat, body["to"]), f"seat{seat}", strict)
    return told(done, seat, done.entry)


@room.call(
    "POST", f"{ONE}/consents", "answerTakeback", SEATS, body=shapes.TakebackConsentBody, key=True, etag=True,
    gives=(201, shapes.TakebackWrittenSchema),
    problems=[
        "not-your-seat", "unknown-seat", "no-such-takeback", "takeback-closed", "takeback-overtaken", "in-dispute",
        "no-say-in-takeback", "takeback-not-to-be-barred", "nothing-to-take-back", "idempotency-key-reused",
    ],
)  # fmt: skip
def answer_takeback(body: dict[str, Any], match: str, takeback: int) -> Response:
    """Says yes or no. With the last yes play goes back, in this very entry, and piles from which cards became known are
    shuffled again; one no ends it. With the second no to requests of a seat, `bar` keeps further ones away."""
    seat = speaking(g.caller, body.get("seat"))
    if body["grant"] and body["bar"]:
        raise Problem("invalid-input", errors=[{"pointer": "/bar", "detail": "Only a no can bar further requests."}])
    done = done_business(match, Consent(takeback, seat, body["grant"], body["bar"]), f"seat{seat}", None)
    return told(done, seat, takeback)


@room.call("GET", TAKEBACKS, "listTakebacks", SEE, gives=(200, shapes.TakebacksSchema), etag=True)
def list_takebacks(match: str) -> Response:
    """All takebacks that were asked for, and what became of them. Onlookers see them as late as everything else."""
    found = shown(match)
    table = found.match
    body = {
        "items": [described(table, each) for each in table.takebacks],
        "bars": [asdict(each) for each in table.bars],
    }
    return answer(body, version=found.version)


@room.call(
    "GET", ONE, "getTakeback", SEE, gives=(200, shapes.TakebackSchema), etag=True, problems=["no-such-takeback"]
)  # fmt: skip
def get_takeback(match: str, takeback: int) -> Response:
    """A takeback that was asked for: the rules that it breaks, and what the others have said."""
    found = shown(match)
    return answer(described(found.match, takebacks.found(found.match, takeback)), version=found.version)


def shown(match: str) -> Loaded:
    """The match as far as whoever asks may look; whoever has to do with the table sees it as it stands."""
    found = endpoint.loaded(match)
    return views.latest(endpoint.desk(), found, BYSTANDER, None) if g.caller.onlooker else found


def speaking(caller: Caller, named: int | None) -> int:
    """The seat that speaks: the one that is named, else the only one of the token. Raises Problem."""
    assert caller.table is not None
    mine = [seat for seat in range(len(caller.table.chairs)) if caller.eyes_of(seat)]
    if named is None and len(mine) > 1:
        raise Problem("invalid-input", errors=[{"pointer": "/seat", "detail": f"One of {mine}."}])
    seat = mine[0] if named is None else named
    caller.chair(seat)
    if seat not in mine:
        raise Problem("not-your-seat", params={"seat": seat})
    return seat


def described(match: Match, takeback: Takeback) -> dict[str, Any]:
    """A takeback as everybody who may see the match sees it."""
    return {
        "takeback": takeback.number,
        "seat": takeback.seat,
        "to": takeback.to,
        "stage": takeback.stage,
        "waives": list(takeback.waives),
        "consents": list(takeback.by),
        "against": takeback.against,
        "asks": list(takebacks.asks(match, takeback)),
    }


def told(done: Done, seat: int, number: int) -> Response:
    """What a write became, and the takeback as it stands then."""
    found = takebacks.found(done.match, number)
    return written(done, seat, where(done.match.id, seat), {"takeback": described(done.match, found)})
