"""Bots in and out: put on a free seat of the lobby by the host, later let in by the other seats, and sent away."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import endpoint
from api.http.access.authorization import PLAYER, PROPOSER
from api.http.endpoint import Room
from api.http.responses import answer, etag
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import changed, described, done_business, receipted
from api.resources.seats.routes import SEAT
from referee.engine.events import Move
from referee.engine.rulings import Refused
from referee.match.table import bot_substitution
from referee.service.match_service import Done

BOT = f"{SEAT}/bot"
JSON = "application/json"
WRONG = ("match-over", "hand-unknown", "stale-version")
room = Room("bots", "Bots that come to a seat, and go.")


@room.call(
    "PUT", BOT, "seatBot", PROPOSER, body=shapes.BotBody, gives=(200, shapes.ChangedSchema), key=True, etag=True,
    also=[(202, shapes.ChangedSchema, JSON)], precondition="allowed",
    problems=["seat-held", "seat-not-for-people", *WRONG, "idempotency-key-reused"],
)  # fmt: skip
def seat_bot(body: dict[str, Any], match: str, seat: int) -> Response:
    """Puts a bot on a free seat, or changes its level. While the match runs the other seats are asked: 202 until all
    have agreed. Who asks agrees by asking."""
    strict = endpoint.precondition(False)
    ask = bot_substitution.SeatBot(seat, body["level"], g.caller.seats)
    done = done_business(match, ask, bearer(), strict)
    return told(done, seat)


@room.call(
    "DELETE", BOT, "removeBot", PROPOSER, gives=(204, None), also=[(202, shapes.ChangedSchema, JSON)],
    precondition="allowed", receipt=True, problems=WRONG,
)  # fmt: skip
def remove_bot(match: str, seat: int) -> Response:
    """Takes a bot away, or withdraws the question whether one may come. While the match runs the other seats are
    asked: 202 until all have agreed."""
    strict, table = endpoint.precondition(False), g.caller.table
    asked = bot_substitution.asked_about(table, seat)
    if table.chairs[seat].kind != "bot" and asked is None:
        return Response(status=204)  # there is none
    if asked is not None and asked.level is None:
        body = {**described(table, g.caller.version), "receipt": None}
        return answer(body, 202, headers={"ETag": etag(g.caller.version)})
    at = g.caller.version if strict is None else strict
    try:
        done = done_business(
            match, bot_substitution.RemoveBot(seat, g.caller.seats), bearer(), strict, f"nobot{seat}-v{at}"
        )
    except Refused as refused:
        if refused.ruling.reason != "no_bot_there":  # somebody else was faster
            raise
        return Response(status=204)
    if bot_substitution.asked_about(done.match, seat) is None:
        return Response(status=204, headers=receipted(done))
    return told(done, seat)


@room.call(
    "POST", f"{BOT}/consents", "answerBot", PLAYER, body=shapes.ConsentBody, gives=(200, shapes.ChangedSchema),
    key=True, etag=True, also=[(202, shapes.ChangedSchema, JSON)], precondition="of_question",
    problems=["nothing-asked", "no-say", "match-over", "stale-version", "idempotency-key-reused"],
)  # fmt: skip
def answer_bot(body: dict[str, Any], match: str, seat: int) -> Response:
    """Says yes or no for all seats of this token. With the last yes it is done; one no closes the question.

    With `If-Match` the answer holds for the question that was open at that version, and for no other that took its
    place; whatever else has happened since does not matter.
    """
    ask: Move = bot_substitution.AnswerBot(seat, body["grant"], g.caller.seats)
    return told(done_business(match, ask, bearer(), endpoint.precondition(False)), seat)


def bearer() -> str:
    """Whose keys these are: the first seat of the token, or the host."""
    return f"bots-seat{min(g.caller.seats)}" if g.caller.seats else "bots-host"


def told(done: Done, seat: int) -> Response:
    """The match after it; 202 while the table is being asked."""
    return changed(done, 200 if bot_substitution.asked_about(done.match, seat) is None else 202)
