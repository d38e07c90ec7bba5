"""The route by which a seat takes a hint."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app

from api.http import context, preconditions
from api.http.access.admission import readmit_request
from api.http.access.authorization import SEAT_VIEWER
from api.http.change_feed import NoSlotError
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.prefer import acquire_request_slot
from api.http.problems import Problem
from api.http.responses import json_response, replay_header
from api.resources.hints import schemas as shapes
from api.resources.matches.routes import MATCH_PATH
from referee.engine.rulings import IllegalMove
from referee.match.errors import VersionConflict
from referee.match.loaded import LoadedMatch
from referee.match.table.hints import TakeHint, find_taken_hint, require_hint
from referee.service.hints import find_hint_version
from referee.service.requests import CommandResult

blueprint = EndpointBlueprint("hints", tag="moves")


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/seats/<seat:seat>/hints",
        "takeHint",
        SEAT_VIEWER,
        response=(200, shapes.HintSchema),
        key=True,
        problems=[
            "hints-not-allowed",
            "no-hint-now",
            "hint-undecided",
            "hint-waiting",
            "overtaken",
            "in-dispute",
            "official-called",
            "witness-awaited",
            "match-over",
            "not-running",
            "idempotency-key-reused",
        ],
    )
)
def take_hint(match: str, seat: int) -> Response:
    """Take a hint for a seat that may move now.

    It rests on what the seat sees, and an entry tells everybody that it was taken. As long as play stands where it
    stood, asking again gives the same hint and writes nothing.
    """
    key, service = preconditions.require_idempotency_key(), context.get_match_service()
    loaded = service.load_match(match, f"seat{seat}:{key}")
    if loaded.read_result.known is None:
        require_hint(loaded.match, seat)
    at = find_hint_version(service, loaded, seat)
    options = wait_for_options(match, seat, at)
    readmit_request()
    done = record_hint(loaded, seat, at, key)
    body = (
        {"version": loaded.version, "receipt": None}
        if done is None
        else {
            "version": done.version,
            "receipt": done.receipt,
        }
    )
    headers = {} if done is None else replay_header(done.replayed)
    return json_response({**body, "about": at, "options": options}, headers=headers)


def wait_for_options(match: str, seat: int, at: int) -> list[dict[str, Any]]:
    """Return what a worker advises the seat at this version.

    Raises Problem if none answers in time or the seat sees too little, and IllegalMove if there is nothing to advise.
    """
    try:
        place = acquire_request_slot("poll")
    except NoSlotError:
        raise Problem("hint-waiting") from None
    try:
        hint = current_app.config["REQUEST_HINT"](match, seat, at)
    finally:
        place.release()
    if hint is None:
        raise Problem("hint-waiting")
    if "needs" in hint:
        raise Problem("hint-undecided", detail=next((need["asks"] for need in hint["needs"]), None))
    if not hint["options"]:
        raise IllegalMove("no_hint_now", "TABLE-HINT-1", seat=seat)
    options: list[dict[str, Any]] = hint["options"]
    return options


def record_hint(loaded: LoadedMatch, seat: int, at: int, key: str) -> CommandResult | None:
    """Write down that the seat takes this hint, before it gets it.

    Return None if that was written before. Raises VersionConflict if play has gone on meanwhile.
    """
    taken = find_taken_hint(loaded.match, seat)
    if loaded.read_result.known is None and taken is not None and taken.at == at:
        return None
    try:
        return context.get_match_service().execute_command(
            loaded.match.id, TakeHint(seat, at), key=key, scope=f"seat{seat}", strict=at
        )
    except VersionConflict as late:
        raise VersionConflict(at, late.version, False) from None
    except IllegalMove as refused:
        if refused.ruling.reason != "hint_taken":  # another request was faster
            raise
        return None
