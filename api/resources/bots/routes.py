"""Routes that seat and remove bots, and answer the table's question about one.

In the lobby the host decides; once the match runs, the other seats have to agree.
"""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import preconditions
from api.http.access.authorization import PLAYER, PROPOSER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import format_etag, json_response
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import (
    execute_table_command,
    match_changed_response,
    match_to_dict,
    receipt_headers,
)
from api.resources.matches.seating import parse_style
from api.resources.seats.routes import SEAT_PATH
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.match.bots import substitution as bot_substitution
from referee.service.requests import CommandResult

BOT_PATH = f"{SEAT_PATH}/bot"
JSON = "application/json"
BOT_PROBLEMS = ("match-over", "hand-unknown", "tournament-seats", "stale-version")
blueprint = EndpointBlueprint("bots", tag="seats")


@blueprint.declare(
    Endpoint(
        "PUT",
        BOT_PATH,
        "seatBot",
        PROPOSER,
        body=shapes.BotBody,
        response=(200, shapes.ChangedMatchSchema),
        key=True,
        etag=True,
        other_responses=[(202, shapes.ChangedMatchSchema, JSON)],
        precondition="allowed",
        problems=["seat-held", "seat-not-for-people", *BOT_PROBLEMS, "idempotency-key-reused"],
    )
)
def seat_bot(body: dict[str, Any], match: str, seat: int) -> Response:
    """Put a bot on a free seat, or change the level or style of a bot.

    While the match runs, the other seats are asked: 202 until all have agreed. Asking counts as agreeing.
    """
    strict = preconditions.parse_if_match(False)
    command = bot_substitution.SeatBot(seat, body["level"], g.caller.seats, parse_style(body, g.caller.table.rules))
    done = execute_table_command(match, command, bot_key_scope(), strict)
    return bot_change_response(done, seat)


@blueprint.declare(
    Endpoint(
        "DELETE",
        BOT_PATH,
        "removeBot",
        PROPOSER,
        response=(204, None),
        other_responses=[(202, shapes.ChangedMatchSchema, JSON)],
        precondition="allowed",
        receipt=True,
        problems=BOT_PROBLEMS,
    )
)
def remove_bot(match: str, seat: int) -> Response:
    """Remove a bot, or withdraw the question whether one may come.

    While the match runs, the other seats are asked: 202 until all have agreed.
    """
    strict, table = preconditions.parse_if_match(False), g.caller.table
    proposal = bot_substitution.find_proposal(table, seat)
    if table.chairs[seat].kind != "bot" and proposal is None:
        return Response(status=204)  # there is none
    if proposal is not None and proposal.level is None:
        body = {**match_to_dict(table, g.caller.version), "receipt": None}
        return json_response(body, 202, headers={"ETag": format_etag(g.caller.version)})
    at = g.caller.version if strict is None else strict
    try:
        done = execute_table_command(
            match, bot_substitution.RemoveBot(seat, g.caller.seats), bot_key_scope(), strict, f"nobot{seat}-v{at}"
        )
    except IllegalMove as refused:
        if refused.ruling.reason != "no_bot_there":  # another request was faster
            raise
        return Response(status=204)
    if bot_substitution.find_proposal(done.match, seat) is None:
        return Response(status=204, headers=receipt_headers(done))
    return bot_change_response(done, seat)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{BOT_PATH}/proposals/<int(min=0, max=2147483647):proposal>/consents",
        "answerBot",
        PLAYER,
        body=shapes.ConsentBody,
        response=(200, shapes.ChangedMatchSchema),
        key=True,
        etag=True,
        other_responses=[(202, shapes.ChangedMatchSchema, JSON)],
        precondition="of_question",
        problems=[
            "nothing-asked",
            "asked-otherwise",
            "no-say",
            "match-over",
            "stale-version",
            "idempotency-key-reused",
        ],
    )
)
def answer_bot(body: dict[str, Any], match: str, seat: int, proposal: int) -> Response:
    """Agree or refuse for all seats of this token.

    The answer is for this proposal (`proposal` of the seat; 0 in matches that were opened before there were numbers),
    not for one that replaced it. With the last consent the change is made; one refusal closes the question. With
    `If-Match` it is only for the question that was open at that version.
    """
    command: Move = bot_substitution.AnswerBot(seat, body["grant"], g.caller.seats, proposal)
    return bot_change_response(
        execute_table_command(match, command, bot_key_scope(), preconditions.parse_if_match(False)), seat
    )


def bot_key_scope() -> str:
    """Return the scope of the keys: the first seat of the token, or the host."""
    return f"bots-seat{min(g.caller.seats)}" if g.caller.seats else "bots-host"


def bot_change_response(done: CommandResult, seat: int) -> Response:
    """Return the match after the change; 202 while the table is still being asked."""
    return match_changed_response(done, 200 if bot_substitution.find_proposal(done.match, seat) is None else 202)
