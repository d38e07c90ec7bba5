"""Schemas of what a table of cards may say, and of what became of one."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from api.http.schemas.fields import Int, JsonField, Words, refer, translations_field


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


class BoxPartSchema(Schema):
    """How many cards of some kinds a book without `extends` needs."""

    label = translations_field()
    kinds = fields.List(fields.Str(), required=True)
    least = Int(required=True)
    designs = fields.Bool(required=True, metadata={"description": "Whether copies do not count"})


class CardFormSchema(Schema):
    """What a table of cards of a game may say."""

    game = fields.Str(required=True)
    box = fields.List(fields.Nested(BoxPartSchema), required=True)
    single = fields.List(
        fields.Str(), required=True, metadata={"description": "Kinds of which each copy becomes a card of its own"}
    )
    kinds = fields.List(fields.Nested(CardChoiceSchema), required=True)
    columns = fields.List(fields.Nested(CardColumnSchema), required=True)
    places = fields.List(fields.Nested(CardPlaceSchema), required=True)
    sentences = fields.List(fields.Nested(CardSentenceSchema), required=True)


class TableErrorSchema(Schema):
    """One thing that is wrong in a table."""

    row = Int(required=True, metadata={"description": "0: the whole table"})
    column = fields.Str(required=True, metadata={"description": "Empty: the whole row"})
    heading = fields.Str(required=True, metadata={"description": "The column as it is headed in the language"})
    detail = fields.Str(required=True)


class FreeTextSchema(Schema):
    """A text of a table that is no sentence of the catalog."""

    row = Int(required=True)
    column = fields.Str(required=True)
    text = fields.Str(required=True)
    only_printed = fields.Bool(
        required=True, metadata={"description": "It holds all the time, and the program does not know of it"}
    )
    near = fields.Nested(
        Words, required=True, allow_none=True, metadata={"description": "The sentence that it may mean"}
    )


class TableTextsSchema(Schema):
    """What became of the texts of a table."""

    sentences = Int(required=True, metadata={"description": "How many the program carries out"})
    carried_out = Int(required=True, metadata={"description": "How many the people at the table carry out"})
    only_printed = Int(required=True, metadata={"description": "How many nobody is asked about"})
    free = fields.List(fields.Nested(FreeTextSchema), required=True)


CELLS: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}


class TableCardSchema(Schema):
    """A card of a table."""

    row = Int(required=True)
    cells = JsonField(
        {**CELLS, "description": "By their columns; sentences open, with their blanks by name"},
        required=True,
    )
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
    texts = fields.Nested(TableTextsSchema, required=True)
