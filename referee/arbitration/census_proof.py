"""What the census proves in a dispute about what people reported (TABLE-CENSUS-1, KERNEL-CENSUS-1).

Nothing but what everybody saw is counted, so that a ruling tells nobody anything. An entry that contradicts nothing
but itself does not stand. An entry that contradicts earlier ones may be the true one: that is told to the people, who
decide. What is claimed in its place and cannot be, by all that stands before it, does not take its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.census.check import Census, Claim, counted
from referee.census.texts import says
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.referee import foreseen, view
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.entries import Logged

CLAUSE = "TABLE-CENSUS-1"
CANNOT_BE = "KERNEL-CENSUS-1"  # what any other clause refuses may have happened all the same, against the rules
TOLD = 12  # entries that are named, the last ones


@dataclass(frozen=True)
class Proof:
    """What a census proves: the verdict, the key of its reason with parameters, the clauses."""

    verdict: str
    reason: str
    params: dict[str, Any]
    clauses: tuple[str, ...]


def of_entry(game: Game, course: list[Logged]) -> Proof | None:
    """What is proven of the last entry of a course by itself; None: nothing, as all fits, or did not fit before."""
    version = course[-1].version
    found = counted(course, int(BYSTANDER))
    if found.possible or not found.sure or found.first != version:
        return None
    seen = sorted({each.version for wrong in found.contradictions for each in wrong.sightings} - {version})
    detail = _detail(game, found)
    if seen:
        entries = ", ".join(map(str, seen[-TOLD:]))
        return Proof("undecided", "court.census_doubts", {"entries": entries, "detail": detail}, _clauses(found))
    return Proof("does_not_stand", "court.census_disproves", {"detail": detail}, _clauses(found))


def of_claim(before: Match, course: list[Logged], move: Move | None, saw: Any) -> Proof | None:
    """The proof that what is claimed of the last entry of a course cannot be; None if it can.

    `before`: the match before that entry; `move`: how it should have read; `saw`: a card that is said to lie at a place
    after it (`place`, `card`), or anything else, of which no census tells anything.
    """
    if move is not None:
        return _of_move(before, course, move)
    place, card = (saw.get("place"), saw.get("card")) if isinstance(saw, dict) else (None, None)
    if not isinstance(place, str) or not isinstance(card, str) or not card:
        return None
    found = counted(course, int(BYSTANDER), Claim(place, card))
    return None if found.possible or not found.sure else _against(before.rules, found)


def _of_move(before: Match, course: list[Logged], move: Move) -> Proof | None:
    """Whether the entry could have read so: judged, and carried out, upon what everybody saw of the table."""
    entry = course[-1]
    assert before.state is not None
    seen, seat = move.seen_by(int(BYSTANDER), entry.seat), Seat(entry.seat)
    if seen is None:
        return None
    public = view(before.state, BYSTANDER)
    try:
        facts, _ = foreseen(public, seat, seen)
    except Unknown:
        return None
    except Refused as refused:
        ruling = refused.ruling
        if CANNOT_BE not in ruling.clauses:
            return None
        return _claimed(says(before.rules, ruling.reason, ruling.params), ruling.clauses)
    if counted(course[:-1], int(BYSTANDER)).possible is False:
        return None  # what stands before it is in question itself
    return _told_so(before.rules, course, seen, facts)


def _told_so(game: Game, course: list[Logged], move: Move, facts: tuple[Event, ...]) -> Proof | None:
    found = counted([*course[:-1], replace(course[-1], move=move, facts=facts)], int(BYSTANDER))
    return None if found.possible or not found.sure else _against(game, found)


def _against(game: Game, found: Census) -> Proof:
    return _claimed(_detail(game, found), _clauses(found))


def _claimed(detail: Any, clauses: tuple[str, ...]) -> Proof:
    return Proof("stands", "court.claim_cannot_be", {"detail": detail}, tuple(dict.fromkeys((CLAUSE, *clauses))))


def _detail(game: Game, found: Census) -> Any:
    return says(game, found.contradictions[0].key, found.contradictions[0].params)


def _clauses(found: Census) -> tuple[str, ...]:
    return tuple(dict.fromkeys((CLAUSE, CANNOT_BE, *(each.clause for each in found.contradictions))))
