"""Grounds: clauses that a legal move rests on in this very situation.

A kind of move, the open step and the events have clauses that always act. Some act only now and then, as when a move
that looks forbidden is allowed. A game registers functions that see the state before a move and tell those. Rulings and
the entries of the log cite them, and everybody reads them, so they follow from public knowledge alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from referee.engine.events import Event, Move
from referee.engine.rulings import Undetermined
from referee.engine.steps import State

Ground = Callable[[Any, Any, tuple[Event, ...]], Iterable[str]]
G = TypeVar("G", bound=Ground)

_BY_MOVE: dict[type[State], dict[type[Move], list[Ground]]] = {}


def ground(table: type[State], *moves: type[Move]) -> Callable[[G], G]:
    """Register a function that names further clauses of these kinds of moves.

    `find(state, move, events)` is asked for legal moves. `state` is that before the move, `events` is what follows; it
    is empty if the move is only judged. What it finds is shown to all, so it looks at open things only.
    """

    def register(find: G) -> G:
        for kind in moves:
            _BY_MOVE.setdefault(table, {}).setdefault(kind, []).append(find)
        return find

    return register


def find_grounds(state: State, move: Move, events: tuple[Event, ...]) -> tuple[str, ...]:
    """Return the further clauses that a legal move rests on."""
    found: list[str] = []
    with suppress(Undetermined):  # the position does not say why the move is legal, only that it is
        found += state.agenda[-1].find_grounds(state, move) if state.agenda else ()
    for table in type(state).__mro__:
        for kind in type(move).__mro__:
            for find in _BY_MOVE.get(table, {}).get(kind, ()):
                try:
                    found += find(state, move, events)
                except Undetermined:
                    continue
    return tuple(found)
