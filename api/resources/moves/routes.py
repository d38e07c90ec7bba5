"""Moves: what a seat may do, a move tried out, a move made, and what real dice and cards have shown."""

from __future__ import annotations

from typing import Any

from flask import Response, g, request

from api.http import endpoint, prefer
from api.http.access.authorization import LOOKER, MOVER, SEAT, Caller
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer, counted, known, unchanged, when
from api.resources.entries.routes import viewed
from api.resources.matches.routes import MATCH, written
from api.resources.moves import schemas as shapes
from api.resources.moves.schemas import NEAR
from api.resources.moves.situation_schemas import MovedSchema, SituationQuery, SituationSchema
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import Match
from referee.match.clocks import deadline
from referee.match.rulebook import TABLE
from referee.queries import dispute_actions, views
from referee.queries.views import Listing
from referee.rendering import texts
from referee.service.match_service import Loaded

MOVES = f"{MATCH}/seats/<mover:seat>/moves"
room = Room("moves", "What may be done now, and doing it.")


def seated(seat: int | str) -> Seat:
    """A seat of an address as the kernel knows it."""
    return CHANCE if seat == "chance" else Seat(int(seat))


@room.call(
    "GET", MOVES, "listMoves", LOOKER, query=shapes.ListingQuery, gives=(200, shapes.ListingSchema), etag=True,
    problems=["unknown-version"],
)  # fmt: skip
def list_moves(query: dict[str, Any], match: str, seat: int | str) -> Response:
    """The legal moves of a seat, and near misses with the clauses against them, from the seat's own view alone."""
    found = views.listing(
        endpoint.desk(),
        endpoint.loaded(match),
        seated(seat),
        query["near"],
        query.get("version"),
        query.get("type", ""),
    )
    return answer(offered(found, seated(seat)), version=found.version, ticking=found.deadline is not None)


def offered(found: Listing, seat: int) -> dict[str, Any]:
    """What a seat may do, as it is told, and what the table asks of it besides moves."""
    game, due = found.match.rules, counted(found.deadline)
    return {
        "version": found.version,
        "awaited": found.awaited,
        "question": found.question,
        "window": None if found.window is None else {**found.window, "deadline": due},
        "deadline": due,
        "cut": found.cut,
        "legal": [{"move": encode(move), "told": texts.told(game, move)} for move in found.legal],
        "patterns": list(found.patterns),
        "near": [
            {"move": encode(move), "told": texts.told(game, move), "ruling": texts.ruling(game, against)}
            for move, against in found.near
        ],
        "halted": dispute_actions.halt(found.match),
        "asked": [
            {
                "asks": TABLE.texts(each.what, about=each.about),
                "about": each.about,
                "path": f"/v1/matches/{found.match.id}/{each.path}",
                "until": when(each.until_ms),
            }
            for each in dispute_actions.asked(found.match, seat)
        ],
    }


def situation(loaded: Loaded, seat: int, near: int = NEAR) -> dict[str, Any]:
    """The view of a seat and what it may do, at the version of a match that was just loaded: what
    `GET …/view?version=` and `GET …/moves?version=` give."""
    offers = views.listing(endpoint.desk(), loaded, Seat(seat), near, loaded.version)
    return {"version": loaded.version, "view": viewed(loaded, seat), "moves": offered(offers, seat)}


@room.call(
    "GET", f"{MATCH}/seats/<seat:seat>/situation", "getSituation", SEAT, query=SituationQuery,
    gives=(200, SituationSchema), etag=True, headers=("Prefer",),
)  # fmt: skip
def get_situation(query: dict[str, Any], match: str, seat: int) -> Response:
    """Where a seat stands: its view and its legal moves at one version, as `GET …/view` and `GET …/moves` give them.

    Who names that version in `If-None-Match` and prefers `wait=20` is answered when there is another, or in 20 s.
    """
    applied, loaded = {}, endpoint.loaded(match)
    if known(loaded.version):
        applied = prefer.waited(match, seat, loaded.version, None)
        loaded = endpoint.desk().load(match) if applied else loaded
    ticking = deadline(loaded) is not None
    if known(loaded.version) and not ticking:
        return unchanged(loaded.version, applied)
    return answer(situation(loaded, seat, query["near"]), version=loaded.version, headers=applied, ticking=ticking)


@room.call(
    "POST", MOVES, "makeMove", MOVER, body=shapes.MoveBody, query=shapes.MoveQuery, gives=(201, MovedSchema),
    also=[(200, shapes.TriedSchema, "application/json")], key=True, etag=True, precondition="of_play",
    headers=("PreferWhole",),
    problems=[
        "illegal-move", "overtaken", "window-closed", "in-dispute", "witness-awaited", "match-over", "not-running",
        "stale-version", "idempotency-key-reused", "log-frozen", "archived",
    ],
)  # fmt: skip
def make_move(query: dict[str, Any], body: dict[str, Any], match: str, seat: int | str) -> Response:
    """Makes a move, or with `dry_run` only rules on it. For `chance`: reports what real dice or cards have shown.

    A refusal by the rules is 409 `illegal-move`: it names the clauses and the way out, and uses up no key. `If-Match`
    and `seen` ask whether play has gone on, not whether the log has: entries beside the play (a request to go back, a
    dispute, testimony, a vote, a question about a bot, a seat that changes hands) make no move stale. With
    `Prefer: return=representation` the answer also tells where the mover stands then, as `GET …/situation` would.
    """
    move, caller, window = body["move"], g.caller, body.get("window", "")
    answering(caller.table, move)
    if query.get("dry_run"):
        if seat != "chance" and not caller.eyes_of(int(seat)):  # a dry run tells what is in the hand
            raise Problem("not-your-seat", params={"seat": seat})
        if "Idempotency-Key" in request.headers:
            endpoint.key()  # it needs none; but what is sent has its form
        endpoint.desk().insisted(endpoint.loaded(match), endpoint.precondition(False))
        return tried(match, seated(seat), move, window)
    key, strict = endpoint.key(), endpoint.precondition(False)
    actor = "reporter" if seat == "chance" else caller.actor(int(seat)) or "proxy"
    mine = f"report{min(caller.seats)}" if caller.seats else "report-host"
    scope = {"reporter": mine, "player": f"seat{seat}"}.get(actor, f"proxy{seat}")
    if actor == "reporter":
        actor = f"reporter:{min(caller.seats) if caller.seats else 'host'}"
    done = endpoint.desk().move(
        match, seated(seat), move, key=key, scope=scope, actor=actor, seen=body.get("seen"), strict=strict,
        loaded=endpoint.loaded(match), window=window, own=caller.seats,
    )  # fmt: skip
    eyes = int(seat) if seat != "chance" and caller.eyes_of(int(seat)) else own_eyes(caller)
    if eyes < 0 or not prefer.whole():
        return written(done, eyes, where(match, eyes))
    stands = {"situation": situation(endpoint.desk().left(done), eyes)}
    return written(done, eyes, where(match, eyes), stands, {prefer.APPLIED: "return=representation"})


def answering(table: Match, move: Move) -> None:
    """Refuses a move of another game before any step has to look at it (KERNEL-MOVE-1)."""
    if type(move) not in table.rules.moves:
        raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)


def own_eyes(caller: Caller) -> int:
    """The eyes of somebody who moves for another seat: those of his own first seat, else the onlookers'."""
    return min(caller.seats) if caller.seats else BYSTANDER


def where(match: str, eyes: int) -> str:
    """The address under which these eyes read the log."""
    return f"/v1/matches/{match}" + (f"/seats/{eyes}" if eyes >= 0 else "")


def tried(match: str, seat: Seat, move: Move, window: str) -> Response:
    """A dry run: the ruling, and what would follow as far as the seat can foresee it."""
    found = views.tried(endpoint.desk(), endpoint.loaded(match), seat, move, window)
    game = found.match.rules
    body = {
        **texts.ruling(game, found.ruling, found.ways),
        "version": found.version,
        "events": [{**encode(fact), "told": texts.told(game, fact)} for fact in found.facts],
    }
    return answer(body)
