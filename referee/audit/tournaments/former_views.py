"""What everybody saw of hidden values in logs of earlier versions.

They left nothing out: a hidden vote stood there as False, a hidden player as -1. Such logs stay sound.
"""

from __future__ import annotations

from dataclasses import replace

from referee.engine.events import Event, Move
from referee.engine.seats import FULL_VIEWER
from referee.match.entries import LogEntry
from referee.tournament.conduct_events import (
    UNKNOWN_PLAYER,
    AppealOpened,
    AppealVoted,
    DeckChecked,
    PenaltyExpunged,
    PenaltyGiven,
)
from referee.tournament.penalties import PRIVATE_GRADES


def view_as_before(event: Event) -> Event:
    """Return an event as everybody saw it in logs of earlier versions."""
    if isinstance(event, DeckChecked):
        return replace(event, player=UNKNOWN_PLAYER, matches=True, missing={}, foreign={})
    if isinstance(event, PenaltyGiven):
        shown = replace(event, infraction="", proposed="", fix="", because="")
        if event.grade in PRIVATE_GRADES:
            return replace(shown, player=UNKNOWN_PLAYER, grade="", round=0, table=0)
        return shown
    if isinstance(event, PenaltyExpunged):
        return replace(event, because="")
    if isinstance(event, AppealOpened):
        return replace(event, player=UNKNOWN_PLAYER, reason="")
    return replace(event, overturn=False) if isinstance(event, AppealVoted) else event


class FormerEntry(LogEntry):
    """An entry whose public part is that of earlier versions."""

    def view_for(self, viewer: int) -> tuple[Move | None, tuple[Event, ...]]:
        """Return the command and the events as the viewer saw them then."""
        if viewer == FULL_VIEWER:
            return self.move, self.events
        move = self.move.view_for(viewer, self.seat) if self.move is not None else None
        return move, tuple(map(view_as_before, self.events))


def build_former_entry(logged: LogEntry) -> FormerEntry:
    """Return an entry as one of earlier versions."""
    return FormerEntry(
        logged.match, logged.version, logged.at_ms, logged.seat, logged.actor, logged.move, logged.events,
        logged.clauses, logged.root, logged.decision, logged.game, logged.edition,
    )  # fmt: skip
