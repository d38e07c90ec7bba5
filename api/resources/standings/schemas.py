"""Standings, statistics of cards, and whether reported dice fall evenly."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.consistency_token import at_least_field
from api.http.schemas.fields import Body, Int, JsonField, Words, query_integer_field, text_field
from api.resources.matches.schemas import validate_game
from api.resources.players.schemas import AS_OF

FLOAT = {"type": "number"}


class StandingsQuery(Body):
    """Which game, and which page."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    variant = text_field(metadata={"description": "One of the game's; the first unless told"})
    after = query_integer_field(0, 2**31 - 1, load_default=0, metadata={"description": "The cursor: after this rank"})
    limit = query_integer_field(1, 200, load_default=50)
    at_least = at_least_field()


class StandingSchema(Schema):
    """Where somebody stands: a player, a level of bots, or the box against which all play together."""

    rank = Int(required=True)
    kind = fields.Str(required=True, metadata={"enum": ["player", "bot", "box"]})
    id = fields.Str(required=True, metadata={"description": "pl-…, bot:<level>, box:<seats>"})
    name = fields.Str(required=True, allow_none=True)
    rating = JsonField(
        {"type": ["number", "null"], "description": "mu less three sigma; null if unrated"}, required=True
    )
    mu = JsonField(FLOAT, required=True)
    sigma = JsonField(FLOAT, required=True)
    rated = Int(required=True)
    played = Int(required=True)
    won = Int(required=True)


class WinShareSchema(Schema):
    """How often those at one seat, or at one place in the order of turns, played and won."""

    at = Int(required=True, metadata={"description": "The seat; or who came on turn first (0), second (1), …"})
    played = Int(required=True)
    won = Int(required=True)


class StandingsSchema(Schema):
    """Standings of a game and variant."""

    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    matches = Int(required=True, metadata={"description": "Matches that count"})
    rated = Int(required=True, metadata={"description": "Of these, matches that are rated"})
    items = fields.List(fields.Nested(StandingSchema), required=True)
    next_cursor = Int(required=True, allow_none=True)
    by_seat = fields.List(fields.Nested(WinShareSchema), required=True)
    by_turn_order = fields.List(fields.Nested(WinShareSchema), required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)


class AtLeastQuery(Body):
    """How far the answer has to have read."""

    at_least = at_least_field()


class CardStatisticsQuery(AtLeastQuery):
    """Which edition."""

    edition = text_field()


class CardStatisticSchema(Schema):
    """What became of a card."""

    card = fields.Str(required=True)
    name = fields.Nested(Words, required=True)
    drawn = Int(required=True, metadata={"description": "Copies that came from a pile into a hand"})
    played = Int(required=True, metadata={"description": "Copies that were played from a hand"})
    refused = Int(required=True, allow_none=True, metadata={"description": "null: nobody counts refusals"})
    players = Int(required=True, metadata={"description": "Seats that played it, each match anew"})
    won_with = Int(required=True, metadata={"description": "Of these, the ones that won"})


class CardStatisticsSchema(Schema):
    """Statistics of every card of the box."""

    game = fields.Str(required=True)
    edition = fields.Str(required=True)
    matches = Int(required=True)
    items = fields.List(fields.Nested(CardStatisticSchema), required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)


class DieSchema(Schema):
    """How evenly a die fell, or all dice of so many sides together."""

    sides = Int(required=True)
    of = Int(required=True, allow_none=True, metadata={"description": "Dice in the roll; null: all dice together"})
    die = Int(required=True, allow_none=True, metadata={"description": "Which of them, from 1 on, as reported"})
    counts = fields.List(Int(), required=True, metadata={"description": "By face, from 1 on"})
    thrown = Int(required=True)
    expected = JsonField({**FLOAT, "description": "Of each face"}, required=True)
    chi_squared = JsonField(FLOAT, required=True)
    degrees_of_freedom = Int(required=True)
    p = JsonField({"type": ["number", "null"], "description": "null: too few throws"}, required=True)
    verdict = fields.Str(required=True, metadata={"enum": ["too_few", "ordinary", "unusual", "rare"]})
    says = fields.Nested(Words, required=True)


class ReporterSchema(Schema):
    """The dice that one reporter reported."""

    reporter = JsonField({"oneOf": [{"type": "integer", "minimum": 0}, {"const": "host"}]}, required=True)
    rolls = Int(required=True)
    dice = fields.List(fields.Nested(DieSchema), required=True)


class MatchFairnessSchema(Schema):
    """The reported dice of a match: of all reporters together, and of each."""

    match = fields.Str(required=True)
    dice = fields.List(fields.Nested(DieSchema), required=True)
    reporters = fields.List(fields.Nested(ReporterSchema), required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)


class ReporterTestsSchema(Schema):
    """How many reporters threw enough in a match to be tested, and how many of them came out unusual or rare."""

    tested = Int(required=True)
    unusual = Int(required=True)
    rare = Int(required=True)
    expected_unusual = JsonField(FLOAT, required=True)
    expected_rare = JsonField(FLOAT, required=True)
    says = fields.Nested(Words, required=True)


class GameFairnessSchema(Schema):
    """The reported dice of all public matches of a game that are over. Nobody is named."""

    game = fields.Str(required=True)
    matches = Int(required=True)
    dice = fields.List(fields.Nested(DieSchema), required=True)
    reporters = fields.Nested(ReporterTestsSchema, required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)
