"""What follows from a move in a match: the game's facts, and the table's own where they end it."""

from __future__ import annotations

from collections.abc import Iterable

from referee.desk.matches import OVER, Ended, Match, happened
from referee.kernel.agenda import Cleared
from referee.kernel.facts import Event, Move
from referee.kernel.play import play
from referee.kernel.rulings import Refused
from referee.kernel.seats import Seat


def playable(match: Match) -> None:
    """Raises Refused unless the match is being played, and no court or witness is waited for."""
    if match.status in OVER:
        raise Refused("match_over", "TABLE-END-1")
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
