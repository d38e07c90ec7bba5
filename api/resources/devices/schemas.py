"""Schemas of the devices of an account."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Bool, WholeText, printable_field
from referee.service.rights.tokens import CODE_ALPHABET, LINK_LENGTH

SECRET_PATTERN = f"[{CODE_ALPHABET}]{{{LINK_LENGTH}}}"


class DeviceLinkSchema(Schema):
    """What hands an account to another device: good once, and for ten minutes."""

    secret = fields.Str(required=True)
    expires_at = fields.Str(required=True, metadata={"format": "date-time"})
    url = fields.Str(
        required=True,
        metadata={"description": "To open on the other device; the secret is behind `#`, so no server sees it"},
    )
    qr = fields.Str(required=True, metadata={"description": "A QR code of `url`, as SVG"})


class DeviceBody(Body):
    """The secret of a device link, and what to call the device."""

    secret = fields.Str(required=True, validate=WholeText(SECRET_PATTERN))
    label = printable_field(40, 1, metadata={"description": "What the owner calls the device, as in “phone”"})


class AddedDeviceSchema(Schema):
    """A device of an account, with its token, which is shown this one time."""

    player = fields.Str(required=True)
    device = fields.Str(required=True)
    token = fields.Str(required=True)


class DeviceSchema(Schema):
    """A device that is logged in to an account."""

    id = fields.Str(required=True)
    label = fields.Str(required=True, allow_none=True)
    created_at = fields.Str(required=True, metadata={"format": "date-time"})
    first = Bool(required=True, metadata={"description": "Whether the account was made on it"})
    current = Bool(required=True, metadata={"description": "Whether it makes this request"})


class DevicesSchema(Schema):
    """The devices of an account, the oldest first."""

    items = fields.List(fields.Nested(DeviceSchema), required=True)
