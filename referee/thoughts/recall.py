"""What the seats of a match remember, read from its log.

A seat remembers what it has seen in play. If the table is corrected or goes back, its memory begins again: what it
remembered need not be true any more.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.arbitration.replay.replay import LogReplay
from referee.bots.memory import SeatMemory
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.seats import Seat
from referee.match.aggregate import Match, TableEvent
from referee.match.entries import LogEntry


class MatchRecall:
    """A log that is read for some seats, entry by entry.

    `version`: that of the last entry that was read.
    """

    def __init__(self, seats: Iterable[int]) -> None:
        self.seats = frozenset(seats)
        self.version = 0
        self._reading = LogReplay()
        self._memories: dict[int, SeatMemory] = {}

    def append_entries(self, entries: Iterable[LogEntry]) -> None:
        """Read the next entries, in order."""
        for logged in entries:
            before = self._reading.match
            self._reading.append_entry(logged)
            self.note_entry(before, logged, self._reading.match)

    def note_entry(self, before: Match, logged: LogEntry, after: Match) -> None:
        """Note an entry that somebody else has replayed: the match before and after it."""
        self.version = logged.version
        if after.state is None:
            self._memories.clear()
            return
        play = [event for event in logged.events if not isinstance(event, TableEvent)]
        for seat in self.seats:
            known = self._memories.get(seat)
            if known is not None and before.state is not None:
                known.note_events(event.view_for(seat) for event in play)
            if known is None or len(play) < len(logged.events):
                view = after.state.view_for(seat)
                if known is None or known.view != view:
                    self._memories[seat] = SeatMemory(after.rules, seat, view)

    def list_places(self, seat: Seat | int) -> Memory:
        """Return the cards that a seat remembers to lie hidden, by place."""
        known = self._memories.get(seat)
        return NOTHING_REMEMBERED if known is None else known.places
