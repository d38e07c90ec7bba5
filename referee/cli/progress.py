"""How long commands show on standard error how far they are.

There is one bar on a terminal, otherwise a line now and then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from referee.cli.output import print_notice

LINE_EVERY = 10.0  # seconds, where there is no terminal
T = TypeVar("T")


class NoteProgress(Protocol):
    """Takes how much is done, of how much if that is known, and what is done just now."""

    def __call__(self, done: int, total: int | None = None, label: str = "") -> None:
        """Show it."""


@contextmanager
def show_progress(label: str, total: int | None = None, *, is_hidden: bool = False) -> Iterator[NoteProgress]:
    """Show how far a command is while the context is open.

    `is_hidden` shows nothing, as commands are asked to with `--json`.
    """
    if is_hidden:
        yield _show_nothing
    elif sys.stderr.isatty():
        yield from _show_bar(label, total)
    else:
        yield from _show_lines(label, total)


def track_progress(items: Iterable[T], label: str, total: int | None = None, *, is_hidden: bool = False) -> Iterator[T]:
    """Yield the items, and show how many of them are done."""
    with show_progress(label, total, is_hidden=is_hidden) as note:
        for number, item in enumerate(items, 1):
            yield item
            note(number, label=f"{label}, {item}" if isinstance(item, str) else "")


def _show_nothing(done: int, total: int | None = None, label: str = "") -> None:
    pass


def _show_bar(label: str, total: int | None) -> Iterator[NoteProgress]:
    columns = (
        *(TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()),
        *(TimeElapsedColumn(), TimeRemainingColumn()),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)

        def note(done: int, total: int | None = None, label: str = "") -> None:
            bar.update(task, completed=done, total=total, description=label or None)

        yield note


def _show_lines(label: str, total: int | None) -> Iterator[NoteProgress]:
    lines = _Lines(label, total)
    yield lines.note
    lines.finish()


@dataclass
class _Lines:
    """What has been noted since the last line."""

    label: str
    total: int | None
    done: int | None = None

    def __post_init__(self) -> None:
        self.printed_at = time.monotonic()

    def note(self, done: int, total: int | None = None, label: str = "") -> None:
        """Note how far the command is, and print a line if the last one is some time ago."""
        self.done, self.total, self.label = done, total or self.total, label or self.label
        if time.monotonic() - self.printed_at >= LINE_EVERY:
            self._print()

    def finish(self) -> None:
        """Print the last line, unless there was only one thing to do."""
        if self.done is not None and self.total != 1:
            self._print()

    def _print(self) -> None:
        of = f" of {self.total}" if self.total else ""
        print_notice(f"{self.label}: {self.done}{of}")
        self.printed_at, self.done = time.monotonic(), None
