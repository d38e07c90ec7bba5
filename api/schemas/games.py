"""Games: the box, the rulebook, the cards; and rulings on positions that no match holds."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields

from api.schemas.fields import Body, Data, Int, text, words
from api.schemas.moves import RulingSchema
from api.schemas.unions import MoveUnion

SEAT = {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 19}, {"const": "chance"}]}
JSON_SCHEMA = {"type": "object", "description": "A JSON Schema"}


def is_seat(value: object) -> bool:
    """Whether this names a seat, or chance."""
    if value != "chance" and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 19):
        raise ValidationError("A seat from 0 to 19, or chance.")
    return True


class RulingBody(Body):
    """A position, and the move to rule on. Nothing of it is kept."""

    variant = text(metadata={"description": "If the position does not say it"})
    edition = text(metadata={"description": "If the position does not say it; the game's own unless told"})
    settings = Data({"type": "object", "description": "If the position does not say them"})
    position = Data({"type": "object", "description": "As the game's positions say"}, required=True)
    seat = Data(SEAT, required=True, validate=is_seat)
    move = fields.Nested(MoveUnion, required=True)


class CensusBody(Body):
    """A position to count."""

    variant = text(metadata={"description": "If the position does not say it"})
    edition = text(metadata={"description": "If the position does not say it; the game's own unless told"})
    position = Data({"type": "object"}, required=True)


class JudgedSchema(RulingSchema):
    """A ruling, what would follow as far as the position fixes it, and the position then."""

    events = fields.List(Data({"type": "object", "required": ["type"]}), required=True)
    after = Data({"type": ["object", "null"]}, required=True)


class CensusSchema(Schema):
    """Whether the cards can be where the position has them."""

    possible = fields.Bool(required=True)
    contradictions = fields.List(Data({"type": "object"}), required=True)
    recounts = fields.List(Data({"type": ["object", "string"]}), required=True)


class MoveKindSchema(Schema):
    """A kind of move."""

    type = fields.Str(required=True)
    description = fields.Str(required=True)
    clauses = fields.List(fields.Str(), required=True)
    schema = Data(JSON_SCHEMA, required=True)


class BoxSchema(Schema):
    """What is in the box."""

    name = fields.Str(required=True)
    title = words()
    prefix = fields.Str(required=True)
    variants = fields.List(fields.Str(), required=True)
    deck_variant = fields.Str(
        required=True, allow_none=True, metadata={"description": "The one to which players bring decks of their own"}
    )
    min_seats = Int(required=True)
    max_seats = Int(required=True)
    edition = fields.Str(required=True)
    editions = fields.List(fields.Str(), required=True)
    ruleset = fields.Str(required=True)
    devices = fields.List(fields.Str(), required=True, metadata={"description": "Chance that a table may hold"})
    windows = fields.List(fields.Str(), required=True, metadata={"description": "What may be let pass in advance"})
    settings = Data(JSON_SCHEMA, required=True)
    moves = fields.List(fields.Nested(MoveKindSchema), required=True)


class BoxesSchema(Schema):
    """All games."""

    items = fields.List(fields.Nested(BoxSchema), required=True)


class ClauseSchema(Schema):
    """A numbered rule in our own words, and where it stands in the rulebook."""

    id = fields.Str(required=True)
    chapter = Data({"type": "object"}, required=True)
    found = fields.Str(required=True)
    says = words()
    reading = fields.Str(required=True, allow_none=True, metadata={"description": "The ruling that settles it"})
    variant = fields.Str(required=True, allow_none=True)
    players_duty = fields.Bool(required=True, metadata={"description": "Only the players can see to it"})
    open = Data({"type": "object"}, required=True, metadata={"description": "What the rulebook leaves open"})
    why = Data({"type": "object"}, required=True)
    cards = fields.List(fields.Str(), required=True)
    tests = fields.List(fields.Str(), required=True, metadata={"description": "Tests that exercise it"})


class ClausesSchema(Schema):
    """Clauses in the order of the book."""

    items = fields.List(fields.Nested(ClauseSchema), required=True)


class ChapterSchema(ClausesSchema):
    """A chapter of the book."""

    chapter = Data({"type": "object"}, required=True)


class RulebookSchema(Schema):
    """The book, chapter by chapter."""

    game = fields.Str(required=True)
    edition = fields.Str(required=True)
    chapters = fields.List(fields.Nested(ChapterSchema), required=True)


class BookQuery(Body):
    """Which edition, which chapter."""

    chapter = text(80)
    edition = text()


class ClauseQuery(Body):
    """Which clauses."""

    q = text(metadata={"description": "Words that occur in it, in either language"})
    chapter = text(80)
    card = text(metadata={"description": "Clauses that this card rests on"})


class CardQuery(Body):
    """Which cards."""

    kind = text()
    q = text()
    edition = text()


class CardsSchema(Schema):
    """The cards of the box; their members differ from game to game."""

    items = fields.List(Data({"type": "object", "required": ["id", "name"]}), required=True)


class CoverageSchema(Schema):
    """What of the book is carried out and tested."""

    game = fields.Str(required=True)
    clauses = Int(required=True)
    tested = Int(required=True)
    players_duty = Int(required=True)
    cards = Int(required=True)
    items = fields.List(Data({"type": "object", "required": ["id", "tests"]}), required=True)


class PositionsQuery(Body):
    """Which variant, and with which cards."""

    variant = text()
    edition = text()


class PositionsSchema(Schema):
    """How a position is written, with an example for every question of the game."""

    variant = fields.Str(required=True)
    schema = Data(JSON_SCHEMA, required=True)
    examples = fields.List(Data({"type": "object"}), required=True)


class BotsSchema(Schema):
    """The levels of bots."""

    items = fields.List(Data({"type": "object", "required": ["level"]}), required=True)
