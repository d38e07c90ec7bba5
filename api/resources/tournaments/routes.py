"""Routes that open and show tournaments, and list their entries."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import orjson
from flask import Response, current_app

from api.http import context, preconditions
from api.http.access import admission
from api.http.access.authorization import OPTIONAL_TOKEN
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, json_response, replay_header
from api.http.schemas.paging import next_link_header
from api.resources.matches.openings import require_room_for_match
from api.resources.matches.routes import parse_chance_sources
from api.resources.matches.time_limits import parse_clocks
from api.resources.tournaments import schemas as shapes
from api.resources.tournaments.access import TOURNAMENT_PATH, TOURNAMENTS_PATH, VISITOR, find_caller, load_tournament
from api.resources.tournaments.invitations import INVITED_MINUTES, make_invitation
from api.resources.tournaments.people import PLAYER_ROLE
from api.resources.tournaments.queue import find_open_calls, list_item_names
from api.resources.tournaments.rendering import entry_to_dict, tournament_to_dict
from referee.engine.rulings import MalformedInput
from referee.games import load_games
from referee.match.aggregate import NO_TIME_LIMITS, SeatAssignment
from referee.repository.card_books import UnknownEdition
from referee.service.rights import tokens
from referee.service.rights.device_tokens import is_logged_out, note_match
from referee.service.tournaments.tables import HOST_ENTRY
from referee.tournament import commands
from referee.tournament.deciding.opening import complete_format
from referee.tournament.standings import Points
from referee.tournament.state import DEFAULT_POINTS, Format

MARK_LENGTH = 8
PLAIN = ("system", "rounds", "plays", "decks", "rated", "sign_ms", "appeal_ms", "most_players")
blueprint = EndpointBlueprint("tournaments")


def parse_format(body: dict[str, Any]) -> Format:
    """Return the format in a request. Raises MalformedInput."""
    game, library = load_games()[body["game"]], context.get_match_service().repository.library
    seats = body.get("seats", {"least": 2, "most": 2})
    devices = parse_chance_sources(game, body["chance"])
    chairs = [SeatAssignment("human")] * seats["least"]
    points = body.get("points")
    try:
        edition = library.resolve_edition(game, body.get("edition") or game.newest_edition)
    except UnknownEdition:
        raise MalformedInput([{"pointer": "/edition", "detail": "no such edition"}]) from None
    given = Format(
        game.name, body.get("variant", game.variants[0]), edition, body.get("settings", {}), body.get("readings", {}),
        devices, parse_clocks(body.get("clocks"), devices, chairs) or NO_TIME_LIMITS, least_seats=seats["least"],
        most_seats=seats["most"], round_ms=body.get("round_ms"),
        points=DEFAULT_POINTS if points is None else Points(**{**points, "by_place": tuple(points["by_place"])}),
        **{name: body[name] for name in PLAIN}, visibility=body.get("visibility", ""),
    )  # fmt: skip
    if "tiebreaks" in body:
        given = replace(given, tiebreaks=tuple(body["tiebreaks"]))
    return complete_format(given)


@blueprint.declare(
    Endpoint(
        "POST",
        TOURNAMENTS_PATH,
        "openTournament",
        OPTIONAL_TOKEN,
        body=shapes.TournamentBody,
        response=(201, shapes.OpenedTournamentSchema),
        key=True,
        etag=True,
        problems=["creation-closed", "too-many-matches", "unauthorized", "idempotency-key-reused"],
    )
)
def open_tournament(body: dict[str, Any]) -> Response:
    """Open a tournament: return its host's token, and a code with which players enter.

    A host who does not play (`host_plays: false`) is the head official. With a player's token (`rfp_…`) the host is
    known by that account. Anybody who has the id may look at the tournament.
    """
    if not current_app.config["OPEN_CREATION"] and not admission.is_operator():
        raise Problem("creation-closed")
    key, service, secret = (
        preconditions.require_idempotency_key(guarded=False),
        context.get_tournament_service(),
        context.get_secret(),
    )
    log, name = service.log, service.name_tournament(key)
    token = tokens.derive_token(secret, name, "host", key)
    token_hash, shown = tokens.hash_token(token), admission.bearer_token()
    bearer, person = admission.identify_bearer(shown), admission.find_person(name, shown, token)
    device = tokens.name_device(bearer.token_hash) if bearer.account else ""
    if is_logged_out(log, name, token_hash):  # a repeated call makes no void token good again
        raise Problem("unauthorized")
    command = commands.OpenTournament(parse_format(body), "" if body["host_plays"] else person)
    require_room_for_match(name, bearer.account)
    done = service.open(command, key)
    if token_hash not in log.read_grants(name):
        if bearer.account:
            note_match(log, bearer.account, device, name)
            note = orjson.dumps({"seat": "host", "at_ms": log.now(), "name": None})
            if log.add_sitting(bearer.account, f"{name}:{HOST_ENTRY}", note):
                log.link_player(name, HOST_ENTRY, bearer.account)
        log.put_grant(name, token_hash, tokens.Grant("host", (), person, device).encode())
    invitation = make_invitation(name, PLAYER_ROLE, key, uses=body["most_players"], minutes=INVITED_MINUTES)
    opened = {"tournament": name, "token": token, "version": 1, "invitations": [invitation], "receipt": done.receipt}
    headers = {"Location": f"{TOURNAMENTS_PATH}/{name}"} | NEW_SECRET | replay_header(done.replayed)
    return json_response(opened, 201, version=1, headers=headers)


@blueprint.declare(
    Endpoint(
        "GET",
        TOURNAMENT_PATH,
        "getTournament",
        VISITOR,
        response=(200, shapes.TournamentSchema),
        etag=True,
        problems=["unknown-tournament"],
    )
)
def get_tournament(tournament: str) -> Response:
    """Return a tournament as the caller sees it, and what they can do now.

    Cautions and warnings are shown to the officials and to whom they concern. Players are numbered from 0; texts count
    them from 1. The ETag stands for all of the answer, names and times included.
    """
    loaded = load_tournament(tournament)
    names = context.get_match_service().log.read_seat_names(tournament)
    caller, service = find_caller(loaded), context.get_tournament_service()
    items, calls = list_item_names(service, loaded, caller), find_open_calls(service, loaded.state)
    body = tournament_to_dict(loaded, caller, names, items, calls)
    mark = hashlib.sha256(orjson.dumps(body)).hexdigest()[:MARK_LENGTH]
    return json_response(body, version=loaded.version, mark=mark)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/entries",
        "listTournamentEntries",
        VISITOR,
        query=shapes.TournamentEntriesQuery,
        response=(200, shapes.TournamentEntriesSchema),
        problems=["unknown-tournament"],
    )
)
def list_tournament_entries(query: dict[str, Any], tournament: str) -> Response:
    """List entries as the caller may know them, each event with a line about it.

    Versions have no gaps: of what concerns somebody else only the form is shown.
    """
    loaded = load_tournament(tournament)
    viewer, after, limit = find_caller(loaded).viewer, query["after"], query["limit"]
    found = context.get_tournament_service().repository.load_entries(tournament, after, limit)
    last = found[-1].version if found else after
    cursor = last if found and last < loaded.version else None
    body = {"items": [entry_to_dict(each, viewer) for each in found], "next_cursor": cursor}
    return json_response(body, headers=next_link_header(cursor))
