"""Schemas of disputes: claims, testimony, votes, rulings and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from api.http.schemas.fields import (
    ANY_JSON,
    PLAIN_VALUE,
    SEAT_OR_ROLE,
    SOME_MOVE,
    Body,
    Bool,
    Int,
    JsonField,
    JsonSchemaField,
    WholeText,
    enum_field,
    integer_field,
    is_plain_value,
    normalize_json,
    printable_field,
    text_field,
    translations_field,
)
from api.http.schemas.paging import NumberedPageQuery
from api.http.schemas.polymorphic import MoveUnion
from api.http.schemas.viewers import ViewerQuery
from api.resources.census.schemas import CardNamingSchema
from api.resources.disputes.corrections import CorrectionField, seen_corrections_field
from api.resources.disputes.remedy_schemas import REMEDY_DESCRIPTION, RemedyOptionSchema
from api.resources.entries.schemas import EntrySchema
from api.resources.explanations.schemas import ExplanationSchema
from api.resources.games.schemas import SettingValueSchema
from api.resources.matches.schemas import READINGS_SCHEMA, WriteResultSchema, validate_readings
from api.resources.moves.schemas import CitedClause, RulingSchema
from referee.arbitration.remedies.manual_corrections import MAX_CORRECTIONS
from referee.engine.codec import encode_canonical
from referee.match.events.dispute_state import CLAIMS, IMPOSSIBLE_TABLE, LEVELS, REMEDIES, VERDICTS

LONGEST_WORDS = 500  # of a statement, a reason, grounds
LARGEST_SAW = 1000  # bytes of what was seen instead, as JSON
MOST_CLAUSES = 8
CLAUSE_PATTERN = "[A-Za-z0-9_.-]{1,64}"
CLAIM_DESCRIPTION = (
    "`illegal_move`: the move was not legal. `wrong_refusal`: a legal move was refused; `move` says which. "
    "`misreported`: real dice or a real card showed something else; `move` says what. `missed_effect`: what followed "
    "is wrong, or a card was forgotten. `wrong_count`: a count or a card is one too many or too few. "
    "`impossible_table`: the table cannot be so, and nobody says which entry is wrong; `move` is a report that was "
    "refused because of it. "
    "`other`: anything else that only people know"
)
STAGE_DESCRIPTION = (
    "`attesting`: seats say whether the claim holds. `voting`: seats choose a remedy. `ruling`: host or arbiter is "
    "awaited. `ruled`: settled, unless somebody appeals in time. `withdrawn`: what was played stands. `moot`: "
    "play went back behind what it is about"
)
FIX_SEEN_DESCRIPTION = "The corrections by hand that it proposes; values and cards hidden from the viewer are left out"
STEPS = ("attestations", "votes", "appeals", "rulings", "withdrawal")
STAGES = ("attesting", "voting", "ruling", "ruled", "withdrawn", "moot")


class ObservationField(JsonSchemaField):
    """The field of what somebody saw: short JSON data."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        found = normalize_json(value)
        if not is_plain_value(found):
            raise ValidationError("Nested too deeply.")
        if len(encode_canonical(found)) > LARGEST_SAW:
            raise ValidationError(f"Longer than {LARGEST_SAW} bytes.")
        return found

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        return PLAIN_VALUE


def clause_id_field(**kwargs: Any) -> fields.Str:
    """Return the field of a clause id."""
    return fields.Str(validate=WholeText(CLAUSE_PATTERN), **kwargs)


def own_seat_field() -> Int:
    """Return the field that names which of the caller's seats acts."""
    return integer_field(0, 19, metadata={"description": "Which of your seats acts, if the token holds several"})


def corrections_field() -> fields.List[Any]:
    """Return the field of corrections by hand."""
    return fields.List(
        CorrectionField(),
        validate=validate.Length(max=MAX_CORRECTIONS),
        metadata={
            "description": "Corrections by hand, in this order, with the remedy `partial_fix`; they have to lead to a "
            "possible position"
        },
    )


class DisputeBody(Body):
    """What is disputed, and the claim."""

    seat = own_seat_field()
    about = integer_field(
        1,
        2**31 - 1,
        metadata={
            "description": "The entry; for `wrong_refusal` the version at which the move was refused. Only "
            "`impossible_table` needs none: it is about the entry since which the table cannot be so, or the newest"
        },
    )
    claim = enum_field(*CLAIMS, required=True, metadata={"description": CLAIM_DESCRIPTION})
    clause = clause_id_field(metadata={"description": "The clause that was broken"})
    move = fields.Nested(
        MoveUnion, metadata={"description": "The move that was refused, or how a report should have read"}
    )
    saw = ObservationField(metadata={"description": "What was seen instead"})
    statement = printable_field(LONGEST_WORDS)

    @validates_schema
    def check_subject(self, data: dict[str, Any], **_: Any) -> None:
        """Check that the claim says what it is about. Raises ValidationError."""
        if "about" not in data and data["claim"] != IMPOSSIBLE_TABLE:
            raise ValidationError("Missing data for required field.", "about")


class AttestBody(Body):
    """Whether the claim holds, and what was seen."""

    seat = own_seat_field()
    holds = Bool(required=True)
    saw = ObservationField(metadata={"description": "What was seen"})


class VoteBody(Body):
    """The remedy to vote for, to propose, or to accept as somebody proposed it."""

    seat = own_seat_field()
    remedy = enum_field(*REMEDIES, required=True, metadata={"description": REMEDY_DESCRIPTION})
    fix = corrections_field()
    agrees_to = integer_field(
        1, 2**31 - 1, metadata={"description": "`proposal` of the vote that the seat accepts as it stands"}
    )


class RuleBody(Body):
    """A last ruling: whether the claim is upheld, the remedy, its clauses and reason."""

    upheld = Bool(required=True)
    remedy = enum_field(*REMEDIES, required=True, metadata={"description": REMEDY_DESCRIPTION})
    clauses = fields.List(clause_id_field(), validate=validate.Length(max=MOST_CLAUSES))
    reason = printable_field(LONGEST_WORDS, 1, required=True)
    fix = corrections_field()
    confirm = Bool(
        load_default=False, metadata={"description": "That the match is to count for nothing; needed for `void`"}
    )
    keep = Bool(load_default=False, metadata={"description": "Keep the ruling as a house ruling of this table"})
    readings = JsonField(
        {**READINGS_SCHEMA, "description": "By clause, the number of the reading that holds from now on; needs `keep`"},
        validate=validate_readings,
    )
    allows = text_field(
        metadata={
            "description": "The type of move that may from now on be recorded against the clauses of this ruling "
            "without asking everybody; default: that of the disputed entry, if everybody has seen it; needs `keep`"
        }
    )


class AppealBody(Body):
    """Why the ruling is wrong, and the clause that it misapplies."""

    seat = own_seat_field()
    grounds = printable_field(LONGEST_WORDS, 1, required=True)
    clause = clause_id_field(metadata={"description": "The clause that was misapplied"})


class AttestationSchema(Schema):
    """The testimony of a seat."""

    seat = Int(required=True)
    holds = Bool(required=True)
    saw = JsonField(ANY_JSON, required=True)


class VoteSchema(Schema):
    """The remedy that a seat voted for."""

    seat = Int(required=True)
    remedy = fields.Str(required=True)
    fix = seen_corrections_field(FIX_SEEN_DESCRIPTION)
    proposal = Int(
        required=True,
        allow_none=True,
        metadata={"description": "The entry that proposed it first; null in a match where votes count by majority"},
    )


class CourtRulingSchema(Schema):
    """The ruling of a court.

    If it rests on cards that are hidden from the viewer, its reason says only that.
    """

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    court = fields.Str(required=True, metadata={"enum": list(LEVELS)})
    by = fields.Str(required=True, metadata={"enum": ["referee", "table", "host", "arbiter"]})
    verdict = fields.Str(required=True, metadata={"enum": list(VERDICTS)})
    remedy = fields.Str(required=True, allow_none=True, metadata={"description": "null: it is still to be chosen"})
    reason = translations_field()
    clauses = fields.List(fields.Nested(CitedClause), required=True)
    statement = fields.Str(required=True, metadata={"description": "In the words of the host or arbiter who ruled"})
    departs_from = fields.List(
        fields.Nested(CitedClause),
        required=True,
        metadata={"description": "The clauses of the ruling that it overrules"},
    )
    kept = Bool(required=True, metadata={"description": "Whether it was kept as a house ruling"})


class CourtAppealSchema(Schema):
    """An appeal against the ruling before it."""

    version = Int(required=True)
    seat = Int(required=True)
    clause = fields.Str(required=True)
    grounds = fields.Str(required=True)


class DisputeActionSchema(Schema):
    """Something that can be done about the dispute now, for instance as a button."""

    step = fields.Str(
        required=True,
        metadata={"enum": list(STEPS), "description": "Post it to `…/disputes/{dispute}/{step}`"},
    )
    by = fields.List(
        JsonField(SEAT_OR_ROLE),
        required=True,
        metadata={"description": "Who may do it. Host and arbiter may rule unless they hold a seat that is a party"},
    )
    until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "null: without limit"}
    )


class DisputeRecordSchema(Schema):
    """A dispute with claim, testimony, votes and rulings.

    Its number is the version it was opened at.
    """

    dispute = Int(required=True)
    by = JsonField(SEAT_OR_ROLE, required=True)
    about = Int(required=True)
    claim = fields.Str(required=True, metadata={"enum": list(CLAIMS), "description": CLAIM_DESCRIPTION})
    clause = fields.Str(required=True, allow_none=True)
    move = JsonField(SOME_MOVE, required=True)
    saw = JsonField(ANY_JSON, required=True)
    statement = fields.Str(required=True)
    says = translations_field()
    now = translations_field()
    parties = fields.List(Int(), required=True, metadata={"description": "The seats between which the dispute is"})
    court = fields.Str(required=True, metadata={"enum": list(LEVELS)})
    stage = fields.Str(required=True, metadata={"enum": list(STAGES), "description": STAGE_DESCRIPTION})
    open = Bool(required=True, metadata={"description": "Whether a court still has to decide"})
    until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "When the stage ends"}
    )
    undo_until = fields.Str(
        required=True,
        allow_none=True,
        metadata={
            "format": "date-time",
            "description": "Until when the official who ruled last may undo that; another official may at any time",
        },
    )
    appeal_until = fields.Str(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "Until when an appeal is possible; null: it is not"},
    )
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose testimony or vote is awaited"})
    decide = fields.List(Int(), required=True, metadata={"description": "Seats that decide at the table"})
    attestations = fields.List(fields.Nested(AttestationSchema), required=True)
    votes = fields.List(fields.Nested(VoteSchema), required=True)
    rulings = fields.List(
        fields.Nested(CourtRulingSchema), required=True, metadata={"description": "The automatic ruling is the first"}
    )
    appeals = fields.List(fields.Nested(CourtAppealSchema), required=True)
    steps = fields.List(
        fields.Nested(DisputeActionSchema), required=True, metadata={"description": "What can be done now, and by whom"}
    )


class HouseReadingSchema(Schema):
    """A numbered reading of a clause that the rulebook leaves open."""

    clause = fields.Str(required=True)
    number = Int(required=True)
    setting = fields.Nested(
        SettingValueSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The setting that chooses it; null: the number does"},
    )
    says = translations_field()
    holds = Bool(required=True, metadata={"description": "Whether the match is played by it now"})


class PrecedentSchema(Schema):
    """A house ruling that the table keeps."""

    match = fields.Str(required=True)
    dispute = Int(required=True)
    entry = Int(
        required=True,
        allow_none=True,
        metadata={"description": "The entry of the ruling; null: kept before house rulings bound anybody"},
    )
    game = fields.Str(required=True)
    claim = fields.Str(required=True, metadata={"enum": list(CLAIMS)})
    question = fields.Str(required=True, metadata={"description": "The question that was open at the disputed entry"})
    move = fields.Str(required=True, metadata={"description": "The type of the move"})
    verdict = fields.Str(required=True, metadata={"enum": list(VERDICTS)})
    clauses = fields.List(fields.Nested(CitedClause), required=True)
    readings = fields.List(
        fields.Nested(HouseReadingSchema),
        required=True,
        metadata={"description": "The readings that it chooses for the rest of the match"},
    )
    allows = fields.Str(
        required=True,
        allow_none=True,
        metadata={"description": "The type of move that may be recorded against its clauses without asking everybody"},
    )
    statement = fields.Str(required=True)
    by = fields.Str(required=True)


class FollowingEntriesSchema(Schema):
    """A page of the entries after the disputed one."""

    items = fields.List(fields.Nested(EntrySchema), required=True)
    next_cursor = Int(required=True, allow_none=True)


class DisputeSchema(DisputeRecordSchema):
    """A dispute with what it is about, as the viewer may know it."""

    suspects = fields.List(
        fields.Nested(CardNamingSchema),
        required=True,
        metadata={"description": "Of the claim `impossible_table`: the entries that cannot all be true together"},
    )

    disputed = fields.Nested(
        ExplanationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The entry explained: its events, and what else was legal. null for a refusal"},
    )
    refusal = fields.Nested(
        RulingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The ruling on the refused move, shown to the seat that tried it"},
    )
    since = fields.Nested(
        FollowingEntriesSchema, required=True, metadata={"description": "The entries after the disputed one"}
    )
    remedies = fields.List(
        fields.Nested(RemedyOptionSchema), required=True, metadata={"description": "The remedies, the mildest first"}
    )
    precedents = fields.List(
        fields.Nested(PrecedentSchema), required=True, metadata={"description": "House rulings on the same question"}
    )


class DisputeWriteResultSchema(WriteResultSchema):
    """The result of a write, and the dispute after it."""

    dispute = fields.Nested(DisputeRecordSchema, required=True)


class DisputesSchema(Schema):
    """A page of the disputes of a match."""

    items = fields.List(fields.Nested(DisputeRecordSchema), required=True)
    next_cursor = Int(required=True, allow_none=True)


class DisputesQuery(ViewerQuery, NumberedPageQuery):
    """Which disputes to list, and as whom."""


class PrecedentsSchema(Schema):
    """A page of the house rulings of a table, including those taken over."""

    items = fields.List(fields.Nested(PrecedentSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class VersionRangeSchema(Schema):
    """Consecutive versions in the same state."""

    from_ = Int(required=True, data_key="from")
    to = Int(required=True)
    state = fields.Str(
        required=True,
        metadata={
            "enum": ["current", "partly", "superseded"],
            "description": "`partly`: its moves no longer count, its table commands do",
        },
    )
    superseded_by = Int(required=True, allow_none=True, metadata={"description": "The entry that superseded it"})
    dispute = Int(required=True, allow_none=True, metadata={"description": "The dispute on which that entry ruled"})
    restored = Int(
        required=True,
        allow_none=True,
        metadata={"description": "The entry that made it count again, if it did not count before"},
    )


class TimelineSchema(Schema):
    """The whole log as stretches: which count, and which entry superseded the others."""

    version = Int(required=True)
    stretches = fields.List(fields.Nested(VersionRangeSchema), required=True)
