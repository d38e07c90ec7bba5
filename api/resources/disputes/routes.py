"""Routes to open, attest, vote on, rule on, appeal and read disputes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import ANY_SEAT, ANY_VIEWER, CLAIMANT, HOST_OR_ARBITER, MATCH_VIEWER, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import format_entry_time, format_optional_time, json_response
from api.http.schemas.paging import PageQuery, next_link_header, take_page
from api.http.schemas.viewers import ViewerQuery, viewer_query
from api.resources.disputes import schemas as shapes
from api.resources.disputes.arguments import (
    acting_seat,
    claimant_id,
    invalid_input_problem,
    require_clauses,
    require_some_clauses,
)
from api.resources.disputes.house_rulings import HOUSE_PROBLEMS, require_house_ruling
from api.resources.disputes.remedy_schemas import RemedyQuery, RemedySchema
from api.resources.matches.routes import MATCH_PATH, entry_written_response, execute_table_command
from referee.arbitration import timeline
from referee.arbitration.courts import levels
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER
from referee.engine.seats import FULL_VIEWER as EVERYTHING
from referee.match.events.dispute_commands import (
    AppealRuling,
    Attest,
    CastVote,
    IssueRuling,
    OpenDispute,
    WithdrawDispute,
)
from referee.match.loaded import LoadedMatch
from referee.match.rulebook import TABLE_BOOK
from referee.queries import dispute_views, remedy_previews, views
from referee.service.requests import CommandResult

DISPUTE_PARAMETER = "<int(min=1, max=2147483647):dispute>"
DISPUTE_PATH = f"{MATCH_PATH}/disputes/{DISPUTE_PARAMETER}"
blueprint = EndpointBlueprint("disputes")
WRITE_OPTIONS: dict[str, Any] = {"response": (201, shapes.DisputeWriteResultSchema), "key": True, "etag": True}
WRITE_PROBLEMS = ("no-such-dispute", "closed", "idempotency-key-reused", "log-frozen", "archived")


# -- reading -----------------------------------------------------------------------------------------------------------


def load_visible_match(match: str, viewer: int) -> LoadedMatch:
    """Return the match as the viewer may see it.

    Host, arbiter and players get the present version: they have to know of a dispute at once.
    """
    found = context.get_loaded_match(match)
    if viewer == BYSTANDER and not g.caller.is_onlooker:
        return found
    return views.load_visible_version(context.get_match_service(), found, viewer, None)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/disputes",
        "listDisputes",
        ANY_VIEWER,
        query=shapes.DisputesQuery,
        etag=True,
        response=(200, shapes.DisputesSchema),
    )
)
def list_disputes(query: dict[str, Any], match: str) -> Response:
    """List the disputes of the match, as the viewer may know them."""
    viewer = query["viewer"]
    found = load_visible_match(match, viewer)
    page, cursor = dispute_views.disputes_response(
        context.get_match_service(), found, viewer, query["after"], query["limit"]
    )
    body = {"items": [dispute_record_to_dict(each) for each in page], "next_cursor": cursor}
    return json_response(body, version=found.version, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "GET",
        DISPUTE_PATH,
        "getDispute",
        ANY_VIEWER,
        query=ViewerQuery,
        etag=True,
        response=(200, shapes.DisputeSchema),
        problems=["no-such-dispute"],
    )
)
def get_dispute(query: dict[str, Any], match: str, dispute: int) -> Response:
    """Return a dispute: claim, rulings, testimony, votes and remedies.

    It also holds what it is about and what was legal instead, what followed, and house rulings on the same question. It
    is computed from what the viewer sees. If a ruling rests on cards that are hidden from the viewer, it shows the
    verdict without the reason.
    """
    viewer = query["viewer"]
    found = load_visible_match(match, viewer)
    return json_response(
        dispute_to_dict(dispute_views.dispute_response(context.get_match_service(), found, viewer, dispute)),
        version=found.version,
    )


@blueprint.declare(
    Endpoint(
        "GET",
        f"{DISPUTE_PATH}/remedies/<remedy:remedy>",
        "getRemedy",
        ANY_VIEWER,
        etag=True,
        query=RemedyQuery,
        response=(200, RemedySchema),
        problems=["no-such-dispute", "not-offered", "no-such-entry", "no-such-proposal"],
    )
)
def get_remedy(query: dict[str, Any], match: str, dispute: int, remedy: str) -> Response:
    """Preview a remedy: the view after it, and which later moves would stay legal.

    It also shows who has learned what since. Nothing is stored. The view is left out if it would show the viewer a card
    that the viewer has not seen. With `proposal` it is what a vote proposes, with its corrections by hand.
    """
    viewer, service = query["viewer"], context.get_match_service()
    found = load_visible_match(match, viewer)
    preview = (
        remedy_previews.proposal_preview_response(service, found, viewer, dispute, remedy, query["proposal"])
        if "proposal" in query
        else remedy_previews.remedy_preview_response(service, found, viewer, dispute, remedy)
    )
    view = preview["view"] and {**preview["view"], "deadline": None}
    return json_response({**preview, "view": view}, version=found.version)


def dispute_record_to_dict(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dispute with its times in RFC 3339."""
    times = {name: format_optional_time(found[f"{name}_ms"]) for name in ("until", "appeal_until", "undo_until")}
    rulings = [
        {"version": each["version"], "at": format_optional_time(each["at_ms"])} | without_time(each)
        for each in found["rulings"]
    ]
    steps = [
        {"step": each["step"], "by": each["by"], "until": format_optional_time(each["until_ms"])}
        for each in found["steps"]
    ]
    kept = {name: part for name, part in found.items() if not name.endswith("_ms")}
    return {**kept, **times, "rulings": rulings, "steps": steps}


def without_time(ruling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ruling without its time in ms."""
    return {name: part for name, part in ruling.items() if name != "at_ms"}


def dispute_to_dict(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dispute and what it is about, with all times in RFC 3339."""
    explained, since = found["disputed"], found["since"]
    return {
        **dispute_record_to_dict(found),
        "disputed": None if explained is None else format_entry_time(explained),
        "since": {**since, "items": [format_entry_time(entry) for entry in since["items"]]},
    }


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/timeline",
        "getTimeline",
        MATCH_VIEWER,
        response=(200, shapes.TimelineSchema),
        etag=True,
        tag="entries",
    )
)
def get_timeline(match: str) -> Response:
    """Show which versions count, and which were superseded and by which entry.

    All of them stay readable: the table as it was with `view?version=`, the entries with `entries`.
    """
    found = load_visible_match(match, BYSTANDER)
    entries = context.get_match_service().repository.load_entries(match, 0, found.version)
    return json_response(
        {"version": found.version, "stretches": timeline.build_stretches(entries)}, version=found.version
    )


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/precedents",
        "listPrecedents",
        MATCH_VIEWER,
        query=PageQuery,
        response=(200, shapes.PrecedentsSchema),
        etag=True,
    )
)
def list_precedents(query: dict[str, Any], match: str) -> Response:
    """List the table's house rulings: its own (`keep`) and adopted (`precedents_of`)."""
    found = load_visible_match(match, BYSTANDER)
    page, cursor = take_page(list(found.match.precedents), query.get("after"), query["limit"])
    body = {"items": [dispute_views.precedent_response(found.match, each) for each in page], "next_cursor": cursor}
    return json_response(body, version=found.version, headers=next_link_header(cursor))


# -- writing -----------------------------------------------------------------------------------------------------------


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/disputes",
        "openDispute",
        CLAIMANT,
        body=shapes.DisputeBody,
        **WRITE_OPTIONS,
        problems=[
            *("players-only", "not-your-seat", "no-claimant"),
            "dispute-open",
            "too-many-disputes",
            "too-many-open",
            "out-of-time",
            "no-such-entry",
            "not-running",
            "match-over",
            "idempotency-key-reused",
            "log-frozen",
            "archived",
            "correction-impossible",
        ],
    )
)
def open_dispute(body: dict[str, Any], match: str) -> Response:
    """Dispute an entry or a refusal.

    The automatic ruling is part of the answer: what the log and the rules decide is decided at once, and what only
    people know is put to the table. Meanwhile moves wait, unless the courts of the match let play go on.
    """
    caller: Caller = g.caller
    by, claim = claimant_id(caller, body.get("seat")), body["claim"]
    if claim == "wrong_refusal" and not by.isdecimal():
        raise Problem("players-only")  # only seats are refused moves
    move = body.get("move")
    if claim == "wrong_refusal" and move is None:
        raise invalid_input_problem("/move", "is missing")
    if move is not None and type(move) not in caller.table.rules.move_types:  # type: ignore[union-attr]
        raise invalid_input_problem("/move/type", "There is no such kind of move in this game.")
    clause = body.get("clause", "")
    require_clauses(caller.table.rules, [clause] if clause else [], "/clause", each=False)  # type: ignore[union-attr]
    command = OpenDispute(
        by, body.get("about", 0), claim, clause, None if move is None else encode(move), body.get("saw"),
        body.get("statement", ""), official=None if by.isdecimal() else caller.official_number,
    )  # fmt: skip
    return run_dispute_command(match, command, by)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{DISPUTE_PATH}/attestations",
        "giveAttestation",
        ANY_SEAT,
        body=shapes.AttestBody,
        **WRITE_OPTIONS,
        problems=[*WRITE_PROBLEMS, "not-your-seat", "no-say", "correction-impossible"],
    )
)
def attest(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Attest for or against the claim.

    A seat that attests again changes its testimony.
    """
    seat = acting_seat(g.caller, body.get("seat"))
    return run_dispute_command(match, Attest(dispute, seat, body["holds"], body.get("saw")), str(seat), dispute)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{DISPUTE_PATH}/votes",
        "castVote",
        ANY_SEAT,
        body=shapes.VoteBody,
        **WRITE_OPTIONS,
        problems=[*WRITE_PROBLEMS, "not-your-seat", "no-say", "not-offered", "position-impossible", "no-such-proposal"],
    )
)
def vote(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Vote for one of the offered remedies.

    A second vote of a seat replaces its first. As soon as everybody has agreed to one proposal (in a match of the first
    edition: more than half of the deciding seats), it is carried out in the same entry. If not all agree, an official
    decides, or what `mild` marks is carried out.
    """
    seat = acting_seat(g.caller, body.get("seat"))
    key, fix = preconditions.require_idempotency_key(), body.get("fix", [])
    require_visible(g.caller, fix, f"seat{seat}", key)
    command = CastVote(dispute, seat, body["remedy"], tuple(fix), body.get("agrees_to", 0))
    return run_dispute_command(match, command, str(seat), dispute, None, key)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{DISPUTE_PATH}/rulings",
        "issueRuling",
        HOST_OR_ARBITER,
        body=shapes.RuleBody,
        precondition="required",
        **WRITE_OPTIONS,
        problems=[
            *WRITE_PROBLEMS,
            *("own-cause", "not-accepted", "proved"),
            "no-arbiter",
            "not-offered",
            "position-impossible",
            "clause-missing",
            "undo-too-late",
            "undo-first",
            "void-unconfirmed",
            *HOUSE_PROBLEMS,
            "stale-version",
            "match-over",
            "needs-consent",
        ],
    )
)
def rule(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Rule on a dispute as host or arbiter, with the last word.

    The automatic ruling and the vote are overruled but kept. The remedy is carried out in the same entry.
    Nobody rules who plays, or who opened the dispute, and an official only once every player has accepted them.
    """
    caller: Caller = g.caller
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(True)
    clauses = require_some_clauses(caller.table.rules, body.get("clauses", []), "/clauses")  # type: ignore[union-attr]
    by = caller.grant.role
    require_visible(caller, body.get("fix", []), by, key)
    require_house_ruling(body, caller.table.rules)  # type: ignore[union-attr]
    command = IssueRuling(
        dispute, by, caller.seats, body["upheld"], body["remedy"], clauses, body["reason"],
        tuple(body.get("fix", ())), body["keep"], body["confirm"], caller.official_number, body["keep"],
        body.get("readings", {}), body.get("allows", ""),
    )  # fmt: skip
    return run_dispute_command(match, command, by, dispute, strict, key)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{DISPUTE_PATH}/appeals",
        "fileAppeal",
        ANY_SEAT,
        body=shapes.AppealBody,
        **WRITE_OPTIONS,
        problems=[
            *WRITE_PROBLEMS,
            "not-your-seat",
            "no-say",
            "last-court",
            "proved",
            "out-of-time",
            "clause-missing",
            "match-over",
        ],
    )
)
def appeal(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Appeal to the next court, and name the clause that the ruling misapplies."""
    seat = acting_seat(g.caller, body.get("seat"))
    given = [body["clause"]] if "clause" in body else []
    (clause,) = require_some_clauses(g.caller.table.rules, given, "/clause")
    return run_dispute_command(match, AppealRuling(dispute, seat, clause, body["grounds"]), str(seat), dispute)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{DISPUTE_PATH}/withdrawal",
        "withdrawDispute",
        CLAIMANT,
        **WRITE_OPTIONS,
        problems=[*WRITE_PROBLEMS, "not-yours", "cards-seen"],
    )
)
def withdraw_dispute(match: str, dispute: int) -> Response:
    """Withdraw a dispute while a court deals with it; what was played then stands."""
    caller: Caller = g.caller
    opened = levels.require_dispute(caller.table, dispute).by  # type: ignore[arg-type]
    mine = opened.isdecimal() and int(opened) in caller.seats
    by = opened if mine else caller.grant.role if not caller.seats else str(min(caller.seats))
    return run_dispute_command(match, WithdrawDispute(dispute, by), by, dispute)


def run_dispute_command(
    match: str, command: Move, by: str, dispute: int | None = None, strict: int | None = None, key: str = ""
) -> Response:
    """Execute a command to a court, and return its result with the dispute after it."""
    found: CommandResult = execute_table_command(match, command, f"seat{by}" if by.isdecimal() else by, strict, key)
    viewer = int(by) if by.isdecimal() else BYSTANDER
    number = found.entry if dispute is None else dispute
    (own,), _ = dispute_views.disputes_response(context.get_match_service(), found.after, viewer, number - 1, 1)
    place = f"/v1/matches/{match}/disputes/{number}{viewer_query(viewer)}"
    headers = {"Location": place} if dispute is None else None
    return entry_written_response(found, viewer, {"dispute": dispute_record_to_dict(own)}, headers)


def require_visible(caller: Caller, fix: list[dict[str, Any]], by: str, key: str) -> None:
    """Refuse a correction that names a card which the caller cannot see.

    A repeated request is not checked again, because its card lies elsewhere by now. Raises MalformedInput.
    """
    table = caller.table
    assert table is not None
    if not fix or context.get_match_service().log.read(table.id, limit=0, key=f"{by}:{key}").known is not None:
        return
    viewer = (*caller.seats, BYSTANDER, *((EVERYTHING,) if caller.can_see_all and table.is_inspected else ()))
    wrong = remedy_previews.find_unseen_pointers(table, fix, viewer)
    if wrong:
        says = {
            at: TABLE_BOOK.render_texts(f"fix.unseen_{'card' if at.endswith('/move') else 'value'}") for at in wrong
        }
        raise MalformedInput([{"pointer": at, "detail": says[at]["en"], "says": says[at]} for at in wrong])
