"""Schemas to open tournaments, and of what they show."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.converters import TOURNAMENT_ID_PATTERN
from api.http.schemas.fields import (
    SOME_MOVE,
    Body,
    Bool,
    Int,
    JsonField,
    Words,
    enum_field,
    integer_field,
    query_integer_field,
    text_field,
)
from api.resources.games.schemas import SOME_SETTINGS
from api.resources.matches.schemas import (
    CHANCE_SCHEMA,
    READINGS_SCHEMA,
    ClocksBody,
    ClocksSchema,
    InvitationSchema,
    receipt_field,
    validate_chance,
    validate_game,
    validate_readings,
)
from api.resources.tournaments.commands import CARD_COUNTS
from referee.tournament.deciding.opening import (
    LEAST_MS,
    MOST_MS,
    MOST_PLACES,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_ROUNDS,
)
from referee.tournament.pairing.systems import SYSTEMS
from referee.tournament.penalties import GRADES
from referee.tournament.standings import TIEBREAKS
from referee.tournament.state import DEPOSITED_DECKS, NO_DECKS, OFFICES, PRIVATE, PUBLIC, REFEREED, REPORTED

MOST_SEATS = 20
STATUSES = ("registration", "running", "finished", "withdrawn")
MOMENT = {"format": "date-time"}
DIGEST_PATTERN = "^[0-9a-f]{64}$"


class SeatsBody(Body):
    """How many sit at a table."""

    least = integer_field(2, MOST_SEATS, load_default=2)
    most = integer_field(2, MOST_SEATS, load_default=2)


class PointsBody(Body):
    """What a table is worth."""

    win = integer_field(0, MOST_POINTS, load_default=3)
    draw = integer_field(0, MOST_POINTS, load_default=1)
    loss = integer_field(0, MOST_POINTS, load_default=0)
    bye = integer_field(0, MOST_POINTS, load_default=3)
    forfeit = integer_field(0, MOST_POINTS, load_default=0)
    by_place = fields.List(
        integer_field(0, MOST_POINTS),
        load_default=list,
        validate=validate.Length(max=MOST_PLACES),
        metadata={"description": "At tables of several: the points of each place from the first; shared places share"},
    )


def duration_field(what: str, **kwargs: object) -> Int:
    """Return the field of a time in ms within the limits of a format."""
    return integer_field(LEAST_MS, MOST_MS, metadata={"description": what}, **kwargs)


class TournamentBody(Body):
    """A tournament to open: its format stays as it is."""

    game = fields.Str(required=True, validate=validate_game, metadata={"description": "A name from /v1/games"})
    variant = text_field(metadata={"description": "One of the game's `variants`; default: the first"})
    edition = text_field(metadata={"description": "One of the game's `editions`; default: its newest"})
    settings = JsonField(SOME_SETTINGS)
    readings = JsonField(READINGS_SCHEMA, validate=validate_readings)
    chance = JsonField(CHANCE_SCHEMA, validate=validate_chance, load_default="server")
    clocks = fields.Nested(ClocksBody, metadata={"description": "Time limits within a match"})
    system = enum_field(*SYSTEMS, load_default="round_robin")
    rounds = integer_field(0, MOST_ROUNDS, load_default=0, metadata={"description": "0: as many as the system needs"})
    seats = fields.Nested(SeatsBody)
    points = fields.Nested(PointsBody)
    tiebreaks = fields.List(
        enum_field(*TIEBREAKS), validate=validate.Length(max=len(TIEBREAKS)), metadata={"description": "In their order"}
    )
    plays = enum_field(
        REFEREED,
        REPORTED,
        load_default=REFEREED,
        metadata={"description": "Whether tables are matches of this server, or only report how they ended"},
    )
    decks = enum_field(NO_DECKS, DEPOSITED_DECKS, load_default=NO_DECKS)
    rated = Bool(
        load_default=False,
        metadata={"description": "Whether its matches, not reported tables, count for the standings"},
    )
    visibility = enum_field(
        PUBLIC,
        PRIVATE,
        metadata={"description": "Who may look at its matches; if they are rated, everybody. Default: as rated"},
    )
    round_ms = duration_field("How long a round takes; left out: as long as it needs")
    sign_ms = duration_field("How long the players of a table may object to a result", load_default=300_000)
    appeal_ms = duration_field("How long a ruling can be appealed against", load_default=900_000)
    most_players = integer_field(2, MOST_PLAYERS, load_default=64)
    host_plays = Bool(load_default=True, metadata={"description": "false: the host is the head official"})


class OpenedTournamentSchema(Schema):
    """An opened tournament: the host's token, and an invitation for players."""

    tournament = fields.Str(required=True, metadata={"pattern": f"^{TOURNAMENT_ID_PATTERN}$".replace("(?:", "(")})
    token = fields.Str(required=True)
    version = Int(required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)
    receipt = receipt_field()


class TournamentInvitationBody(Body):
    """Whom to invite: players, or an official."""

    role = enum_field("player", *OFFICES, required=True)
    uses = integer_field(1, MOST_PLAYERS, metadata={"description": "Default: one"})
    minutes = integer_field(1, 24 * 60, metadata={"description": "Default: a day"})


class SeatsSchema(Schema):
    """How many sit at a table."""

    least = Int(required=True)
    most = Int(required=True)


class PointsSchema(Schema):
    """What a table is worth."""

    win = Int(required=True)
    draw = Int(required=True)
    loss = Int(required=True)
    bye = Int(required=True)
    forfeit = Int(required=True)
    by_place = fields.List(Int(), required=True)


class TournamentFormatSchema(Schema):
    """What is played, and how."""

    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    edition = fields.Str(required=True)
    settings = JsonField(SOME_SETTINGS, required=True)
    readings = JsonField(READINGS_SCHEMA, required=True)
    chance = JsonField({"type": "object", "additionalProperties": {"enum": ["server", "table"]}}, required=True)
    clocks = fields.Nested(ClocksSchema, required=True)
    system = fields.Str(required=True)
    rounds = Int(required=True)
    seats = fields.Nested(SeatsSchema, required=True)
    points = fields.Nested(PointsSchema, required=True)
    tiebreaks = fields.List(fields.Str(), required=True)
    plays = fields.Str(required=True)
    decks = fields.Str(required=True)
    rated = Bool(required=True)
    visibility = fields.Str(required=True, metadata={"enum": [PUBLIC, PRIVATE]})
    round_ms = Int(required=True, allow_none=True)
    sign_ms = Int(required=True)
    appeal_ms = Int(required=True)
    most_players = Int(required=True)


class OfficerSchema(Schema):
    """An official, and the players who have accepted them."""

    officer = Int(required=True, metadata={"description": "The number of the entry that named them"})
    office = fields.Str(required=True, metadata={"enum": list(OFFICES)})
    person = fields.Str(required=True, metadata={"description": "Means something in this tournament only"})
    name = fields.Str(required=True, allow_none=True)
    accepted = fields.List(Int(), required=True)
    left = Bool(required=True)
    can_end = Bool(required=True, metadata={"description": "Whether the caller may end the office now"})


class EntrantSchema(Schema):
    """Who plays."""

    player = Int(required=True, metadata={"description": "From 0; texts count from 1"})
    name = fields.Str(required=True, allow_none=True)
    bot = Int(required=True, allow_none=True, metadata={"description": "The level of a bot; null: a person"})
    status = fields.Str(required=True, metadata={"enum": ["playing", "left", "disqualified"]})
    deck = Bool(required=True, metadata={"description": "Whether a deck is deposited"})
    can_remove = Bool(
        required=True, metadata={"description": "Whether the caller may take them out by `tournament.leave` now"}
    )


class TableResultSchema(Schema):
    """How a table ended."""

    placement = fields.List(
        fields.List(Int()), required=True, metadata={"description": "Groups of equal place, best first"}
    )
    forfeits = fields.List(Int(), required=True)
    by = fields.Str(
        required=True, metadata={"description": "Who said so: `player:3`, `official:7`, `match`, `host` (of bots)"}
    )
    entry = Int(required=True)


class TournamentTableSchema(Schema):
    """A table of a round."""

    table = Int(required=True)
    players = fields.List(Int(), required=True, metadata={"description": "In the order of their seats"})
    match = fields.Str(required=True, allow_none=True)
    lapsed = Bool(required=True, metadata={"description": "The match ended without a result: an official has to look"})
    former_matches = fields.List(fields.Str(), required=True, metadata={"description": "Played there before, in vain"})
    result = fields.Nested(TableResultSchema, required=True, allow_none=True)
    signed = fields.List(Int(), required=True)
    disputed = fields.List(Int(), required=True, metadata={"description": "Who objects to the result"})
    until = fields.Str(
        required=True, allow_none=True, metadata={**MOMENT, "description": "Until when others can object"}
    )
    final = Bool(required=True)
    extra_ms = Int(required=True, metadata={"description": "Time that was added"})
    ends_at = fields.Str(
        required=True, allow_none=True, metadata={**MOMENT, "description": "With the wait for an open call"}
    )
    left_ms = Int(required=True, allow_none=True, metadata={"description": "What was left of its time at this answer"})
    paused = Bool(required=True, metadata={"description": "Whether a call stops its time"})


class RoundSchema(Schema):
    """A round."""

    round = Int(required=True)
    tables = fields.List(fields.Nested(TournamentTableSchema), required=True)
    byes = fields.List(Int(), required=True)
    started_at = fields.Str(required=True, metadata=MOMENT)
    ends_at = fields.Str(required=True, allow_none=True, metadata=MOMENT)
    closed = Bool(required=True)


class TournamentStandingSchema(Schema):
    """A player in the standings."""

    rank = Int(required=True)
    player = Int(required=True)
    points = fields.Str(required=True, metadata={"description": "A decimal number: shared places share points"})
    played = Int(required=True)
    wins = Int(required=True)
    draws = Int(required=True)
    losses = Int(required=True)
    byes = Int(required=True)
    tiebreaks = JsonField(
        {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        required=True,
    )


class PenaltySchema(Schema):
    """A penalty, as far as the caller may know of it."""

    penalty = Int(required=True)
    player = Int(required=True)
    infraction = fields.Str(required=True, allow_none=True)
    says = fields.Nested(Words, required=True, allow_none=True, metadata={"description": "The infraction in words"})
    grade = fields.Str(required=True, metadata={"enum": list(GRADES)})
    proposed = fields.Str(required=True, allow_none=True)
    officer = Int(required=True)
    at = fields.Str(required=True, metadata=MOMENT)
    round = Int(required=True, metadata={"description": "0: between the rounds"})
    table = Int(required=True)
    fix = fields.Str(required=True, allow_none=True, metadata={"description": "What was done about it at the table"})
    because = fields.Str(required=True, allow_none=True, metadata={"description": "Why it is another grade"})
    stage = fields.Str(required=True, metadata={"enum": ["given", "appealed", "expunged"]})
    hidden = Bool(required=True, metadata={"description": "true: what is null here, the caller may not know"})


class AppealSchema(Schema):
    """An appeal, as far as the caller may know of it."""

    appeal = Int(required=True)
    player = Int(required=True, allow_none=True)
    about = Int(required=True)
    kind = fields.Str(required=True, metadata={"enum": ["penalty", "result"]})
    ruled_by = Int(required=True)
    committee = fields.List(Int(), required=True)
    voted = fields.List(Int(), required=True, metadata={"description": "Officials who have voted"})
    until = fields.Str(required=True, metadata=MOMENT)
    stage = fields.Str(required=True, metadata={"enum": ["open", "upheld", "overturned"]})
    reason = fields.Str(required=True, allow_none=True)
    hidden = Bool(required=True, metadata={"description": "true: what is null here, the caller may not know"})


class TournamentCallSchema(Schema):
    """A call for an official."""

    call = Int(required=True)
    round = Int(required=True)
    table = Int(required=True)
    player = Int(required=True)
    reason = fields.Str(required=True)
    at = fields.Str(required=True, metadata=MOMENT)
    until = fields.Str(required=True, metadata={**MOMENT, "description": "Until when it stops the table's time"})
    stops = Bool(required=True)
    answered_by = Int(required=True, allow_none=True)
    ended = fields.Str(required=True, allow_none=True, metadata={"enum": ["answered", "withdrawn", None]})


class TournamentClaimSchema(Schema):
    """Which official looks after an item of the queue, such as a call."""

    item = fields.Str(required=True, metadata={"description": "Such as `call:7`, or `call:` with match and call"})
    officer = Int(required=True)
    until = fields.Str(required=True, metadata=MOMENT)


class DeckCheckSchema(Schema):
    """A check of a deck; only officials and its player learn of it."""

    check = Int(required=True)
    player = Int(required=True)
    officer = Int(required=True)
    matches = Bool(required=True)
    missing = JsonField({"type": "object", "additionalProperties": {"type": "integer"}}, required=True)
    foreign = JsonField({"type": "object", "additionalProperties": {"type": "integer"}}, required=True)


class YouSchema(Schema):
    """What the caller is in the tournament."""

    host = Bool(required=True)
    player = Int(required=True, allow_none=True)
    officer = Int(required=True, allow_none=True)


class TournamentSchema(Schema):
    """A tournament as the caller sees it."""

    id = fields.Str(required=True)
    version = Int(required=True)
    status = fields.Str(required=True, metadata={"enum": list(STATUSES)})
    commitment = fields.Str(required=True, metadata={"description": "The commitment to the secret behind its lots"})
    format = fields.Nested(TournamentFormatSchema, required=True)
    officials = fields.List(fields.Nested(OfficerSchema), required=True)
    players = fields.List(fields.Nested(EntrantSchema), required=True)
    lots = fields.List(Int(), required=True)
    planned_rounds = Int(required=True)
    rounds = fields.List(fields.Nested(RoundSchema), required=True)
    standings = fields.List(fields.Nested(TournamentStandingSchema), required=True)
    penalties = fields.List(fields.Nested(PenaltySchema), required=True)
    appeals = fields.List(fields.Nested(AppealSchema), required=True)
    calls = fields.List(fields.Nested(TournamentCallSchema), required=True)
    claims = fields.List(fields.Nested(TournamentClaimSchema), required=True)
    checks = fields.List(fields.Nested(DeckCheckSchema), required=True)
    you = fields.Nested(YouSchema, required=True)
    can = fields.List(
        fields.Str(),
        required=True,
        metadata={"description": "The types of commands that the caller may give now; others: `can_end`, `can_remove`"},
    )


TOURNAMENT_EVENT: dict[str, object] = {
    "type": "object",
    "description": "Its further members are those of its type. What the caller may not know is left out.",
    "properties": {"type": {"type": "string"}, "says": {"$ref": "#/components/schemas/Words"}},
    "required": ["type", "says"],
}


class TournamentEntrySchema(Schema):
    """An entry of a tournament as the caller may know it."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata=MOMENT)
    actor = fields.Str(
        required=True,
        metadata={"description": "`host` (or by their code), `official:7`, `player:3`, `match`, `clock`, `server`"},
    )
    command = JsonField(SOME_MOVE, required=True, metadata={"description": "null: the caller may not know it"})
    events = fields.List(JsonField(TOURNAMENT_EVENT), required=True)
    clauses = fields.List(fields.Str(), required=True)


class TournamentEntriesQuery(Schema):
    """A page of entries."""

    after = query_integer_field(0, 2**31 - 1, load_default=0)
    limit = query_integer_field(1, 200, load_default=50)


class TournamentEntriesSchema(Schema):
    """A page of entries."""

    items = fields.List(fields.Nested(TournamentEntrySchema), required=True)
    next_cursor = Int(required=True, allow_none=True)


class ObeyedCommandSchema(Schema):
    """What came of a command."""

    entry = Int(required=True, allow_none=True, metadata={"description": "null: nothing changed, nothing was written"})
    version = Int(required=True)
    receipt = receipt_field()
    events = fields.List(JsonField(TOURNAMENT_EVENT), required=True)


class PenaltyProposalSchema(Schema):
    """The grade that the ledger proposes."""

    player = Int(required=True)
    infraction = fields.Str(required=True)
    says = fields.Nested(Words, required=True)
    clause = fields.Str(required=True)
    proposed = fields.Str(required=True, metadata={"enum": list(GRADES)})
    ladder = fields.List(fields.Str(), required=True)
    before = fields.List(Int(), required=True, metadata={"description": "Earlier penalties for the same that count"})


class PenaltyProposalsSchema(Schema):
    """All infractions, with what is proposed for each."""

    items = fields.List(fields.Nested(PenaltyProposalSchema), required=True)


class DepositBody(Body):
    """A deck to deposit: how often each card is in it."""

    cards = JsonField(CARD_COUNTS, required=True)


class DepositedDeckSchema(Schema):
    """A deposited deck; its list is kept sealed."""

    player = Int(required=True)
    commitment = fields.Str(required=True, metadata={"pattern": DIGEST_PATTERN})
    cards = Int(required=True, metadata={"description": "How many cards it has"})
    version = Int(required=True)
    receipt = receipt_field()
