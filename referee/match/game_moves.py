"""The events that follow from a move in a match, of the game and of the table."""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.events import Event, Move
from referee.engine.referee import carry_out_move, collect_granting_clauses
from referee.engine.rulebook.interpretations import cite_by_interpretation
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import StackCleared, State
from referee.match.aggregate import FINAL_STATUSES, Match, MatchEnded, RewindEvent, TableEvent, apply_event


def require_playable(match: Match) -> None:
    """Raise IllegalMove unless moves can be made in the match now.

    It has to be running here (TABLE-START-1, TABLE-END-1, TABLE-HOME-1) and must wait for no court (TABLE-DISPUTE-2),
    no witness (TABLE-REPORT-2) and no official (TABLE-CALL-2).
    """
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if match.gone is not None:
        raise IllegalMove("match_moved", "TABLE-HOME-1")
    if match.is_halted and match.witnessing is not None:
        raise IllegalMove("witness_awaited", "TABLE-REPORT-2", report=match.witnessing.report)
    require_unhalted(match)
    if match.state is None:
        raise IllegalMove("not_running", "TABLE-START-1")


def require_unhalted(match: Match) -> None:
    """Raise IllegalMove if play waits for an official or a court."""
    if match.is_halted and match.offices.open_call is not None:
        raise IllegalMove("official_called", "TABLE-CALL-2", call=match.offices.open_call.number)
    if match.is_halted:
        raise IllegalMove("in_dispute", "TABLE-DISPUTE-2")


def decide_move(match: Match, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return all events of a move in a match that is being played.

    Raises IllegalMove, and Undetermined if real cards have to be reported first.
    """
    assert match.state is not None
    events, after = carry_out_move(match.state, seat, move)
    return (*events, *_end_match(match, after))


def decide_match_end(match: Match, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the table's events if the game's events end the match, else none."""
    return _end_match(match, apply_all(match, events).state)


def _end_match(match: Match, after: State | None) -> tuple[Event, ...]:
    outcome = match.rules.find_outcome(after)
    if outcome is None:
        return ()
    assert after is not None
    cleared: tuple[Event, ...] = (StackCleared(),) if after.agenda else ()
    rests = after.cite_clauses(outcome.clauses)
    return (*cleared, MatchEnded("finished", outcome.reason, outcome.winners, outcome.placement, rests))


def apply_all(match: Match, events: Iterable[Event]) -> Match:
    """Return the match after these events."""
    for event in events:
        match = apply_event(match, event)
    return match


def collect_cited_clauses(
    match: Match, seat: int, move: Move, events: tuple[Event, ...], rests_on: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the clauses that an entry written on this match cites.

    `rests_on` are clauses of the table that it cites besides those of the game. A rewind and a table command answer no
    question of the game, so they cite only the clauses of their events.
    """
    back = any(isinstance(event, RewindEvent) for event in events)
    business = seat == BYSTANDER or all(isinstance(event, TableEvent) for event in events)
    if match.state is None or business or back:
        rests = tuple(clause for event in events for clause in event.applied_clauses())
        cites = cite_by_interpretation(rests, match.unusual_interpretations) if match.game else rests
    else:
        cites = collect_granting_clauses(match.state, move, events)
    return tuple(dict.fromkeys((*rests_on, *cites)))
