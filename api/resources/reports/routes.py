"""Routes for real tables: correct and witness reports, and record deviations."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import ANY_SEAT, HOST_OR_ARBITER, MATCH_VIEWER, REPORTER, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import format_time, json_response
from api.http.schemas.paging import NumberedPageQuery, next_link_header, take_numbered_page
from api.resources.disputes.arguments import acting_seat, invalid_input_problem, require_some_clauses
from api.resources.disputes.routes import load_visible_match
from api.resources.matches.routes import MATCH_PATH, entry_written_response, execute_table_command
from api.resources.matches.schemas import ConsentBody, WriteResultSchema
from api.resources.moves.routes import parse_seat, require_game_move
from api.resources.reports import schemas as shapes
from referee.arbitration import deviations
from referee.engine.codec import decode_named, encode
from referee.engine.events import Move
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.errors import UnknownVersion
from referee.match.events.deviation_events import AnswerDeviation, RecordDeviation, redact_move
from referee.match.events.dispute_state import Deviation, redact_corrections
from referee.match.events.report_events import CorrectReport, ReportWitnessed, WitnessReport
from referee.match.events.slip_events import AnswerSlip, RetractReport
from referee.rendering import texts
from referee.service.requests import CommandResult

ENTRY_PATH = f"{MATCH_PATH}/entries/<int(min=1, max=2147483647):entry>"
DEVIATIONS_PATH = f"{MATCH_PATH}/deviations"
DEVIATION_PATH = f"{DEVIATIONS_PATH}/<int(min=1, max=2147483647):deviation>"
WRITE_PROBLEMS = ("idempotency-key-reused", "log-frozen", "archived")
REPORT_PROBLEMS = ("no-such-entry", "not-a-report", *WRITE_PROBLEMS)
PLAY_PROBLEMS = (
    *("in-dispute", "official-called", "witness-awaited", "not-running", "match-over", "position-impossible"),
    *WRITE_PROBLEMS,
)
blueprint = EndpointBlueprint("reports", tag="real-tables")


def report_key_scope(caller: Caller) -> str:
    """Return the scope of the keys: the token's first seat, the host or the arbiter."""
    return f"reports-seat{min(caller.seats)}" if caller.seats else f"reports-{caller.grant.role}"


@blueprint.declare(
    Endpoint(
        "POST",
        f"{ENTRY_PATH}/corrections",
        "correctReport",
        REPORTER,
        body=shapes.CorrectionBody,
        response=(201, WriteResultSchema),
        key=True,
        etag=True,
        problems=[
            *REPORT_PROBLEMS,
            "not-your-report",
            "out-of-time",
            *("built-upon", "corrected-already"),
            "all-shown",
            "corrects-more",
            "slip-open",
            "illegal-move",
            "in-dispute",
            "official-called",
            "match-over",
        ],
    )
)
def correct_report(body: dict[str, Any], match: str, entry: int) -> Response:
    """Correct your own report, or the card that your move named from a real hand.

    Play goes back to before the report, and the corrected report is made, all in one entry. That is possible for a few
    seconds (`courts.correct_ms`), and until the end of the turn if chance has shown nothing since and nobody has seen
    what was hidden, as long as nobody else has moved on the strength of it. Otherwise another seat is asked in the same
    turn (`asked` of its situation), and the entry only says so; later it takes a dispute (`misreported`).

    Without `move` the report is taken back and its question is open again, if that is possible without another seat.
    """
    caller: Caller = g.caller
    command: Move = RetractReport(entry, caller.seats, caller.is_host)
    if "move" in body:
        require_game_move(require_table(caller), body["move"])
        command = CorrectReport(entry, caller.seats, caller.is_host, encode(body["move"]))
    done = execute_table_command(match, command, report_key_scope(caller), None)
    return entry_written_response(done, caller.own_viewer)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/corrections/<int(min=1, max=2147483647):correction>/consents",
        "answerCorrection",
        ANY_SEAT,
        body=ConsentBody,
        response=(201, WriteResultSchema),
        key=True,
        etag=True,
        problems=[
            "no-such-slip",
            "slip-closed",
            "slip-overtaken",
            "own-report",
            "all-shown",
            "illegal-move",
            *PLAY_PROBLEMS,
        ],
    )
)
def answer_correction(body: dict[str, Any], match: str, correction: int) -> Response:
    """Confirm a slip that somebody else has admitted, or deny it.

    One confirmation is enough: play goes back to before the report and on with what was meant, in the same entry. After
    a denial it takes a dispute, in which the admission counts as testimony.
    """
    caller: Caller = g.caller
    command = AnswerSlip(correction, body["grant"], caller.seats)
    done = execute_table_command(match, command, report_key_scope(caller), None)
    return entry_written_response(done, caller.own_viewer)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{ENTRY_PATH}/attestations",
        "witnessReport",
        ANY_SEAT,
        body=shapes.WitnessBody,
        response=(201, WriteResultSchema),
        key=True,
        etag=True,
        problems=[
            *REPORT_PROBLEMS,
            "not-your-seat",
            "own-report",
            "no-say",
            "said-already",
            "dispute-open",
            "out-of-time",
            "correction-impossible",
        ],
    )
)
def witness_report(body: dict[str, Any], match: str, entry: int) -> Response:
    """Attest whether a report holds.

    To contradict it opens a dispute about it, in the same entry. If the match requires witnesses (`courts.witness`),
    play waits for one. Nobody can witness their own report.
    """
    caller: Caller = g.caller
    seat, move = acting_seat(caller, body.get("seat")), body.get("move")
    if move is not None:
        require_game_move(require_table(caller), move)
    command = WitnessReport(
        entry,
        seat,
        caller.seats,
        caller.is_host,
        body["holds"],
        body.get("saw"),
        None if move is None else encode(move),
    )
    return entry_written_response(execute_table_command(match, command, report_key_scope(caller), None), seat)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{ENTRY_PATH}/attestations",
        "listReportAttestations",
        MATCH_VIEWER,
        response=(200, shapes.ReportAttestationsSchema),
        etag=True,
        problems=["unknown-version"],
    )
)
def list_witnesses(match: str, entry: int) -> Response:
    """List the testimony about a report; the entry itself never changes."""
    found = load_visible_match(match, BYSTANDER)
    if entry > found.version:
        raise UnknownVersion(entry)
    items = [
        {
            "version": one.version,
            "at": format_time(one.at_ms),
            "seat": event.seat,
            "holds": event.holds,
            "saw": event.saw,
        }
        for one in context.get_match_service().repository.load_entries(match, entry, found.version)
        for event in one.events
        if isinstance(event, ReportWitnessed) and event.report == entry
    ]
    waits = found.match.witnessing
    asks = list(waits.asks) if waits is not None and waits.report == entry else []
    return json_response({"report": entry, "items": items, "asks": asks}, version=found.version)


@blueprint.declare(
    Endpoint(
        "GET",
        DEVIATIONS_PATH,
        "listDeviations",
        MATCH_VIEWER,
        query=NumberedPageQuery,
        response=(200, shapes.DeviationsSchema),
        etag=True,
    )
)
def list_deviations(query: dict[str, Any], match: str) -> Response:
    """List moves against the rules that were proposed for the record or recorded."""
    found = load_visible_match(match, BYSTANDER)
    deviations, table = found.match.deviations, found.match
    page, cursor = take_numbered_page(deviations, query["after"], query["limit"], lambda each: each.number)
    body = {"items": [deviation_to_dict(table, each) for each in page], "next_cursor": cursor}
    return json_response(body, version=found.version, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "GET",
        DEVIATION_PATH,
        "getDeviation",
        MATCH_VIEWER,
        response=(200, shapes.DeviationSchema),
        etag=True,
        problems=["no-such-deviation"],
    )
)
def get_deviation(match: str, deviation: int) -> Response:
    """Return a move against the rules: who has agreed, and who is asked."""
    found = load_visible_match(match, BYSTANDER)
    body = deviation_to_dict(found.match, deviations.require_deviation(found.match, deviation))
    return json_response(body, version=found.version)


@blueprint.declare(
    Endpoint(
        "POST",
        DEVIATIONS_PATH,
        "recordDeviation",
        HOST_OR_ARBITER,
        body=shapes.DeviationBody,
        response=(201, shapes.DeviationWriteResultSchema),
        key=True,
        etag=True,
        precondition="required",
        problems=[
            "move-legal",
            "no-such-seat",
            "clause-missing",
            "illegal-move",
            "no-such-house-ruling",
            "not-covered",
            "stale-version",
            *PLAY_PROBLEMS,
        ],
    )
)
def deviate(body: dict[str, Any], match: str) -> Response:
    """Record a move against the rules as having happened, with the clauses it broke.

    The host asks the other people at the table, and all of them have to agree. An official whom all have accepted asks
    nobody, unless the move names a card that only some seat sees. Nor does, with a `house_ruling` that allows such a
    move, the host for seats of their own or as a proxy. A move that the rules allow is no deviation; make it as a move.
    With the seat `chance` it is what real dice or cards
    have shown: at a table with real cards, a card may lie there of which the box has no other copy, and play goes on by
    it.
    """
    caller: Caller = g.caller
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(True)
    seat = parse_seat(body["seat"])
    if seat >= len(require_table(caller).chairs):
        raise invalid_input_problem("/seat", "The table has no such seat.")
    cites = require_some_clauses(require_table(caller).rules, body.get("clauses", []), "/clauses")
    command = RecordDeviation(
        caller.grant.role, caller.seats, int(seat), encode(body["move"]), cites, body["reason"],
        tuple(body.get("fix", ())), caller.official_number, body.get("house_ruling", 0),
    )  # fmt: skip
    return deviation_response(match, execute_table_command(match, command, report_key_scope(caller), strict, key), None)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{DEVIATION_PATH}/consents",
        "answerDeviation",
        ANY_SEAT,
        body=ConsentBody,
        response=(201, shapes.DeviationWriteResultSchema),
        key=True,
        etag=True,
        problems=["no-such-deviation", "no-say", "closed", "overtaken", *PLAY_PROBLEMS],
    )
)
def answer_deviation(body: dict[str, Any], match: str, deviation: int) -> Response:
    """Agree or refuse for all seats of this token.

    With the last consent the move is recorded. One refusal ends the question, and so does play that goes on meanwhile.
    """
    command: Move = AnswerDeviation(deviation, body["grant"], g.caller.seats)
    return deviation_response(match, execute_table_command(match, command, report_key_scope(g.caller), None), deviation)


def deviation_response(match: str, done: CommandResult, number: int | None) -> Response:
    """Return the result of a write, and the deviation after it."""
    deviation = deviations.require_deviation(done.match, done.entry if number is None else number)
    headers = {"Location": f"/v1/matches/{match}/deviations/{deviation.number}"} if number is None else None
    more = {"deviation": deviation_to_dict(done.match, deviation)}
    return entry_written_response(done, g.caller.own_viewer, more, headers)


def deviation_to_dict(match: Match, deviation: Deviation) -> dict[str, Any]:
    """Return a deviation as the caller may know it.

    It is shown as to a seat of theirs that is asked. Who is not asked is shown it as their first seat, or as the
    public.
    """
    viewer = min(set(deviation.asks) & set(g.caller.seats), default=int(g.caller.own_viewer))
    game, data = match.rules, redact_move(deviation.move, viewer, deviation.seat)
    move = None if data is None else {"move": data, "told": texts.describe_event(game, decode_named(data, Move))}
    return {
        "deviation": deviation.number,
        "by": deviation.by,
        "seat": texts.actor_label(deviation.seat),
        "move": move,
        "clauses": texts.clauses_response(game, deviation.cites),
        "reason": deviation.reason,
        "stage": deviation.stage,
        "granted": list(deviation.granted),
        "asks": list(deviations.find_awaited_seats(match, deviation)),
        "house_ruling": deviation.house or None,
        "fix": list(redact_corrections(deviation.fix, viewer, deviation.shown)),
    }


def require_table(caller: Caller) -> Match:
    """Return the match of the address."""
    assert caller.table is not None
    return caller.table
