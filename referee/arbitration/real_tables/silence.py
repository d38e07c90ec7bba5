"""One tap for all: somebody says that nobody reacts, and who does object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.arbitration.remedies.rewind_impact import RANDOM, REVEALED, compute_rewind_impact
from referee.engine.events import Event, Move
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
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
    require_speaker,
)

Events = tuple[Event, ...]


def decide_silence(match: Match, command: DeclareNoReaction, entry: int, now_ms: int) -> NoReactionDeclared:
    """Return the event by which somebody says in entry `entry` that nobody reacts.

    If reports follow in the same call, the window is passed at once, and an objection in time takes that back. Raises
    IllegalMove, and WindowClosed if that window is not open.

    TABLE-TAP-1: At a table with real dice or cards one person may say for all that nobody reacts. The seats that do not
    object in time pass. Only windows are passed like this, and only the one that is open.
    """
    require_playable(match)
    speaking, window = require_speaker(match), command.window
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
    until_ms = now_ms + speaking.objection_ms if speaking.objection_ms and not command.goes_on else None
    return NoReactionDeclared(entry, window, command.by, seats, until_ms)


def _handle_silence(evidence: Evidence, command: DeclareNoReaction) -> Events:
    return (decide_silence(evidence.match, command, evidence.version + 1, evidence.now_ms),)


def _handle_objection(evidence: Evidence, command: ObjectToSilence) -> Events:
    """Keep a window open for a seat, or open it again for it.

    TABLE-TAP-2: Who has not passed says so with one tap, and the window stays open for that seat. Until the end of the
    turn this also opens a window that was passed for the seat, as long as chance has shown nothing since and nobody has
    seen what was hidden. While there is time to object, this holds whatever the speaker has done and reported since.
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
    said, to = _find_passes(evidence, command)
    if not _has_time_left(evidence, said, to):
        crossed = set(compute_rewind_impact(evidence, to, command.seat).rules)
        if {RANDOM, REVEALED} & crossed or turn_of(evidence.replay_to(to)) != turn_of(match):
            raise IllegalMove("too_late_to_object", "TABLE-TAP-2", entry=to + 1)
    return (MatchRewound(to), objection)


def _find_passes(evidence: Evidence, command: ObjectToSilence) -> tuple[LogEntry, int]:
    """Return where it was said that nobody reacts, and the version before the passes.

    Raises IllegalMove unless one of them is a pass of the seat by somebody else's word.
    """
    entries, found = evidence.effective_entries, None
    for at, entry in enumerate(entries):
        if any(isinstance(each, NoReactionDeclared) and each.window == command.window for each in entry.events):
            found = at
    passes: list[LogEntry] = []
    for entry in () if found is None else entries[found + 1 :]:
        if entry.actor.partition(":")[0] == SPOKEN_FOR:
            passes.append(entry)
        elif passes:
            break  # later passes belong to another window
    if found is None or not any(
        each.seat == command.seat and each.actor != f"{SPOKEN_FOR}:{command.seat}" for each in passes
    ):
        raise IllegalMove("not_spoken_for", "TABLE-TAP-2", seat=command.seat)
    return entries[found], passes[0].version - 1


def _has_time_left(evidence: Evidence, said: LogEntry, to: int) -> bool:
    """Tell whether an objection to what was said still comes in time.

    That is so for as long as the match allows for objections, if since then only the speaker has moved and reported:
    otherwise the speaker could leave nobody any time. What the server has drawn stands.
    """
    speaking, by = evidence.match.clocks.speaking, said.move.by if isinstance(said.move, DeclareNoReaction) else ""
    if speaking is None or evidence.now_ms >= said.at_ms + speaking.objection_ms:
        return False
    return all(_may_be_by(evidence.match, by, entry) for entry in evidence.list_entries_since(to))


def _may_be_by(match: Match, by: str, entry: LogEntry) -> bool:
    """Tell whether the speaker, or the table, may have made an entry.

    For a seat without a phone only the host moves. The log does not say at which seat the host sits, so such a move
    takes no time away, no matter who spoke.
    """
    if entry.actor == "proxy":
        chair = match.chairs[entry.seat]
        return chair.kind == "table" or chair.proxy == by
    return entry.actor in (f"{SPOKEN_FOR}:{by}", f"reporter:{by}") or str(entry.seat) == by or entry.seat == BYSTANDER


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    DeclareNoReaction: _handle_silence,
    ObjectToSilence: _handle_objection,
}
