"""Bundles of any server, handed in to be judged here: kept for a day, for whoever handed them in alone."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, current_app, request

from api.http import endpoint
from api.http.access import tokens
from api.http.access.authorization import Right
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.raw_bodies import PARTS, files, sent
from api.http.responses import NDJSON, answer, moment
from api.resources.bundles import schemas as shapes
from api.resources.health.routes import queue
from api.resources.webhooks.routes import replayed
from referee.audit import submissions
from referee.audit.bundles.files import BadNotes, notes_in
from referee.audit.submissions import MOST_BYTES, WAITING, State

ALL = "/v1/bundles"
MEDIA = (NDJSON, "application/gzip", "application/octet-stream")
MOST_WAITING = 40
LONGEST_RECEIPTS = 1024 * 1024  # bytes of all receipts that come with a bundle
BOTH = {
    "type": "object",
    "required": ["bundle"],
    "additionalProperties": False,
    "properties": {
        "bundle": {"type": "string", "format": "binary", "description": "As it would be sent alone"},
        "receipts": {
            "type": "array",
            "items": {"type": "string", "format": "binary"},
            "description": "Files with receipts that somebody kept of the match: as text, or as answers in JSON",
        },
    },
}
room = Room("handed_in", "Bundles of any server, judged again.")
BEARER = Right(True, False)


def told(bundle: str, found: State) -> dict[str, Any]:
    """A bundle as its bearer sees it."""
    return {"id": bundle, "state": found.state, "at": moment(found.at_ms), "report": found.report}


def given() -> tuple[bytes, list[str]]:
    """The bundle that is handed in, and the receipts beside it. Raises Problem."""
    if request.mimetype != PARTS:
        return sent("bundle", MEDIA, MOST_BYTES), []
    found = files("bundle", {"bundle": MOST_BYTES, "receipts": LONGEST_RECEIPTS})
    if len(found.get("bundle", ())) != 1:
        raise Problem("invalid-input", errors=[{"pointer": "/bundle", "detail": "One file."}])
    try:
        notes = [note for part in found.get("receipts", ()) for note in notes_in(part)]
    except BadNotes as wrong:
        raise Problem("invalid-input", errors=[{"pointer": "/receipts", "detail": f"{wrong}."}]) from None
    return found["bundle"][0], notes


@room.call(
    "POST", ALL, "judgeBundle", text=NDJSON, parts=BOTH, gives=(202, shapes.TakenSchema), key=True,
    problems=["idempotency-key-reused", "bundle-media-type", "bundle-too-large", "bundles-waiting", "invalid-input"],
)  # fmt: skip
def judge_bundle() -> Response:
    """Hands in a bundle (NDJSON, or that packed by gzip): every check that `referee verify` makes is made here.

    As `multipart/form-data` with `receipts` beside it, which somebody kept: also whether they are of the same history.
    202 with an address and the token that opens it, for a day; a repeated request gets both again.
    """
    key, (body, notes) = endpoint.key(guarded=False), given()
    waiting = queue().get("waiting", {}).get("bundles", 0)
    if waiting >= MOST_WAITING:
        raise Problem("bundles-waiting", headers={"Retry-After": "60"}, params={"waiting": waiting})
    token = tokens.bundle_token(endpoint.secret(), key)
    bundle, log = tokens.bundle_of(endpoint.secret(), token), endpoint.desk().log
    same, before = submissions.hand_in(log, bundle, asked(body, notes), body, notes)
    if not same:
        raise Problem("idempotency-key-reused")
    current_app.config["ASK_VERDICT"](bundle)
    found = submissions.state(log, bundle) or State(WAITING, log.now())
    headers = {"Location": f"{ALL}/{bundle}", **replayed(before)}
    return answer({**told(bundle, found), "token": token}, 202, headers=headers)


def asked(body: bytes, notes: list[str]) -> bytes:
    """What a request asked, as a hash: the files, however they were put into one body."""
    alone = hashlib.sha256(body).digest()
    if not notes:
        return alone
    return hashlib.sha256(b"".join((alone, *(hashlib.sha256(note.encode()).digest() for note in notes)))).digest()


@room.call(
    "GET", f"{ALL}/<bundle:bundle>", "getJudgedBundle", BEARER, gives=(200, shapes.HandedSchema),
    problems=["unknown-bundle"],
)  # fmt: skip
def get_judged_bundle(bundle: str) -> Response:
    """How a bundle stands that was handed in, and what was found, in English and German. With the token that its
    address came with; another one knows no such bundle."""
    token = endpoint.presented()
    assert token is not None
    # made from the token, so that nothing is to be compared that a clock could tell
    found = (
        submissions.state(endpoint.desk().log, bundle) if tokens.bundle_of(endpoint.secret(), token) == bundle else None
    )
    if found is None:
        raise Problem("unknown-bundle")
    if found.state == WAITING:  # a job that was lost is asked for again by whoever waits for it
        current_app.config["ASK_VERDICT"](bundle)
    return answer(told(bundle, found))
