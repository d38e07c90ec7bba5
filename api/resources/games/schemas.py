"""Schemas of games, rulebooks and cards, and of the form of written positions."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from api.http.schemas.fields import (
    ANY_JSON,
    JSON_OBJECT,
    OPTIONAL_WORDS,
    SCALAR,
    Body,
    Int,
    JsonField,
    Words,
    refer,
    text_field,
    translations_field,
)
from referee.cardscript.books.acts import ACTS
from referee.games import load_games

JSON_SCHEMA = {**JSON_OBJECT, "description": "A JSON Schema"}


def name_settings() -> dict[str, str]:
    """Return the names of the games' settings in the contract, by game."""
    return {name: "".join(map(str.capitalize, name.split("_"))) + "Settings" for name in load_games()}


SOME_SETTINGS = {
    "type": "object",
    "anyOf": [refer(name) for name in name_settings().values()],
}
WORDS = refer("Words")


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
