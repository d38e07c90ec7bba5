"""Commands of tournaments in requests: their schemas, and who may give which.

A request never says for whom it speaks: the token does. Where a command names its own player or official all the same,
it has to be that of the token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from marshmallow import Schema, ValidationError, post_load
from marshmallow import fields as ma
from marshmallow.validate import Length, OneOf
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from api.http.problems import Problem
from api.http.schemas.fields import (
    Body,
    Bool,
    Int,
    JsonField,
    enum_field,
    integer_field,
    text_field,
)
from api.http.schemas.polymorphic import move_component_name
from api.resources.tournaments.access import TournamentCaller
from referee.engine.codec import decode_named
from referee.engine.events import Move
from referee.repository.tournaments import LoadedTournament
from referee.tournament import commands
from referee.tournament.deciding.conduct import CALL_REASONS
from referee.tournament.deciding.opening import MOST_PLAYERS
from referee.tournament.deciding.possible import Giver, list_possible_kinds
from referee.tournament.deciding.rounds import MAX_EXTRA_MS
from referee.tournament.penalties import GRADES, load_infractions

MOST_NUMBER = 2**31 - 1  # of an entry
MOST_SEATS, LONGEST_REASON, LONGEST_ITEM, MOST_OF_A_CARD, MOST_CARDS = 20, 500, 80, 250, 250
CARD_COUNTS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": 1, "maximum": MOST_OF_A_CARD},
    "maxProperties": MOST_CARDS,
    "description": "By the card's id, how often it is there",
}


# -- their schemas -----------------------------------------------------------------------------------------------------


def player_field(**kwargs: Any) -> Int:
    """Return the field of the number of an entrant."""
    return integer_field(0, MOST_PLAYERS - 1, **kwargs)


def entry_field(**kwargs: Any) -> Int:
    """Return the field of the number of an entry: of an official, a penalty."""
    return integer_field(1, MOST_NUMBER, **kwargs)


def players_field(**kwargs: Any) -> ma.List[Any]:
    """Return the field of several entrants of one table."""
    return ma.List(player_field(), validate=Length(max=MOST_SEATS), **kwargs)


def reason_field(**kwargs: Any) -> ma.Str:
    """Return the field of what an official or a player writes."""
    return text_field(LONGEST_REASON, **kwargs)


def place_fields(is_required: bool = True) -> dict[str, ma.Field[Any]]:
    """Return the fields that name a table of a round."""
    most = {"round": 100, "table": MOST_PLAYERS}
    return {name: integer_field(1, limit, required=is_required) for name, limit in most.items()}


def placement_field() -> ma.List[Any]:
    """Return the field of how a table ended."""
    what = {"description": "Groups of equal place, best first"}
    return ma.List(players_field(), required=True, validate=Length(max=MOST_SEATS), metadata=what)


OWN_PLAYER = {"description": "Your own number; may be left out"}
OWN_OFFICER = {"description": "Your own appointment; may be left out"}
FIELDS: dict[type[Move], Callable[[], dict[str, ma.Field[Any]]]] = {
    commands.StartTournament: dict,
    commands.PairRound: lambda: {
        "tables": ma.List(
            players_field(),
            validate=Length(max=MOST_PLAYERS),
            metadata={"description": "The tables in the system `manual`; one alone has a bye"},
        )
    },
    commands.EndTournament: dict,
    commands.Enter: lambda: {"level": integer_field(0, 3, required=True, metadata={"description": "Of a bot"})},
    commands.Leave: lambda: {
        "player": player_field(
            metadata={"description": "Default: your own number. The host names a bot, or before the start anybody"}
        )
    },
    commands.AcceptOfficer: lambda: {
        "officer": entry_field(required=True), "player": player_field(metadata=OWN_PLAYER),
    },
    commands.ResignOffice: lambda: {
        "officer": entry_field(metadata={"description": "Your own appointment; the host names anybody's"})
    },
    commands.ReportResult: lambda: {
        **place_fields(), "placement": placement_field(), "by": player_field(metadata=OWN_PLAYER),
    },
    commands.AnswerResult: lambda: {
        **place_fields(), "agree": Bool(required=True), "player": player_field(metadata=OWN_PLAYER),
    },
    commands.RuleResult: lambda: {
        **place_fields(), "placement": placement_field(), "forfeits": players_field(load_default=list),
        "because": reason_field(required=True), "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.ReopenTable: lambda: {
        **place_fields(), "because": reason_field(required=True), "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.RecordResult: lambda: {
        **place_fields(), "placement": placement_field(), "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.Concede: lambda: {"player": player_field(metadata=OWN_PLAYER), **place_fields(False)},
    commands.AddTime: lambda: {
        **place_fields(), "extra_ms": integer_field(1, MAX_EXTRA_MS, required=True),
        "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.CallOfficer: lambda: {
        "reason": enum_field(*CALL_REASONS, required=True), "player": player_field(metadata=OWN_PLAYER),
    },
    commands.EndCall: lambda: {"call": entry_field(required=True)},
    commands.ClaimItem: lambda: {
        "item": text_field(LONGEST_ITEM, 1, required=True), "release": Bool(),
        "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.Penalize: lambda: {
        "player": player_field(required=True),
        "infraction": ma.Str(required=True, validate=OneOf(list(load_infractions()))),
        "grade": enum_field(*GRADES, required=True),
        "fix": reason_field(), "because": reason_field(), "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.Expunge: lambda: {
        "penalty": entry_field(required=True), "because": reason_field(required=True),
        "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.OpenAppeal: lambda: {
        "about": entry_field(required=True), "reason": reason_field(required=True),
        "player": player_field(metadata=OWN_PLAYER),
    },
    commands.VoteOnAppeal: lambda: {
        "appeal": entry_field(required=True), "overturn": Bool(required=True),
        "officer": entry_field(metadata=OWN_OFFICER),
    },
    commands.CheckDeck: lambda: {
        "player": player_field(required=True),
        "cards": JsonField(
            CARD_COUNTS | {"description": "How often each card is there; left out: the deck in the match of the table"}
        ),
        "officer": entry_field(metadata=OWN_OFFICER),
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GivenCommand:
    """A command as a request gives it: its kind and its members."""

    kind: type[Move]
    members: dict[str, Any]


class SingleCommandSchema(Body):
    """The schema of one kind of command."""

    kind: type[Move]

    @post_load
    def build_command(self, data: dict[str, Any], **kwargs: Any) -> GivenCommand:
        """Return the command with its members."""
        return GivenCommand(self.kind, data)


class CommandMeta(Body.Meta):
    """Options that keep generated schemas out of marshmallow's registry of names."""

    register = False


def build_schema(kind: type[Move]) -> Schema:
    """Return the schema of one kind of command."""
    made = type(
        move_component_name(kind.TAG), (SingleCommandSchema,), {**FIELDS[kind](), "kind": kind, "Meta": CommandMeta}
    )
    schema: Schema = made()
    return schema


SCHEMAS = {kind.TAG: build_schema(kind) for kind in FIELDS}
KINDS = {kind.TAG: kind for kind in FIELDS}


class CommandUnion(OneOfSchema):
    """A command to a tournament, told apart by `type`."""

    component_suffix = "Command"
    type_schemas = SCHEMAS

    def _load(self, data: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError("A command is an object.")
        if not isinstance(data.get("type"), str) or data["type"] not in SCHEMAS:
            raise ValidationError({"type": ["There is no such kind of command."]})
        return super()._load(data, **kwargs)  # type: ignore[no-untyped-call]  # the library has no types


class CommandBody(Body):
    """A command to a tournament."""

    command = ma.Nested(CommandUnion, required=True)


# -- who may give which ------------------------------------------------------------------------------------------------

BY_DIRECTOR = (commands.StartTournament, commands.PairRound, commands.EndTournament)
BY_RULING_OFFICER = (
    commands.RuleResult, commands.ReopenTable, commands.AddTime, commands.Penalize, commands.Expunge,
    commands.CheckDeck,
)  # fmt: skip
BY_OFFICER = (*BY_RULING_OFFICER, commands.ClaimItem, commands.VoteOnAppeal)
BY_PLAYER = {  # each with the member that says who it is
    commands.AcceptOfficer: "player",
    commands.ReportResult: "by",
    commands.AnswerResult: "player",
    commands.Concede: "player",
    commands.CallOfficer: "player",
    commands.OpenAppeal: "player",
}


CompareDeck = Callable[[int, Any], dict[str, Any]]


def complete_command(caller: TournamentCaller, given: GivenCommand, bot: str, compare: CompareDeck) -> tuple[Move, str]:
    """Return a command with who gives it, and the name of that actor: `player:3`.

    `bot` is who a bot is that enters by this request, the same if it is repeated. `compare` returns what is missing and
    foreign of a player's cards as counted, or (None) as they are in the match. Raises Problem if the caller may not
    give it.
    """
    kind, members = given.kind, dict(given.members)
    if kind in BY_PLAYER:
        player = _require_player(caller)
        _fill(members, BY_PLAYER[kind], player)
        actor = f"player:{player}"
    elif kind in BY_OFFICER:
        actor = _fill_officer(caller, kind, members)
    elif kind is commands.Leave:
        actor = _fill_leaver(caller, members)
    elif kind is commands.ResignOffice:
        actor = _fill_resigner(caller, members)
    elif kind is commands.EndCall:
        actor = _fill_answerer(caller, members)
    elif kind is commands.RecordResult and not (caller.is_host and caller.officer is None):
        actor = _fill_officer(caller, kind, members)
    elif kind is commands.RecordResult:
        actor = _fill_host(members)
    elif kind is commands.Enter:
        actor = _name_director(caller)
        members["person"] = bot
    else:
        assert kind in BY_DIRECTOR
        actor = _name_director(caller)
    if kind is commands.CheckDeck:
        members |= compare(members["player"], members.pop("cards", None))
    return decode_named({"type": kind.TAG, **members}, Move), actor


def _fill(members: dict[str, Any], name: str, own: int) -> None:
    """Put the caller's own number in. Raises Problem if another one is there."""
    if members.setdefault(name, own) != own:
        raise Problem("forbidden")


def _require_player(caller: TournamentCaller) -> int:
    if caller.entrant is None:
        raise Problem("forbidden")
    return caller.entrant.number


def _fill_officer(caller: TournamentCaller, kind: type[Move], members: dict[str, Any]) -> str:
    officer = caller.officer
    if officer is None or (kind in BY_RULING_OFFICER and not caller.rules_at_tables):
        raise Problem("forbidden")
    _fill(members, "officer", officer.number)
    return f"official:{officer.number}"


def _fill_host(members: dict[str, Any]) -> str:
    """Let the host speak who is no official. Raises Problem if the members name one."""
    _fill(members, "officer", 0)
    return "host"


def _fill_leaver(caller: TournamentCaller, members: dict[str, Any]) -> str:
    """Let players leave, and the host take bots out, or before the start anybody."""
    own = None if caller.entrant is None else caller.entrant.number
    wanted = members.setdefault("player", own)
    if wanted is not None and wanted == own:
        return f"player:{own}"
    if wanted is None or not caller.may_take_out(caller.state.find_entrant(wanted)):
        raise Problem("forbidden")
    return _name_director(caller)


def _fill_resigner(caller: TournamentCaller, members: dict[str, Any]) -> str:
    """Let officials resign, also again, and the host take an office away."""
    held = [each.number for each in caller.state.officers if caller.person and each.person == caller.person]
    wanted = members.setdefault("officer", held[-1] if held else None)
    if wanted in held:
        return f"official:{wanted}"
    if not caller.is_host or wanted is None:
        raise Problem("forbidden")
    return "host"


def _fill_answerer(caller: TournamentCaller, members: dict[str, Any]) -> str:
    """Let officials answer a call, and who called withdraw it."""
    if caller.officer is not None:
        members["officer"] = caller.officer.number
        return f"official:{caller.officer.number}"
    player = _require_player(caller)
    if not any(each.number == members["call"] and each.by == player for each in caller.state.calls):
        raise Problem("forbidden")
    return f"player:{player}"


def _name_director(caller: TournamentCaller) -> str:
    if caller.is_host:
        return "host"
    if caller.officer is None or not caller.is_director:
        raise Problem("forbidden")
    return f"official:{caller.officer.number}"


def name_actor(command: Move, actor: str) -> str:
    """Return the actor as the log names it.

    Everybody reads that, so of who appeals it says only that the server passed it on: it would tell who was warned.
    """
    return "server" if isinstance(command, commands.OpenAppeal) else actor


# -- what can be done now ----------------------------------------------------------------------------------------------


def list_possible_commands(loaded: LoadedTournament, caller: TournamentCaller, items: Iterable[str]) -> list[str]:
    """Return the types of commands that the caller can give now, in a fixed order.

    `items` are what waits for officials.
    """
    giver = Giver(
        None if caller.entrant is None else caller.entrant.number,
        None if caller.officer is None else caller.officer.number,
        caller.is_host, caller.is_director, items,
    )  # fmt: skip
    found = list_possible_kinds(loaded.state, loaded.version, loaded.now_ms, giver)
    return [kind.TAG for kind in FIELDS if kind in found]
