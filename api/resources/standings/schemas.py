"""Schemas of standings, card statistics and fairness of dice."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.consistency_token import at_least_field
from api.http.schemas.fields import SEAT_NUMBER, Body, Int, JsonField, Words, text_field
from api.http.schemas.paging import PageQuery
from api.resources.matches.schemas import validate_game
from api.resources.players.schemas import AS_OF

FLOAT = {"type": "number"}


class StandingsQuery(PageQuery):
    """Which game, and which page."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    variant = text_field(metadata={"description": "One of the game's `variants`; default: the first"})
    at_least = at_least_field()


class StandingsPlotQuery(Body):
    """Which game."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    variant = text_field(metadata={"description": "One of the game's `variants`; default: the first"})
    at_least = at_least_field()


class StandingSchema(Schema):
    """The rank of a player, a level of bots, or the game itself if it is cooperative."""

    rank = Int(required=True)
    kind = fields.Str(required=True, metadata={"enum": ["player", "bot", "box"]})
    id = fields.Str(required=True, metadata={"description": "pl-…, bot:<level>, box:<seats>"})
    name = fields.Str(required=True, allow_none=True)
    rating = JsonField(
        {"type": ["number", "null"], "description": "mu minus three sigma; null if unrated"}, required=True
    )
    mu = JsonField(FLOAT, required=True)
    sigma = JsonField(FLOAT, required=True)
    rated = Int(required=True)
    played = Int(required=True)
    won = Int(required=True)


class WinShareSchema(Schema):
    """How often a seat, or a place in the turn order, played and won."""

    at = Int(
        required=True, metadata={"description": "The seat, or the place in the turn order: first (0), second (1), …"}
    )
    played = Int(required=True)
    won = Int(required=True)


class StandingsSchema(Schema):
    """Standings of a game and variant."""

    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    matches = Int(required=True, metadata={"description": "The number of matches that count"})
    rated = Int(required=True, metadata={"description": "The number of these matches that are rated"})
    items = fields.List(fields.Nested(StandingSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)
    by_seat = fields.List(fields.Nested(WinShareSchema), required=True)
    by_turn_order = fields.List(fields.Nested(WinShareSchema), required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)


class AtLeastQuery(Body):
    """How far the answer must have read."""

    at_least = at_least_field()


class CardStatisticsQuery(AtLeastQuery):
    """Which edition."""

    edition = text_field()


class CardStatisticSchema(Schema):
    """How often a card was drawn, played and won with."""

    card = fields.Str(required=True)
    name = fields.Nested(Words, required=True)
    drawn = Int(required=True, metadata={"description": "Copies that came from a pile into a hand"})
    played = Int(required=True, metadata={"description": "Copies that were played from a hand"})
    refused = Int(required=True, allow_none=True, metadata={"description": "null: refusals are not counted"})
    players = Int(required=True, metadata={"description": "Seats that played it, summed over the matches"})
    won_with = Int(required=True, metadata={"description": "How many of these seats won"})


class CardStatisticsSchema(Schema):
    """Statistics of every card of a game."""

    game = fields.Str(required=True)
    edition = fields.Str(required=True)
    matches = Int(required=True)
    items = fields.List(fields.Nested(CardStatisticSchema), required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)


class DieSchema(Schema):
    """How evenly a die fell, or all dice with the same number of sides together."""

    sides = Int(required=True)
    of = Int(required=True, allow_none=True, metadata={"description": "Dice in the roll; null: all dice together"})
    die = Int(required=True, allow_none=True, metadata={"description": "Which of them, from 1, in the reported order"})
    counts = fields.List(Int(), required=True, metadata={"description": "How often each face came up, from 1"})
    thrown = Int(required=True)
    expected = JsonField({**FLOAT, "description": "The expected count of each face"}, required=True)
    chi_squared = JsonField(FLOAT, required=True)
    degrees_of_freedom = Int(required=True)
    p = JsonField({"type": ["number", "null"], "description": "null: too few throws"}, required=True)
    verdict = fields.Str(required=True, metadata={"enum": ["too_few", "ordinary", "unusual", "rare"]})
    says = fields.Nested(Words, required=True)


class ReporterSchema(Schema):
    """The dice that one reporter reported."""

    reporter = JsonField({"oneOf": [SEAT_NUMBER, {"enum": ["host"]}]}, required=True)
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
    """How many reporters had enough throws for a test, and how many stood out."""

    tested = Int(required=True)
    unusual = Int(required=True)
    rare = Int(required=True)
    expected_unusual = JsonField(FLOAT, required=True)
    expected_rare = JsonField(FLOAT, required=True)
    says = fields.Nested(Words, required=True)


class GameFairnessSchema(Schema):
    """The reported dice of all finished public matches of a game, without names."""

    game = fields.Str(required=True)
    matches = Int(required=True)
    dice = fields.List(fields.Nested(DieSchema), required=True)
    reporters = fields.Nested(ReporterTestsSchema, required=True)
    says = fields.Nested(Words, required=True)
    as_of = fields.Str(required=True, metadata=AS_OF)
