"""Windows: the reactions that a match asked for, named after what opened them.

A window is a step on the agenda that is answered by the seats whom a move concerns, or by several at once in secret.
Its name is the place of the event that opened it. That it is open follows from what everybody knows. Seats are asked
whether or not they hold a fitting card. This module collects what the log holds in full; `referee/queries/windows.py`
shows step, answers and trigger as a viewer may see them.
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
    """One window of a match, open or closed.

    - `triggered_at`: the version that first asked it, 0 while other steps still lie above it.
    - `reopened_at`: the version that last reopened the question. `answers`: the versions of the answers.
    - `closed_at`: the version that closed it, 0 while it is open. `how`: `answered`, `clock` or `superseded`.
    """

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
        """Whether an answer is hidden from all other seats until all have answered."""
        return self.step.seals_answers and not self.closed_at

    @property
    def place(self) -> tuple[int, int]:
        """The place in the log after which the window is named, as entry and event."""
        return parse_place(self.name)


def parse_place(name: str) -> tuple[int, int]:
    """Return entry and event of a window name such as `17.3`."""
    entry, _, event = name.partition(".")
    return int(entry), int(event)


def find_open_window(match: Match) -> str:
    """Return the name of the open window; empty if the open step is none."""
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
        """Add one entry that takes nothing back."""
        before, after = self.match, self.match
        gone: dict[str, bool] = {}  # True: the window was taken away, not settled
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
            return  # the move came in between and answered nothing
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
        """Rebuild the index after an entry that takes others back.

        `entries` are all entries up to that one, whether or not they still count.
        """
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
    """Return the windows of an effective history, given from its beginning."""
    index = WindowIndex()
    for entry in entries:
        index.apply_entry(entry)
    return index


def _find_pending_windows(match: Match) -> dict[str, Step]:
    """Return the windows on the agenda by name, open or waiting beneath other steps."""
    if match.state is None or match.status in FINAL_STATUSES:
        return {}
    pairs = zip(match.opened, match.state.agenda, strict=True)
    return {name: step for name, step in pairs if window_kind_of(step)}
