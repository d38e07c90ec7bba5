"""Decks that players have made, as they come in and go out."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import MOST_ITEMS, Body, Int, printable_field, text_field
from api.resources.matches.schemas import validate_game

MOST_DECKS = 100  # of one player


class DeckBody(Body):
    """A deck to keep. What its rules have against it is told by `deck-refused`, all at once."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    edition = text_field(shortest=1, metadata={"description": "Of the game's `editions`; its own unless told"})
    name = printable_field(60, 1, required=True, metadata={"description": "For its player alone"})
    cards = fields.List(
        text_field(shortest=1),
        required=True,
        validate=validate.Length(max=MOST_ITEMS),
        metadata={"description": "Ids of cards of that edition, in any order: it is kept"},
    )


class DeckSchema(Schema):
    """A deck as its player sees it; nobody else does."""

    deck = fields.Str(required=True, metadata={"description": "Its id: the last part of its address"})
    version = Int(required=True, metadata={"description": "Counts all changes of decks of this player"})
    game = fields.Str(required=True)
    variant = fields.Str(required=True, metadata={"description": "Where it may be brought to"})
    edition = fields.Str(required=True)
    name = fields.Str(required=True)
    cards = fields.List(fields.Str(), required=True)


class DecksSchema(Schema):
    """All decks of a player, by their ids."""

    items = fields.List(fields.Nested(DeckSchema), required=True)
