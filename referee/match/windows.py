"""Windows: the reactions that were asked for in a match, each named after the event that opened it.

A window is a step on the agenda that those answer whom a move concerns, or several at once in secret. That it is open
follows from what everybody knows; whoever is asked is asked whether or not there is a card to answer with. What is
gathered here is what the log tells: whoever is shown it is shown the step, the answers and the trigger as those eyes
see them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.engine.prompts import RoundPrompt, window_kind_of
from referee.engine.referee import seats_that_must_act
from referee.engine.steps import StackCleared, Step
from referee.match.aggregate import FINAL_STATUSES, Match, MatchEnded, RewindEvent, apply_event
from referee.match.clocks import compute_time_limit
from referee.match.entries import LogEntry, effective_entries, reopens_question
from referee.match.events.dispute_events import TableCorrected

ANSWERED, CLOCK, SUPERSEDED = "answered", "clock", "superseded"


@dataclass(frozen=True, slots=True)
class Window:
    """One window. `name` is its name; `triggered_at` the version that first asked it, 0 while it still lies beneath
    what comes first; `reopened_at` the one that last asked anew; `answers` the versions of the answers; `closed_at` the
    version that closed it, 0 while it is open, and `how`."""

    name: str
    step: Step
    seats: tuple[int, ...] = ()
    awaits: tuple[int, ...] = ()
    triggered_at: int = 0
    reopened_at: int = 0
    limit_ms: int | None = None
    answers: tuple[int, ...] = ()
    closed_at: int = 0
    how: str = ""

    @property
    def is_sealed(self) -> bool:
        """Whether nobody may see an answer but its own seat, as long as not all have answered."""
        return self.step.seals_answers and not self.closed_at

    @property
    def place(self) -> tuple[int, int]:
        """Where its name stands in the log."""
        return parse_place(self.name)


def parse_place(name: str) -> tuple[int, int]:
    """Entry and event that a name such as `17.3` tells."""
    entry, _, event = name.partition(".")
    return int(entry), int(event)


def find_open_window(match: Match) -> str:
    """The name of the window that is open now; empty if what is asked is none, or nothing is."""
    state = match.state
    if state is None or match.status in FINAL_STATUSES or not state.agenda or not window_kind_of(state.agenda[-1]):
        return ""
    return match.opened[-1] if seats_that_must_act(state) else ""


@dataclass
class WindowIndex:
    """The windows of a match up to a version, in the order in which they were opened."""

    match: Match = field(default_factory=Match)
    version: int = 0
    root: bytes = b""
    windows: dict[str, Window] = field(default_factory=dict)

    def apply_entry(self, entry: LogEntry) -> None:
        """Goes on by one entry that takes nothing back."""
        before, after = self.match, self.match
        gone: dict[str, bool] = {}  # whether it was taken away rather than settled
        alive = set(_find_pending_windows(before))
        for at, event in enumerate(entry.events):
            after = apply_event(after, event, f"{entry.version}.{at}")
            for name in alive - _find_pending_windows(after).keys() - gone.keys():
                gone[name] = isinstance(event, StackCleared | TableCorrected | MatchEnded | RewindEvent)
        top = find_open_window(before)
        self._record_answer(entry, top, after, gone)
        for name, taken in gone.items():
            how = SUPERSEDED if taken or name != top else CLOCK if entry.actor == "clock" else ANSWERED
            self.windows[name] = replace(self.windows[name], closed_at=entry.version, how=how, awaits=())
        for name, step in _find_pending_windows(after).items():
            self.windows[name] = replace(self.windows.get(name, Window(name, step)), step=step, awaits=())
        self._record_question(entry, before, after)
        self.match, self.version, self.root = after, entry.version, entry.root

    def _record_answer(self, entry: LogEntry, top: str, after: Match, gone: dict[str, bool]) -> None:
        state = self.match.state
        if not top or state is None or entry.seat < 0 or entry.seat not in seats_that_must_act(state):
            return
        if gone.get(top, False) or (top not in gone and _find_pending_windows(after)[top] == state.agenda[-1]):
            return  # it cut in, and answered nothing
        window = self.windows[top]
        self.windows[top] = replace(window, answers=(*window.answers, entry.version))

    def _record_question(self, entry: LogEntry, before: Match, after: Match) -> None:
        top = find_open_window(after)
        if not top:
            return
        assert after.state is not None
        step, window = after.state.agenda[-1], self.windows[top]
        waiting = tuple(sorted(int(seat) for seat in seats_that_must_act(after.state) if seat >= 0))
        if not window.triggered_at or reopens_question(before.state, after.state, entry.events):
            window = replace(window, reopened_at=entry.version, limit_ms=compute_time_limit(after))
        self.windows[top] = replace(
            window,
            triggered_at=window.triggered_at or entry.version,
            awaits=waiting,
            seats=tuple(dict.fromkeys((*window.seats, *(step.order if isinstance(step, RoundPrompt) else waiting)))),
        )

    def rebuild_after_rewind(self, entries: Iterable[LogEntry]) -> None:
        """Goes on by an entry that takes others back: `entries` are all up to it, whether or not they still count."""
        every = list(entries)
        fresh = index_windows(effective_entries(every))
        last = every[-1]
        for name, window in self.windows.items():
            if name not in fresh.windows:
                shut = (
                    window if window.closed_at else replace(window, closed_at=last.version, how=SUPERSEDED, awaits=())
                )
                fresh.windows[name] = shut
        self.windows = dict(sorted(fresh.windows.items(), key=lambda item: item[1].place))
        self.match, self.version, self.root = fresh.match, last.version, last.root


def index_windows(entries: Iterable[LogEntry]) -> WindowIndex:
    """The windows of the entries of a course, from its beginning."""
    told = WindowIndex()
    for entry in entries:
        told.apply_entry(entry)
    return told


def _find_pending_windows(match: Match) -> dict[str, Step]:
    """The windows on the agenda, whether they are asked now or lie beneath, by their names."""
    if match.state is None or match.status in FINAL_STATUSES:
        return {}
    pairs = zip(match.opened, match.state.agenda, strict=True)
    return {name: step for name, step in pairs if window_kind_of(step)}
