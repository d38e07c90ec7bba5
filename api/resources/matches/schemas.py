"""Matches: opening, changing, joining and ending them."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from api.http.consistency_token import at_least_field
from api.http.schemas.fields import (
    Body,
    Bool,
    Int,
    JsonField,
    enum_field,
    integer_field,
    printable_field,
    query_integer_field,
    text_field,
)
from api.resources.disputes.court_settings import CourtsBody, CourtsSchema
from api.resources.entries.schemas import (
    ACTOR_SEAT,
    UNCOUNTED,
    DeadlineSchema,
    EntrySchema,
    OutcomeSchema,
    UncountedSchema,
)
from api.resources.reveals.schemas import HASH_PATTERN, SeedSchema, hex_field
from referee.games import load_games
from referee.match.clocks import MAX_LIMIT_MS, MIN_LIMIT_MS

STATUSES = ("lobby", "running", "disputed", "finished", "void", "abandoned", "withdrawn", "frozen", "moved", "archived")
MATCH_ID_PATTERN = "(?:[0-5][0-9]|6[0-3])-[a-z]{26}"
ROLE_PATTERN = r"seat:(?:[0-9]|1[0-9])|spectator|arbiter|auditor"
CHANCE_SCHEMA = {
    "oneOf": [
        {"enum": ["server", "table"]},
        {"type": "object", "additionalProperties": {"enum": ["server", "table"]}, "maxProperties": 10},
    ],
    "description": "Who holds the dice and the decks: for all of them, or by device",
}


def validate_game(name: str) -> bool:
    """Whether this server referees the game."""
    if name not in load_games():
        raise ValidationError("No such game here.")
    return True


def validate_chance(value: object) -> bool:
    """Whether this says who holds what."""
    if not isinstance(value, str | dict) or (isinstance(value, str) and value not in ("server", "table")):
        raise ValidationError("server, table, or an object of devices.")
    return True


class ChairBody(Body):
    """One place at the table."""

    kind = enum_field("human", "bot", "table", required=True)
    level = integer_field(0, 3, load_default=0, metadata={"description": "Of a bot: 0 random … 3 searching"})


class ClocksBody(Body):
    """Limits of time, for any game; null or left out: none. Whoever lets one run out does the least the rules allow."""

    move_ms = integer_field(
        MIN_LIMIT_MS, MAX_LIMIT_MS, allow_none=True, metadata={"description": "For a move, and what is no reaction"}
    )
    window_ms = integer_field(
        MIN_LIMIT_MS,
        MAX_LIMIT_MS,
        allow_none=True,
        metadata={"description": "For a window, in which reactions are asked"},
    )
    quick_close = Bool(
        load_default=False,
        metadata={"description": "Standing passes are played at once, although a window has a limit"},
    )


MOST_READINGS = 100
READINGS_SCHEMA = {
    "type": "object",
    "maxProperties": MOST_READINGS,
    "propertyNames": {"maxLength": 64},
    "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 99},
    "description": "By the clause, the number of the reading that the table plays by, where it is not the ruleset's",
}


def validate_readings(value: object) -> bool:
    """Whether these can be numbers by the ids of clauses; which there are, the game says, with a pointer to each."""
    if not isinstance(value, dict) or len(value) > MOST_READINGS or any(len(name) > 64 for name in value):
        raise ValidationError("An object of numbers by the ids of clauses is needed.")
    return True


class MatchBody(Body):
    """A match to open."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    variant = text_field(metadata={"description": "One of the game's; the first unless told"})
    edition = text_field(metadata={"description": "The game's own, or that of a card book; its name alone will do"})
    settings = JsonField({"type": "object", "description": "As the game's `settings` schema says"})
    readings = JsonField(READINGS_SCHEMA, validate=validate_readings)
    ruleset = text_field(metadata={"description": "An older one of the game's `rulesets`; the newest unless told"})
    seats = fields.List(fields.Nested(ChairBody), required=True, validate=validate.Length(min=1, max=20))
    chance = JsonField(CHANCE_SCHEMA, validate=validate_chance, load_default="server")
    visibility = enum_field("public", "private", load_default="private")
    spectator_delay = integer_field(
        0, 1000, load_default=0, metadata={"description": "Versions that onlookers come late"}
    )
    clocks = fields.Nested(ClocksBody, metadata={"description": "Limits of time; the game may have some of its own"})
    courts = fields.Nested(CourtsBody, metadata={"description": "How quarrels are settled"})
    precedents_of = fields.Str(
        validate=validate.Regexp(f"{MATCH_ID_PATTERN}\\Z"),
        metadata={
            "pattern": f"^{MATCH_ID_PATTERN}$",
            "description": "A match of the same game whose house rulings are taken over; a private one with its token",
        },
    )


class MatchChangeBody(Body):
    """What to change before the start; what is left out stays."""

    settings = JsonField({"type": "object"})
    readings = JsonField(READINGS_SCHEMA, validate=validate_readings)
    seats = fields.List(fields.Nested(ChairBody), validate=validate.Length(min=1, max=20))
    chance = JsonField(CHANCE_SCHEMA, validate=validate_chance)
    visibility = enum_field("public", "private")
    clocks = fields.Nested(ClocksBody)
    courts = fields.Nested(CourtsBody)


class InvitationBody(Body):
    """Whom to invite."""

    role = fields.Str(
        required=True, validate=validate.Regexp(f"(?:{ROLE_PATTERN})\\Z"), metadata={"pattern": f"^(?:{ROLE_PATTERN})$"}
    )
    uses = integer_field(1, 100, load_default=1)
    minutes = integer_field(1, 24 * 60, load_default=15)


class InvitationSchema(Schema):
    """An invitation; its code is shown to the host alone."""

    id = fields.Str(required=True)
    role = fields.Str(required=True)
    code = fields.Str(required=True)
    uses = Int(required=True)
    expires_at = fields.Str(required=True, metadata={"format": "date-time"})


def receipt_field(*, allow_none: bool = False) -> fields.Str:
    """What every write to a log is answered with."""
    told = "A signed checkpoint of the log, with this write in it: a C2SP note"
    return fields.Str(required=True, allow_none=allow_none, metadata={"description": told})


class OpenedMatchSchema(Schema):
    """A match was opened: the host's token, and an invitation for each seat kept for people."""

    match = fields.Str(required=True)
    token = fields.Str(required=True)
    version = Int(required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)
    receipt = receipt_field()


class JoinBody(Body):
    """A code, and who comes."""

    code = text_field(6, 6, required=True)
    name = printable_field(40, 1, metadata={"description": "Kept apart from the log; it can be forgotten"})
    lang = enum_field("en", "de")
    seed_commitment = hex_field(
        HASH_PATTERN, "To a seed that the seat adds to the server's draws; only before the start"
    )


class JoinedMatchSchema(Schema):
    """Welcome: a token, the role it has now, and the seats it holds."""

    token = fields.Str(required=True)
    role = fields.Str(required=True)
    seats = fields.List(Int(), required=True)
    match = fields.Str(required=True)
    version = Int(required=True)
    receipt = receipt_field(allow_none=True)


class ProxyBody(Body):
    """Who else may move for the seat."""

    by = fields.Str(
        required=True,
        validate=validate.Regexp(r"(?:nobody|host|[0-9]|1[0-9])\Z"),
        metadata={"pattern": "^(?:nobody|host|[0-9]|1[0-9])$"},
    )


class BotBody(Body):
    """A bot for a seat."""

    level = integer_field(
        0, 3, required=True, metadata={"description": "0 random, 1 greedy, 2 with memory, 3 searching"}
    )


class ConsentBody(Body):
    """What the seats of this token say."""

    grant = Bool(required=True)


class EndBody(Body):
    """How the table ends the match."""

    reason = enum_field("agreed", "abandoned", required=True)
    placement = fields.List(
        fields.List(integer_field(0, 19), validate=validate.Length(min=1, max=20)),
        validate=validate.Length(max=20),
        metadata={"description": "All seats, best first, equals together"},
    )


class ProposalSchema(Schema):
    """The open question whether a bot may play for a seat or go from it."""

    bot = Bool(required=True, metadata={"description": "Whether one is to come; else the one there is to go"})
    level = Int(required=True, allow_none=True, metadata={"description": "Of the bot that is to come"})
    granted = fields.List(Int(), required=True, metadata={"description": "Seats that said yes"})
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose answer is awaited"})


class SeatSchema(Schema):
    """A place at the table."""

    seat = Int(required=True)
    kind = fields.Str(required=True)
    level = Int(required=True)
    taken = Bool(required=True)
    proxy = fields.Str(required=True)
    stands_in = Bool(required=True, metadata={"description": "A bot plays for a person, who may come back"})
    proposal = fields.Nested(ProposalSchema, allow_none=True, required=True)


class ClocksSchema(Schema):
    """The limits of time of a match."""

    move_ms = Int(required=True, allow_none=True)
    window_ms = Int(required=True, allow_none=True)
    quick_close = Bool(required=True)


class WitnessSchema(Schema):
    """The report that waits to be confirmed by one of these seats."""

    report = Int(required=True)
    asks = fields.List(Int(), required=True)
    until = fields.Str(required=True, metadata={"format": "date-time", "description": "Then it stands unconfirmed"})


class MatchSchema(Schema):
    """A match as everybody who may see it sees it."""

    id = fields.Str(required=True)
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    edition = fields.Str(required=True)
    book = fields.Str(
        required=True, allow_none=True, metadata={"description": "The hash of the card book; null: there is none"}
    )
    ruleset = fields.Str(required=True)
    readings = JsonField(
        {
            **READINGS_SCHEMA,
            "description": "By the clause, of all that can be read in several ways, the number that holds",
        },
        required=True,
    )
    rules = fields.Str(required=True, metadata={"description": "Where the rules stand"})
    status = fields.Str(required=True, metadata={"enum": list(STATUSES)})
    new_home = fields.Str(metadata={"description": "Where a match goes on that has moved, if the host told it"})
    settings = JsonField({"type": "object"}, required=True)
    chance = JsonField({"type": "object"}, required=True)
    clocks = fields.Nested(ClocksSchema, required=True)
    courts = fields.Nested(CourtsSchema, required=True)
    disputes = fields.List(
        Int(), required=True, metadata={"description": "Disputes that are open, by the versions they were opened at"}
    )
    takebacks = fields.List(Int(), required=True, metadata={"description": "Requests to take back that are open"})
    witness = fields.Nested(WitnessSchema, allow_none=True, required=True)
    deviations = fields.List(
        Int(), required=True, metadata={"description": "Moves against the rules that the table is asked about"}
    )
    visibility = fields.Str(required=True)
    spectator_delay = Int(required=True)
    commitment = fields.Str(required=True, metadata={"description": "Binds the server to its draws"})
    generation = Int(
        required=True, metadata={"description": "How often play went back behind an end, or the match moved"}
    )
    commitments = fields.List(
        fields.Str(), required=True, metadata={"description": "To the secrets behind the draws, by generation"}
    )
    seeds = fields.List(fields.Nested(SeedSchema), required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    deadline = fields.Nested(DeadlineSchema, allow_none=True, required=True)
    version = Int(required=True)
    outcome = fields.Nested(OutcomeSchema, allow_none=True, required=True)
    uncounted = fields.List(fields.Nested(UncountedSchema), required=True, metadata={"description": UNCOUNTED})


class ChangedMatchSchema(MatchSchema):
    """A match after a write, and the receipt; none where there was nothing to write."""

    receipt = receipt_field(allow_none=True)


class WriteResultSchema(Schema):
    """What a write became: its entry, what followed by itself, whom the table waits for now, the receipt."""

    version = Int(required=True, metadata={"description": "After all that followed"})
    entry = fields.Nested(EntrySchema, required=True)
    followed = fields.List(fields.Nested(EntrySchema), required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    status = fields.Str(required=True)
    receipt = receipt_field()


class LobbyQuery(Body):
    """Which matches."""

    game = text_field()
    status = enum_field(*STATUSES)
    free_seats = query_integer_field(0, 20, metadata={"description": "At least so many seats are free"})
    after = text_field(metadata={"description": "The cursor: matches after this id"})
    limit = query_integer_field(1, 200, load_default=50)
    at_least = at_least_field()


class LobbySchema(Schema):
    """Public matches, and how far the list has read the log."""

    items = fields.List(JsonField({"type": "object"}), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)
    as_of = fields.Str(
        required=True, metadata={"description": "How far the logs were read; hand it back as `at_least`"}
    )


class NamesSchema(Schema):
    """Names by seat, apart from the log."""

    names = fields.Dict(keys=fields.Str(), values=fields.Str(), required=True)
