"""Disputes: what is claimed, attested, voted, ruled; the remedies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from api.http.schemas.fields import (
    Body,
    Bool,
    Int,
    JsonField,
    JsonSchemaField,
    enum_field,
    integer_field,
    normalize_json,
    printable_field,
    translations_field,
)
from api.http.schemas.polymorphic import MoveUnion
from api.resources.disputes.corrections import CorrectionField
from api.resources.entries.schemas import EntriesSchema, ViewSchema
from api.resources.explanations.schemas import ExplanationSchema
from api.resources.matches.schemas import WriteResultSchema
from api.resources.moves.schemas import CitedClause, RulingSchema
from referee.arbitration.remedies.manual_corrections import MAX_CORRECTIONS
from referee.engine.codec import encode_canonical
from referee.match.events.dispute_state import CLAIMS, LEVELS, REMEDIES, VERDICTS

LONGEST_WORDS = 500  # of a statement, a reason, grounds
LARGEST_SAW = 1000  # bytes of what was seen instead, as JSON
MOST_CLAUSES = 8
CLAUSE_PATTERN = "[A-Za-z0-9_.-]{1,64}"
SEAT_OR_ROLE = {"oneOf": [{"type": "integer", "minimum": 0}, {"enum": ["host", "arbiter"]}]}
CLAIM_DESCRIPTION = (
    "`illegal_move`: the move was not legal. `wrong_refusal`: a legal move was refused; `move` says which. "
    "`misreported`: real dice or a card read otherwise; `move` says how. `missed_effect`: what followed is wrong, or a "
    "card was forgotten. `wrong_count`: a count or a card is one too many or too few. `other`: anything else that only "
    "people know"
)
STAGE_DESCRIPTION = (
    "`attesting`: seats say whether the claim holds. `voting`: seats choose a remedy. `ruling`: host or arbiter is "
    "awaited. `ruled`: settled, unless somebody appeals in time. `withdrawn`: taken back; what was played stands"
)
REMEDY_DESCRIPTION = (
    "`leave`: what was played stands. `partial_fix`: what was wrong is put right, and later moves are judged again (or "
    "`fix` says by hand what is right). `rewind`: play goes back to before it. `void`: the match counts for nothing. "
    "`restore`: what a lower court's remedy took away counts again"
)
STEPS = ("attestations", "votes", "appeals", "rulings", "withdrawal")
STAGES = ("attesting", "voting", "ruling", "ruled", "withdrawn")


class ObservationField(JsonSchemaField):
    """What somebody saw: JSON data, short."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        found = normalize_json(value)
        if len(encode_canonical(found)) > LARGEST_SAW:
            raise ValidationError(f"Longer than {LARGEST_SAW} bytes.")
        return found

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        kinds = [{"type": kind} for kind in ("string", "integer", "boolean", "object")]
        return {"anyOf": [*kinds, {"type": "array", "items": {}}]}


def clause_id_field(**kwargs: Any) -> fields.Str:
    """The id of a clause."""
    metadata = {"pattern": f"^{CLAUSE_PATTERN}$", **kwargs.pop("metadata", {})}
    return fields.Str(validate=validate.Regexp(f"{CLAUSE_PATTERN}\\Z"), metadata=metadata, **kwargs)


def own_seat_field() -> Int:
    """Which of one's seats speaks."""
    return integer_field(0, 19, metadata={"description": "Which of the own seats speaks, if the token holds several"})


class DisputeBody(Body):
    """What is disputed, and the claim."""

    seat = own_seat_field()
    about = integer_field(
        1,
        2**31 - 1,
        required=True,
        metadata={"description": "The entry; for `wrong_refusal` the version at which the move was refused"},
    )
    claim = enum_field(*CLAIMS, required=True, metadata={"description": CLAIM_DESCRIPTION})
    clause = clause_id_field(metadata={"description": "The clause that was broken"})
    move = fields.Nested(
        MoveUnion, metadata={"description": "The move that was refused, or how a report should have read"}
    )
    saw = ObservationField(metadata={"description": "What was seen instead"})
    statement = printable_field(LONGEST_WORDS)


class AttestBody(Body):
    """Whether the claim holds, and what was seen."""

    seat = own_seat_field()
    holds = Bool(required=True)
    saw = ObservationField(metadata={"description": "What was seen"})


class VoteBody(Body):
    """Which of the offered remedies."""

    seat = own_seat_field()
    remedy = enum_field(*REMEDIES, required=True)


class RuleBody(Body):
    """The last word: whether the claim is upheld, the remedy, the clauses it rests on, and why."""

    upheld = Bool(required=True)
    remedy = enum_field(*REMEDIES, required=True, metadata={"description": REMEDY_DESCRIPTION})
    clauses = fields.List(clause_id_field(), validate=validate.Length(max=MOST_CLAUSES))
    reason = printable_field(LONGEST_WORDS, 1, required=True)
    fix = fields.List(
        CorrectionField(),
        validate=validate.Length(max=MAX_CORRECTIONS),
        metadata={
            "description": "Corrections by hand, in this order, with the remedy `partial_fix`; what comes of them "
            "has to be a table that can be"
        },
    )
    keep = Bool(load_default=False, metadata={"description": "Keep it as a house ruling of this table"})


class AppealBody(Body):
    """Why the ruling is wrong, and the clause it misapplies."""

    seat = own_seat_field()
    grounds = printable_field(LONGEST_WORDS, 1, required=True)
    clause = clause_id_field(metadata={"description": "The clause that was misapplied"})


class AttestationSchema(Schema):
    """What a seat attests."""

    seat = Int(required=True)
    holds = Bool(required=True)
    saw = JsonField({}, required=True)


class VoteSchema(Schema):
    """The remedy that a seat voted for."""

    seat = Int(required=True)
    remedy = fields.Str(required=True)


class CourtRulingSchema(Schema):
    """What a court said. Where it rests on cards that are hidden from these eyes, they are told no more than that."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    court = fields.Str(required=True, metadata={"enum": list(LEVELS)})
    by = fields.Str(required=True, metadata={"enum": ["referee", "table", "host", "arbiter"]})
    verdict = fields.Str(required=True, metadata={"enum": list(VERDICTS)})
    remedy = fields.Str(required=True, allow_none=True, metadata={"description": "null: it is still to be chosen"})
    reason = translations_field()
    clauses = fields.List(fields.Nested(CitedClause), required=True)
    statement = fields.Str(required=True, metadata={"description": "In the words of whoever ruled"})
    departs_from = fields.List(
        fields.Nested(CitedClause), required=True, metadata={"description": "What the overruled ruling rested on"}
    )
    kept = Bool(required=True, metadata={"description": "Whether it is a house ruling now"})


class CourtAppealSchema(Schema):
    """An appeal against the ruling before it."""

    version = Int(required=True)
    seat = Int(required=True)
    clause = fields.Str(required=True)
    grounds = fields.Str(required=True)


class DisputeActionSchema(Schema):
    """Something that can be done about the dispute now: a button, for whoever is named."""

    step = fields.Str(
        required=True,
        metadata={"enum": list(STEPS), "description": "It is posted to `…/disputes/{dispute}/{step}`"},
    )
    by = fields.List(
        JsonField(SEAT_OR_ROLE),
        required=True,
        metadata={"description": "Who may. Host and arbiter rule unless they hold a seat that is a party"},
    )
    until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "null: without limit"}
    )


class DisputeRecordSchema(Schema):
    """A dispute: the claim, what was said and voted, the rulings. Named after the version it was opened at."""

    dispute = Int(required=True)
    by = JsonField(SEAT_OR_ROLE, required=True)
    about = Int(required=True)
    claim = fields.Str(required=True, metadata={"enum": list(CLAIMS), "description": CLAIM_DESCRIPTION})
    clause = fields.Str(required=True, allow_none=True)
    move = JsonField({"type": ["object", "null"]}, required=True)
    saw = JsonField({}, required=True)
    statement = fields.Str(required=True)
    parties = fields.List(Int(), required=True, metadata={"description": "The seats that it is between"})
    court = fields.Str(required=True, metadata={"enum": list(LEVELS)})
    stage = fields.Str(required=True, metadata={"enum": list(STAGES), "description": STAGE_DESCRIPTION})
    open = Bool(required=True, metadata={"description": "Whether a court is still at it"})
    until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "When the stage ends"}
    )
    appeal_until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "null: there is no appeal"}
    )
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose word is awaited"})
    decide = fields.List(Int(), required=True, metadata={"description": "Seats that decide at the table"})
    attestations = fields.List(fields.Nested(AttestationSchema), required=True)
    votes = fields.List(fields.Nested(VoteSchema), required=True)
    rulings = fields.List(
        fields.Nested(CourtRulingSchema), required=True, metadata={"description": "The referee's own is the first"}
    )
    appeals = fields.List(fields.Nested(CourtAppealSchema), required=True)
    steps = fields.List(
        fields.Nested(DisputeActionSchema), required=True, metadata={"description": "What can be done now, and by whom"}
    )


class RemedyOptionSchema(Schema):
    """A remedy: what it would do, and why it is offered or is not."""

    remedy = fields.Str(required=True, metadata={"enum": list(REMEDIES), "description": REMEDY_DESCRIPTION})
    offered = Bool(required=True, metadata={"description": "The table may vote for it; else only the arbiter"})
    why = translations_field()
    to = Int(required=True, allow_none=True, metadata={"description": "The version it goes back to"})
    keeps = fields.List(Int(), required=True, metadata={"description": "Later moves that stay legal and stand"})
    drops = fields.List(Int(), required=True, metadata={"description": "Later moves that count no more"})
    unsure = fields.List(
        Int(),
        required=True,
        metadata={"description": "Later moves of which these eyes cannot tell, for it rests on cards hidden from them"},
    )
    crosses = fields.List(
        fields.Str(), required=True, metadata={"description": "The rules of takebacks that it breaks"}
    )
    learned = fields.List(
        Int(), required=True, metadata={"description": "Seats that have seen since what would be hidden again"}
    )


class RemedySchema(RemedyOptionSchema):
    """A remedy, and the table after it as these eyes would see it."""

    hides = Bool(
        required=True,
        metadata={"description": "The view would rest on a card that these eyes have not seen, so it is left out"},
    )
    view = fields.Nested(ViewSchema, required=True, allow_none=True)


class PrecedentSchema(Schema):
    """A house ruling that the table keeps. People decide; it decides nothing by itself."""

    match = fields.Str(required=True)
    dispute = Int(required=True)
    game = fields.Str(required=True)
    claim = fields.Str(required=True, metadata={"enum": list(CLAIMS)})
    question = fields.Str(required=True, metadata={"description": "What was asked at the disputed entry"})
    move = fields.Str(required=True, metadata={"description": "The type of the move"})
    verdict = fields.Str(required=True, metadata={"enum": list(VERDICTS)})
    clauses = fields.List(fields.Nested(CitedClause), required=True)
    statement = fields.Str(required=True)
    by = fields.Str(required=True)


class DisputeSchema(DisputeRecordSchema):
    """A dispute with what it is about, as far as these eyes may know."""

    disputed = fields.Nested(
        ExplanationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The entry, explained: its facts, and what else was legal. null for a refusal"},
    )
    refusal = fields.Nested(
        RulingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The ruling on the refused move, for the seat that asked it"},
    )
    since = fields.Nested(EntriesSchema, required=True, metadata={"description": "The entries after the disputed one"})
    remedies = fields.List(
        fields.Nested(RemedyOptionSchema), required=True, metadata={"description": "The ladder, the mildest first"}
    )
    precedents = fields.List(
        fields.Nested(PrecedentSchema), required=True, metadata={"description": "House rulings on the same"}
    )


class DisputeWriteResultSchema(WriteResultSchema):
    """What a write became, and the dispute after it."""

    dispute = fields.Nested(DisputeRecordSchema, required=True)


class DisputesSchema(Schema):
    """All disputes of a match."""

    items = fields.List(fields.Nested(DisputeRecordSchema), required=True)


class PrecedentsSchema(Schema):
    """The house rulings of a table, also those taken over."""

    items = fields.List(fields.Nested(PrecedentSchema), required=True)


class VersionRangeSchema(Schema):
    """Versions that stand alike."""

    from_ = Int(required=True, data_key="from")
    to = Int(required=True)
    state = fields.Str(
        required=True,
        metadata={
            "enum": ["current", "partly", "superseded"],
            "description": "`partly`: its play counts no more, its table business does",
        },
    )
    by = Int(required=True, allow_none=True, metadata={"description": "The entry that went back behind it"})
    dispute = Int(required=True, allow_none=True, metadata={"description": "The dispute that this entry rules on"})
    restored = Int(
        required=True, allow_none=True, metadata={"description": "The entry by which it counts again, where it did not"}
    )


class TimelineSchema(Schema):
    """The whole log as stretches: what counts, and what was superseded by which entry."""

    version = Int(required=True)
    stretches = fields.List(fields.Nested(VersionRangeSchema), required=True)
