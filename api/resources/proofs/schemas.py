"""Checkpoints, proofs, keys. Hashes and keys are base64, as notes have them."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import Body, Int, query_integer_field

MAX_SIZE = 2**31 - 1
BASE64_PATTERN = {"pattern": "^[A-Za-z0-9+/]{43}=$"}
MATCH_ID_PATTERN = r"(?:[0-5][0-9]|6[0-3])-[a-z]{26}"
NOTE_DESCRIPTION = {
    "description": "A C2SP signed note, to be kept as it is: whose log, how many entries, the root; and signatures"
}


def hash_field(description: str) -> fields.Str:
    """A hash of 32 bytes."""
    return fields.Str(required=True, metadata={**BASE64_PATTERN, "description": description})


def proof_path_field() -> fields.List[Any]:
    """The hashes of a proof."""
    return fields.List(
        fields.Str(metadata=BASE64_PATTERN), required=True, metadata={"description": "RFC 9162, in its order"}
    )


def match_field(**kwargs: object) -> fields.Str:
    """The id of a match in a query."""
    metadata = {"pattern": f"^{MATCH_ID_PATTERN}$".replace("(?:", "(")}
    return fields.Str(validate=validate.Regexp(rf"{MATCH_ID_PATTERN}\Z"), metadata=metadata, **kwargs)  # type: ignore[arg-type]


class CheckpointSchema(Schema):
    """What a log came to after so many entries, signed."""

    origin = fields.Str(required=True, metadata={"description": "Whose log: `<store id>/<match>`, `<store id>/roots`"})
    size = Int(required=True)
    root = hash_field("Over the first `size` leaves")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class InclusionQuery(Body):
    """Which entry, and among how many."""

    version = query_integer_field(1, MAX_SIZE, required=True)
    size = query_integer_field(1, MAX_SIZE, metadata={"description": "As of so many entries; all unless told"})


class InclusionSchema(Schema):
    """An entry as it was hashed, and that it is under the root."""

    version = Int(required=True)
    index = Int(required=True, metadata={"description": "Of the leaf: one less than the version"})
    size = Int(required=True)
    envelope = fields.Str(required=True, metadata={"description": "The leaf: SHA-256 of 0x00 and this in UTF-8"})
    leaf = hash_field("Of the envelope")
    path = proof_path_field()
    root = hash_field("Over the first `size` entries")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class ConsistencyQuery(Body):
    """Which two sizes."""

    from_ = query_integer_field(1, MAX_SIZE, required=True, data_key="from")
    to = query_integer_field(1, MAX_SIZE, metadata={"description": "All unless told"})


class ConsistencySchema(Schema):
    """That the log of `from` entries is the beginning of that of `to`."""

    from_ = Int(required=True, data_key="from")
    to = Int(required=True)
    path = proof_path_field()
    from_root = hash_field("Over the first `from` leaves")
    to_root = hash_field("Over the first `to` leaves")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class LeavesQuery(Body):
    """Which leaves."""

    after = query_integer_field(
        0, MAX_SIZE, load_default=0, metadata={"description": "The cursor: leaves after so many"}
    )
    limit = query_integer_field(1, 200, load_default=50)


class LeafSchema(Schema):
    """A leaf, and not what it is of."""

    index = Int(required=True)
    hash = hash_field("Of the leaf")


class LeavesSchema(Schema):
    """A page of the log of roots."""

    items = fields.List(fields.Nested(LeafSchema), required=True)
    size = Int(required=True, metadata={"description": "How many there are in all"})
    next_cursor = Int(required=True, allow_none=True)


class PublishedRootQuery(Body):
    """Which match, and as of how many leaves."""

    match = match_field(required=True)
    size = query_integer_field(
        1, MAX_SIZE, metadata={"description": "As of so many leaves of the log of roots; all unless told"}
    )


class PublishedRootSchema(Schema):
    """What a match came to, as it was published, and that it is under the root of the log of roots."""

    match = fields.Str(required=True)
    leaf = fields.Str(
        required=True,
        metadata={"description": "JSON: match, size, root (hex), status; its hash is SHA-256 of 0x00 and these bytes"},
    )
    index = Int(required=True)
    size = Int(required=True)
    path = proof_path_field()
    root = hash_field("Over the first `size` leaves of the log of roots")
    note = fields.Str(required=True, metadata=NOTE_DESCRIPTION)


class KeysQuery(Body):
    """For whose checkpoints."""

    match = match_field()


class KeySchema(Schema):
    """A key that signs, or did."""

    fingerprint = fields.Str(required=True, metadata={"description": "SHA-256 of the public key, in hex"})
    public = hash_field("The public key itself, Ed25519")
    pem = fields.Str(required=True, metadata={"description": "The same as openssl reads it"})
    verifier_key = fields.Str(
        required=True,
        metadata={"description": "The same as tools of signed notes read it, for those of the match, or of the roots"},
    )
    since = fields.Str(required=True, metadata={"format": "date-time"})
    until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "Of the key that came after"}
    )
    statement = fields.Str(
        required=True, allow_none=True, metadata={"description": "The signed note by which a key before it names it"}
    )
    vouched = fields.Bool(
        required=True, metadata={"description": "Whether the first key names it, or one that it has named, and so on"}
    )
    signs = fields.Bool(required=True, metadata={"description": "Whether it is the one that signs now"})


class KeysSchema(Schema):
    """The keys of this server, oldest first."""

    store = fields.Str(required=True, metadata={"description": "The store id: what origins begin with"})
    keys = fields.List(fields.Nested(KeySchema), required=True)
