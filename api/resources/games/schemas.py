"""Schemas of games, rulebooks and cards, and of rulings on written positions."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from api.http.schemas.fields import (
    ANY_JSON,
    JSON_OBJECT,
    OPTIONAL_WORDS,
    SCALAR,
    SEAT_OR_CHANCE,
    Body,
    Bool,
    Int,
    JsonField,
    Words,
    enum_field,
    integer_field,
    printable_field,
    refer,
    text_field,
    translations_field,
    unknown_places_field,
)
from api.http.schemas.polymorphic import MoveUnion
from api.resources.rulings.house_rulings import precedents_field
from referee.cardscript.books.acts import ACTS
from referee.games import load_games
from referee.position_rulings.request import (
    CLAIMS,
    MAX_OBSERVATIONS,
    MAX_POINTER_LENGTH,
    MAX_STATEMENT_LENGTH,
    MAX_STATEMENTS,
    MAX_UNKNOWN,
)

JSON_SCHEMA = {**JSON_OBJECT, "description": "A JSON Schema"}


def name_settings() -> dict[str, str]:
    """Return the names of the games' settings in the contract, by game."""
    return {name: "".join(map(str.capitalize, name.split("_"))) + "Settings" for name in load_games()}


SOME_SETTINGS = {
    "type": "object",
    "anyOf": [refer(name) for name in name_settings().values()],
}
WORDS = refer("Words")


def validate_seat(value: object) -> bool:
    """Check that this names a seat, or chance. Raises ValidationError."""
    if value != "chance" and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 19):
        raise ValidationError("A seat from 0 to 19, or chance.")
    return True


OBSERVATIONS_SCHEMA = {
    "type": "object",
    "maxProperties": MAX_OBSERVATIONS,
    "propertyNames": {"maxLength": MAX_POINTER_LENGTH, "pattern": "^/"},
    "additionalProperties": ANY_JSON,
    "description": "Values by their places in the position after the move (JSON pointers); for cards, a number says "
    "how many there are",
}


def validate_observations(value: object) -> bool:
    """Check that this does not name too many places. Raises ValidationError."""
    if isinstance(value, dict) and len(value) > MAX_OBSERVATIONS:
        raise ValidationError(f"No more than {MAX_OBSERVATIONS} places.")
    return True


class PartyStatementBody(Body):
    """What one party says, in words and in a form that can be checked."""

    seat = integer_field(0, 19, required=True)
    says = printable_field(
        MAX_STATEMENT_LENGTH, metadata={"description": "In words; repeated in the answer, not judged"}
    )
    clause = text_field(metadata={"description": "The clause that decides it, in the party's opinion"})
    legal = Bool(metadata={"description": "Whether the move is legal, in the party's opinion"})
    saw = JsonField(OBSERVATIONS_SCHEMA, validate=validate_observations)


class RulingBody(Body):
    """A position, the move to rule on, and any disagreement about it.

    Nothing of it is stored.
    """

    variant = text_field(metadata={"description": "The variant, if the position does not give it"})
    edition = text_field(metadata={"description": "The edition, if the position gives none; default: the game's own"})
    settings = JsonField({**SOME_SETTINGS, "description": "The settings, if the position does not give them"})
    position = JsonField({**JSON_OBJECT, "description": "In the form that `GET …/positions` describes"}, required=True)
    seat = JsonField(SEAT_OR_CHANCE, required=True, validate=validate_seat)
    move = fields.Nested(MoveUnion, required=True)
    claim = enum_field(
        *CLAIMS, metadata={"description": "What is claimed to be wrong with the move, or with what followed"}
    )
    clause = text_field(metadata={"description": "The clause that the claim rests on"})
    saw = JsonField(
        {
            **OBSERVATIONS_SCHEMA,
            "description": f"How the table carried the move out. {OBSERVATIONS_SCHEMA['description']}",
        },
        validate=validate_observations,
    )
    says = fields.List(fields.Nested(PartyStatementBody), validate=validate.Length(max=MAX_STATEMENTS))
    not_known = unknown_places_field(MAX_POINTER_LENGTH, MAX_UNKNOWN)  # marshmallow has its own
    readings = JsonField(
        {
            "type": "object",
            "additionalProperties": SCALAR,
            "description": "The readings that the table agreed on: by clause, the number or the setting's value",
        }
    )
    precedents = precedents_field()


class PositionCensusBody(Body):
    """A position to count."""

    variant = text_field(metadata={"description": "The variant, if the position does not give it"})
    edition = text_field(metadata={"description": "The edition, if the position gives none; default: the game's own"})
    position = JsonField(JSON_OBJECT, required=True)


class PositionMovesBody(PositionCensusBody):
    """A position whose moves are asked for."""

    settings = JsonField({**SOME_SETTINGS, "description": "The settings, if the position does not give them"})


class PositionFindingSchema(Schema):
    """Something that cannot be: a count of cards, or what stands at a place."""

    clause = fields.Str(required=True)
    card = fields.Str(allow_none=True)
    counted = Int()
    copies = Int(metadata={"description": "How many there are"})
    places = fields.List(fields.Str())
    pointer = fields.Str()
    detail = fields.Str()
    says = fields.Nested(Words)


class PositionRecountSchema(Schema):
    """A place of the position, or a card."""

    pointer = fields.Str()
    says = fields.Nested(Words)
    card = fields.Str()
    counted = Int()
    copies = Int(metadata={"description": "How many there are"})


class PositionCensusSchema(Schema):
    """Whether the cards can be where the position puts them."""

    possible = fields.Bool(required=True)
    contradictions = fields.List(fields.Nested(PositionFindingSchema), required=True)
    recounts = fields.List(
        fields.Nested(PositionRecountSchema), required=True, metadata={"description": "What to count again"}
    )


class MoveKindSchema(Schema):
    """A kind of move."""

    type = fields.Str(required=True)
    description = fields.Str(required=True)
    clauses = fields.List(fields.Str(), required=True)
    schema = JsonField(JSON_SCHEMA, required=True)


class OwnCardsSchema(Schema):
    """Whose design the cards of a game's own edition are."""

    designs = Int(required=True, metadata={"description": "How many different cards there are"})
    invented = Int(required=True, metadata={"description": "How many of them are no printed ones but ours"})
    told = fields.Nested(Words, required=True, allow_none=True, metadata={"description": "null: none is ours"})


class GameSchema(Schema):
    """A game as it comes in its box."""

    name = fields.Str(required=True)
    title = translations_field()
    prefix = fields.Str(required=True)
    variants = fields.List(fields.Str(), required=True)
    deck_variant = fields.Str(
        required=True, allow_none=True, metadata={"description": "The variant to which players bring their own decks"}
    )
    min_seats = Int(required=True)
    max_seats = Int(required=True)
    edition = fields.Str(required=True)
    cards = fields.Nested(OwnCardsSchema, required=True)
    editions = fields.List(fields.Str(), required=True)
    ruleset = fields.Str(required=True)
    rulesets = JsonField(
        {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "integer"}},
            "description": "Each with the readings it chooses, by clause, other than the first ones",
        },
        required=True,
    )
    readings = JsonField(
        {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "By clause, how many readings there are to choose from",
        },
        required=True,
    )
    devices = fields.List(
        fields.Str(), required=True, metadata={"description": "Sources of chance that a table may hold"}
    )
    windows = fields.List(
        fields.Str(), required=True, metadata={"description": "The kinds of window that a standing pass can name"}
    )
    settings = JsonField(JSON_SCHEMA, required=True)
    settings_told = fields.Dict(
        fields.Str(),
        fields.Nested(Words),
        required=True,
        metadata={"description": "What each setting is about, in every language"},
    )
    moves = fields.List(fields.Nested(MoveKindSchema), required=True)


class GamesSchema(Schema):
    """All games."""

    items = fields.List(fields.Nested(GameSchema), required=True)


class SettingValueSchema(Schema):
    """A setting with the value that chooses a reading."""

    name = fields.Str(required=True)
    value = JsonField(SCALAR, required=True)


class NumberedReadingSchema(Schema):
    """Another reading of a clause; a table can choose it when the match is opened."""

    reading = Int(required=True, metadata={"description": "Its number"})
    id = fields.Str(required=True, metadata={"description": "The id under which it is cited"})
    says = JsonField(
        OPTIONAL_WORDS, required=True, metadata={"description": "null: the clause describes all its readings"}
    )
    why = JsonField(OPTIONAL_WORDS, required=True)
    setting = fields.Nested(
        SettingValueSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The setting that chooses it; null: `readings` does, by number"},
    )


class ClauseSchema(Schema):
    """A numbered rule in our own words, with its place in the rulebook."""

    id = fields.Str(required=True)
    chapter = JsonField(WORDS, required=True)
    found = fields.Nested(
        Words,
        required=True,
        allow_none=True,
        metadata={"description": "Where it stands in the rulebook; null: it names no place"},
    )
    says = translations_field()
    reading = fields.Str(required=True, allow_none=True, metadata={"description": "The ruling that settles it"})
    number = Int(required=True, metadata={"description": "The number of its reading; 1: the clause itself"})
    other_readings = fields.List(fields.Nested(NumberedReadingSchema), required=True)
    variant = fields.Str(required=True, allow_none=True)
    players_duty = fields.Bool(required=True, metadata={"description": "Whether only the players can ensure it"})
    open = JsonField(WORDS, required=True, metadata={"description": "What the rulebook leaves open"})
    why = JsonField(WORDS, required=True)
    cards = fields.List(fields.Str(), required=True)
    tests = Int(required=True, metadata={"description": "How many tests exercise it"})


class ClausesSchema(Schema):
    """Clauses in the order of the rulebook."""

    items = fields.List(fields.Nested(ClauseSchema), required=True)


class ChapterSchema(ClausesSchema):
    """A chapter of the rulebook."""

    chapter = JsonField(WORDS, required=True)


class RulebookSchema(Schema):
    """The rulebook, chapter by chapter."""

    game = fields.Str(required=True)
    edition = fields.Str(required=True)
    chapters = fields.List(fields.Nested(ChapterSchema), required=True)


class RulebookQuery(Body):
    """Which edition, which chapter."""

    chapter = text_field(80)
    edition = text_field()


class ClauseQuery(Body):
    """Which clauses."""

    q = text_field(metadata={"description": "Words that occur in the clause, in either language"})
    chapter = text_field(80)
    card = text_field(metadata={"description": "Only clauses that this card rests on"})


class CardQuery(Body):
    """Which cards."""

    kind = text_field()
    q = text_field()
    edition = text_field()


CARD_SCHEMA: dict[str, Any] = {  # the component `Card`
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "name": WORDS,
        "kind": {"type": "string"},
        "text": WORDS,
        "copies": {"type": "integer"},
        "clauses": {"type": "array", "items": {"type": "string"}},
        "acts": {
            "type": "array",
            "items": {"type": "string", "enum": list(ACTS)},
            "uniqueItems": True,
            "description": "What the card does, in single words and in its order: enough for icons, not to apply it. "
            "Monsters that fight back do that first, and those slain then help",
        },
    },
    "required": ["id", "name", "acts"],
    "additionalProperties": ANY_JSON,
    "description": "A card; its further members differ from game to game",
}


class CardsSchema(Schema):
    """The cards of a game."""

    items = fields.List(JsonField(refer("Card")), required=True)


class ClauseCoverageSchema(Schema):
    """How well a clause is covered."""

    id = fields.Str(required=True)
    tests = Int(required=True)
    players_duty = fields.Bool(required=True)
    cards = fields.List(fields.Str(), required=True)


class CoverageSchema(Schema):
    """Which clauses are implemented and tested."""

    game = fields.Str(required=True)
    clauses = Int(required=True)
    tested = Int(required=True)
    players_duty = Int(required=True)
    cards = Int(required=True)
    items = fields.List(fields.Nested(ClauseCoverageSchema), required=True)


class PositionsQuery(Body):
    """Which variant, and with which cards."""

    variant = text_field()
    edition = text_field()


class FormWordsSchema(Schema):
    """Words for forms; what is missing is shown by its own name, and cards by theirs."""

    members = fields.Dict(fields.Str(), fields.Nested(Words), required=True)
    values = fields.Dict(fields.Str(), fields.Nested(Words), required=True)


class MoveFormSchema(Schema):
    """A kind of move in words, and how it is written."""

    type = fields.Str(required=True)
    says = translations_field()
    schema = JsonField({**JSON_SCHEMA, "description": "A JSON Schema; `x-seat` marks seats"}, required=True)


class PositionsSchema(Schema):
    """How a position is written, with an example for every question of the game."""

    variant = fields.Str(required=True)
    schema = JsonField(JSON_SCHEMA, required=True)
    examples = fields.List(JsonField(JSON_OBJECT), required=True)
    asks = fields.List(
        JsonField(OPTIONAL_WORDS), required=True, metadata={"description": "The open question of each example"}
    )
    words = fields.Nested(FormWordsSchema, required=True)
    moves = fields.List(fields.Nested(MoveFormSchema), required=True)


class BotStrengthSchema(Schema):
    """How many matches a level has won against others."""

    variant = fields.Str(required=True)
    seats = fields.List(Int(), required=True, metadata={"description": "The levels at the table"})
    won = Int(required=True)
    of = Int(required=True)


class BotLevelSchema(Schema):
    """A level of bots."""

    level = Int(required=True)
    name = translations_field()
    looks_at = translations_field()
    measured_strength = fields.List(fields.Nested(BotStrengthSchema), required=True, allow_none=True)


class BotStyleSchema(Schema):
    """A style of bots that search."""

    id = fields.Str(required=True)
    name = translations_field()
    looks_at = translations_field()


class BotsSchema(Schema):
    """The levels and styles of bots."""

    items = fields.List(fields.Nested(BotLevelSchema), required=True)
    styles = fields.List(fields.Nested(BotStyleSchema), required=True)
