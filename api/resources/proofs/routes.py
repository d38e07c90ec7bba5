"""Checkpoints and proofs: of a match's log, and of the log of roots over all matches; and the keys that sign.

Nothing here proves anything by being said here: whoever keeps receipts, and checks these answers with RFC 9162 and the
public key, needs not believe the server.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from flask import Response, current_app, g, request

from api.http import endpoint
from api.http.access.authorization import ANYONE, SEE, WATCHER
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import JSON, answer, moment
from api.resources.matches.routes import MATCH, readable
from api.resources.proofs import schemas as shapes
from referee.engine.seats import BYSTANDER
from referee.infrastructure.root_publisher import NoSuchLeaf, Publisher
from referee.match.errors import UnknownVersion
from referee.queries import views
from referee.repository.proofs import Prover
from referee.transparency.key_chain import vouched
from referee.transparency.merkle import leaf_hash
from referee.transparency.receipts import pem_of, verifier_key

TEXT = "text/plain"
ROOTS = "/v1/roots"
NOTED: dict[str, Any] = {
    "gives": (200, shapes.CheckpointSchema),
    "also": [(200, {"type": "string"}, TEXT)],
    "media": (JSON, TEXT),
}
room = Room("proofs", "That nothing was changed since: checkpoints, receipts, proofs, keys.")


def prover() -> Prover:
    """What shows the logs of matches."""
    found: Prover = current_app.config["PROVER"]
    return found


def publisher() -> Publisher:
    """The log of roots."""
    found: Publisher = current_app.config["PUBLISHER"]
    return found


def b64(data: bytes) -> str:
    """Bytes as notes have them."""
    return base64.b64encode(data).decode()


def upto(match: str) -> int:
    """The last version that whoever asks may know of: onlookers learn nothing here before they see it."""
    found = endpoint.loaded(match)
    return views.shown_upto(found, BYSTANDER) if g.caller.onlooker else found.version


def within(version: int, last: int) -> int:
    """A version that may be known. Raises UnknownVersion."""
    if version > last:
        raise UnknownVersion(version)
    return version


def beyond(name: str, detail: str) -> Problem:
    """A number of the query does not fit the other."""
    return Problem("invalid-input", errors=[{"pointer": f"/{name}", "detail": detail, "in": "query"}])


def noted(origin: str, size: int, root: bytes, note: str, version: int | None = None) -> Response:
    """A checkpoint as JSON, or the note alone for whoever prefers plain text."""
    if request.accept_mimetypes.best_match((JSON, TEXT)) == TEXT:
        response = Response(note, mimetype=TEXT)
        if version is not None:
            response.headers["ETag"] = f'"v{version}"'
        return response
    return answer({"origin": origin, "size": size, "root": b64(root), "note": note}, version=version)


# -- of a match --------------------------------------------------------------------------------------------------------


@room.call("GET", f"{MATCH}/checkpoint", "getCheckpoint", SEE, etag=True, problems=["log-frozen"], **NOTED)
def get_checkpoint(match: str) -> Response:
    """The latest checkpoint of the log: how many entries, the root over them, signed. Onlookers get that of what they
    see. As `text/plain`: the note alone."""
    return receipt(match, upto(match))


@room.call(
    "GET", f"{MATCH}/receipts/<int(min=1, max=2147483647):n>", "getReceipt", SEE, etag=True,
    problems=["unknown-version", "log-frozen"], **NOTED,
)  # fmt: skip
def get_receipt(match: str, n: int) -> Response:
    """The receipt of a version, once more: what the write that made it was answered with, signed by the key of now."""
    return receipt(match, within(n, upto(match)))


def receipt(match: str, version: int) -> Response:
    """The signed checkpoint of a version."""
    root = prover().checked_root(match, version)
    note = endpoint.desk().sign(match, version, root)  # of a match from elsewhere its last one is its own server's
    return noted(note.partition("\n")[0], version, root, note, version)


@room.call(
    "GET", f"{MATCH}/proofs/inclusion", "getInclusion", SEE, query=shapes.InclusionQuery,
    gives=(200, shapes.InclusionSchema), problems=["unknown-version", "log-frozen"],
)  # fmt: skip
def get_inclusion(query: dict[str, Any], match: str) -> Response:
    """That an entry stands in the log, without the others: its bytes as they were hashed, and the path to the root."""
    last, version = upto(match), query["version"]
    size = within(query.get("size", last), last)
    within(version, last)
    if version > size:
        raise beyond("version", f"At most the size, {size}.")
    found = prover().inclusion(match, version, size)
    body = {
        "version": version,
        "index": version - 1,
        "size": size,
        "envelope": found.envelope.decode(),
        "leaf": b64(leaf_hash(found.envelope)),
        "path": [b64(step) for step in found.path],
        "root": b64(found.root),
        "note": endpoint.desk().sign(match, size, found.root),
    }
    return answer(body)


@room.call(
    "GET", f"{MATCH}/proofs/consistency", "getConsistency", SEE, query=shapes.ConsistencyQuery,
    gives=(200, shapes.ConsistencySchema), problems=["unknown-version", "log-frozen"],
)  # fmt: skip
def get_consistency(query: dict[str, Any], match: str) -> Response:
    """That the log only grew from one checkpoint to another: nothing before was changed, dropped or put in."""
    last, first = upto(match), query["from_"]
    second = within(query.get("to", last), last)
    within(first, last)
    if first > second:
        raise beyond("from", f"At most `to`, {second}.")
    found = prover().consistency(match, first, second)
    note = endpoint.desk().sign(match, second, found.second_root)
    return answer(grown(first, second, found.path, found.first_root, found.second_root, note))


def grown(first: int, second: int, path: tuple[bytes, ...], was: bytes, root: bytes, note: str) -> dict[str, Any]:
    """A consistency proof as it is told."""
    return {
        "from": first,
        "to": second,
        "path": [b64(step) for step in path],
        "from_root": b64(was),
        "to_root": b64(root),
        "note": note,
    }


# -- over all matches --------------------------------------------------------------------------------------------------


@room.call("GET", f"{ROOTS}/checkpoint", "getRootsCheckpoint", ANYONE, problems=["roots-damaged"], **NOTED)
def get_roots_checkpoint() -> Response:
    """The latest checkpoint of the log of roots: what all matches came to that are over, and the keys of this server.
    As `text/plain`: the note alone."""
    return noted(publisher().origin, *publisher().checkpoint())


@room.call(
    "GET", ROOTS, "listRoots", ANYONE, query=shapes.LeavesQuery, gives=(200, shapes.LeavesSchema),
    problems=["roots-damaged"],
)  # fmt: skip
def list_roots(query: dict[str, Any]) -> Response:
    """The leaves of the log of roots, each as its hash: whoever follows them sees that none goes. Of which match one
    is, nobody can tell from it who does not know what that came to; so private matches stay so."""
    after = query["after"]
    found = publisher().leaf_hashes(after, query["limit"])
    size = publisher().size()
    items = [{"index": index, "hash": b64(leaf)} for index, leaf in enumerate(found, after)]
    cursor = after + len(items) if items and after + len(items) < size else None
    return answer({"items": items, "size": size, "next_cursor": cursor})


@room.call(
    "GET", f"{ROOTS}/proofs/inclusion", "getPublishedRoot", WATCHER, query=shapes.PublishedQuery,
    gives=(200, shapes.PublishedSchema), problems=["unknown-match", "not-published", "unknown-size", "roots-damaged"],
)  # fmt: skip
def get_published_root(query: dict[str, Any]) -> Response:
    """What a match came to, as it was published when it was over, and that it stands in the log of roots. For whoever
    may see the match; if it went on later, this is the last that was published."""
    match = readable(query["match"])
    if "size" in query:
        known(query["size"])
    try:
        found = publisher().inclusion(match, query.get("size"))
    except NoSuchLeaf:
        raise Problem("not-published") from None
    body = {
        "match": match,
        "leaf": found.data.decode(),
        "index": found.index,
        "size": found.size,
        "path": [b64(step) for step in found.path],
        "root": b64(found.root),
        "note": found.note,
    }
    return answer(body)


@room.call(
    "GET", f"{ROOTS}/proofs/consistency", "getRootsConsistency", ANYONE, query=shapes.ConsistencyQuery,
    gives=(200, shapes.ConsistencySchema), problems=["unknown-size", "roots-damaged"],
)  # fmt: skip
def get_roots_consistency(query: dict[str, Any]) -> Response:
    """That the log of roots only grew from one checkpoint to another."""
    first, roots = query["from_"], publisher()
    second = known(query["to"]) if "to" in query else roots.size()
    if first > second:
        known(first)
        raise beyond("from", f"At most `to`, {second}.")
    path = roots.consistency(first, second)
    _, root, note = roots.checkpoint(second)
    return answer(grown(first, second, path, roots.root(first), root, note))


def known(size: int) -> int:
    """A size that the log of roots had. Raises Problem."""
    if size > publisher().size():
        raise Problem("unknown-size", params={"size": size})
    return size


# -- keys --------------------------------------------------------------------------------------------------------------


@room.call(
    "GET", "/v1/keys", "getKeys", ANYONE, query=shapes.KeysQuery, gives=(200, shapes.KeysSchema),
    problems=["roots-damaged"],
)  # fmt: skip
def get_keys(query: dict[str, Any]) -> Response:
    """The public keys that sign here, oldest first, each named by one before it. Get them once, and from elsewhere if
    you can, before you need them: a server that lies can show other ones later."""
    roots = publisher()
    origin = f"{roots.store}/{query['match']}" if "match" in query else roots.origin
    chain, signs = roots.keys(), roots.signs.public
    trusted = vouched(chain, store=roots.store)
    later: list[str | None] = [moment(key.since_ms) for key in chain[1:]]
    items = [
        {
            "fingerprint": hashlib.sha256(key.public).hexdigest(),
            "public": b64(key.public),
            "pem": pem_of(key.public),
            "verifier_key": verifier_key(origin, key.public),
            "since": moment(key.since_ms),
            "until": until,
            "statement": key.statement or None,
            "vouched": key.public in trusted,
            "signs": key.public == signs,
        }
        for key, until in zip(chain, [*later, None], strict=True)
    ]
    return answer({"store": roots.store, "keys": items})
