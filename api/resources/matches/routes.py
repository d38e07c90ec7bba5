"""Matches: opened, listed, shown, changed, started, ended. What it all means the desk decides."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import orjson
from flask import Response, current_app, g, request

from api.http import consistency_token, endpoint
from api.http.access import tokens
from api.http.access.authorization import ANYONE, ENDER, HOST, SEE, Caller
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer, counted, etag, moment, timed
from api.resources.invitations.routes import invited
from api.resources.matches import schemas as shapes
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.seats import BYSTANDER
from referee.games import games
from referee.match import clocks as clock
from referee.match.aggregate import UNLIMITED, Chair, Clocks, Match
from referee.match.clocks import Deadline
from referee.match.events.dispute_state import AS_USUAL, Courts, Witnessing
from referee.match.table import bot_substitution, commands
from referee.match.unilateral import decided_alone
from referee.queries import views
from referee.ratings.projection_versions import BUILDS
from referee.rendering import texts
from referee.service.match_service import Done

ALL = "/v1/matches"
MATCH = f"{ALL}/<match:match>"
room = Room("matches", "One playing of a game each: from the lobby to the end.")


def chairs(given: list[dict[str, Any]]) -> tuple[Chair, ...]:
    """Chairs as the desk knows them."""
    return tuple(Chair(chair["kind"], chair["level"] if chair["kind"] == "bot" else 0) for chair in given)


def clocks(given: dict[str, Any] | None) -> Clocks | None:
    """Limits of time as the desk knows them; None if nothing is said of them."""
    return None if given is None else Clocks(given.get("move_ms"), given.get("window_ms"), given["quick_close"])


def courts(given: dict[str, Any] | None) -> Courts | None:
    """How quarrels are settled, as the desk knows it; None if nothing is said of it."""
    return None if given is None else Courts(**{**given, "levels": tuple(given["levels"])})


def chance(game: Game, given: Any) -> dict[str, str]:
    """Who holds each device: one word stands for all of them."""
    return dict.fromkeys(game.devices, given) if isinstance(given, str) else dict(given)


@room.call(
    "POST", ALL, "openMatch", ANYONE, body=shapes.MatchBody, gives=(201, shapes.OpenedSchema), key=True, etag=True,
    problems=["creation-closed", "idempotency-key-reused", "unknown-match", "archived", "log-frozen"],
)  # fmt: skip
def open_match(body: dict[str, Any]) -> Response:
    """Opens a table and gives its host a token, and a code for every seat kept for people.

    The key protects the answer, so it has to be unguessable: 22 characters or more.
    """
    if not current_app.config["OPEN_CREATION"] and not operator():
        raise Problem("creation-closed")
    key, game = endpoint.key(guarded=False), games()[body["game"]]
    ask = commands.Open(
        game.name,
        body.get("variant", game.variants[0]),
        body.get("settings", {}),
        chance(game, body["chance"]),
        chairs(body["seats"]),
        body["visibility"],
        body["spectator_delay"],
        clocks(body.get("clocks")) or UNLIMITED,
        body.get("edition", ""),
        courts(body.get("courts")) or AS_USUAL,
        readable(body.get("precedents_of", "")),
        body.get("readings", {}),
        body.get("ruleset", ""),
    )
    done = endpoint.desk().open(ask, key)
    match, log, secret = done.match.id, endpoint.desk().log, endpoint.secret()
    token = tokens.token(secret, match, "host", key)
    if log.read(match, limit=0, grant=tokens.hashed(token)).grant is None:  # once given, it may have gained seats
        log.grant(match, tokens.hashed(token), tokens.Grant("host").packed())
    people = [seat for seat, chair in enumerate(done.match.chairs) if chair.kind == "human" and not chair.taken]
    invitations = [invited(match, f"seat:{seat}", key, uses=1, minutes=15) for seat in people]
    opened = {"match": match, "token": token, "version": done.entry, "invitations": invitations}
    opened["receipt"] = done.receipt
    headers = {"Location": f"{ALL}/{match}"} | replayed(done)
    return answer(opened, 201, version=done.entry, headers=headers)


def readable(match: str) -> str:
    """A match whose house rulings the caller may read; empty if he names none. Raises Problem."""
    if match:
        token = endpoint.presented()
        found = endpoint.desk().load(match, grant=tokens.hashed(token) if token else "")
        if found.match.visibility != "public" and found.reading.grant is None:
            raise Problem("unknown-match")
    return match


def operator() -> bool:
    """Whether the request shows the operator's token."""
    token = endpoint.presented()
    return token is not None and bool(current_app.config["IS_OPERATOR"](token))


def replayed(done: Done) -> dict[str, str]:
    """The header that tells a repeated answer from a first one."""
    return {"Idempotency-Replayed": "true"} if done.replayed else {}


@room.call(
    "GET", ALL, "listMatches", ANYONE, query=shapes.LobbyQuery, gives=(200, shapes.LobbySchema),
    problems=["projection-behind", "as-of-unknown"],
)  # fmt: skip
def list_matches(query: dict[str, Any]) -> Response:
    """Public matches, in the order of their ids."""
    consistency_token.waited("lobby", query.get("at_least"))
    told, rows = endpoint.desk().log.across("lobby", BUILDS["lobby"], "matches"), []
    for _, kept in told.values():
        for name, body in kept.items():
            row = orjson.loads(body)
            if row["visibility"] == "public" and fits(row, query) and name > query.get("after", ""):
                rows.append({**row, "match": name})
    rows.sort(key=lambda row: row["match"])
    page = rows[: query["limit"]]
    cursor = page[-1]["match"] if len(rows) > len(page) else None
    as_of = consistency_token.written(tuple(told[part][0] for part in sorted(told)))
    return answer({"items": page, "next_cursor": cursor, "as_of": as_of}, headers=following(cursor))


def fits(row: dict[str, Any], query: dict[str, Any]) -> bool:
    """Whether a row is one of those asked for."""
    same = all(row[name] == query[name] for name in ("game", "status") if name in query)
    free = row["free_seats"]
    return same and (free if isinstance(free, int) else len(free)) >= query.get("free_seats", 0)


def following(cursor: int | str | None) -> dict[str, str]:
    """The header that leads to the next page."""
    if cursor is None:
        return {}
    query = {**request.args.to_dict(), "after": str(cursor)}
    rest = "&".join(f"{name}={value}" for name, value in query.items())
    return {"Link": f'<{request.path}?{rest}>; rel="next"'}


def seated(match: Match, seat: int) -> dict[str, Any]:
    """A seat as everybody who may see the match sees it."""
    chair, asked = match.chairs[seat], bot_substitution.asked_about(match, seat)
    proposal = asked and {
        "bot": asked.level is not None,
        "level": asked.level,
        "granted": list(asked.by),
        "asks": sorted(bot_substitution.voices(match, seat) - set(asked.by)),
    }
    return {
        "seat": seat,
        "kind": chair.kind,
        "level": chair.level,
        "taken": chair.taken,
        "proxy": chair.proxy,
        "stands_in": seat in match.stand_ins,
        "proposal": proposal,
    }


def witness(waits: Witnessing | None) -> dict[str, Any] | None:
    """The report that waits to be confirmed, and by whom; None if there is none."""
    if waits is None:
        return None
    return {"report": waits.report, "asks": list(waits.asks), "until": moment(waits.until_ms)}


def seeds_of(match: Match) -> list[dict[str, Any]]:
    """What the seats add to the server's draws."""
    return [{"seat": seed.seat, "commitment": seed.commitment, "seed": seed.revealed or None} for seed in match.seeds]


def described(match: Match, version: int, deadline: Deadline | None = None) -> dict[str, Any]:
    """A match as everybody who may see it sees it, with the deadline of what is asked."""
    return {
        "id": match.id,
        "game": match.game,
        "variant": match.variant,
        "edition": match.edition,
        "book": match.book or None,
        "ruleset": match.ruleset,
        "readings": match.rules.held(match.ruleset, match.readings, match.settings),
        "rules": f"/v1/games/{match.game}/rulebook",
        "status": match.condition,
        "settings": dict(sorted(match.settings.items())),  # in one order, for the ETag is one
        "chance": dict(sorted(match.chance.items())),
        "clocks": asdict(match.clocks),
        "courts": {**asdict(match.courts), "levels": list(match.courts.levels)},
        "disputes": [each.number for each in match.disputes if each.open],
        "takebacks": [each.number for each in match.takebacks if each.stage == "asked"],
        "witness": witness(match.witnessing),
        "deviations": [each.number for each in match.deviations if each.stage == "asked"],
        "visibility": match.visibility,
        "spectator_delay": match.spectator_delay,
        "commitment": match.commitment,
        "generation": match.generation,
        "commitments": [match.commitment, *match.renewals],
        "seeds": seeds_of(match),
        "seats": [seated(match, seat) for seat in range(len(match.chairs))],
        "awaits": views.awaits(match),
        "deadline": counted(deadline),
        "version": version,
        "outcome": views.outcome(match),
        "uncounted": texts.uncounted(match.rules, [(each.number, each.reason) for each in decided_alone(match)]),
    }


@room.call("GET", MATCH, "getMatch", SEE, gives=(200, shapes.MatchSchema), etag=True)
def get_match(match: str) -> Response:
    """A match: who plays what, and whom the table waits for. Onlookers see it as late as they see everything.

    `frozen`: its log was found damaged when the server started. What can be read of it is read as before, and taken
    along as a bundle; whatever would add an entry is refused (`log-frozen`), until the operator has seen to it.

    `moved`: it goes on at another server, with the same tokens; at which address, `new_home` says if the host told it.
    What was played here is read as before, and nothing is written to it (`match-moved`).
    """
    caller: Caller = g.caller
    table, version, deadline = caller.table, caller.version, caller.deadline
    assert table is not None
    assert table.id == match  # as the door has just read it
    if table.spectator_delay and caller.onlooker:
        late = views.latest(endpoint.desk(), endpoint.loaded(match), BYSTANDER, None)
        table, version, deadline = late.match, late.version, clock.deadline(late)
    told, frozen = described(table, version, deadline), g.loaded.head.status == "frozen"
    if table.gone is not None and table.gone.new_home:
        told["new_home"] = table.gone.new_home
    if frozen:  # of no version of its own: nobody is to hear that he knows it already
        told |= {"status": "frozen", "awaits": [], "deadline": None}
    return answer(told, version=version, ticking=frozen or deadline is not None)


def receipted(done: Done) -> dict[str, str]:
    """The receipt as a header, for an answer that has no body: a byte sequence of RFC 9651."""
    note = base64.b64encode(done.receipt.encode()).decode()
    return {"Receipt": f":{note}:", "ETag": etag(done.version), **replayed(done)}


def changed(done: Done, status: int = 200) -> Response:
    """The match after a write, and the receipt."""
    body = {**described(done.match, done.version), "receipt": done.receipt}
    return answer(body, status, version=done.version, headers=replayed(done))


def done_business(match: str, ask: Move, scope: str, strict: int | None, key: str = "") -> Done:
    """Table business under the request's key."""
    return endpoint.desk().business(match, ask, key=key or endpoint.key(), scope=scope, strict=strict)


@room.call(
    "PATCH", MATCH, "changeMatch", HOST, body=shapes.ChangeBody, gives=(200, shapes.ChangedSchema), key=True,
    etag=True, precondition="required",
    problems=["already-started", "seat-taken", "stale-version", "idempotency-key-reused"],
)  # fmt: skip
def change_match(body: dict[str, Any], match: str) -> Response:
    """Changes settings, seats, devices or visibility before the start."""
    game = g.caller.table.rules
    seats, devices = body.get("seats"), body.get("chance")
    ask = commands.Change(
        body.get("settings"),
        None if devices is None else chance(game, devices),
        None if seats is None else chairs(seats),
        body.get("visibility"),
        clocks(body.get("clocks")),
        courts(body.get("courts")),
        body.get("readings", {}),
    )
    key, strict = endpoint.key(), endpoint.precondition(True)
    return changed(done_business(match, ask, "host", strict, key))


@room.call(
    "DELETE", MATCH, "withdrawMatch", HOST, gives=(204, None), precondition="required", receipt=True,
    problems=["already-started", "match-over", "stale-version"],
)  # fmt: skip
def withdraw_match(match: str) -> Response:
    """Withdraws a match before its start. Its log stays, as every log does."""
    strict = endpoint.precondition(True)
    done = done_business(match, commands.End("withdrawn"), "host", strict, f"withdrawn-{strict or 'any'}")
    return Response(status=204, headers=receipted(done))


@room.call(
    "POST", f"{MATCH}/start", "startMatch", HOST, gives=(201, shapes.WrittenSchema), key=True, etag=True,
    precondition="required",
    problems=["already-started", "seats-open", "seeds-hidden", "stale-version", "idempotency-key-reused"],
)  # fmt: skip
def start_match(match: str) -> Response:
    """Begins to play."""
    key, strict = endpoint.key(), endpoint.precondition(True)
    return written(done_business(match, commands.Start(), "host", strict, key), BYSTANDER, f"{ALL}/{match}")


@room.call(
    "POST", f"{MATCH}/end", "endMatch", ENDER, body=shapes.EndBody, gives=(201, shapes.WrittenSchema), key=True,
    etag=True, precondition="required",
    problems=["not-running", "match-over", "placement-incomplete", "stale-version", "idempotency-key-reused"],
)  # fmt: skip
def end_match(body: dict[str, Any], match: str) -> Response:
    """Ends a match by the word of the table."""
    key, strict = endpoint.key(), endpoint.precondition(True)
    ask = commands.End(body["reason"], tuple(map(tuple, body.get("placement", ()))))
    return written(done_business(match, ask, g.caller.grant.role, strict, key), BYSTANDER, f"{ALL}/{match}")


def written(
    done: Done, eyes: int, where: str, more: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """What a write became, as these eyes see it: its entry, and those that followed by themselves; and what `more` is
    to be told, with further headers."""
    match = done.match
    found = done.entries or endpoint.desk().entries(match.id, done.entry - 1, done.version)
    own, *followed = (timed(texts.entry(match.rules, logged, eyes)) for logged in found)
    body = {
        "version": done.version,
        "entry": own,
        "followed": followed,
        "awaits": views.awaits(match),
        "status": match.condition,
        "receipt": done.receipt,
        **(more or {}),
    }
    told = {"Location": f"{where}/events/{done.entry}", "ETag": etag(done.version), **replayed(done), **(headers or {})}
    return answer(body, 201, headers=told)
