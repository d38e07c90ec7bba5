"""Windows that one person passes for all at a real table.

Only windows that a seat could pass in advance are passed like this, and only by the pass itself. Which seats are asked
follows from the public view, so nothing that is said here depends on a hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.events import Move
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.events.dispute_state import Speaking

SPOKEN_FOR = "spoken"  # the kind of actor of a pass that somebody else declared


def is_real_table(match: Match) -> bool:
    """Tell whether people sit around real dice or cards."""
    return "table" in match.chance.values()


def require_speaker(match: Match) -> Speaking:
    """Return how one person speaks for all in this match.

    Raises IllegalMove if nobody does.

    TABLE-TAP-1: At a table with real dice or cards one person may say for all that nobody reacts, if the match
    is set so.
    """
    if match.clocks.speaking is None or not is_real_table(match):
        raise IllegalMove("nobody_speaks_for_all", "TABLE-TAP-1")
    return match.clocks.speaking


def find_spoken_people(match: Match) -> frozenset[int]:
    """Return the seats of people, with or without a phone.

    Bots answer for themselves.
    """
    return frozenset(
        seat
        for seat, chair in enumerate(match.chairs)
        if chair.kind == "table" or (chair.kind == "human" and chair.taken)
    )


def find_passable_window(match: Match) -> str:
    """Return the name of the open window if it can be passed in advance; else nothing."""
    state = match.state
    if state is None or match.status in FINAL_STATUSES or not state.agenda or not state.agenda[-1].window_kind:
        return ""
    return match.opened[-1] if seats_that_must_act(state) else ""


def find_spoken_deadline(match: Match) -> int | None:
    """Return until when somebody can object before the open window is passed.

    None: nobody said that nobody reacts, or no seat is left for which that was said.
    """
    spoken = match.spoken
    if spoken is None or spoken.until_ms is None or spoken.window != find_passable_window(match):
        return None
    assert match.state is not None
    return spoken.until_ms if set(spoken.seats) & set(seats_that_must_act(match.state)) else None


def find_spoken_passes(match: Match, now_ms: int) -> Iterator[tuple[Seat, Move]]:
    """Yield the passes that are due because somebody said that nobody reacts, by seat."""
    spoken = match.spoken
    if spoken is None or not spoken.seats or (spoken.until_ms is not None and now_ms < spoken.until_ms):
        return
    if spoken.window != find_passable_window(match):
        return
    assert match.state is not None
    seen: Any = match.state.view_for(BYSTANDER)
    for seat in sorted(seats_that_must_act(seen)):
        move = seen.agenda[-1].passing_move(seat) if seat in spoken.seats else None
        if move is not None:
            yield seat, move


def require_spoken_for(match: Match, seat: int, actor: str, move: Move, at_ms: int) -> None:
    """Raise IllegalMove unless this pass of a seat is due by what `actor` names.

    TABLE-TAP-1: One person may say for all that nobody reacts. Then the seats that do not object in time pass.
    """
    by = actor.partition(":")[2]
    due = match.spoken is not None and match.spoken.by == by and (Seat(seat), move) in find_spoken_passes(match, at_ms)
    if not due:
        raise IllegalMove("not_spoken_for", "TABLE-TAP-1", seat=seat)
