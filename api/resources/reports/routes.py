"""Real tables: reports that are corrected and witnessed, and moves against the rules that are recorded."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import endpoint
from api.http.access.authorization import ENDER, REPORTER, SEATS, SEE, Caller
from api.http.endpoint import Room
from api.http.responses import answer, moment
from api.resources.disputes.routes import invalid, needed, shown, speaker
from api.resources.matches.routes import MATCH, done_business, written
from api.resources.matches.schemas import ConsentBody, WrittenSchema
from api.resources.moves.routes import answering, own_eyes, where
from api.resources.reports import schemas as shapes
from referee.arbitration import deviations
from referee.engine.codec import decode_named, encode
from referee.engine.events import Move
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.events.deviation_events import ConsentDeviation, Deviate, shown_move
from referee.match.events.dispute_state import Deviation
from referee.match.events.report_events import Correct, Witness, Witnessed
from referee.rendering import texts
from referee.service.match_service import Done, UnknownVersion

ENTRY = f"{MATCH}/events/<int(min=1, max=2147483647):n>"
ALL = f"{MATCH}/deviations"
ONE = f"{ALL}/<int(min=1, max=2147483647):deviation>"
WRITING = ("idempotency-key-reused", "log-frozen", "archived")
ABOUT = ("no-such-entry", "not-a-report", *WRITING)
OPEN = ("in-dispute", "witness-awaited", "not-running", "match-over", "position-impossible", *WRITING)
room = Room("reports", "Real dice and cards, and what happened in spite of the rules.")


def scope(caller: Caller) -> str:
    """Whose keys these are: those of the first seat of the token, of the host, or of the arbiter."""
    return f"reports-seat{min(caller.seats)}" if caller.seats else f"reports-{caller.grant.role}"


@room.call(
    "POST", f"{ENTRY}/corrections", "correctReport", REPORTER, body=shapes.CorrectionBody, gives=(201, WrittenSchema),
    key=True, etag=True,
    problems=[
        *ABOUT, "not-your-report", "out-of-time", "built-upon", "all-shown", "corrects-more", "illegal-move",
        "in-dispute", "match-over",
    ],
)  # fmt: skip
def correct_report(body: dict[str, Any], match: str, n: int) -> Response:
    """Corrects a report, or the card that a move named from a real hand, by whoever made it: for a few seconds
    (`courts.correct_ms`), as long as nobody else has built upon it. Later it takes a dispute (`misreported`).

    Play goes back to before the report, which is then made as it should read, all in one entry.
    """
    caller: Caller = g.caller
    answering(table(caller), body["move"])
    done = done_business(match, Correct(n, caller.seats, caller.host, encode(body["move"])), scope(caller), None)
    eyes = own_eyes(caller)
    return written(done, eyes, where(match, eyes))


@room.call(
    "POST", f"{ENTRY}/attestations", "witnessReport", SEATS, body=shapes.WitnessBody, gives=(201, WrittenSchema),
    key=True, etag=True,
    problems=[
        *ABOUT, "not-your-seat", "own-report", "no-say", "said-already", "dispute-open", "out-of-time",
        "correction-impossible",
    ],
)  # fmt: skip
def witness_report(body: dict[str, Any], match: str, n: int) -> Response:
    """Says whether a report holds. Whoever contradicts it disputes it, in the same entry. Where the match asks for
    witnesses (`courts.witness`), play waits for one. Nobody witnesses a report of his own."""
    caller: Caller = g.caller
    seat, move = speaker(caller, body.get("seat")), body.get("move")
    if move is not None:
        answering(table(caller), move)
    ask = Witness(
        n, seat, caller.seats, caller.host, body["holds"], body.get("saw"), None if move is None else encode(move)
    )
    return written(done_business(match, ask, scope(caller), None), seat, where(match, seat))


@room.call(
    "GET", f"{ENTRY}/attestations", "listWitnesses", SEE, gives=(200, shapes.SaidOfSchema), etag=True,
    problems=["unknown-version"],
)  # fmt: skip
def list_witnesses(match: str, n: int) -> Response:
    """What was said of a report; the entry itself never changes."""
    found = shown(match, BYSTANDER)
    if n > found.version:
        raise UnknownVersion(n)
    items = [
        {"version": entry.version, "at": moment(entry.at_ms), "seat": fact.seat, "holds": fact.holds, "saw": fact.saw}
        for entry in endpoint.desk().entries(match, n, found.version)
        for fact in entry.facts
        if isinstance(fact, Witnessed) and fact.report == n
    ]
    waits = found.match.witnessing
    asks = list(waits.asks) if waits is not None and waits.report == n else []
    return answer({"report": n, "items": items, "asks": asks}, version=found.version)


@room.call("GET", ALL, "listDeviations", SEE, gives=(200, shapes.DeviationsSchema), etag=True)
def list_deviations(match: str) -> Response:
    """All moves against the rules that were to count, or do."""
    found = shown(match, BYSTANDER)
    items = [described(found.match, each) for each in found.match.deviations]
    return answer({"items": items}, version=found.version)


@room.call(
    "GET", ONE, "getDeviation", SEE, gives=(200, shapes.DeviationSchema), etag=True, problems=["no-such-deviation"]
)
def get_deviation(match: str, deviation: int) -> Response:
    """A move against the rules that was to count, or does: who has agreed, and who is asked."""
    found = shown(match, BYSTANDER)
    told = described(found.match, deviations.found(found.match, deviation))
    return answer(told, version=found.version)


@room.call(
    "POST", ALL, "deviate", ENDER, body=shapes.DeviationBody, gives=(201, shapes.DeviationWrittenSchema), key=True,
    etag=True, precondition="required",
    problems=["move-legal", "no-such-seat", "clause-missing", "stale-version", *OPEN],
)  # fmt: skip
def deviate(body: dict[str, Any], match: str) -> Response:
    """Records a move against the rules as having happened, with the clauses that it broke. The host asks the other
    people at the table, all of whom have to agree; an arbiter who holds no seat asks nobody, unless the move names a
    card that only some seat sees. What the rules allow is no deviation: then it is to be made as a move."""
    caller: Caller = g.caller
    key, strict = endpoint.key(), endpoint.precondition(True)
    if body["seat"] >= len(table(caller).chairs):
        raise invalid("/seat", "The table has no such seat.")
    cites = needed(table(caller).rules, body.get("clauses", []), "/clauses")
    ask = Deviate(
        caller.grant.role, caller.seats, body["seat"], encode(body["move"]), cites, body["reason"],
        tuple(body.get("fix", ())),
    )  # fmt: skip
    return recorded(match, done_business(match, ask, scope(caller), strict, key), None)


@room.call(
    "POST", f"{ONE}/consents", "answerDeviation", SEATS, body=ConsentBody, gives=(201, shapes.DeviationWrittenSchema),
    key=True, etag=True, problems=["no-such-deviation", "no-say", "closed", "overtaken", *OPEN],
)  # fmt: skip
def answer_deviation(body: dict[str, Any], match: str, deviation: int) -> Response:
    """Says yes or no for all seats of this token. With the last yes the move is recorded; one no ends it, and so does
    play that goes on meanwhile."""
    ask: Move = ConsentDeviation(deviation, body["grant"], g.caller.seats)
    return recorded(match, done_business(match, ask, scope(g.caller), None), deviation)


def recorded(match: str, done: Done, number: int | None) -> Response:
    """What became of a deviation, and how it stands."""
    eyes = own_eyes(g.caller)
    place, deviation = where(match, eyes), deviations.found(done.match, done.entry if number is None else number)
    headers = {"Location": f"/v1/matches/{match}/deviations/{deviation.number}"} if number is None else None
    return written(done, eyes, place, {"deviation": described(done.match, deviation)}, headers)


def described(match: Match, deviation: Deviation) -> dict[str, Any]:
    """A deviation as everybody may know it."""
    game, data = match.rules, shown_move(deviation.move, BYSTANDER, deviation.seat)
    move = None if data is None else {"move": data, "told": texts.told(game, decode_named(data, Move))}
    return {
        "deviation": deviation.number,
        "by": deviation.by,
        "seat": deviation.seat,
        "move": move,
        "clauses": texts.cited(game, deviation.cites),
        "reason": deviation.reason,
        "stage": deviation.stage,
        "granted": list(deviation.granted),
        "asks": list(deviations.awaited(match, deviation)),
    }


def table(caller: Caller) -> Match:
    """The match of the address."""
    assert caller.table is not None
    return caller.table
