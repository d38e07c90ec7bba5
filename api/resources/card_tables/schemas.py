"""Schemas of what a table of cards may say, and of what became of one."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from api.http.schemas.fields import Int, JsonField, refer, translations_field


class CardChoiceSchema(Schema):
    """A word for a table, by its name and as it reads."""

    name = fields.Str(required=True)
    label = translations_field()


class CardColumnSchema(CardChoiceSchema):
    """A column of numbers or words."""

    form = fields.Str(required=True, metadata={"enum": ["number", "numbers", "word", "words", "truth"]})
    kinds = fields.List(fields.Str(), required=True, metadata={"description": "The kinds of cards that have it"})
    needed = fields.List(fields.Str(), required=True, metadata={"description": "Those that need it"})
    words = fields.List(fields.Nested(CardChoiceSchema), required=True)


class CardPlaceSchema(CardChoiceSchema):
    """Where a text can stand on a card."""

    kinds = fields.List(fields.Str(), required=True)
    needed = fields.List(fields.Str(), required=True, metadata={"description": "Kinds that need a text there"})


class CardBlankSchema(Schema):
    """A blank of a sentence: a number between two others, or one of several words."""

    name = fields.Str(required=True)
    least = Int(required=True)
    most = Int(required=True)
    choices = fields.List(fields.Nested(CardChoiceSchema), required=True)


class CardSentenceSchema(Schema):
    """A sentence, with its blanks in braces."""

    name = fields.Str(required=True)
    text = translations_field()
    places = fields.List(fields.Str(), required=True)
    kinds = fields.List(fields.Str(), required=True, metadata={"description": "The only kinds that have it; none: all"})
    blanks = fields.List(fields.Nested(CardBlankSchema), required=True)


class CardFormSchema(Schema):
    """What a table of cards of a game may say."""

    game = fields.Str(required=True)
    extends = fields.Bool(required=True, metadata={"description": "Whether a book must add to the game's own cards"})
    kinds = fields.List(fields.Nested(CardChoiceSchema), required=True)
    columns = fields.List(fields.Nested(CardColumnSchema), required=True)
    places = fields.List(fields.Nested(CardPlaceSchema), required=True)
    sentences = fields.List(fields.Nested(CardSentenceSchema), required=True)


class TableErrorSchema(Schema):
    """One thing that is wrong in a table."""

    row = Int(required=True, metadata={"description": "0: the whole table"})
    column = fields.Str(required=True, metadata={"description": "Empty: the whole row"})
    detail = fields.Str(required=True)


CELLS: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}


class TableCardSchema(Schema):
    """A card of a table."""

    row = Int(required=True)
    cells = JsonField({**CELLS, "description": "By the names of the columns"}, required=True)
    card = JsonField(
        {"anyOf": [refer("Card"), {"type": "null"}], "description": "As players will see it; null: of no kind"},
        required=True,
    )


class CheckedTableSchema(Schema):
    """What became of a table."""

    head = JsonField({**CELLS, "description": "What stands above the cards"}, required=True)
    book = fields.Str(required=True, metadata={"description": "The card book; to be published only without errors"})
    cards = fields.List(fields.Nested(TableCardSchema), required=True)
    errors = fields.List(fields.Nested(TableErrorSchema), required=True)
