"""Routes to list, try and make moves, and to report what real chance has shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response, g, request

from api.http import context, preconditions, prefer
from api.http.access.authorization import MOVE_VIEWER, MOVER, SEAT_VIEWER, Caller
from api.http.encoding.languages import Language, choose_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem, build_foreign_move_problem
from api.http.responses import (
    deadline_to_dict,
    etag_matches,
    format_etag,
    format_optional_time,
    json_response,
    not_modified_response,
)
from api.resources.boards.routes import board_view_to_dict
from api.resources.matches.routes import MATCH_PATH, write_result_headers, write_result_to_dict
from api.resources.moves import schemas as shapes
from api.resources.moves.schemas import DEFAULT_NEAR_MISSES
from api.resources.moves.situation_schemas import MoveResultSchema, SituationQuery, SituationSchema
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.match.aggregate import Match
from referee.match.clocks import find_deadline
from referee.match.house_readings import cite_deciding_readings
from referee.match.loaded import LoadedMatch
from referee.match.reported_moves import Report
from referee.match.table.signed_moves import MoveSignature
from referee.queries import dispute_actions, views
from referee.queries.boards import mark_people
from referee.queries.views import LegalMoves
from referee.rendering import pickers, texts
from referee.rendering.house_rulings import house_notes_response
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest

MOVES_PATH = f"{MATCH_PATH}/seats/<mover:seat>/moves"
blueprint = EndpointBlueprint("moves")


def parse_seat(seat: int | str) -> Seat:
    """Return the seat of an address; `chance` is a seat too."""
    return CHANCE if seat == "chance" else Seat(int(seat))


@blueprint.declare(
    Endpoint(
        "GET",
        MOVES_PATH,
        "listMoves",
        MOVE_VIEWER,
        query=shapes.MoveListingQuery,
        response=(200, shapes.MoveListingSchema),
        etag=True,
        problems=["unknown-version"],
    )
)
def list_moves(query: dict[str, Any], match: str, seat: int | str) -> Response:
    """List the legal moves of a seat, and near misses with the clauses against them.

    Both are computed from the seat's own view alone.
    """
    found = views.list_legal_moves(
        context.get_match_service(),
        context.get_loaded_match(match),
        parse_seat(seat),
        query["near"],
        query.get("version"),
        query.get("type", ""),
    )
    listing = listing_to_dict(found, parse_seat(seat), query["whole"])
    return json_response(listing, version=found.version, ticking=found.deadline is not None)


def listing_to_dict(found: LegalMoves, seat: int, whole: bool = False) -> dict[str, Any]:
    """Return the legal moves of a seat as data, with other requests to the seat.

    The latter ask it, for instance, to attest or to vote. `whole`: moves are listed even if they are many.
    """
    game, due = found.match.rules, deadline_to_dict(found.deadline)
    notes = house_notes_response(found.match)
    legal, picked = divide_moves(found, whole)
    return {
        "version": found.version,
        "awaited": found.awaited,
        "question": found.question,
        "window": None if found.window is None else {**found.window, "deadline": due},
        "deadline": due,
        "cut": found.is_truncated,
        "legal": texts.legal_moves_response(game, legal, found.match.state, seat),
        "pickers": picked,
        "groups": texts.move_groups_response(game, legal, picked),
        "near": [
            {
                "move": encode(move),
                "told": texts.describe_move(game, found.match.state, move),
                "ruling": texts.ruling_response(game, against, notes=notes),
            }
            for move, against in found.near_misses
        ],
        "halted": dispute_actions.render_halt_reason(found.match),
        "asked": [
            {
                "asks": each.render_question(),
                "about": each.about,
                "method": "POST",
                "path": f"/v1/matches/{found.match.id}/{each.path}",
                "until": format_optional_time(each.until_ms),
                "answers": [{"body": dict(answer.body), "says": answer.render_text()} for answer in each.answers],
            }
            for each in dispute_actions.list_pending_requests(found.match, seat, found.list_remedies)
        ],
    }


def divide_moves(found: LegalMoves, whole: bool) -> tuple[Sequence[Move], list[dict[str, Any]]]:
    """Return the moves to be listed, and the pickers for what is not."""
    if whole:
        return found.legal, [pickers.pattern_to_picker(pattern) for pattern in found.patterns]
    return pickers.condense_moves(found.match.rules, found.legal, found.patterns)


def build_situation(
    service: MatchService, loaded: LoadedMatch, seat: int, near: int = DEFAULT_NEAR_MISSES
) -> dict[str, Any]:
    """Return the board and the legal moves of a seat, at the version just loaded.

    They are what `GET …/board?version=` and `GET …/moves?version=` give.
    """
    offers = views.list_legal_moves(service, loaded, Seat(seat), near, loaded.version)
    return {
        "version": loaded.version,
        "root": service.find_root(loaded, loaded.version).hex(),
        "view": board_view_to_dict(loaded, seat),
        "moves": listing_to_dict(offers, seat),
    }


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/seats/<seat:seat>/situation",
        "getSituation",
        SEAT_VIEWER,
        query=SituationQuery,
        response=(200, SituationSchema),
        etag=True,
        headers=("Prefer",),
    )
)
def get_situation(query: dict[str, Any], match: str, seat: int) -> Response:
    """Return a seat's board and its legal moves at one version.

    They are what `GET …/board` and `GET …/moves` give. With that version in `If-None-Match` and `Prefer: wait=20` the
    answer comes as soon as there is another version, or after 20 s. The ETag also stands for who sits there and is
    connected: if that has changed, the answer comes at once.
    """
    applied, loaded = {}, context.get_loaded_match(match)
    mark = mark_people(loaded, seat)
    if etag_matches(loaded.version, mark):
        applied = prefer.wait_for_new_entry(match, seat, loaded.version, None)
        loaded = context.get_match_service().load_match(match) if applied else loaded
        mark = mark_people(loaded, seat)
    ticking = find_deadline(loaded) is not None
    if etag_matches(loaded.version, mark) and not ticking:
        return not_modified_response(loaded.version, applied, mark)
    return json_response(
        build_situation(context.get_match_service(), loaded, seat, query["near"]),
        version=loaded.version,
        headers=applied,
        ticking=ticking,
        mark=mark,
    )


@blueprint.declare(
    Endpoint(
        "POST",
        MOVES_PATH,
        "makeMove",
        MOVER,
        body=shapes.MoveBody,
        response=(201, MoveResultSchema),
        key=True,
        etag=True,
        precondition="of_play",
        headers=("PreferWhole",),
        problems=[
            "illegal-move",
            "report-refused",
            "overtaken",
            "window-closed",
            "in-dispute",
            "official-called",
            "witness-awaited",
            "match-over",
            "not-running",
            "stale-version",
            "seed-unbound",
            "seed-mismatch",
            "link-mismatch",
            "signature-misfit",
            "idempotency-key-reused",
            "log-frozen",
            "archived",
        ],
    )
)
def make_move(body: dict[str, Any], match: str, seat: int | str) -> Response:
    """Make a move.

    For `chance`: report what real dice or cards have shown. A refusal by the rules is 409 `illegal-move`: it names the
    clauses, the way out and who is asked now, and does not use up the key. `If-Match` and `seen` check whether play has
    gone on, not whether the log has. Entries about other things (a takeback request, a dispute, testimony, a vote, a
    question about a bot, a seat that changes hands) make no move stale. With `Prefer: return=representation` the answer
    includes the mover's situation after the move, as `GET …/situation` gives it; with `return=minimal` its entries lack
    `says` and `changes`.

    At a real table the move may carry what dice and cards showed after it (`reports`), if the caller may report that.
    All is judged in order and written as consecutive entries, or nothing is (409 `report-refused`).
    """
    move, caller, window = body["move"], g.caller, body.get("window", "")
    reports = tuple(body.get("reports", ()))
    if reports and not caller.may_report:
        raise Problem("players-only")
    require_game_move(caller.table, move)
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(False)
    service = context.get_match_service()
    link, signed = (body.get("link", ""), body.get("signed")) if seat != "chance" else ("", None)
    asked = build_move_request(caller, match, seat, move, key, body.get("seen"), strict, window, reports, link, signed)
    done = service.make_move(asked, loaded=context.get_loaded_match(match))
    viewer = int(seat) if seat != "chance" and caller.may_view_as_seat(int(seat)) else caller.own_viewer
    answer, headers = render_made_move(service, done, viewer, request.headers.get("Prefer", ""), choose_language())
    return json_response(answer, 201, headers=headers)


def build_move_request(
    caller: Caller,
    match: str,
    seat: int | str,
    move: Move,
    key: str,
    seen: int | None,
    strict: int | None,
    window: str,
    reports: tuple[Report, ...] = (),
    link: str = "",
    signed: MoveSignature | None = None,
) -> MoveRequest:
    """Return the request of a caller who may move for a seat or report chance."""
    actor = "reporter" if seat == "chance" else caller.find_actor_role(int(seat)) or "proxy"
    mine = f"report{min(caller.seats)}" if caller.seats else "report-host"
    scope = {"reporter": mine, "player": f"seat{seat}"}.get(actor, f"proxy{seat}")
    by = str(min(caller.seats)) if caller.seats else "host"
    if actor == "reporter":
        actor = f"reporter:{by}"
    return MoveRequest(
        match,
        parse_seat(seat),
        move,
        key=key,
        scope=scope,
        actor=actor,
        seen=seen,
        strict=strict,
        window=window,
        own=caller.seats,
        reports=reports,
        reporter=by,
        link=link,
        signed=signed,
    )


def render_made_move(
    service: MatchService, done: CommandResult, viewer: int, preferred: str, lang: Language | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return body and headers of the answer to a move.

    The viewer's situation comes along if `preferred`, the header Prefer, asks for it and the viewer has a seat.
    """
    situation = None
    headers = write_result_headers(done, viewer, lang)
    if viewer >= 0 and prefer.asks_for_representation(preferred):
        after = service.state_after(done)
        situation = build_situation(service, after, viewer)  # first, so that the numbers of its board are at hand
        headers["ETag"] = format_etag(done.version, lang, mark=mark_people(after, viewer))
        headers[prefer.APPLIED_HEADER] = "return=representation"
    body = write_result_to_dict(service, done, viewer, says=not prefer.asks_for_minimum(preferred))
    return body if situation is None else {**body, "situation": situation}, headers


def require_game_move(table: Match, move: Move) -> None:
    """Refuse a move of another game before any step judges it.

    Raises IllegalMove, or as soon as play has begun a Problem that says who is asked.

    KERNEL-MOVE-1: A move has to answer the open question.
    """
    if type(move) in table.rules.move_types:
        return
    refused = IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
    if table.state is None:
        raise refused
    raise build_foreign_move_problem(refused.ruling, context.get_loaded_match(table.id))


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MOVES_PATH}/check",
        "checkMove",
        MOVER,
        body=shapes.MoveBody,
        response=(200, shapes.DryRunSchema),
        precondition="of_play",
        problems=[
            "illegal-move",
            "window-closed",
            "in-dispute",
            "official-called",
            "witness-awaited",
            "match-over",
            "not-running",
            "stale-version",
        ],
    )
)
def check_move(body: dict[str, Any], match: str, seat: int | str) -> Response:
    """Rule on a move without making it.

    The ruling comes with what would follow, as far as the seat can foresee it. Nothing is stored, so no key is needed.
    A move of another game is 409 `illegal-move`.
    """
    caller: Caller = g.caller
    move, window, loaded = body["move"], body.get("window", ""), context.get_loaded_match(match)
    assert caller.table is not None
    require_game_move(caller.table, move)
    if seat != "chance" and not caller.may_view_as_seat(int(seat)):  # it reveals what is in the hand
        raise Problem("not-your-seat", params={"seat": seat})
    service = context.get_match_service()
    service.check_if_match(loaded, preconditions.parse_if_match(False))
    reports = tuple(body.get("reports", ()))
    if reports and not caller.may_report:
        raise Problem("players-only")
    found = views.dry_run_move(service, loaded, parse_seat(seat), move, window, reports)
    game = found.match.rules
    given = cite_deciding_readings(found.match.view_for(parse_seat(seat)), parse_seat(seat), move, found.ruling)
    return json_response(
        {
            **texts.ruling_response(game, given, found.nearest_moves, house_notes_response(found.match)),
            "version": found.version,
            "refused_report": found.refused_at,
            "events": [{**encode(event), "told": texts.describe_event(game, event)} for event in found.events],
            "next": texts.next_question_response(game, found.after),
        }
    )
