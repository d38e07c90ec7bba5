"""Windows: the reactions that were asked for in a match, each named after the event that opened it.

A window is a step on the agenda that those answer whom a move concerns, or several at once in secret. That it is open
follows from what everybody knows; whoever is asked is asked whether or not there is a card to answer with. What is
gathered here is what the log tells: whoever is shown it is shown the step, the answers and the trigger as those eyes
see them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.engine.prompts import AskRound, kind_of
from referee.engine.referee import awaited
from referee.engine.steps import Cleared, Step
from referee.match.aggregate import OVER, Ended, GoesBack, Match, happened
from referee.match.clocks import limit_of
from referee.match.entries import Logged, asked_anew, course
from referee.match.events.dispute_events import Corrected

ANSWERED, CLOCK, SUPERSEDED = "answered", "clock", "superseded"


@dataclass(frozen=True, slots=True)
class Window:
    """One window. `opened` is its name; `trigger` the version that first asked it, 0 while it still lies beneath what
    comes first; `asked` the one that last asked anew; `answers` the versions of the answers; `closed` the version that
    closed it, 0 while it is open, and `how`."""

    opened: str
    step: Step
    seats: tuple[int, ...] = ()
    awaits: tuple[int, ...] = ()
    trigger: int = 0
    asked: int = 0
    limit_ms: int | None = None
    answers: tuple[int, ...] = ()
    closed: int = 0
    how: str = ""

    @property
    def sealed(self) -> bool:
        """Whether nobody may see an answer but its own seat, as long as not all have answered."""
        return self.step.sealed and not self.closed

    @property
    def at(self) -> tuple[int, int]:
        """Where its name stands in the log."""
        return place(self.opened)


def place(name: str) -> tuple[int, int]:
    """Entry and event that a name such as `17.3` tells."""
    entry, _, event = name.partition(".")
    return int(entry), int(event)


def open_window(match: Match) -> str:
    """The name of the window that is open now; empty if what is asked is none, or nothing is."""
    state = match.state
    if state is None or match.status in OVER or not state.agenda or not kind_of(state.agenda[-1]):
        return ""
    return match.opened[-1] if awaited(state) else ""


@dataclass
class Told:
    """The windows of a match up to a version, in the order in which they were opened."""

    match: Match = field(default_factory=Match)
    version: int = 0
    root: bytes = b""
    windows: dict[str, Window] = field(default_factory=dict)

    def take(self, entry: Logged) -> None:
        """Goes on by one entry that takes nothing back."""
        before, after = self.match, self.match
        gone: dict[str, bool] = {}  # whether it was taken away rather than settled
        alive = set(_pending(before))
        for at, fact in enumerate(entry.facts):
            after = happened(after, fact, f"{entry.version}.{at}")
            for name in alive - _pending(after).keys() - gone.keys():
                gone[name] = isinstance(fact, Cleared | Corrected | Ended | GoesBack)
        top = open_window(before)
        self._answered(entry, top, after, gone)
        for name, taken in gone.items():
            how = SUPERSEDED if taken or name != top else CLOCK if entry.actor == "clock" else ANSWERED
            self.windows[name] = replace(self.windows[name], closed=entry.version, how=how, awaits=())
        for name, step in _pending(after).items():
            self.windows[name] = replace(self.windows.get(name, Window(name, step)), step=step, awaits=())
        self._asked(entry, before, after)
        self.match, self.version, self.root = after, entry.version, entry.root

    def _answered(self, entry: Logged, top: str, after: Match, gone: dict[str, bool]) -> None:
        state = self.match.state
        if not top or state is None or entry.seat < 0 or entry.seat not in awaited(state):
            return
        if gone.get(top, False) or (top not in gone and _pending(after)[top] == state.agenda[-1]):
            return  # it cut in, and answered nothing
        window = self.windows[top]
        self.windows[top] = replace(window, answers=(*window.answers, entry.version))

    def _asked(self, entry: Logged, before: Match, after: Match) -> None:
        top = open_window(after)
        if not top:
            return
        assert after.state is not None
        step, window = after.state.agenda[-1], self.windows[top]
        waiting = tuple(sorted(int(seat) for seat in awaited(after.state) if seat >= 0))
        if not window.trigger or asked_anew(before.state, after.state, entry.facts):
            window = replace(window, asked=entry.version, limit_ms=limit_of(after))
        self.windows[top] = replace(
            window,
            trigger=window.trigger or entry.version,
            awaits=waiting,
            seats=tuple(dict.fromkeys((*window.seats, *(step.order if isinstance(step, AskRound) else waiting)))),
        )

    def back(self, entries: Iterable[Logged]) -> None:
        """Goes on by an entry that takes others back: `entries` are all up to it, whether or not they still count."""
        every = list(entries)
        fresh = of_course(course(every))
        last = every[-1]
        for name, window in self.windows.items():
            if name not in fresh.windows:
                shut = window if window.closed else replace(window, closed=last.version, how=SUPERSEDED, awaits=())
                fresh.windows[name] = shut
        self.windows = dict(sorted(fresh.windows.items(), key=lambda item: item[1].at))
        self.match, self.version, self.root = fresh.match, last.version, last.root


def of_course(entries: Iterable[Logged]) -> Told:
    """The windows of the entries of a course, from its beginning."""
    told = Told()
    for entry in entries:
        told.take(entry)
    return told


def _pending(match: Match) -> dict[str, Step]:
    """The windows on the agenda, whether they are asked now or lie beneath, by their names."""
    if match.state is None or match.status in OVER:
        return {}
    pairs = zip(match.opened, match.state.agenda, strict=True)
    return {name: step for name, step in pairs if kind_of(step)}
