"""Disputes: opened, attested, voted on, ruled, appealed against; the remedies; what the table keeps of it all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Response, g

from api.http import endpoint
from api.http.access.authorization import CLAIMANT, ENDER, FULL, SEATS, SEE, Caller
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer, timed, when
from api.resources.disputes import schemas as shapes
from api.resources.entries.routes import EYES, looking
from api.resources.matches.routes import MATCH, done_business, written
from api.resources.moves.routes import where
from referee.arbitration import disputes, timeline
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.seats import BYSTANDER
from referee.engine.seats import FULL as EVERYTHING
from referee.match.events.dispute_commands import Appeal, Attest, CastVote, OpenDispute, Rule, WithdrawDispute
from referee.queries import dispute_views, remedy_previews, views
from referee.rendering import texts
from referee.service.match_service import Done, Loaded

NUMBER = "<int(min=1, max=2147483647):dispute>"
ONE = f"{MATCH}/disputes/{NUMBER}"
room = Room("disputes", "What people disagree about, and how it was settled.")
HIDDEN = {"move": "No such card lies open to you there.", "set": "That does not lie open to you."}
WRITTEN: dict[str, Any] = {"gives": (201, shapes.DisputeWrittenSchema), "key": True, "etag": True}
WRITING = ("no-such-dispute", "closed", "idempotency-key-reused", "log-frozen", "archived")


# -- reading -----------------------------------------------------------------------------------------------------------


def shown(match: str, eyes: int) -> Loaded:
    """The match as far as these eyes may look; host and arbiter have to know of a dispute at once."""
    found = endpoint.loaded(match)
    return found if eyes == BYSTANDER and not g.caller.onlooker else views.latest(endpoint.desk(), found, eyes, None)


def list_disputes(match: str, seat: int | None = None) -> Response:
    """All disputes of the match, as these eyes may know them."""
    eyes = looking(seat)
    found = shown(match, eyes)
    items = [recorded(each) for each in dispute_views.listed(endpoint.desk(), found, eyes)]
    return answer({"items": items}, version=found.version)


def get_dispute(match: str, dispute: int, seat: int | None = None) -> Response:
    """One dispute: the claim, every ruling with its reason and clauses, what it is about and what was legal instead,
    what followed, testimony and votes, the ladder of remedies, house rulings on the same.

    It is worked out from what these eyes see. Where a ruling rests on cards that are hidden from them, they are told
    the verdict and not the reason.
    """
    eyes = looking(seat)
    found = shown(match, eyes)
    return answer(described(dispute_views.told(endpoint.desk(), found, eyes, dispute)), version=found.version)


def get_remedy(match: str, dispute: int, remedy: str, seat: int | None = None) -> Response:
    """What a remedy would come to: the view after it, which later moves stay legal, who has learned what since.

    Nothing is kept. A view that would show these eyes a card they have not seen is left out.
    """
    eyes = looking(seat)
    found = shown(match, eyes)
    told = remedy_previews.preview(endpoint.desk(), found, eyes, dispute, remedy)
    view = told["view"] and {**told["view"], "deadline": None}
    return answer({**told, "view": view}, version=found.version)


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/disputes", f"list{each.name}Disputes", each.right, etag=True,
        gives=(200, shapes.DisputesSchema), problems=wrong,
    )(list_disputes)  # fmt: skip
    room.call(
        "GET", f"{each.path}/disputes/{NUMBER}", f"get{each.name}Dispute", each.right, etag=True,
        gives=(200, shapes.DisputeSchema), problems=[*wrong, "no-such-dispute"],
    )(get_dispute)  # fmt: skip
    room.call(
        "GET", f"{each.path}/disputes/{NUMBER}/remedies/<remedy:remedy>", f"get{each.name}Remedy", each.right,
        etag=True, gives=(200, shapes.RemedySchema),
        problems=[*wrong, "no-such-dispute", "not-offered", "no-such-entry"],
    )(get_remedy)  # fmt: skip


def recorded(found: Mapping[str, Any]) -> dict[str, Any]:
    """A dispute with its times as people and RFC 3339 write them."""
    times = {name: when(found[f"{name}_ms"]) for name in ("until", "appeal_until")}
    rulings = [{"version": each["version"], "at": when(each["at_ms"])} | less(each) for each in found["rulings"]]
    steps = [{"step": each["step"], "by": each["by"], "until": when(each["until_ms"])} for each in found["steps"]]
    kept = {name: part for name, part in found.items() if not name.endswith("_ms")}
    return {**kept, **times, "rulings": rulings, "steps": steps}


def less(ruling: Mapping[str, Any]) -> dict[str, Any]:
    """A ruling without its time in ms."""
    return {name: part for name, part in ruling.items() if name != "at_ms"}


def described(found: Mapping[str, Any]) -> dict[str, Any]:
    """A dispute and what it is about, with all times written out."""
    explained, since = found["disputed"], found["since"]
    return {
        **recorded(found),
        "disputed": None if explained is None else timed(explained),
        "since": {**since, "items": [timed(entry) for entry in since["items"]]},
    }


@room.call("GET", f"{MATCH}/timeline", "getTimeline", SEE, gives=(200, shapes.TimelineSchema), etag=True)
def get_timeline(match: str) -> Response:
    """Which versions count, and which were superseded and by which entry. All of them stay readable: the table as it
    was by `view?version=`, the entries by `events`."""
    found = shown(match, BYSTANDER)
    entries = endpoint.desk().entries(match, 0, found.version)
    return answer({"version": found.version, "stretches": timeline.stretches(entries)}, version=found.version)


@room.call("GET", f"{MATCH}/precedents", "listPrecedents", SEE, gives=(200, shapes.PrecedentsSchema), etag=True)
def list_precedents(match: str) -> Response:
    """The house rulings that the table keeps: those made here (`keep`) and those taken over (`precedents_of`)."""
    found = shown(match, BYSTANDER)
    rules = found.match.rules
    items = [dispute_views.precedent(rules, each) for each in found.match.precedents]
    return answer({"items": items}, version=found.version)


# -- writing -----------------------------------------------------------------------------------------------------------


@room.call(
    "POST", f"{MATCH}/disputes", "openDispute", CLAIMANT, body=shapes.DisputeBody, **WRITTEN,
    problems=[
        "players-only", "not-your-seat", "dispute-open", "too-many-disputes", "too-many-open", "out-of-time",
        "no-such-entry", "not-running", "match-over", "idempotency-key-reused", "log-frozen", "archived",
        "correction-impossible",
    ],
)  # fmt: skip
def open_dispute(body: dict[str, Any], match: str) -> Response:
    """Disputes an entry, or a refusal. The automatic ruling is part of the answer: what the log and the rules decide is
    decided at once, and what only people know is put to the table. Moves wait meanwhile, unless the match plays on.
    """
    caller: Caller = g.caller
    by, claim = claimant(caller, body.get("seat")), body["claim"]
    if claim == "wrong_refusal" and not by.isdecimal():
        raise Problem("players-only")  # only seats are refused moves
    move = body.get("move")
    if claim == "wrong_refusal" and move is None:
        raise invalid("/move", "is missing")
    if move is not None and type(move) not in caller.table.rules.moves:  # type: ignore[union-attr]
        raise invalid("/move/type", "There is no such kind of move in this game.")
    clause = body.get("clause", "")
    known(caller.table.rules, [clause] if clause else [], "/clause", each=False)  # type: ignore[union-attr]
    ask = OpenDispute(
        by, body["about"], claim, clause, None if move is None else encode(move), body.get("saw"),
        body.get("statement", ""),
    )  # fmt: skip
    return done(match, ask, by)


@room.call(
    "POST", f"{ONE}/attestations", "attest", SEATS, body=shapes.AttestBody, **WRITTEN,
    problems=[*WRITING, "not-your-seat", "no-say", "correction-impossible"],
)  # fmt: skip
def attest(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Attests for or against the claim. Who attests again changes what he said."""
    seat = speaker(g.caller, body.get("seat"))
    return done(match, Attest(dispute, seat, body["holds"], body.get("saw")), str(seat), dispute)


@room.call(
    "POST", f"{ONE}/votes", "vote", SEATS, body=shapes.VoteBody, **WRITTEN,
    problems=[*WRITING, "not-your-seat", "no-say", "not-offered"],
)  # fmt: skip
def vote(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Votes for one of the offered remedies; a second vote replaces the first. As soon as more than half of those who
    decide agree, the remedy is carried out, in the same entry."""
    seat = speaker(g.caller, body.get("seat"))
    return done(match, CastVote(dispute, seat, body["remedy"]), str(seat), dispute)


@room.call(
    "POST", f"{ONE}/rulings", "rule", ENDER, body=shapes.RuleBody, precondition="required", **WRITTEN,
    problems=[
        *WRITING, "own-cause", "no-arbiter", "not-offered", "position-impossible", "clause-missing", "stale-version",
        "match-over",
    ],
)  # fmt: skip
def rule(body: dict[str, Any], match: str, dispute: int) -> Response:
    """The last word of the host or an arbiter, over the automatic ruling and the vote, which are both kept; the remedy
    is carried out in the same entry. Nobody rules in his own cause, unless all who sit there are parties."""
    caller: Caller = g.caller
    key, strict = endpoint.key(), endpoint.precondition(True)
    clauses = needed(caller.table.rules, body.get("clauses", []), "/clauses")  # type: ignore[union-attr]
    by = caller.grant.role
    sighted(caller, body.get("fix", []), by, key)
    ask = Rule(
        dispute, by, caller.seats, body["upheld"], body["remedy"], clauses, body["reason"],
        tuple(body.get("fix", ())), body["keep"],
    )  # fmt: skip
    return done(match, ask, by, dispute, strict, key)


@room.call(
    "POST", f"{ONE}/appeals", "appeal", SEATS, body=shapes.AppealBody, **WRITTEN,
    problems=[*WRITING, "not-your-seat", "no-say", "last-court", "out-of-time", "clause-missing", "match-over"],
)  # fmt: skip
def appeal(body: dict[str, Any], match: str, dispute: int) -> Response:
    """Takes a ruling to the next court, naming the clause that it misapplies."""
    seat = speaker(g.caller, body.get("seat"))
    given = [body["clause"]] if "clause" in body else []
    (clause,) = needed(g.caller.table.rules, given, "/clause")
    return done(match, Appeal(dispute, seat, clause, body["grounds"]), str(seat), dispute)


@room.call(
    "POST", f"{ONE}/withdrawal", "withdrawDispute", CLAIMANT, **WRITTEN, problems=[*WRITING, "not-yours"],
)  # fmt: skip
def withdraw_dispute(match: str, dispute: int) -> Response:
    """Takes a dispute back while a court is at it; then what was played stands."""
    caller: Caller = g.caller
    opened = disputes.found(caller.table, dispute).by  # type: ignore[arg-type]
    mine = opened.isdecimal() and int(opened) in caller.seats
    by = opened if mine else caller.grant.role if not caller.seats else str(min(caller.seats))
    return done(match, WithdrawDispute(dispute, by), by, dispute)


def done(
    match: str, ask: Move, by: str, dispute: int | None = None, strict: int | None = None, key: str = ""
) -> Response:
    """What became of something that was asked of a court, and the dispute after it, as whoever asked may know it."""
    found: Done = done_business(match, ask, f"seat{by}" if by.isdecimal() else by, strict, key)
    eyes = int(by) if by.isdecimal() else BYSTANDER
    number = found.entry if dispute is None else dispute
    told = dispute_views.listed(endpoint.desk(), found.after, eyes)
    own = next(each for each in told if each["dispute"] == number)
    place = where(match, eyes)
    headers = {"Location": f"{place}/disputes/{number}"} if dispute is None else None
    return written(found, eyes, place, {"dispute": recorded(own)}, headers)


def sighted(caller: Caller, fix: list[dict[str, Any]], by: str, key: str) -> None:
    """Raises Problem where a correction names a card that whoever rules cannot see. A repeated request is not asked
    again: its card lies elsewhere by now."""
    table = caller.table
    assert table is not None
    if not fix or endpoint.desk().log.read(table.id, limit=0, key=f"{by}:{key}").known is not None:
        return
    eyes = (*caller.seats, BYSTANDER, *((EVERYTHING,) if caller.sees_all and table.looked_into else ()))
    wrong = remedy_previews.unseen(table, fix, eyes)
    if wrong:
        errors = [{"pointer": at, "detail": HIDDEN["move" if at.endswith("/move") else "set"]} for at in wrong]
        raise Problem("invalid-input", errors=errors)


def speaker(caller: Caller, named: int | None) -> int:
    """The seat that speaks: the one that is named, or the only one of the caller. Raises Problem."""
    if named is not None:
        caller.chair(named)
        if named not in caller.seats:
            raise Problem("not-your-seat", params={"seat": named})
        return named
    if len(caller.seats) > 1:
        raise invalid("/seat", "The token holds several seats; name the one that speaks.")
    return caller.seats[0]


def claimant(caller: Caller, named: int | None) -> str:
    """Who disputes: a seat's number, `host` or `arbiter`. Whoever holds a seat disputes as that. Raises Problem."""
    if named is None and not caller.seats:
        return caller.grant.role
    return str(speaker(caller, named))


def known(game: Game, clauses: Iterable[str], pointer: str, each: bool = True) -> tuple[str, ...]:
    """These clauses. Raises Problem where there is no such clause."""
    named = tuple(clauses)
    for at, name in enumerate(named):
        try:
            texts.clause(game, name)
        except KeyError:
            raise invalid(f"{pointer}/{at}" if each else pointer, "There is no such clause.") from None
    return named


def needed(game: Game, clauses: list[str], pointer: str) -> tuple[str, ...]:
    """These clauses, at least one. Raises Problem."""
    if not clauses:
        raise Problem("clause-missing", errors=[{"pointer": pointer, "detail": "is missing"}])
    return known(game, clauses, pointer, each=pointer == "/clauses")


def invalid(pointer: str, detail: str) -> Problem:
    """A member of the body is wrong in a way that its schema does not know."""
    return Problem("invalid-input", errors=[{"pointer": pointer, "detail": detail}])
