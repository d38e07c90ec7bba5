"""Bundles that are handed in, and what was found."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import Int
from referee.audit.checks.findings import FindingKind

STATES = ("waiting", "judged", "given_up")


class BundleCheckSchema(Schema):
    """A kind of check, and what became of it."""

    name = fields.Str(required=True)
    state = fields.Str(required=True, validate=validate.OneOf(("done", "failed", "skipped")))
    reason = fields.Str(required=True, allow_none=True, metadata={"description": "Why it was skipped"})


class BundleFindingSchema(Schema):
    """Something that is wrong."""

    kind = fields.Str(required=True, validate=validate.OneOf([kind.name.lower() for kind in FindingKind]))
    exit_code = Int(required=True, metadata={"description": "That `referee verify` ends with for this kind"})
    key = fields.Str(required=True)
    version = Int(required=True, allow_none=True, metadata={"description": "Of the entry, if it is about one"})
    says = fields.Dict(required=True, keys=fields.Str(), values=fields.Str(), metadata={"description": "en and de"})
    told = fields.Dict(
        required=True,
        allow_none=True,
        keys=fields.Str(),
        values=fields.Str(),
        metadata={"description": "More, in the words of the game, en and de"},
    )


class BundleReportSchema(Schema):
    """What is to be said of a bundle."""

    match = fields.Str(required=True)
    size = Int(required=True, metadata={"description": "How many entries were there"})
    sound = fields.Bool(required=True)
    exit_code = Int(required=True, metadata={"description": "0, or that of the gravest kind"})
    trusted = fields.Bool(
        required=True,
        metadata={"description": "Whether this server's own keys vouch for it; else only the bundle names its keys"},
    )
    keys = fields.List(fields.Str(), required=True, metadata={"description": "Fingerprints, SHA-256 in hex"})
    checks = fields.List(fields.Nested(BundleCheckSchema), required=True)
    findings = fields.List(fields.Nested(BundleFindingSchema), required=True)


class SubmittedBundleSchema(Schema):
    """A bundle that was handed in, as it stands."""

    id = fields.Str(required=True, metadata={"pattern": "^bd-[a-z]{26}$"})
    state = fields.Str(
        required=True,
        validate=validate.OneOf(STATES),
        metadata={"description": "`given_up`: it broke whoever looked at it, each time"},
    )
    at = fields.Str(required=True, metadata={"format": "date-time", "description": "When it was handed in"})
    report = fields.Nested(BundleReportSchema, required=True, allow_none=True)


class AcceptedBundleSchema(SubmittedBundleSchema):
    """A bundle that was taken in, with the token that its report is asked with."""

    token = fields.Str(required=True)
