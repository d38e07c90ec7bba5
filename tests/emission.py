"""Which clauses the program emits while tests run: in rulings, in events that follow from moves, in sums and errors.

A clause in a docstring says what code is about; it says nothing of whether a player ever reads it. So the places where
clauses leave the rules are listened to, in every test process, and the record of the run tells what was heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from referee.arbitration.auto_ruling import CourtFinding
from referee.engine import referee
from referee.engine.breakdown import Term
from referee.engine.game import Outcome
from referee.engine.rulings import MalformedInput, Ruling
from referee.engine.steps import State
from referee.match import game_moves
from referee.match.entries import LogEntry

HEARD: set[str] = set()


def listen() -> None:
    """Listen at every place where clauses leave the rules. Once a process."""
    _after_making(Ruling, lambda made: made.clauses)
    _after_making(CourtFinding, lambda made: made.clauses)
    _after_making(LogEntry, lambda made: made.clauses)
    _after_making(Outcome, lambda made: made.clauses)
    _after_making(Term, lambda made: (made.clause,))
    _after_making(MalformedInput, lambda made: [error["clause"] for error in made.errors if "clause" in error])
    State.cite_clauses = _heard(State.cite_clauses)  # type: ignore[method-assign]
    game_moves.cite_by_interpretation = _heard(game_moves.cite_by_interpretation)  # type: ignore[attr-defined]
    resolve = referee._resolve_in_batches

    def resolve_in_batches(state: Any, first: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
        for batch, after in resolve(state, first):
            for event in batch:
                state.cite_clauses(event.applied_clauses())
            yield batch, after

    referee._resolve_in_batches = resolve_in_batches


def _after_making(kind: type, clauses_of: Callable[[Any], Iterable[str]]) -> None:
    make = kind.__init__  # type: ignore[misc]

    @wraps(make)
    def make_and_hear(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        HEARD.update(clauses_of(self))

    kind.__init__ = make_and_hear  # type: ignore[misc]


def _heard(cite: Callable[..., tuple[str, ...]]) -> Callable[..., tuple[str, ...]]:
    @wraps(cite)
    def cite_and_hear(*args: Any) -> tuple[str, ...]:
        found = cite(*args)
        HEARD.update(found)
        return found

    return cite_and_hear
