"""Schemas of card books."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Int, translations_field


class BookSchema(Schema):
    """A published card book, without its text."""

    book = fields.Str(required=True, metadata={"description": "Its name"})
    edition = fields.Str(required=True, metadata={"description": "Its name in matches: name and hash"})
    game = fields.Str(required=True)
    title = translations_field()
    hash = fields.Str(required=True, metadata={"description": "SHA-256 of its bytes, in hex"})
    extends = fields.Str(required=True, allow_none=True, metadata={"description": "The cards it adds to; null: none"})
    cards = fields.List(fields.Str(), required=True, metadata={"description": "The ids of its cards"})
    bytes = Int(required=True)


class BooksSchema(Schema):
    """The published card books of a game."""

    items = fields.List(fields.Nested(BookSchema), required=True)
