"""What follows from a move in a match: the game's facts, and the table's own where they end it."""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.events import Event, Move
from referee.engine.referee import granting, play
from referee.engine.rulebook.interpretations import holding
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import Cleared
from referee.match.aggregate import OVER, Ended, GoesBack, Match, TableFact, happened


def playable(match: Match) -> None:
    """Raises Refused unless the match is being played here, and no court or witness is waited for."""
    if match.status in OVER:
        raise Refused("match_over", "TABLE-END-1")
    if match.gone is not None:
        raise Refused("match_moved", "TABLE-HOME-1")
    if match.halted and match.witnessing is not None:
        raise Refused("witness_awaited", "TABLE-REPORT-2", report=match.witnessing.report)
    if match.halted:
        raise Refused("in_dispute", "TABLE-DISPUTE-2")
    if match.state is None:
        raise Refused("not_running", "TABLE-START-1")


def moved(match: Match, seat: Seat, move: Move) -> tuple[Event, ...]:
    """All facts of a move in a match that is being played. Raises Refused, and Unknown where real cards would have to
    be told first."""
    assert match.state is not None
    facts = play(match.state, seat, move)
    return (*facts, *ended(match, facts))


def ended(match: Match, facts: tuple[Event, ...]) -> tuple[Event, ...]:
    """The table's own fact where the game's facts end the match, and nothing is pending any more."""
    after = after_all(match, facts)
    outcome = match.rules.outcome(after.state)
    if outcome is None:
        return ()
    assert after.state is not None
    cleared: tuple[Event, ...] = (Cleared(),) if after.state.agenda else ()
    rests = after.state.cited(outcome.clauses)
    return (*cleared, Ended("finished", outcome.reason, outcome.winners, outcome.placement, rests))


def after_all(match: Match, facts: Iterable[Event]) -> Match:
    """The match after these facts."""
    for fact in facts:
        match = happened(match, fact)
    return match


def cited(
    match: Match, seat: int, move: Move, facts: tuple[Event, ...], rests_on: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The clauses that an entry cites which is written upon a match. `rests_on` are clauses of the table that it rests
    on besides those of the game.

    Whoever goes back, or does business of the table, answers no question of the game that is open now.
    """
    back = any(isinstance(fact, GoesBack) for fact in facts)
    business = seat == BYSTANDER or all(isinstance(fact, TableFact) for fact in facts)
    if match.state is None or business or back:
        rests = tuple(clause for fact in facts for clause in fact.rests_on())
        cites = holding(rests, match.held) if match.game else rests
    else:
        cites = granting(match.state, move, facts)
    return tuple(dict.fromkeys((*rests_on, *cites)))
