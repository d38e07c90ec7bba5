"""What the census proves in a dispute about what people reported.

Only what everybody saw is counted, so that a ruling reveals nothing.

TABLE-CENSUS-1: In a dispute about what people reported the referee says what the census of what everybody saw proves.
The people decide the rest.

KERNEL-CENSUS-1: Each copy of a card is in one place only; a copy named elsewhere cannot be named again.

An entry that contradicts only itself does not stand. An entry that contradicts earlier ones may be the true one, so the
people learn of the contradiction and decide. A claim that cannot be true, by all that stands before the entry, does not
replace it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.census.check import Census, CensusClaim, take_census
from referee.census.texts import render_census_text
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.referee import build_view, preview_move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry

CLAUSE = "TABLE-CENSUS-1"
IMPOSSIBLE_CLAUSE = "KERNEL-CENSUS-1"  # a move that another clause refuses may have happened all the same
MAX_NAMED_ENTRIES = 12  # of contradicted entries only the last are named


@dataclass(frozen=True)
class CensusProof:
    """What a census proves: verdict, key of the reason with parameters, clauses."""

    verdict: str
    reason: str
    params: dict[str, Any]
    clauses: tuple[str, ...]


def disprove_entry(game: Game, history: list[LogEntry]) -> CensusProof | None:
    """Return what the census proves of the last entry; None if it proves nothing.

    It proves nothing if all fits, or if it did not fit before that entry already.
    """
    version = history[-1].version
    found = take_census(history, int(BYSTANDER))
    if found.possible or not found.sure or found.first != version:
        return None
    seen = sorted({each.version for wrong in found.contradictions for each in wrong.sightings} - {version})
    detail = _render_contradiction(game, found)
    if seen:
        entries = ", ".join(map(str, seen[-MAX_NAMED_ENTRIES:]))
        return CensusProof(
            "undecided", "court.census_doubts", {"entries": entries, "detail": detail}, _collect_clauses(found)
        )
    return CensusProof("does_not_stand", "court.census_disproves", {"detail": detail}, _collect_clauses(found))


def disprove_claim(before: Match, history: list[LogEntry], move: Move | None, saw: Any) -> CensusProof | None:
    """Return a proof that a claim about the last entry is false, or None.

    `before` is the match before that entry, `move` how the entry should have read. `saw` may name a card that is said
    to lie at a place after it (`place`, `card`); of anything else the census says nothing.
    """
    if move is not None:
        return _disprove_move(before, history, move)
    place, card = (saw.get("place"), saw.get("card")) if isinstance(saw, dict) else (None, None)
    if not isinstance(place, str) or not isinstance(card, str) or not card:
        return None
    found = take_census(history, int(BYSTANDER), CensusClaim(place, card))
    return None if found.possible or not found.sure else _build_census_disproof(before.rules, found)


def _disprove_move(before: Match, history: list[LogEntry], move: Move) -> CensusProof | None:
    """Return the proof that the entry cannot have read so; None if there is none.

    The move is judged and carried out on the public view.
    """
    entry = history[-1]
    assert before.state is not None
    seen, seat = move.view_for(int(BYSTANDER), entry.seat), Seat(entry.seat)
    if seen is None:
        return None
    public = build_view(before.state, BYSTANDER)
    try:
        events, _ = preview_move(public, seat, seen)
    except Undetermined:
        return None
    except IllegalMove as refused:
        ruling = refused.ruling
        if IMPOSSIBLE_CLAUSE not in ruling.clauses:
            return None
        return _build_claim_disproof(render_census_text(before.rules, ruling.reason, ruling.params), ruling.clauses)
    if take_census(history[:-1], int(BYSTANDER)).possible is False:
        return None  # the earlier entries contradict each other already
    return _disprove_move_by_census(before.rules, history, seen, events)


def _disprove_move_by_census(
    game: Game, history: list[LogEntry], move: Move, events: tuple[Event, ...]
) -> CensusProof | None:
    found = take_census([*history[:-1], replace(history[-1], move=move, events=events)], int(BYSTANDER))
    return None if found.possible or not found.sure else _build_census_disproof(game, found)


def _build_census_disproof(game: Game, found: Census) -> CensusProof:
    return _build_claim_disproof(_render_contradiction(game, found), _collect_clauses(found))


def _build_claim_disproof(detail: Any, clauses: tuple[str, ...]) -> CensusProof:
    return CensusProof("stands", "court.claim_cannot_be", {"detail": detail}, tuple(dict.fromkeys((CLAUSE, *clauses))))


def _render_contradiction(game: Game, found: Census) -> Any:
    return render_census_text(game, found.contradictions[0].key, found.contradictions[0].params)


def _collect_clauses(found: Census) -> tuple[str, ...]:
    return tuple(dict.fromkeys((CLAUSE, IMPOSSIBLE_CLAUSE, *(each.clause for each in found.contradictions))))
