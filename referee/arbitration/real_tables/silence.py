"""One tap for all: somebody says that nobody reacts, and who does object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.arbitration.remedies.rewind_impact import RANDOM, REVEALED, compute_rewind_impact
from referee.engine.events import Event, Move
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import Match, MatchRewound
from referee.match.entries import LogEntry
from referee.match.errors import WindowClosed
from referee.match.events.reaction_events import (
    DeclareNoReaction,
    NoReactionDeclared,
    ObjectionRaised,
    ObjectToSilence,
)
from referee.match.evidence import Evidence
from referee.match.game_moves import require_playable
from referee.match.table.auto_pass import turn_of
from referee.match.table.officials import find_human_seats
from referee.match.table.reactions import (
    SPOKEN_FOR,
    find_passable_window,
    find_spoken_people,
    is_real_table,
)

Events = tuple[Event, ...]


def decide_silence(match: Match, by: str, window: str, entry: int, now_ms: int) -> NoReactionDeclared:
    """Return the event by which `by` says in entry `entry` that nobody reacts.

    Raises IllegalMove, and WindowClosed if that window is not open.

    TABLE-TAP-1: At a table with real dice or cards one person may say for all that nobody reacts. The seats that do not
    object in time pass. Only windows are passed like this, and only the one that is open.
    """
    require_playable(match)
    speaking = match.clocks.speaking
    if speaking is None or not is_real_table(match):
        raise IllegalMove("nobody_speaks_for_all", "TABLE-TAP-1")
    if not window or window != find_passable_window(match):
        raise WindowClosed(window, entry - 1)
    assert match.state is not None
    spoken = match.spoken if match.spoken is not None and match.spoken.window == window else None
    objecting = () if spoken is None else spoken.objecting
    seats = tuple(sorted(find_spoken_people(match) - set(objecting)))
    if not set(seats) & set(seats_that_must_act(match.state)):
        raise IllegalMove("all_object", "TABLE-TAP-2")
    if spoken is not None and set(spoken.seats) & set(seats_that_must_act(match.state)):
        raise IllegalMove("spoken_already", "TABLE-TAP-1")
    until_ms = now_ms + speaking.objection_ms if speaking.objection_ms else None
    return NoReactionDeclared(entry, window, by, seats, until_ms)


def _handle_silence(evidence: Evidence, command: DeclareNoReaction) -> Events:
    version = evidence.version + 1
    return (decide_silence(evidence.match, command.by, command.window, version, evidence.now_ms),)


def _handle_objection(evidence: Evidence, command: ObjectToSilence) -> Events:
    """Keep a window open for a seat, or open it again for it.

    TABLE-TAP-2: Who has not passed says so with one tap, and the window stays open for that seat. Until the end of the
    turn this also opens a window that was passed for the seat, as long as chance has shown nothing since and nobody has
    seen what was hidden.
    """
    match = evidence.match
    require_playable(match)
    if command.seat not in find_human_seats(match):
        raise IllegalMove("not_spoken_for", "TABLE-TAP-2", seat=command.seat)
    objection = ObjectionRaised(command.window, command.seat)
    if command.window == find_passable_window(match):
        assert match.state is not None
        if command.seat in seats_that_must_act(match.state):
            if match.spoken is not None and command.seat in match.spoken.objecting:
                raise IllegalMove("objected_already", "TABLE-TAP-2", seat=command.seat)
            return (objection,)
    to = _find_version_before_passes(evidence, command)
    crossed = set(compute_rewind_impact(evidence, to, command.seat).rules)
    if {RANDOM, REVEALED} & crossed or turn_of(evidence.replay_to(to)) != turn_of(match):
        raise IllegalMove("too_late_to_object", "TABLE-TAP-2", entry=to + 1)
    return (MatchRewound(to), objection)


def _find_version_before_passes(evidence: Evidence, command: ObjectToSilence) -> int:
    """Return the version before the first of the passes that closed a window.

    Raises IllegalMove unless one of them is a pass of the seat by somebody else's word.
    """
    said: LogEntry | None = None
    first = 0
    for entry in evidence.effective_entries:
        declared = next((each for each in entry.events if isinstance(each, NoReactionDeclared)), None)
        if declared is not None:
            said, first = entry if declared.window == command.window else None, 0
        elif said is not None and entry.actor.partition(":")[0] == SPOKEN_FOR:
            first = first or entry.version
            if entry.seat == command.seat and entry.actor != f"{SPOKEN_FOR}:{command.seat}":
                return first - 1
        elif said is not None and entry.seat >= 0 and first:
            said = None  # later passes belong to another window
    raise IllegalMove("not_spoken_for", "TABLE-TAP-2", seat=command.seat)


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    DeclareNoReaction: _handle_silence,
    ObjectToSilence: _handle_objection,
}
