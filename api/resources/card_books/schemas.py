"""Schemas of card books."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, WholeText, translations_field
from api.http.schemas.paging import limit_field


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
    """A page of the published card books of a game."""

    items = fields.List(fields.Nested(BookSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class BooksQuery(Body):
    """Which page of the card books."""

    after = fields.Str(
        validate=WholeText("[A-Za-z0-9_.@-]{1,64}"),
        metadata={"description": "The cursor: only books whose names come after it"},
    )
    limit = limit_field()
