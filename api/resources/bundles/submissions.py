"""Routes to submit a bundle of any server and to read the report on it.

Bundle and report are kept for a day, and only the submitter can read them.
"""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, current_app, request

from api.http import context, preconditions
from api.http.access import admission
from api.http.access.authorization import Permission
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.raw_bodies import MULTIPART_FORM, read_multipart_files, read_raw_body
from api.http.responses import NDJSON, NEW_SECRET, format_time, json_response, replay_header
from api.resources.bundles import schemas as shapes
from api.resources.health.routes import get_queue_state
from referee.audit import submissions
from referee.audit.bundles.files import ReceiptFileError, parse_notes
from referee.audit.submissions import MOST_BYTES, WAITING, SubmissionState
from referee.service.rights import tokens

BUNDLES_PATH = "/v1/bundles"
BUNDLE_MEDIA_TYPES = (NDJSON, "application/gzip", "application/octet-stream")
MAX_WAITING_BUNDLES = 40
LONGEST_RECEIPTS = 1024 * 1024  # bytes of all receipts that come with a bundle
MULTIPART_SCHEMA = {
    "type": "object",
    "required": ["bundle"],
    "additionalProperties": False,
    "properties": {
        "bundle": {"type": "string", "format": "binary", "description": "The bundle, as it would be sent alone"},
        "receipts": {
            "type": "array",
            "items": {"type": "string", "format": "binary"},
            "description": "Files with receipts of the match that somebody kept: as text, or as JSON answers",
        },
    },
}
blueprint = EndpointBlueprint("submissions", tag="bundles")
BEARER = Permission(True, False)


def submission_to_dict(bundle: str, found: SubmissionState) -> dict[str, Any]:
    """Return a submitted bundle as its submitter sees it."""
    return {"id": bundle, "state": found.state, "at": format_time(found.at_ms), "report": found.report}


def read_submission() -> tuple[bytes, list[str]]:
    """Return the submitted bundle and the receipts sent with it. Raises Problem."""
    if request.mimetype != MULTIPART_FORM:
        return read_raw_body("bundle", BUNDLE_MEDIA_TYPES, MOST_BYTES), []
    found = read_multipart_files("bundle", {"bundle": MOST_BYTES, "receipts": LONGEST_RECEIPTS})
    if len(found.get("bundle", ())) != 1:
        raise Problem("invalid-input", errors=[{"pointer": "/bundle", "detail": "One file."}])
    try:
        notes = [note for part in found.get("receipts", ()) for note in parse_notes(part)]
    except ReceiptFileError as wrong:
        raise Problem("invalid-input", errors=[{"pointer": "/receipts", "detail": f"{wrong}."}]) from None
    return found["bundle"][0], notes


@blueprint.declare(
    Endpoint(
        "POST",
        BUNDLES_PATH,
        "judgeBundle",
        text=NDJSON,
        parts=MULTIPART_SCHEMA,
        response=(202, shapes.AcceptedBundleSchema),
        key=True,
        location=True,
        problems=[
            "idempotency-key-reused",
            "bundle-media-type",
            "bundle-too-large",
            "bundles-waiting",
            "invalid-input",
        ],
    )
)
def judge_bundle() -> Response:
    """Submit a bundle, to have it checked as `referee verify` would.

    It is NDJSON, or NDJSON packed by gzip. As `multipart/form-data` with `receipts`, the report also says whether these
    receipts are of the same history. The answer is 202 with the address of the report and the token for it, for a day.
    A repeated request gets both again.
    """
    key, (body, notes) = preconditions.require_idempotency_key(guarded=False), read_submission()
    waiting = get_queue_state().get("waiting", {}).get("bundles", 0)
    if waiting >= MAX_WAITING_BUNDLES:
        raise Problem("bundles-waiting", headers={"Retry-After": "60"}, params={"waiting": waiting})
    token = tokens.derive_bundle_token(context.get_secret(), key)
    bundle, log = tokens.derive_bundle_id(context.get_secret(), token), context.get_match_service().log
    same, before = submissions.submit_bundle(log, bundle, hash_submission(body, notes), body, notes)
    if not same:
        raise Problem("idempotency-key-reused")
    current_app.config["REQUEST_VERDICT"](bundle)
    found = submissions.load_submission_state(log, bundle) or SubmissionState(WAITING, log.now())
    headers = {"Location": f"{BUNDLES_PATH}/{bundle}", **NEW_SECRET, **replay_header(before)}
    return json_response({**submission_to_dict(bundle, found), "token": token}, 202, headers=headers)


def hash_submission(body: bytes, notes: list[str]) -> bytes:
    """Return a hash of the submitted files, independent of the form of the body."""
    alone = hashlib.sha256(body).digest()
    if not notes:
        return alone
    return hashlib.sha256(b"".join((alone, *(hashlib.sha256(note.encode()).digest() for note in notes)))).digest()


@blueprint.declare(
    Endpoint(
        "GET",
        f"{BUNDLES_PATH}/<bundle:bundle>",
        "getJudgedBundle",
        BEARER,
        response=(200, shapes.SubmittedBundleSchema),
        problems=["unknown-bundle"],
    )
)
def get_judged_bundle(bundle: str) -> Response:
    """Return the state of a submitted bundle, and the report on it.

    The report is in English and German. It needs the token that came with the address; for any other token there is no
    such bundle.
    """
    token = admission.bearer_token()
    assert token is not None
    # the id is derived from the token, so that timing reveals nothing
    found = (
        submissions.load_submission_state(context.get_match_service().log, bundle)
        if tokens.derive_bundle_id(context.get_secret(), token) == bundle
        else None
    )
    if found is None:
        raise Problem("unknown-bundle")
    if found.state == WAITING:  # request the job again, in case it was lost
        current_app.config["REQUEST_VERDICT"](bundle)
    return json_response(submission_to_dict(bundle, found))
