"""Schemas of checkpoints, proofs and keys, with hashes and keys in base64."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, WholeText, query_integer_field

MAX_SIZE = 2**31 - 1
BASE64_PATTERN = {"pattern": "^[A-Za-z0-9+/]{43}=$"}
MATCH_ID_PATTERN = r"(?:[0-5][0-9]|6[0-3])-[a-z]{26}"
NOTE_DESCRIPTION = {
    "description": "A C2SP signed note, to be kept as it is: the log's origin, its size, its root, and signatures"
}


def hash_field(description: str) -> fields.Str:
    """Return the field of a hash of 32 bytes."""
    return fields.Str(required=True, metadata={**BASE64_PATTERN, "description": description})


def proof_path_field() -> fields.List[Any]:
    """Return the field of the hashes of a proof."""
    return fields.List(
        fields.Str(metadata=BASE64_PATTERN),
        required=True,
        metadata={"description": "The hashes of the proof, in the order of RFC 9162"},
    )


def match_field(**kwargs: object) -> fields.Str:
    """Return the field of a match id in a query."""
    return fields.Str(validate=WholeText(MATCH_ID_PATTERN), **kwargs)  # type: ignore[arg-type]


class CheckpointSchema(Schema):
    """The signed root of a log at a size."""

    origin = fields.Str(required=True, metadata={"description": "The log: `<store id>/<match>` or `<store id>/roots`"})
    size = Int(required=True)
    root = hash_field("The root over the first `size` leaves")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class InclusionQuery(Body):
    """Which entry, and in a log of which size."""

    version = query_integer_field(1, MAX_SIZE, required=True, metadata={"description": "The number of the entry"})
    size = query_integer_field(
        1, MAX_SIZE, metadata={"description": "The size of the log to prove it for; default: its present size"}
    )


class InclusionSchema(Schema):
    """An entry as it was hashed, and the proof that it is under the root."""

    version = Int(required=True)
    index = Int(required=True, metadata={"description": "The index of the leaf: the version minus 1"})
    size = Int(required=True)
    envelope = fields.Str(required=True, metadata={"description": "The leaf: SHA-256 of 0x00 and this in UTF-8"})
    leaf = hash_field("The hash of the envelope")
    path = proof_path_field()
    root = hash_field("The root over the first `size` entries")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class ConsistencyQuery(Body):
    """Which two sizes."""

    from_ = query_integer_field(1, MAX_SIZE, required=True, data_key="from")
    to = query_integer_field(1, MAX_SIZE, metadata={"description": "Default: the present size"})


class ConsistencySchema(Schema):
    """The proof that the log of `from` entries is the beginning of that of `to`."""

    from_ = Int(required=True, data_key="from")
    to = Int(required=True)
    path = proof_path_field()
    from_root = hash_field("The root over the first `from` leaves")
    to_root = hash_field("The root over the first `to` leaves")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class LeavesQuery(Body):
    """Which leaves."""

    after = query_integer_field(
        0, MAX_SIZE, load_default=0, metadata={"description": "The cursor: how many leaves to skip"}
    )
    limit = query_integer_field(1, 200, load_default=50)


class LeafSchema(Schema):
    """A leaf, without what it belongs to."""

    index = Int(required=True)
    hash = hash_field("The hash of the leaf")


class LeavesSchema(Schema):
    """A page of the root log."""

    items = fields.List(fields.Nested(LeafSchema), required=True)
    size = Int(required=True, metadata={"description": "How many leaves there are in all"})
    next_cursor = Int(required=True, allow_none=True)


class PublishedRootQuery(Body):
    """Which match, and in a root log of which size."""

    match = match_field(required=True)
    size = query_integer_field(
        1, MAX_SIZE, metadata={"description": "The size of the root log to prove it for; default: its present size"}
    )


class PublishedRootSchema(Schema):
    """The published final root of a match, and the proof that it is in the root log."""

    match = fields.Str(required=True)
    leaf = fields.Str(
        required=True,
        metadata={"description": "JSON: match, size, root (hex), status; its hash is SHA-256 of 0x00 and these bytes"},
    )
    index = Int(required=True)
    size = Int(required=True)
    path = proof_path_field()
    root = hash_field("The root over the first `size` leaves of the root log")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class KeysQuery(Body):
    """For whose checkpoints."""

    match = match_field(metadata={"description": "A match, to have the keys in the form for its checkpoints too"})


class KeySchema(Schema):
    """A key that signs now, or that signed earlier."""

    fingerprint = fields.Str(required=True, metadata={"description": "SHA-256 of the public key, in hex"})
    public = hash_field("The public key itself, Ed25519")
    pem = fields.Str(required=True, metadata={"description": "The same key, as openssl reads it"})
    verifier_key = fields.Str(
        required=True,
        metadata={"description": "The same key as tools for signed notes read it, for the match or for the root log"},
    )
    verifier_keys = fields.Dict(
        required=True,
        keys=fields.Str(),
        values=fields.Str(),
        metadata={
            "description": "For tools, by the origin that is signed: root log, key chain, and the match asked for"
        },
    )
    since = fields.Str(required=True, metadata={"format": "date-time"})
    until = fields.Str(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "When the next key took over; null: none yet"},
    )
    statement = fields.Str(
        required=True, allow_none=True, metadata={"description": "The signed note in which an earlier key names it"}
    )
    vouched = fields.Bool(
        required=True,
        metadata={"description": "Whether a chain of keys, each naming the next, leads from the first key to it"},
    )
    signs = fields.Bool(required=True, metadata={"description": "Whether it is the present key"})


class KeysSchema(Schema):
    """The keys of this server, oldest first."""

    store = fields.Str(required=True, metadata={"description": "The store id: what origins begin with"})
    keys = fields.List(fields.Nested(KeySchema), required=True)
