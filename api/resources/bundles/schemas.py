"""Schemas of submitted bundles and of the reports on them."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import Int
from referee.audit.checks.findings import FindingKind
from referee.audit.verdicts import FAULTS, VERDICTS

STATES = ("waiting", "judged", "given_up")


class BundleCheckSchema(Schema):
    """A kind of check, and its result."""

    name = fields.Str(required=True)
    state = fields.Str(required=True, validate=validate.OneOf(("done", "failed", "skipped")))
    reason = fields.Str(required=True, allow_none=True, metadata={"description": "Why it was skipped"})


class BundleFindingSchema(Schema):
    """Something that is wrong."""

    kind = fields.Str(required=True, validate=validate.OneOf([kind.name.lower() for kind in FindingKind]))
    exit_code = Int(required=True, metadata={"description": "The exit code of `referee verify` for this kind"})
    key = fields.Str(required=True)
    version = Int(required=True, allow_none=True, metadata={"description": "The entry, if it is about one"})
    says = fields.Dict(required=True, keys=fields.Str(), values=fields.Str())
    told = fields.Dict(
        required=True,
        allow_none=True,
        keys=fields.Str(),
        values=fields.Str(),
        metadata={"description": "More, in the words of the game, in en and de"},
    )


class BundleNoticeSchema(Schema):
    """Something to know that is not wrong."""

    key = fields.Str(required=True)
    says = fields.Dict(required=True, keys=fields.Str(), values=fields.Str(), metadata={"description": "In en and de"})


class BundleReportSchema(Schema):
    """The report on a bundle."""

    match = fields.Str(required=True)
    size = Int(required=True, metadata={"description": "The number of entries"})
    sound = fields.Bool(required=True)
    verdict = fields.Str(
        required=True,
        validate=validate.OneOf(VERDICTS),
        metadata={
            "description": "`proves`: a key known from elsewhere or from receipts signed it; `consistent`: nobody "
            "vouches for it"
        },
    )
    says = fields.Dict(
        required=True,
        keys=fields.Str(),
        values=fields.Str(),
        metadata={"description": "The verdict in en and de"},
    )
    fault = fields.Str(
        required=True,
        allow_none=True,
        validate=validate.OneOf(FAULTS),
        metadata={
            "description": "Whose fault the gravest finding is; `file`: of those who passed it on, `people`: of those "
            "who reported real cards; `unclear`: of those who passed it on or of the server, as no signature covers it"
        },
    )
    exit_code = Int(required=True, metadata={"description": "0, or the exit code of the gravest finding"})
    trusted = fields.Bool(
        required=True,
        metadata={"description": "true: this server's own keys vouch for it; false: only keys in the bundle itself do"},
    )
    keys = fields.List(fields.Str(), required=True, metadata={"description": "Fingerprints, SHA-256 in hex"})
    checks = fields.List(fields.Nested(BundleCheckSchema), required=True)
    findings = fields.List(fields.Nested(BundleFindingSchema), required=True)
    notices = fields.List(fields.Nested(BundleNoticeSchema), required=True)


class SubmittedBundleSchema(Schema):
    """A submitted bundle and the state of its check."""

    id = fields.Str(required=True, metadata={"pattern": "^bd-[a-z]{26}$"})
    state = fields.Str(
        required=True,
        validate=validate.OneOf(STATES),
        metadata={"description": "`given_up`: each attempt to check it failed"},
    )
    at = fields.Str(required=True, metadata={"format": "date-time", "description": "When it was submitted"})
    report = fields.Nested(BundleReportSchema, required=True, allow_none=True)


class AcceptedBundleSchema(SubmittedBundleSchema):
    """A bundle just submitted, with the token that gives access to its report."""

    token = fields.Str(required=True)
