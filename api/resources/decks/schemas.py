"""Schemas of players' decks."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import MOST_ITEMS, Body, Int, printable_field, text_field
from api.resources.matches.schemas import validate_game

MOST_DECKS = 100  # of one player


class DeckBody(Body):
    """A deck to store. `deck-refused` lists everything that is wrong with it at once."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    edition = text_field(shortest=1, metadata={"description": "One of the game's `editions`; default: its newest"})
    name = printable_field(60, 1, required=True, metadata={"description": "Only its player sees it"})
    cards = fields.List(
        text_field(shortest=1),
        required=True,
        validate=validate.Length(max=MOST_ITEMS),
        metadata={"description": "Ids of cards of that edition, in any order; the order is kept"},
    )


class DeckSchema(Schema):
    """A deck as its player sees it; nobody else does."""

    deck = fields.Str(required=True, metadata={"description": "Its id, the last part of its address"})
    version = Int(
        required=True, metadata={"description": "A number that grows with each change of this player's decks"}
    )
    game = fields.Str(required=True)
    variant = fields.Str(required=True, metadata={"description": "The variant to which it may be brought"})
    edition = fields.Str(required=True)
    name = fields.Str(required=True)
    cards = fields.List(fields.Str(), required=True)


class DecksSchema(Schema):
    """All decks of a player, sorted by id."""

    items = fields.List(fields.Nested(DeckSchema), required=True)
