"""Routes for a rematch: open the same match again, and sit down in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import RESERVED_SEAT, SEAT_OR_HOST
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response, replay_header
from api.resources.matches.routes import MATCH_PATH, execute_table_command
from api.resources.officials.rendering import official_to_dict
from api.resources.rematches import schemas as shapes
from api.resources.rematches.reservations import KEPT_MS, RESERVED, Successor, find_reservation, find_reserved_seats
from api.resources.seats.routes import link_seat_to_player
from referee.match.aggregate import FINAL_STATUSES, Match, SeatAssignment
from referee.match.errors import UnknownMatch
from referee.match.events.dispute_state import NEWEST_EDITION
from referee.match.loaded import LoadedMatch
from referee.match.table import commands, officials
from referee.service.rights import tokens
from referee.service.rights.device_tokens import derive_rematch_key

blueprint = EndpointBlueprint("rematches", tag="matches")


def build_opening(old: Match, host: str) -> commands.OpenMatch:
    """Return the command that opens a match like an old one.

    Bots play again; where one stood in for a person, the seat is the person's. `host` is who an official host is.
    """
    chairs = tuple(
        SeatAssignment("human") if seat in old.stand_ins else SeatAssignment(chair.kind, chair.level, style=chair.style)
        for seat, chair in enumerate(old.chairs)
    )
    return commands.OpenMatch(
        old.game,
        old.variant,
        old.settings,
        old.chance,
        chairs,
        old.visibility,
        old.spectator_delay,
        old.clocks,
        old.edition,
        replace(old.courts, edition=NEWEST_EDITION),
        old.id if old.precedents else "",
        old.readings,
        old.ruleset,
        "" if officials.is_played_by_host(old) else host,
        old.hints,
    )


def load_match_if_any(match: str) -> LoadedMatch | None:
    """Return a match, or None if there is none."""
    try:
        return context.get_match_service().load_match(match)
    except UnknownMatch:
        return None


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/rematch",
        "openRematch",
        SEAT_OR_HOST,
        response=(201, shapes.RematchSchema),
        key=True,
        location=True,
        writes_outside_log=True,
        problems=["not-over", "invalid-input"],
    )
)
def open_rematch(match: str) -> Response:
    """Open the same match again: same game, settings, bots, house rulings and people.

    Any seat or the host may do so once the match is over. However many ask, there is one rematch: later calls get the
    same one. The tokens and accounts of the old match are good in it, and each seat is kept for its holder, who sits
    down with `PUT …/seats/{seat}/player`. The host of the old match and the seat that asked first are its hosts.
    """
    preconditions.require_idempotency_key()
    service, secret, old = context.get_match_service(), context.get_secret(), g.caller.table
    if old.status not in FINAL_STATUSES:
        raise Problem("not-over")
    key = derive_rematch_key(secret, match)
    new = service.identify(key)
    own = [name for name, record in service.log.read_grants(match).items() if holds_seat(record, g.caller.seats)]
    _, first = service.log.remember_answer("rematch", match, b"", orjson.dumps(own), KEPT_MS)
    people = Successor(service.log, secret, old, new, tuple(orjson.loads(first)))
    found = load_match_if_any(new)
    replayed = found is not None
    if found is None:
        service.open_match(build_opening(old, people.find_host_person()), key)
        found = service.load_match(new)
    if service.log.find_answer("rematch-kept", new) is None and found.match.status == "lobby":
        people.keep_seats(found.match)
        service.log.remember_answer("rematch-kept", new, b"", b"", KEPT_MS)
    grants = [tokens.Grant.decode(record) for name, record in service.log.read_grants(new).items() if name in own]
    body = {
        "match": new,
        "version": found.version,
        "role": "host" if any(grant.role == "host" for grant in grants) or g.caller.is_host else "seat",
        "seats": sorted({seat for grant in grants for seat in grant.seats}),
        "kept": sorted(find_reserved_seats(service.log, found.match)),
        "receipt": service.build_fresh_response(found, found).receipt,
    }
    return json_response(body, 201, headers={"Location": f"/v1/matches/{new}"} | replay_header(replayed))


def holds_seat(record: bytes, seats: tuple[int, ...]) -> bool:
    """Return whether a grant holds one of these seats."""
    return bool(set(tokens.Grant.decode(record).seats) & set(seats))


@blueprint.declare(
    Endpoint(
        "PUT",
        f"{MATCH_PATH}/seats/<seat:seat>/player",
        "takeSeat",
        RESERVED_SEAT,
        body=shapes.SitDownBody,
        response=(200, shapes.SeatedSchema),
        key=True,
        problems=[
            *("seat-taken", "already-started", "seeds-revealed", "official-plays", "official-already"),
            *("official-saw-cards", "match-over", "idempotency-key-reused"),
        ],
        tag="seats",
    )
)
def sit_down(body: dict[str, Any], match: str, seat: int) -> Response:
    """Sit down at a seat that is kept for the caller, with the old token or account.

    Who sits there already gets the same answer again, whatever the key, and the log gets no second entry.
    """
    preconditions.require_idempotency_key()
    caller, log = g.caller, context.get_match_service().log
    kept, person = find_reservation(log, match, seat), caller.grant.person
    offices = tuple(each.number for each in caller.table.officials if each.person == person)
    # one key for all tries: a seat that was left is kept no more, so nobody sits down by this twice
    command = commands.TakeSeat(seat, body.get("seed_commitment", ""), offices)
    done = execute_table_command(match, command, f"sit{seat}", None, person)
    name = body.get("name")
    if name is None and kept is not None:
        name = log.read_seat_names(kept.match).get(str(seat))
    player = caller.account or (kept.player if kept is not None else "")
    if player:
        link_seat_to_player(player, match, seat, done.entry, name)
        log.drop_account_item(player, RESERVED, match)
    else:
        log.put_seat_names(match, {str(seat): name})
    seated = {
        "match": match,
        "seats": sorted({*caller.seats, seat}),
        "version": done.version,
        "officials": [official_to_dict(done.match, each) for each in done.match.officials],
        "receipt": done.receipt,
    }
    return json_response(seated, headers=replay_header(done.replayed))
