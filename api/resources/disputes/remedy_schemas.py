"""Schemas of remedies: what each would do, and the table after it."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Bool, Int, query_integer_field, translations_field
from api.http.schemas.viewers import ViewerQuery
from api.resources.boards.schemas import BoardSchema
from api.resources.entries.schemas import ViewSchema
from referee.match.events.dispute_state import REMEDIES

REMEDY_DESCRIPTION = (
    "`leave`: what was played stands. `partial_fix`: the mistake is corrected, and later moves are judged again (or "
    "`fix` gives corrections by hand). `rewind`: play goes back to before it. `void`: the match counts for nothing. "
    "`restore`: what a lower court's remedy removed counts again. `as_it_lies`: play goes on with what lies there, by "
    "the votes of all"
)


class RemedyQuery(ViewerQuery):
    """Which proposal to preview, if not the remedy as it is offered."""

    proposal = query_integer_field(
        1, 2**31 - 1, metadata={"description": "`proposal` of a vote for this remedy, with its corrections by hand"}
    )


class RemedyOptionSchema(Schema):
    """A remedy: what it would do, and why it is offered or not."""

    remedy = fields.Str(required=True, metadata={"enum": list(REMEDIES), "description": REMEDY_DESCRIPTION})
    offered = Bool(
        required=True,
        metadata={"description": "true: the table may choose it; false: only host or arbiter may"},
    )
    mild = Bool(
        required=True,
        metadata={"description": "Whether it is carried out where the table does not agree and no official rules"},
    )
    why = translations_field()
    to = Int(required=True, allow_none=True, metadata={"description": "The version that play goes back to"})
    keeps = fields.List(Int(), required=True, metadata={"description": "Later moves that stay legal and stand"})
    drops = fields.List(Int(), required=True, metadata={"description": "Later moves that would no longer count"})
    unsure = fields.List(
        Int(),
        required=True,
        metadata={"description": "Later moves of which it is open, because it depends on cards hidden from the viewer"},
    )
    crosses = fields.List(
        fields.Str(), required=True, metadata={"description": "The takeback rules that it would break"}
    )
    learned = fields.List(
        Int(), required=True, metadata={"description": "Seats that have since seen what would be hidden again"}
    )


class CardReturnSchema(Schema):
    """Cards that go from one place to another."""

    card = fields.Str(required=True, allow_none=True, metadata={"description": "null: the viewer does not know which"})
    count = Int(required=True)
    from_ = fields.Str(required=True, data_key="from")
    to = fields.Str(required=True)
    says = translations_field()


class RemedySchema(RemedyOptionSchema):
    """A remedy, and the table after it as the viewer would see it."""

    hides = Bool(
        required=True,
        metadata={"description": "Whether view and board are left out: they would show a card the viewer has not seen"},
    )
    view = fields.Nested(ViewSchema, required=True, allow_none=True)
    board = fields.Nested(
        BoardSchema,
        required=True,
        allow_none=True,
    )
    returns = fields.List(
        fields.Nested(CardReturnSchema),
        required=True,
        metadata={"description": "Which cards lie elsewhere then, as the viewer sees it: what people have to lay back"},
    )
