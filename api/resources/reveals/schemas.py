"""Schemas of the seats' seeds, and of opened commitments."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from api.http.schemas.fields import Body, Int, WholeText, query_integer_field
from api.http.schemas.viewers import ViewerField
from referee.match.table.player_entropy import MAX_SEED_BYTES, MIN_SEED_BYTES

HASH_PATTERN = r"[0-9a-f]{64}"
SEED_PATTERN = rf"(?:[0-9a-f]{{2}}){{{MIN_SEED_BYTES},{MAX_SEED_BYTES}}}"


def hex_field(pattern: str, says: str, **kwargs: Any) -> fields.Str:
    """Return the field of bytes in lower-case hexadecimal."""
    return fields.Str(validate=WholeText(pattern), metadata={"description": says}, **kwargs)


class SeedBody(Body):
    """Either the commitment to a seed, or the seed itself."""

    commitment = hex_field(HASH_PATTERN, 'SHA-256 of "referee/v1/seed|" and the bytes of the seed')
    reveal = hex_field(SEED_PATTERN, f"The seed: {MIN_SEED_BYTES} to {MAX_SEED_BYTES} bytes")

    @validates_schema
    def check_exactly_one(self, data: dict[str, Any], **_: Any) -> None:
        """Check that exactly one of the two is given. Raises ValidationError."""
        if len(data) != 1:
            raise ValidationError("Either a commitment or what it reveals.", "reveal")


class DeviceKeyBody(Body):
    """The key with which the device of a seat signs."""

    key = hex_field(HASH_PATTERN, "A public key of Ed25519", required=True)


class SeedSchema(Schema):
    """What a seat adds to the server's draws."""

    seat = Int(required=True)
    commitment = fields.Str(required=True)
    seed = fields.Str(
        required=True, allow_none=True, metadata={"description": "The seed in hex; null until it is revealed"}
    )


class SeedWriteResultSchema(SeedSchema):
    """What a seat adds to the server's draws, as just written."""

    version = Int(required=True)
    receipt = fields.Str(
        required=True, metadata={"description": "A signed checkpoint that covers this write (C2SP note)"}
    )


class OpeningsQuery(Body):
    """Which entries to open, for whom."""

    viewer = ViewerField(takes_public=False)
    after = query_integer_field(
        0, 2**31 - 1, load_default=0, metadata={"description": "The cursor: entries after this version"}
    )
    limit = query_integer_field(1, 200, load_default=50, metadata={"description": "Entries per page"})


class OpeningSchema(Schema):
    """An opened commitment of an entry.

    `commitment` is the SHA-256 of the bytes of `salt` followed by those of `part`.
    """

    version = Int(required=True)
    generation = Int(required=True, metadata={"description": "The generation of the secret that the salt comes from"})
    commitment = fields.Str(required=True, metadata={"pattern": f"^{HASH_PATTERN}$"})
    salt = fields.Str(required=True, metadata={"pattern": f"^{HASH_PATTERN}$"})
    part = fields.Str(required=True, metadata={"description": "The exact text that was hashed, in UTF-8"})


class SecretSchema(Schema):
    """A secret of the server: all draws and salts of its generation come from it."""

    generation = Int(required=True)
    commitment = fields.Str(
        required=True,
        metadata={"description": 'As it is in the log: SHA-256 of "referee/v1/commitment|" and the secret'},
    )
    secret = fields.Str(required=True, metadata={"pattern": f"^{HASH_PATTERN}$"})


class OpeningsSchema(Schema):
    """The opened commitments of entries; for `full` also the secrets and seeds."""

    items = fields.List(fields.Nested(OpeningSchema), required=True)
    next_cursor = Int(required=True, allow_none=True)
    secrets = fields.List(fields.Nested(SecretSchema), metadata={"description": "With `viewer=full`"})
    seeds = fields.List(fields.Nested(SeedSchema), metadata={"description": "With `viewer=full`"})
