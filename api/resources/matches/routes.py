"""Routes that open, list, show, change, start and end matches."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import orjson
from flask import Response, current_app, g

from api.http import consistency_token, context, preconditions
from api.http.access import admission
from api.http.access.authorization import ANYONE, HOST, MATCH_VIEWER, OPTIONAL_TOKEN, Caller
from api.http.encoding.languages import Language, choose_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import (
    NEW_SECRET,
    deadline_to_dict,
    format_entry_time,
    format_etag,
    format_time,
    json_response,
    replay_header,
)
from api.http.schemas.paging import next_link_header
from api.http.schemas.viewers import viewer_query
from api.resources.endings.rendering import ending_to_dict
from api.resources.invitations.routes import create_invitation
from api.resources.matches import schemas as shapes
from api.resources.matches.openings import require_room_for_match
from api.resources.matches.seating import parse_seat_assignments, seat_to_dict
from api.resources.matches.time_limits import clocks_to_dict, parse_clocks
from api.resources.officials.rendering import call_to_dict, official_to_dict
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.seats import BYSTANDER
from referee.games import load_games
from referee.match import clocks as clock
from referee.match.aggregate import NO_TIME_LIMITS, Match
from referee.match.clocks import QuestionDeadline
from referee.match.events.dispute_state import DEFAULT_COURTS, NEWEST_EDITION, CourtSettings, PendingWitness
from referee.match.events.ending_events import EndMatch
from referee.match.table import commands, endings
from referee.match.table.hints import ALLOWED, FORBIDDEN
from referee.match.unilateral import list_uncounted_causes
from referee.queries import views, visible_entries
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.rendering import texts
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult
from referee.service.rights import tokens
from referee.service.rights.device_tokens import is_logged_out, note_match

MATCHES_PATH = "/v1/matches"
MATCH_PATH = f"{MATCHES_PATH}/<match:match>"
blueprint = EndpointBlueprint("matches")


def parse_courts(given: dict[str, Any] | None) -> CourtSettings | None:
    """Return court settings from their JSON form; None for none given."""
    if given is None:
        return None
    return CourtSettings(**{**given, "levels": tuple(given["levels"]), "edition": NEWEST_EDITION})


def parse_chance_sources(game: Game, given: Any) -> dict[str, str]:
    """Return who holds each device; a single word stands for all of them."""
    return dict.fromkeys(game.devices, given) if isinstance(given, str) else dict(given)


@blueprint.declare(
    Endpoint(
        "POST",
        MATCHES_PATH,
        "openMatch",
        OPTIONAL_TOKEN,
        body=shapes.MatchBody,
        response=(201, shapes.OpenedMatchSchema),
        key=True,
        etag=True,
        problems=[
            "creation-closed",
            "too-many-matches",
            "unauthorized",
            "idempotency-key-reused",
            "unknown-match",
            "archived",
            "log-frozen",
        ],
    )
)
def open_match(body: dict[str, Any]) -> Response:
    """Open a match: return its host's token, and a code for each seat of a person.

    A host who does not play (`host_plays: false`) is an official and has the last word in disputes, if every player
    accepts that. With a player's token (`rfp_…`) the host is known by that account: a player who sits down with it is
    the same person.
    """
    if not current_app.config["OPEN_CREATION"] and not admission.is_operator():
        raise Problem("creation-closed")
    key, game = preconditions.require_idempotency_key(guarded=False), load_games()[body["game"]]
    service, secret = context.get_match_service(), context.get_secret()
    opening = service.identify(key)
    token = tokens.derive_token(secret, opening, "host", key)
    bearer = admission.identify_bearer(admission.bearer_token())
    person = admission.find_person(opening, admission.bearer_token(), token)
    device = tokens.name_device(bearer.token_hash) if bearer.account else ""
    if is_logged_out(service.log, opening, tokens.hash_token(token)):  # a repeated call makes no void token good again
        raise Problem("unauthorized")
    # Where nobody sits at a device of their own, the one device is nobody's: its holder speaks for the whole table.
    plays = body.get("host_plays", any(chair["kind"] == "human" for chair in body["seats"]))
    devices = parse_chance_sources(game, body["chance"])
    chairs = parse_seat_assignments(body["seats"], game)
    command = commands.OpenMatch(
        game.name,
        body.get("variant", game.variants[0]),
        body.get("settings", {}),
        devices,
        chairs,
        body["visibility"],
        body["spectator_delay"],
        parse_clocks(body.get("clocks"), devices, chairs) or NO_TIME_LIMITS,
        body.get("edition", ""),
        parse_courts(body.get("courts")) or DEFAULT_COURTS,
        require_readable_match(body.get("precedents_of", "")),
        body.get("readings", {}),
        body.get("ruleset", ""),
        "" if plays else person,
        body["hints"],
    )
    require_room_for_match(opening, bearer.account)
    done = service.open_match(command, key)
    match, log = done.match.id, service.log
    if (
        log.read(match, limit=0, grant=tokens.hash_token(token)).grant is None
    ):  # a grant that exists may have gained seats
        if device:
            note_match(log, bearer.account, device, match)
        log.put_grant(match, tokens.hash_token(token), tokens.Grant("host", (), person, device).encode())
    people = [seat for seat, chair in enumerate(done.match.chairs) if chair.kind == "human" and not chair.taken]
    invitations = [create_invitation(match, f"seat:{seat}", key) for seat in people]
    opened = {"match": match, "token": token, "version": done.entry, "invitations": invitations}
    opened["receipt"] = done.receipt
    headers = {"Location": f"{MATCHES_PATH}/{match}"} | NEW_SECRET | replay_header(done.replayed)
    return json_response(opened, 201, version=done.entry, headers=headers)


def require_readable_match(match: str) -> str:
    """Return the match if the caller may read its house rulings; "" if none is named.

    Raises Problem.
    """
    if match:
        bearer = admission.identify_bearer(admission.bearer_token())
        person = admission.find_account_person(match, bearer.account)
        caller, _ = admission.load_caller(context.get_match_service(), match, bearer, person)
        if not caller.is_admitted:
            raise Problem("unknown-match")
    return match


@blueprint.declare(
    Endpoint(
        "GET",
        MATCHES_PATH,
        "listMatches",
        ANYONE,
        query=shapes.LobbyQuery,
        response=(200, shapes.LobbySchema),
        problems=["projection-behind", "as-of-unknown"],
    )
)
def list_matches(query: dict[str, Any]) -> Response:
    """List public matches in the order of their ids."""
    consistency_token.wait_for_projection("lobby", query.get("at_least"))
    log, rows = context.get_match_service().log, []
    partitions = log.read_across_partitions("lobby", PROJECTION_VERSIONS["lobby"], "matches")
    after, limit = query.get("after", ""), query["limit"]
    for name, body in sorted(item for _, kept in partitions.values() for item in kept.items() if item[0] > after):
        row = orjson.loads(body)
        if row["visibility"] == "public" and fits_query(row, query):
            rows.append(lobby_row_to_dict(name, row))
            if len(rows) > limit:
                break
    page = rows[:limit]
    cursor = page[-1]["match"] if len(rows) > len(page) else None
    as_of = consistency_token.encode_consistency_token(tuple(partitions[part][0] for part in sorted(partitions)))
    return json_response({"items": page, "next_cursor": cursor, "as_of": as_of}, headers=next_link_header(cursor))


def lobby_row_to_dict(match: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the lobby, with the reason of its outcome in words."""
    outcome = row["outcome"]
    if outcome is not None:
        outcome = {**outcome, "reason": texts.render_text(load_games()[row["game"]], outcome["reason"])}
    return {**row, "match": match, "outcome": outcome}


def fits_query(row: dict[str, Any], query: dict[str, Any]) -> bool:
    """Return whether a row matches the query."""
    same = all(row[name] == query[name] for name in ("game", "status") if name in query)
    free = row["free_seats"]
    return same and (free if isinstance(free, int) else len(free)) >= query.get("free_seats", 0)


def witness_to_dict(waits: PendingWitness | None) -> dict[str, Any] | None:
    """Return the report that waits for a witness, and the seats asked, or None."""
    if waits is None:
        return None
    return {"report": waits.report, "asks": list(waits.asks), "until": format_time(waits.until_ms)}


def seeds_to_dict(match: Match) -> list[dict[str, Any]]:
    """Return what the seats add to the server's draws."""
    return [{"seat": seed.seat, "commitment": seed.commitment, "seed": seed.revealed or None} for seed in match.seeds]


def match_to_dict(match: Match, version: int, deadline: QuestionDeadline | None = None) -> dict[str, Any]:
    """Return a match as everybody who may see it sees it, with the present deadline."""
    return {
        "id": match.id,
        "game": match.game,
        "variant": match.variant,
        "edition": match.edition,
        "book": match.book or None,
        "ruleset": match.ruleset,
        "readings": match.rules.effective_interpretations(match.ruleset, match.readings, match.settings),
        "rules": f"/v1/games/{match.game}/rulebook",
        "status": match.public_status,
        "settings": dict(sorted(match.settings.items())),  # in one order: one ETag stands for one text
        "chance": dict(sorted(match.chance.items())),
        "clocks": clocks_to_dict(match.clocks),
        "courts": {**asdict(match.courts), "levels": list(match.courts.levels)},
        "disputes": [each.number for each in match.disputes if each.is_open],
        "takebacks": [each.number for each in match.takebacks if each.stage == "asked"],
        "witness": witness_to_dict(match.witnessing),
        "deviations": [each.number for each in match.deviations if each.stage == "asked"],
        "officials": [official_to_dict(match, each) for each in match.officials],
        "call": call_to_dict(match.offices.open_call),
        "ending": ending_to_dict(match, endings.find_open_ending(match)),
        "visibility": match.visibility,
        "spectator_delay": match.spectator_delay,
        "hints": match.hints,
        "commitment": match.commitment,
        "generation": match.generation,
        "commitments": [match.commitment, *match.renewals],
        "seeds": seeds_to_dict(match),
        "seats": [seat_to_dict(match, seat) for seat in range(len(match.chairs))],
        "awaits": views.awaited_response(match),
        "deadline": deadline_to_dict(deadline),
        "version": version,
        "outcome": views.outcome_response(match),
        "uncounted": texts.unrated_reasons_response(match.rules, list_uncounted_causes(match)),
        **({"tournament": match.tournament} if match.tournament else {}),
    }


@blueprint.declare(Endpoint("GET", MATCH_PATH, "getMatch", MATCH_VIEWER, response=(200, shapes.MatchSchema), etag=True))
def get_match(match: str) -> Response:
    """Return a match: who plays what, and whom the table waits for.

    Onlookers see it with the same delay as everything else.

    `frozen`: its log was found damaged when the server started. What can be read is read as before, and exported as a
    bundle. Whatever would add an entry is refused (`log-frozen`) until the operator has dealt with it.

    `moved`: it goes on at another server, with the same tokens. `new_home` gives the address if the host gave it. What
    was played here is read as before, and nothing is written to it (`match-moved`).

    `asleep`: nobody touched it for days. It is read as before, and the next write wakes it.
    """
    caller: Caller = g.caller
    table, version, deadline = caller.table, caller.version, caller.deadline
    assert table is not None
    assert table.id == match  # as admission has just read it
    if table.spectator_delay and caller.is_onlooker:
        late = views.load_visible_version(context.get_match_service(), context.get_loaded_match(match), BYSTANDER, None)
        table, version, deadline = late.match, late.version, clock.find_deadline(late)
    body, frozen = match_to_dict(table, version, deadline), g.loaded.head.status == "frozen"
    if table.gone is not None and table.gone.new_home:
        body["new_home"] = table.gone.new_home
    if frozen:  # it has no version of its own, so no answer may be 304
        body |= {"status": "frozen", "awaits": [], "deadline": None}
    if asleep := g.loaded.head.asleep:  # nor has this
        body["asleep"] = True
    return json_response(body, version=version, ticking=frozen or asleep or deadline is not None)


def receipt_headers(done: CommandResult) -> dict[str, str]:
    """Return the receipt as the header of an answer that has no body."""
    note = base64.b64encode(done.receipt.encode()).decode()
    return {"Receipt": f":{note}:", "ETag": format_etag(done.version), **replay_header(done.replayed)}


def match_changed_response(done: CommandResult, status: int = 200) -> Response:
    """Return a response with the match after a write, and the receipt."""
    body = {**match_to_dict(done.match, done.version), "receipt": done.receipt}
    return json_response(body, status, version=done.version, headers=replay_header(done.replayed))


def execute_table_command(match: str, command: Move, scope: str, strict: int | None, key: str = "") -> CommandResult:
    """Execute a table command under the request's idempotency key."""
    return context.get_match_service().execute_command(
        match, command, key=key or preconditions.require_idempotency_key(), scope=scope, strict=strict
    )


@blueprint.declare(
    Endpoint(
        "PATCH",
        MATCH_PATH,
        "changeMatch",
        HOST,
        body=shapes.MatchChangeBody,
        response=(200, shapes.ChangedMatchSchema),
        key=True,
        etag=True,
        precondition="required",
        problems=["already-started", "seat-taken", "stale-version", "idempotency-key-reused"],
    )
)
def change_match(body: dict[str, Any], match: str) -> Response:
    """Change settings, seats, devices or visibility before the start."""
    table, seats, devices, clocks = g.caller.table, body.get("seats"), body.get("chance"), body.get("clocks")
    chance = None if devices is None else parse_chance_sources(table.rules, devices)
    chairs = None if seats is None else parse_seat_assignments(seats, table.rules)
    command = commands.ChangeSettings(
        body.get("settings"),
        chance,
        chairs,
        body.get("visibility"),
        None if clocks is None else parse_clocks(clocks, chance or table.chance, chairs or table.chairs),
        parse_courts(body.get("courts")),
        body.get("readings", {}),
        {None: "", True: ALLOWED, False: FORBIDDEN}[body.get("hints")],
    )
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(True)
    return match_changed_response(execute_table_command(match, command, "host", strict, key))


@blueprint.declare(
    Endpoint(
        "DELETE",
        MATCH_PATH,
        "withdrawMatch",
        HOST,
        response=(204, None),
        precondition="required",
        receipt=True,
        problems=["already-started", "match-over", "stale-version"],
    )
)
def withdraw_match(match: str) -> Response:
    """Withdraw a match before its start. Its log is kept, like every log."""
    strict = preconditions.parse_if_match(True)
    done = execute_table_command(match, EndMatch("withdrawn"), "host", strict, f"withdrawn-{strict or 'any'}")
    return Response(status=204, headers=receipt_headers(done))


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/start",
        "startMatch",
        HOST,
        response=(201, shapes.WriteResultSchema),
        key=True,
        etag=True,
        precondition="required",
        problems=["already-started", "seats-open", "seeds-hidden", "stale-version", "idempotency-key-reused"],
    )
)
def start_match(match: str) -> Response:
    """Start a match."""
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(True)
    return entry_written_response(execute_table_command(match, commands.StartMatch(), "host", strict, key), BYSTANDER)


def entry_written_response(
    done: CommandResult,
    viewer: int,
    more: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response to a write: its entry, and those that followed.

    The entries are rendered for the viewer. `more` are further members of the body.
    """
    body = {**write_result_to_dict(context.get_match_service(), done, viewer), **(more or {})}
    return json_response(
        body, 201, headers={**write_result_headers(done, viewer, choose_language()), **(headers or {})}
    )


def write_result_to_dict(service: MatchService, done: CommandResult, viewer: int, says: bool = True) -> dict[str, Any]:
    """Return the result of a write as data, its entries rendered for the viewer.

    `says`: with what is said of each and the numbers that it changed.
    """
    match, before, found, repository = done.match, done.before, list(done.entries), service.repository
    if not found or (says and before is None):
        after, count = done.entry - 1, done.version - done.entry + 1
        before, found = repository.load_visible_entries(match.id, viewer, after, done.version, count)
    if says and before is not None:
        last = match if found[-1].version == done.version else None
        told, _ = visible_entries.tell_entries(repository, match.rules, before, found, viewer, steps=False, last=last)
    else:
        told = [texts.entry_response(match.rules, logged, viewer, steps=False) for logged in found]
    own, *followed = map(format_entry_time, told)
    return {
        "version": done.version,
        "entry": own,
        "followed": followed,
        "awaits": views.awaited_response(match),
        "status": match.public_status,
        "receipt": done.receipt,
    }


def write_result_headers(done: CommandResult, viewer: int, lang: Language | None) -> dict[str, str]:
    """Return the headers of the answer to a write for a viewer, in a language."""
    return {
        "Location": f"/v1/matches/{done.match.id}/entries/{done.entry}{viewer_query(viewer)}",
        "ETag": format_etag(done.version, lang),
        **replay_header(done.replayed),
    }
