"""Schemas to open, change, join and end matches."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from api.http.consistency_token import at_least_field
from api.http.schemas.fields import (
    ACTOR_SEAT,
    STATUSES,
    Body,
    Bool,
    Int,
    JsonField,
    WholeText,
    enum_field,
    integer_field,
    printable_field,
    query_integer_field,
    status_field,
    text_field,
)
from api.resources.disputes.court_settings import CourtsBody, CourtsSchema
from api.resources.endings.schemas import EndingSchema
from api.resources.entries.schemas import UNCOUNTED, DeadlineSchema, EntrySchema, OutcomeSchema, UncountedSchema
from api.resources.games.schemas import SOME_SETTINGS
from api.resources.officials.schemas import OfficialCallSchema, OfficialSchema
from api.resources.reveals.schemas import HASH_PATTERN, SeedSchema, hex_field
from referee.bots.levels import BOT_STYLES
from referee.games import load_games
from referee.match.clocks import MAX_LIMIT_MS, MAX_OBJECTION_MS, MIN_LIMIT_MS

MATCH_ID_PATTERN = "(?:[0-5][0-9]|6[0-3])-[a-z]{26}"
ROLE_PATTERN = r"seat:(?:[0-9]|1[0-9]|any)|spectator|arbiter|auditor"
CHANCE_SCHEMA = {
    "oneOf": [
        {"enum": ["server", "table"]},
        {"type": "object", "additionalProperties": {"enum": ["server", "table"]}, "maxProperties": 10},
    ],
    "description": "Who holds the dice and the decks: one word for all of them, or one for each device",
}


def validate_game(name: str) -> bool:
    """Check that this server referees the game. Raises ValidationError."""
    if name not in load_games():
        raise ValidationError("No such game here.")
    return True


def validate_chance(value: object) -> bool:
    """Check that this says who holds which device. Raises ValidationError."""
    if not isinstance(value, str | dict) or (isinstance(value, str) and value not in ("server", "table")):
        raise ValidationError("server, table, or an object of devices.")
    return True


def style_field() -> fields.Str:
    """Return the field for the style of a bot."""
    what = "How a bot of level 2 or 3 weighs outcomes, as `listBots` names it"
    return enum_field(*(style["id"] for style in BOT_STYLES), metadata={"description": what})


class ChairBody(Body):
    """A seat of the match."""

    kind = enum_field("human", "bot", "table", required=True)
    level = integer_field(0, 3, load_default=0, metadata={"description": "The level of a bot: 0 random … 3 searching"})
    style = style_field()


class ClocksBody(Body):
    """Time limits, for any game; null or left out means no limit.

    When one runs out, the least that the rules allow is played for the seat.
    """

    move_ms = integer_field(
        MIN_LIMIT_MS,
        MAX_LIMIT_MS,
        allow_none=True,
        metadata={"description": "The limit for a move and for anything else that is not a reaction"},
    )
    window_ms = integer_field(
        MIN_LIMIT_MS,
        MAX_LIMIT_MS,
        allow_none=True,
        metadata={"description": "The limit for a window, in which seats may react"},
    )
    quick_close = Bool(
        load_default=False,
        metadata={"description": "Whether standing passes are played at once, even in a window with a limit"},
    )
    objection_ms = integer_field(
        0,
        MAX_OBJECTION_MS,
        allow_none=True,
        metadata={
            "description": "At a real table one person may say for all that nobody reacts; for so long anybody can "
            "object before the window is passed. 0: it is passed at once. null: everybody answers for themselves. "
            "Left out: null unless all devices are at the table; there 5000, and 0 with fewer than two seats `human`"
        },
    )


HINTS = "Whether players may take hints; everybody sees when one is taken"
MOST_READINGS = 100
READINGS_SCHEMA = {
    "type": "object",
    "maxProperties": MOST_READINGS,
    "propertyNames": {"maxLength": 64},
    "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 99},
    "description": "By clause, the number of the reading that the table plays by, if it is not the ruleset's",
}


def validate_readings(value: object) -> bool:
    """Check that these can be numbers by clause id. Raises ValidationError.

    The game checks which of them exist.
    """
    if not isinstance(value, dict) or len(value) > MOST_READINGS or any(len(name) > 64 for name in value):
        raise ValidationError("An object of numbers by the ids of clauses is needed.")
    return True


class MatchBody(Body):
    """A match to open."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    variant = text_field(metadata={"description": "One of the game's `variants`; default: the first"})
    edition = text_field(
        metadata={"description": "One of the game's `editions`, or the name of a card book; default: its newest"}
    )
    settings = JsonField({"type": "object", "description": "As the game's `settings` schema says"})
    readings = JsonField(READINGS_SCHEMA, validate=validate_readings)
    ruleset = text_field(metadata={"description": "One of the game's `rulesets`; default: the newest"})
    seats = fields.List(fields.Nested(ChairBody), required=True, validate=validate.Length(min=1, max=20))
    chance = JsonField(CHANCE_SCHEMA, validate=validate_chance, load_default="server")
    visibility = enum_field("public", "private", load_default="private")
    spectator_delay = integer_field(
        0, 1000, load_default=0, metadata={"description": "How many versions onlookers are behind"}
    )
    clocks = fields.Nested(ClocksBody, metadata={"description": "Time limits; the game may add its own"})
    courts = fields.Nested(CourtsBody, metadata={"description": "How disputes are settled"})
    host_plays = Bool(
        metadata={
            "description": "false: the host is an official, who has the last word in disputes if every player accepts "
            "that. Default: true, and false at a table where every seat is a bot or without a device"
        }
    )
    hints = Bool(load_default=False, metadata={"description": HINTS})
    precedents_of = fields.Str(
        validate=WholeText(MATCH_ID_PATTERN),
        metadata={
            "description": "A match of the same game whose house rulings are taken over; if private, with its token",
        },
    )


class MatchChangeBody(Body):
    """What to change before the start; what is left out stays as it is."""

    settings = JsonField(SOME_SETTINGS)
    readings = JsonField(READINGS_SCHEMA, validate=validate_readings)
    seats = fields.List(fields.Nested(ChairBody), validate=validate.Length(min=1, max=20))
    chance = JsonField(CHANCE_SCHEMA, validate=validate_chance)
    visibility = enum_field("public", "private")
    clocks = fields.Nested(ClocksBody)
    courts = fields.Nested(CourtsBody)
    hints = Bool()


class InvitationBody(Body):
    """The role to invite somebody to, by a code to be spoken or by a link.

    A link has a code of 27 characters. One to a seat is good until the match starts, any other for 30 days.
    """

    role = fields.Str(
        required=True,
        validate=WholeText(f"(?:{ROLE_PATTERN})"),
        metadata={"description": "`seat:any` is the first seat that is free"},
    )
    link = Bool(load_default=False)
    uses = integer_field(1, 100, metadata={"description": "Default: 1, and no limit for a link"})
    minutes = integer_field(1, 24 * 60, metadata={"description": "Default: 15, and as said above for a link"})


class InvitationSchema(Schema):
    """An invitation; only the host sees its code."""

    id = fields.Str(required=True)
    role = fields.Str(required=True)
    code = fields.Str(required=True)
    url = fields.Str(
        required=True, metadata={"description": "The page that joins; servers do not see what is behind `#`"}
    )
    uses = Int(required=True)
    expires_at = fields.Str(required=True, metadata={"format": "date-time"})


def receipt_field(*, allow_none: bool = False) -> fields.Str:
    """Return the field of the receipt that every write to a log returns."""
    description = "A signed checkpoint that covers this write (C2SP note)"
    return fields.Str(required=True, allow_none=allow_none, metadata={"description": description})


class OpenedMatchSchema(Schema):
    """An opened match: the host's token, and an invitation for each seat of a person."""

    match = fields.Str(required=True)
    token = fields.Str(required=True)
    version = Int(required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)
    receipt = receipt_field()


class JoinBody(Body):
    """A code, and the player who uses it."""

    code = fields.Str(
        required=True,
        validate=WholeText("[A-Za-z0-9]{6}(?:[A-Za-z0-9]{21})?"),
        metadata={"description": "As it was spoken, or what a link has behind `#`"},
    )
    name = printable_field(40, 1, metadata={"description": "Kept outside the log, so it can be deleted"})
    lang = enum_field("en", "de")
    seed_commitment = hex_field(HASH_PATTERN, "The commitment to what the seat adds to the draws")


class JoinedMatchSchema(Schema):
    """A token with its role and seats, and the officials, who are accepted so."""

    token = fields.Str(required=True)
    role = fields.Str(required=True)
    seats = fields.List(Int(), required=True)
    match = fields.Str(required=True, metadata={"description": "Empty: a tournament was joined"})
    tournament = fields.Str(metadata={"description": "The tournament that was joined, if one was"})
    version = Int(required=True)
    officials = fields.List(fields.Nested(OfficialSchema), required=True)
    receipt = receipt_field(allow_none=True)


class ProxyBody(Body):
    """Who else may move for the seat."""

    by = fields.Str(required=True, validate=WholeText("(?:nobody|host|[0-9]|1[0-9])"))


class BotBody(Body):
    """A bot for a seat."""

    level = integer_field(0, 3, required=True, metadata={"description": "0 random, 1 greedy, 2 brief search, 3 search"})
    style = style_field()


class ConsentBody(Body):
    """The answer of the seats of this token."""

    grant = Bool(required=True)


class ProposalSchema(Schema):
    """The open question whether a bot may play for a seat or leave it."""

    proposal = Int(required=True, metadata={"description": "Its number, for the answer"})
    bot = Bool(required=True, metadata={"description": "true: a bot would come; false: the bot would leave"})
    level = Int(required=True, allow_none=True, metadata={"description": "The level of the bot that would come"})
    style = fields.Str(required=True, allow_none=True)
    granted = fields.List(Int(), required=True, metadata={"description": "Seats that have agreed"})
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose answer is awaited"})


class SeatSchema(Schema):
    """A seat of a match."""

    seat = Int(required=True)
    kind = fields.Str(required=True)
    level = Int(required=True)
    style = fields.Str(required=True, allow_none=True)
    taken = Bool(required=True)
    proxy = fields.Str(required=True)
    stands_in = Bool(required=True, metadata={"description": "Whether a bot plays for a person who may come back"})
    device_key = fields.Str(required=True, allow_none=True)
    proposal = fields.Nested(ProposalSchema, allow_none=True, required=True)


class ClocksSchema(Schema):
    """The time limits of a match."""

    move_ms = Int(required=True, allow_none=True)
    window_ms = Int(required=True, allow_none=True)
    quick_close = Bool(required=True)
    objection_ms = Int(
        required=True,
        allow_none=True,
        metadata={
            "description": "How long anybody can object after one person said that nobody reacts; null: nobody may"
        },
    )


class WitnessSchema(Schema):
    """The report that waits until one of these seats confirms it."""

    report = Int(required=True)
    asks = fields.List(Int(), required=True)
    until = fields.Str(
        required=True, metadata={"format": "date-time", "description": "After this time the report stands unconfirmed"}
    )


class MatchSchema(Schema):
    """A match as everybody who may see it sees it."""

    id = fields.Str(required=True)
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    edition = fields.Str(required=True)
    book = fields.Str(required=True, allow_none=True, metadata={"description": "The hash of the card book; null: none"})
    ruleset = fields.Str(required=True)
    readings = JsonField(
        {
            **READINGS_SCHEMA,
            "description": "By clause, for all clauses with several readings, the number of the one that holds",
        },
        required=True,
    )
    rules = fields.Str(required=True, metadata={"description": "The address of the rulebook"})
    status = status_field()
    new_home = fields.Str(metadata={"description": "The address at which a moved match goes on, if the host gave it"})
    asleep = fields.Bool(metadata={"description": "Long untouched: rests in a file until a write wakes it"})
    settings = JsonField(SOME_SETTINGS, required=True)
    chance = JsonField({"type": "object", "additionalProperties": {"enum": ["server", "table"]}}, required=True)
    clocks = fields.Nested(ClocksSchema, required=True)
    courts = fields.Nested(CourtsSchema, required=True)
    disputes = fields.List(
        Int(), required=True, metadata={"description": "Open disputes, each named by the version it was opened at"}
    )
    takebacks = fields.List(Int(), required=True, metadata={"description": "Open takeback requests"})
    witness = fields.Nested(WitnessSchema, allow_none=True, required=True)
    deviations = fields.List(
        Int(), required=True, metadata={"description": "Open questions whether a move against the rules shall stand"}
    )
    officials = fields.List(fields.Nested(OfficialSchema), required=True)
    call = fields.Nested(OfficialCallSchema, allow_none=True, required=True)
    ending = fields.Nested(EndingSchema, allow_none=True, required=True)
    visibility = fields.Str(required=True)
    spectator_delay = Int(required=True)
    tournament = fields.Str(metadata={"description": "The tournament of which the match is a table, if of any"})
    hints = Bool(required=True)
    commitment = fields.Str(
        required=True, metadata={"description": "The commitment to the secret behind the server's draws"}
    )
    generation = Int(
        required=True,
        metadata={"description": "How often the secret was renewed: play went back behind an end, or the match moved"},
    )
    commitments = fields.List(
        fields.Str(),
        required=True,
        metadata={"description": "The commitments to all secrets behind the draws, by generation"},
    )
    seeds = fields.List(fields.Nested(SeedSchema), required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    deadline = fields.Nested(DeadlineSchema, allow_none=True, required=True)
    version = Int(required=True)
    outcome = fields.Nested(OutcomeSchema, allow_none=True, required=True)
    uncounted = fields.List(fields.Nested(UncountedSchema), required=True, metadata={"description": UNCOUNTED})


class ChangedMatchSchema(MatchSchema):
    """A match after a write, and the receipt; null if nothing had to be written."""

    receipt = receipt_field(allow_none=True)


class WriteResultSchema(Schema):
    """The result of a write: its entry, what followed, the awaited seats, the receipt."""

    version = Int(required=True, metadata={"description": "The version after all entries that followed"})
    entry = fields.Nested(EntrySchema, required=True)
    followed = fields.List(fields.Nested(EntrySchema), required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    status = status_field()
    receipt = receipt_field()


class EndWriteResultSchema(WriteResultSchema):
    """The result of a write, and the proposed end; null if there is none."""

    ending = fields.Nested(EndingSchema, allow_none=True, required=True)


class LobbyQuery(Body):
    """Which matches to list."""

    game = text_field()
    status = enum_field(*STATUSES)
    free_seats = query_integer_field(
        0, 20, metadata={"description": "Only matches with at least this number of free seats"}
    )
    after = fields.Str(
        validate=WholeText(MATCH_ID_PATTERN), metadata={"description": "The cursor: only matches after this id"}
    )
    limit = query_integer_field(1, 200, load_default=50)
    at_least = at_least_field()


class LobbySeatSchema(Schema):
    """A seat of a public match as the lobby lists it."""

    seat = Int(required=True)
    kind = fields.Str(required=True)
    level = Int(required=True)
    taken = Bool(required=True)


class LobbyMatchSchema(Schema):
    """A public match as the lobby lists it."""

    match = fields.Str(required=True)
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    status = status_field()
    free_seats = Int(required=True)
    visibility = fields.Str(required=True)
    version = Int(required=True)
    seats = fields.List(fields.Nested(LobbySeatSchema), required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    outcome = fields.Nested(OutcomeSchema, allow_none=True, required=True)


class LobbySchema(Schema):
    """Public matches, and how far the list has read the logs."""

    items = fields.List(fields.Nested(LobbyMatchSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)
    as_of = fields.Str(
        required=True, metadata={"description": "How far the logs were read; send it back as `at_least`"}
    )


class NamesSchema(Schema):
    """Names by seat and by official, kept outside the log."""

    names = fields.Dict(keys=fields.Str(), values=fields.Str(), required=True)
    officials = fields.Dict(keys=fields.Str(), values=fields.Str(), required=True)
