"""Routes for commands, the queue of the officials, and proposed grades."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from api.http import context, preconditions
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response, replay_header
from api.resources.invitations.routes import KEPT_MS
from api.resources.tournaments import schemas as shapes
from api.resources.tournaments.access import (
    COMMAND_PROBLEMS,
    MEMBER,
    TOURNAMENT_PATH,
    TournamentCaller,
    admit_member,
    admit_official,
    answering_refusals,
    load_tournament,
)
from api.resources.tournaments.commands import CommandBody, GivenCommand, complete_command, name_actor
from api.resources.tournaments.people import PLAYER_PATH, compare_deck
from api.resources.tournaments.queue import QueueSchema, build_queue, find_brought_cards, list_items
from api.resources.tournaments.rendering import OFFICIAL_NAMES, entry_to_dict
from referee.engine.codec import decode_named, encode, encode_canonical
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.repository.tournaments import LoadedTournament
from referee.service.rights import tokens
from referee.tournament import commands
from referee.tournament.penalties import Infraction, load_infractions, propose_grade
from referee.tournament.state import Tournament

blueprint = EndpointBlueprint("tournament-officials", tag="tournaments")


@blueprint.declare(
    Endpoint(
        "POST",
        f"{TOURNAMENT_PATH}/commands",
        "commandTournament",
        MEMBER,
        body=CommandBody,
        response=(201, shapes.ObeyedCommandSchema),
        key=True,
        precondition="allowed",
        problems=COMMAND_PROBLEMS,
    )
)
def command_tournament(body: dict[str, Any], tournament: str) -> Response:
    """Give a command: as host, official or player, as the token says.

    `can` of the tournament lists the types that the caller may give now. A command that changes nothing writes nothing.
    """
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(False)
    loaded, caller = admit_member(tournament)
    service = context.get_tournament_service()
    command, actor, viewer = find_first_reading(loaded, caller, body["command"], key)
    with answering_refusals():
        if isinstance(command, commands.ClaimItem):
            require_item(loaded, command, f"{actor}:{key}")
        done = service.execute(
            tournament, command, key=key, scope=actor, actor=name_actor(command, actor), strict=strict
        )
    if isinstance(command, commands.ResignOffice):  # the name goes with the office
        context.get_match_service().log.put_seat_names(tournament, {f"{OFFICIAL_NAMES}{command.officer}": None})
    load_tournament(tournament)  # opens the matches of tables, and lets them follow
    body = {
        "entry": done.entry or None,
        "version": done.entry or done.after.version,
        "receipt": done.receipt,
        "events": list_events(tournament, done.entry, viewer),
    }
    return json_response(body, 201, version=done.entry or done.after.version, headers=replay_header(done.replayed))


def find_first_reading(
    loaded: LoadedTournament, caller: TournamentCaller, given: GivenCommand, key: str
) -> tuple[Move, str, int]:
    """Return a command, the name of its actor, and as whom they see what comes of it.

    It is kept under the key of the request. A request that was carried out is read so again when it is repeated,
    whatever the caller has become since. Raises Problem.
    """
    log, tournament = context.get_match_service().log, loaded.state.id
    scope, asked = f"tournament-command:{tournament}:{caller.person}", encode_canonical([given.kind.TAG, given.members])
    kept = log.find_answer(scope, key)
    if kept is not None and kept[0] == asked:
        first = orjson.loads(kept[1])
        if log.read(tournament, limit=0, key=f"{first['actor']}:{key}").known is not None:
            return decode_named(first["command"], Move), first["actor"], first["viewer"]
    bot = tokens.derive_person(context.get_secret(), tournament, f"bot:{key}")

    def compare(player: int, cards: Any) -> dict[str, Any]:
        service = context.get_tournament_service()
        if cards is None and (cards := find_brought_cards(service, loaded.state, player)) is None:
            raise MalformedInput([{"pointer": "/command/cards", "detail": "Missing data for required field."}])
        return compare_deck(loaded.state, player, cards)

    command, actor = complete_command(caller, given, bot, compare)
    reading = {"command": encode(command), "actor": actor, "viewer": caller.viewer}
    log.remember_answer(scope, key, asked, orjson.dumps(reading), KEPT_MS)
    return command, actor, caller.viewer


def require_item(loaded: LoadedTournament, command: commands.ClaimItem, known_as: str) -> None:
    """Refuse to look after what does not wait, unless the request was granted before.

    Raises IllegalMove.
    """
    service = context.get_tournament_service()
    if command.release or service.log.read(loaded.state.id, limit=0, key=known_as).known is not None:
        return
    if command.item not in {each.name for each in list_items(service, loaded)}:
        raise IllegalMove("no_such_item", "TOURNAMENT-QUEUE-1", item=command.item)


def list_events(tournament: str, version: int, viewer: int) -> list[dict[str, Any]]:
    """Return the events of an entry as a viewer may know them; none for entry 0."""
    if not version:
        return []
    (entry,) = context.get_tournament_service().repository.load_entries(tournament, version - 1, 1)
    events: list[dict[str, Any]] = entry_to_dict(entry, viewer)["events"]
    return events


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/queue",
        "getTournamentQueue",
        MEMBER,
        response=(200, QueueSchema),
        problems=["unknown-tournament", "forbidden"],
    )
)
def get_tournament_queue(tournament: str) -> Response:
    """List what waits for officials, the oldest first.

    That is: calls, disputed and unsigned results, open appeals, disputes in matches that wait for an official, tables
    whose time is up, tables where nothing has happened for ten minutes, and players of this round whose deck in the
    match is another than the deposited one. Officials may see it, and a host who does
    not play.
    """
    loaded, caller = admit_member(tournament)
    if not caller.may_see_queue:
        raise Problem("forbidden")
    return json_response(build_queue(context.get_tournament_service(), loaded))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{PLAYER_PATH}/penalty-proposals",
        "listPenaltyProposals",
        MEMBER,
        response=(200, shapes.PenaltyProposalsSchema),
        problems=["unknown-tournament", "forbidden", "not-found"],
    )
)
def list_penalty_proposals(tournament: str, entrant: int) -> Response:
    """List the infractions, each with the grade proposed for a player's next case.

    Officials may ask.
    """
    loaded, _ = admit_official(tournament)
    state = loaded.state
    if state.find_entrant(entrant) is None:
        raise Problem("not-found")
    items = [propose_penalty(state, entrant, each) for each in load_infractions().values()]
    return json_response({"items": items})


def propose_penalty(state: Tournament, player: int, infraction: Infraction) -> dict[str, Any]:
    """Return the grade that the next case of an infraction gets, and why."""
    before = [
        each.number
        for each in state.penalties
        if each.player == player and each.infraction == infraction.name and each.stage != "expunged"
    ]
    return {
        "player": player,
        "infraction": infraction.name,
        "says": infraction.says,
        "clause": infraction.clause,
        "proposed": propose_grade(state, player, infraction.name),
        "ladder": list(infraction.ladder),
        "before": before,
    }
