"""Games: the box, the rulebook, the cards; and rulings on positions that no match holds."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from api.http.schemas.fields import Body, Bool, Data, Int, number, printable, text, word, words
from api.http.schemas.polymorphic import MoveUnion
from api.resources.moves.schemas import CitedClause, QuestionSchema, RulingSchema
from referee.engine.rulebook.book import LANGUAGES
from referee.position_rulings.request import CLAIMS, LONGEST_POINTER, LONGEST_SAYS, MOST_PARTIES, MOST_SEEN

SEAT = {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 19}, {"const": "chance"}]}
JSON_SCHEMA = {"type": "object", "description": "A JSON Schema"}
ANYTHING = {"description": "Any JSON value"}
WORDS_OR_NONE = {"anyOf": [{"$ref": "#/components/schemas/Words"}, {"type": "null"}]}


def is_seat(value: object) -> bool:
    """Whether this names a seat, or chance."""
    if value != "chance" and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 19):
        raise ValidationError("A seat from 0 to 19, or chance.")
    return True


SAW = {
    "type": "object",
    "maxProperties": MOST_SEEN,
    "propertyNames": {"maxLength": LONGEST_POINTER, "pattern": "^/"},
    "description": "Values by their places in the position after the move (JSON pointers); a number said of cards is "
    "how many they are",
}


def is_saw(value: object) -> bool:
    """Whether this names no more places than one can look through."""
    if isinstance(value, dict) and len(value) > MOST_SEEN:
        raise ValidationError(f"No more than {MOST_SEEN} places.")
    return True


class VersionBody(Body):
    """What one party says: in words, and as far as it can be compared with what the rules make of the position."""

    seat = number(0, 19, required=True)
    says = printable(LONGEST_SAYS, metadata={"description": "In words; only shown again"})
    clause = text(metadata={"description": "The clause that the party finds to decide it"})
    legal = Bool(metadata={"description": "Whether the party finds the move legal"})
    saw = Data(SAW, validate=is_saw)


class RulingBody(Body):
    """A position, the move to rule on, and perhaps what the table quarrels about. Nothing of it is kept."""

    variant = text(metadata={"description": "If the position does not say it"})
    edition = text(metadata={"description": "If the position does not say it; the game's own unless told"})
    settings = Data({"type": "object", "description": "If the position does not say them"})
    position = Data({"type": "object", "description": "As the game's positions say"}, required=True)
    seat = Data(SEAT, required=True, validate=is_seat)
    move = fields.Nested(MoveUnion, required=True)
    claim = word(*CLAIMS, metadata={"description": "What is said to be wrong with the move, or with what followed"})
    clause = text(metadata={"description": "The clause that the claim rests on"})
    saw = Data({**SAW, "description": f"How the table carried the move out. {SAW['description']}"}, validate=is_saw)
    says = fields.List(fields.Nested(VersionBody), validate=validate.Length(max=MOST_PARTIES))
    readings = Data(
        {
            "type": "object",
            "description": "The readings on which the table agrees: by the clause, the number or the setting's value",
        }
    )


class RulingQuery(Body):
    """The language of a page."""

    lang = word(*LANGUAGES, metadata={"description": "Of a page to print; else as `Accept-Language` has it"})


class CensusBody(Body):
    """A position to count."""

    variant = text(metadata={"description": "If the position does not say it"})
    edition = text(metadata={"description": "If the position does not say it; the game's own unless told"})
    position = Data({"type": "object"}, required=True)


class AskedSchema(Schema):
    """What was asked, so that the answer can be read by itself."""

    game = fields.Str(required=True)
    title = words()
    variant = fields.Str(required=True)
    position = Data({"type": "object"}, required=True)
    question = fields.Nested(QuestionSchema, allow_none=True, required=True)
    awaits = fields.List(Data({"type": ["integer", "string"]}), required=True)
    seat = Data(SEAT, required=True)
    move = Data({"$ref": "#/components/schemas/Move"}, required=True)
    told = Data(WORDS_OR_NONE, required=True)


class ChosenSchema(Schema):
    """The setting that chooses between readings, or the number that does."""

    name = fields.Str(
        required=True, allow_none=True, metadata={"description": "Null: the number of the reading, under `readings`"}
    )
    value = Data(ANYTHING, required=True)
    usual = Data(ANYTHING, required=True)
    chosen = fields.Bool(required=True, metadata={"description": "Whether the request chose it"})


class OtherReadingSchema(Schema):
    """Another reading, and what it makes of the same move."""

    reading = Int(required=True, metadata={"description": "Its number"})
    says = Data(WORDS_OR_NONE, required=True, metadata={"description": "Null: the clause tells of all its readings"})
    value = Data(ANYTHING, required=True)
    verdict = fields.Str(
        required=True, allow_none=True, metadata={"description": "Null: with it the position cannot be"}
    )
    reason = Data(WORDS_OR_NONE, required=True)
    follows = fields.List(Data({"$ref": "#/components/schemas/Words"}), required=True)
    differs = fields.Bool(required=True)


class RestsOnSchema(Schema):
    """Something that the rulebook leaves open: the reading taken, why, and the others that are carried out here."""

    clause = fields.Nested(CitedClause, required=True)
    open = Data(WORDS_OR_NONE, required=True)
    why = Data(WORDS_OR_NONE, required=True)
    by = fields.List(fields.Str(), required=True, metadata={"description": "The cited clauses that point to it"})
    hangs = fields.Bool(required=True, metadata={"description": "Another reading gives another answer"})
    setting = fields.Nested(
        ChosenSchema, required=True, allow_none=True, metadata={"description": "Null: no other reading is carried out"}
    )
    others = fields.List(fields.Nested(OtherReadingSchema), required=True)


class CheckSchema(Schema):
    """Something that was said, beside what the rules make of the position."""

    what = fields.Str(required=True, metadata={"description": "A place in the position, or `legal`"})
    says = Data(ANYTHING, required=True)
    is_ = Data(ANYTHING, required=True, data_key="is")
    right = fields.Bool(required=True, allow_none=True)
    told = words()


class ComparedSchema(Schema):
    """What somebody says, compared; null where the position does not tell."""

    right = fields.Bool(required=True, allow_none=True)
    told = Data(WORDS_OR_NONE, required=True)
    checked = fields.List(fields.Nested(CheckSchema), required=True)
    clause = fields.Nested(CitedClause, required=True, allow_none=True)
    bears = fields.Bool(required=True, allow_none=True, metadata={"description": "Whether the ruling rests on it"})
    bears_told = Data(WORDS_OR_NONE, required=True)


class PartySchema(ComparedSchema):
    """A party, and whether it is right."""

    seat = Int(required=True)
    says = fields.Str(required=True)


class QuarrelSchema(ComparedSchema):
    """Whether the claim is right, and who is."""

    claim = fields.Str(required=True, allow_none=True)
    parties = fields.List(fields.Nested(PartySchema), required=True)


class JudgedSchema(RulingSchema):
    """A ruling, what would follow as far as the position fixes it, the position then, the readings it rests on, and
    who is right."""

    events = fields.List(Data({"type": "object", "required": ["type"]}), required=True)
    after = Data({"type": ["object", "null"]}, required=True)
    asked = fields.Nested(AskedSchema, required=True)
    aloud = words()
    rests_on = fields.List(fields.Nested(RestsOnSchema), required=True)
    quarrel = fields.Nested(QuarrelSchema, required=True, allow_none=True)


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
    rulesets = Data(
        {"type": "object", "description": "Each with the readings it chooses besides the first ones, by the clause"},
        required=True,
    )
    readings = Data(
        {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "How many readings can be chosen among, by the clause",
        },
        required=True,
    )
    devices = fields.List(fields.Str(), required=True, metadata={"description": "Chance that a table may hold"})
    windows = fields.List(fields.Str(), required=True, metadata={"description": "What may be let pass in advance"})
    settings = Data(JSON_SCHEMA, required=True)
    moves = fields.List(fields.Nested(MoveKindSchema), required=True)


class BoxesSchema(Schema):
    """All games."""

    items = fields.List(fields.Nested(BoxSchema), required=True)


class SettingValueSchema(Schema):
    """A setting with the value that chooses a reading."""

    name = fields.Str(required=True)
    value = Data(ANYTHING, required=True)


class NumberedReadingSchema(Schema):
    """Another reading of a clause, which a table can choose when the match is opened."""

    reading = Int(required=True, metadata={"description": "Its number"})
    id = fields.Str(required=True, metadata={"description": "Under which it is cited"})
    says = Data(WORDS_OR_NONE, required=True, metadata={"description": "Null: the clause tells of all its readings"})
    why = Data(WORDS_OR_NONE, required=True)
    setting = fields.Nested(
        SettingValueSchema, required=True, allow_none=True, metadata={"description": "Null: its number alone does"}
    )


class ClauseSchema(Schema):
    """A numbered rule in our own words, and where it stands in the rulebook."""

    id = fields.Str(required=True)
    chapter = Data({"type": "object"}, required=True)
    found = fields.Str(required=True)
    says = words()
    reading = fields.Str(required=True, allow_none=True, metadata={"description": "The ruling that settles it"})
    number = Int(required=True, metadata={"description": "Which reading of its clause it is; 1: the clause itself"})
    other_readings = fields.List(fields.Nested(NumberedReadingSchema), required=True)
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
