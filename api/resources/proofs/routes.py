"""Checkpoints and proofs of matches' logs and of the root log; the signing keys.

An answer here proves nothing by itself. A client that keeps receipts, and checks these answers with RFC 9162 and the
public key, need not trust the server.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from flask import Response, current_app, g, request

from api.http import context
from api.http.access.authorization import ANYONE, MATCH_VIEWER, OPTIONAL_TOKEN
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import JSON, format_time, json_response
from api.http.schemas.paging import next_link_header
from api.resources.matches.routes import MATCH_PATH, require_readable_match
from api.resources.proofs import schemas as shapes
from referee.engine.seats import BYSTANDER
from referee.infrastructure.root_publisher import LeafNotFoundError, RootPublisher
from referee.match.errors import UnknownVersion
from referee.queries import views
from referee.repository.proofs import Prover
from referee.transparency.key_chain import build_chain_name, find_trusted_keys
from referee.transparency.merkle import leaf_hash
from referee.transparency.receipts import encode_pem, encode_verifier_key

PLAIN_TEXT = "text/plain"
ROOTS_PATH = "/v1/roots"
CHECKPOINT_OPTIONS: dict[str, Any] = {
    "response": (200, shapes.CheckpointSchema),
    "other_responses": [(200, {"type": "string"}, PLAIN_TEXT)],
    "media": (JSON, PLAIN_TEXT),
}
blueprint = EndpointBlueprint("proofs")


def get_prover() -> Prover:
    """Return the prover for the logs of matches."""
    found: Prover = current_app.config["PROVER"]
    return found


def get_publisher() -> RootPublisher:
    """Return the publisher of the root log."""
    found: RootPublisher = current_app.config["PUBLISHER"]
    return found


def encode_base64(data: bytes) -> str:
    """Return bytes in base64, as notes have them."""
    return base64.b64encode(data).decode()


def find_last_visible_version(match: str) -> int:
    """Return the last version that the caller may know of.

    An onlooker learns nothing here before the match shows it to onlookers.
    """
    found = context.get_loaded_match(match)
    return views.find_visible_version(found, BYSTANDER) if g.caller.is_onlooker else found.version


def require_visible_version(version: int, last: int) -> int:
    """Return the version if it may be known. Raises UnknownVersion."""
    if version > last:
        raise UnknownVersion(version)
    return version


def query_mismatch_problem(name: str, detail: str) -> Problem:
    """Return the problem for a query parameter that does not fit another one."""
    return Problem("invalid-input", errors=[{"pointer": f"/{name}", "detail": detail, "in": "query"}])


def checkpoint_response(origin: str, size: int, root: bytes, note: str, version: int | None = None) -> Response:
    """Return a checkpoint as JSON, or its note alone if plain text is preferred."""
    if request.accept_mimetypes.best_match((JSON, PLAIN_TEXT)) == PLAIN_TEXT:
        response = Response(note, mimetype=PLAIN_TEXT)
        if version is not None:
            response.headers["ETag"] = f'"v{version}"'
        return response
    return json_response({"origin": origin, "size": size, "root": encode_base64(root), "note": note}, version=version)


# -- of a match --------------------------------------------------------------------------------------------------------


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/checkpoint",
        "getCheckpoint",
        MATCH_VIEWER,
        etag=True,
        problems=["log-frozen"],
        **CHECKPOINT_OPTIONS,
    )
)
def get_checkpoint(match: str) -> Response:
    """Return the latest checkpoint of a match's log.

    It says how many entries there are and the root over them, and it is signed. Onlookers get the checkpoint of what
    they see. As `text/plain`: the note alone.
    """
    return receipt_response(match, find_last_visible_version(match))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/receipts/<int(min=1, max=2147483647):version>",
        "getReceipt",
        MATCH_VIEWER,
        etag=True,
        problems=["unknown-version", "log-frozen"],
        **CHECKPOINT_OPTIONS,
    )
)
def get_receipt(match: str, version: int) -> Response:
    """Return the receipt of a version again.

    It is the receipt that the write of that version returned, signed by the present key.
    """
    return receipt_response(match, require_visible_version(version, find_last_visible_version(match)))


def receipt_response(match: str, version: int) -> Response:
    """Return the signed checkpoint of a version."""
    root = get_prover().load_verified_root(match, version)
    # the last note of a match from another server is signed by that server
    note = context.get_match_service().sign(match, version, root)
    return checkpoint_response(note.partition("\n")[0], version, root, note, version)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/proofs/inclusion",
        "getInclusion",
        MATCH_VIEWER,
        query=shapes.InclusionQuery,
        response=(200, shapes.InclusionSchema),
        problems=["unknown-version", "log-frozen"],
    )
)
def get_inclusion(query: dict[str, Any], match: str) -> Response:
    """Prove that an entry is in the log.

    The proof holds the entry's bytes as they were hashed and the path to the root. It needs no other entry.
    """
    return inclusion_response(match, query, find_last_visible_version(match))


def inclusion_response(match: str, query: dict[str, Any], last: int) -> Response:
    """Return the inclusion proof that a query asks for, up to entry `last`.

    Raises UnknownVersion, Problem, MatchUnavailable.
    """
    version = query["version"]
    size = require_visible_version(query.get("size", last), last)
    require_visible_version(version, last)
    if version > size:
        raise query_mismatch_problem("version", f"At most the size, {size}.")
    found = get_prover().prove_inclusion(match, version, size)
    body = {
        "version": version,
        "index": version - 1,
        "size": size,
        "envelope": found.envelope.decode(),
        "leaf": encode_base64(leaf_hash(found.envelope)),
        "path": [encode_base64(step) for step in found.path],
        "root": encode_base64(found.root),
        "note": context.get_match_service().sign(match, size, found.root),
    }
    return json_response(body)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/proofs/consistency",
        "getConsistency",
        MATCH_VIEWER,
        query=shapes.ConsistencyQuery,
        response=(200, shapes.ConsistencySchema),
        problems=["unknown-version", "log-frozen"],
    )
)
def get_consistency(query: dict[str, Any], match: str) -> Response:
    """Prove that the log only grew from one checkpoint to another.

    Nothing before was changed, removed or inserted.
    """
    return consistency_response(match, query, find_last_visible_version(match))


def consistency_response(match: str, query: dict[str, Any], last: int) -> Response:
    """Return the consistency proof that a query asks for, up to entry `last`.

    Raises UnknownVersion, Problem, MatchUnavailable.
    """
    first = query["from_"]
    second = require_visible_version(query.get("to", last), last)
    require_visible_version(first, last)
    if first > second:
        raise query_mismatch_problem("from", f"At most `to`, {second}.")
    found = get_prover().prove_consistency(match, first, second)
    note = context.get_match_service().sign(match, second, found.second_root)
    return json_response(consistency_to_dict(first, second, found.path, found.first_root, found.second_root, note))


def consistency_to_dict(
    first: int, second: int, path: tuple[bytes, ...], was: bytes, root: bytes, note: str
) -> dict[str, Any]:
    """Return a consistency proof as data."""
    return {
        "from": first,
        "to": second,
        "path": [encode_base64(step) for step in path],
        "from_root": encode_base64(was),
        "to_root": encode_base64(root),
        "note": note,
    }


# -- over all matches --------------------------------------------------------------------------------------------------


@blueprint.declare(
    Endpoint(
        "GET",
        f"{ROOTS_PATH}/checkpoint",
        "getRootsCheckpoint",
        ANYONE,
        problems=["roots-damaged"],
        **CHECKPOINT_OPTIONS,
    )
)
def get_roots_checkpoint() -> Response:
    """Return the latest checkpoint of the root log.

    The root log holds the final roots of all matches that are over, and the keys of this server. As `text/plain`: the
    note alone.
    """
    return checkpoint_response(get_publisher().origin, *get_publisher().sign_checkpoint())


@blueprint.declare(
    Endpoint(
        "GET",
        ROOTS_PATH,
        "listRoots",
        ANYONE,
        query=shapes.LeavesQuery,
        response=(200, shapes.LeavesSchema),
        problems=["roots-damaged"],
    )
)
def list_roots(query: dict[str, Any]) -> Response:
    """List the leaves of the root log as hashes.

    A client that follows the list sees that no leaf disappears. Only somebody who knows the final root of a match can
    tell which leaf belongs to it, so private matches stay private.
    """
    after = query["after"]
    found = get_publisher().read_leaf_hashes(after, query["limit"])
    size = get_publisher().count_leaves()
    items = [{"index": index, "hash": encode_base64(leaf)} for index, leaf in enumerate(found, after)]
    cursor = after + len(items) if items and after + len(items) < size else None
    return json_response({"items": items, "size": size, "next_cursor": cursor}, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{ROOTS_PATH}/proofs/inclusion",
        "getRootsInclusion",
        OPTIONAL_TOKEN,
        query=shapes.PublishedRootQuery,
        response=(200, shapes.PublishedRootSchema),
        problems=["unknown-match", "not-published", "unknown-size", "roots-damaged"],
    )
)
def get_published_root(query: dict[str, Any]) -> Response:
    """Return the published final root of a match, and prove it is in the root log.

    The root is published when the match is over; if the match went on later, this is the last one published. The caller
    must be allowed to see the match.
    """
    match = require_readable_match(query["match"])
    if "size" in query:
        require_tree_size(query["size"])
    try:
        found = get_publisher().prove_inclusion(match, query.get("size"))
    except LeafNotFoundError:
        raise Problem("not-published") from None
    body = {
        "match": match,
        "leaf": found.data.decode(),
        "index": found.index,
        "size": found.size,
        "path": [encode_base64(step) for step in found.path],
        "root": encode_base64(found.root),
        "note": found.note,
    }
    return json_response(body)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{ROOTS_PATH}/proofs/consistency",
        "getRootsConsistency",
        ANYONE,
        query=shapes.ConsistencyQuery,
        response=(200, shapes.ConsistencySchema),
        problems=["unknown-size", "roots-damaged"],
    )
)
def get_roots_consistency(query: dict[str, Any]) -> Response:
    """Prove that the root log only grew from one checkpoint to another."""
    first, roots = query["from_"], get_publisher()
    second = require_tree_size(query["to"]) if "to" in query else roots.count_leaves()
    if first > second:
        require_tree_size(first)
        raise query_mismatch_problem("from", f"At most `to`, {second}.")
    path = roots.prove_consistency(first, second)
    _, root, note = roots.sign_checkpoint(second)
    return json_response(consistency_to_dict(first, second, path, roots.load_root(first), root, note))


def require_tree_size(size: int) -> int:
    """Return the size if the root log has reached it. Raises Problem."""
    if size > get_publisher().count_leaves():
        raise Problem("unknown-size", params={"size": size})
    return size


# -- keys --------------------------------------------------------------------------------------------------------------


@blueprint.declare(
    Endpoint(
        "GET",
        "/v1/keys",
        "getKeys",
        ANYONE,
        query=shapes.KeysQuery,
        response=(200, shapes.KeysSchema),
        problems=["roots-damaged"],
    )
)
def get_keys(query: dict[str, Any]) -> Response:
    """List the public keys of this server, oldest first.

    Each key is named by one before it. Get the keys once before you need them, from another source too if you can: a
    server that lies could show other keys later.
    """
    roots = get_publisher()
    origin = f"{roots.store}/{query['match']}" if "match" in query else roots.origin
    origins = dict.fromkeys((roots.origin, build_chain_name(roots.store), origin))
    chain, signs = roots.ensure_key_published(), roots.signer.public
    trusted = find_trusted_keys(chain, store=roots.store)
    later: list[str | None] = [format_time(key.since_ms) for key in chain[1:]]
    items = [
        {
            "fingerprint": hashlib.sha256(key.public).hexdigest(),
            "public": encode_base64(key.public),
            "pem": encode_pem(key.public),
            "verifier_key": encode_verifier_key(origin, key.public),
            "verifier_keys": {name: encode_verifier_key(name, key.public) for name in origins},
            "since": format_time(key.since_ms),
            "until": until,
            "statement": key.statement or None,
            "vouched": key.public in trusted,
            "signs": key.public == signs,
        }
        for key, until in zip(chain, [*later, None], strict=True)
    ]
    return json_response({"store": roots.store, "keys": items})
