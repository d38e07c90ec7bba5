"""When clauses act: each game tells the conditions of its clauses, and none may be cited where its condition is false.

A game's `clause_conditions.py` has `CONDITIONS`, a table of clauses and conditions. A condition sees the state before a
move, the move, and what follows from it. It says when a clause may be cited at all, not when it has to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.referee import collect_granting_clauses
from referee.engine.rulings import Undetermined
from tests.games.matches import Turned

Condition = Callable[[Turned], bool]
READING = re.compile(r"(.+)-R([2-9])")
FILE = "clause_conditions"


def games_with_conditions() -> tuple[str, ...]:
    """The games that tell conditions of their clauses."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob(f"*/{FILE}.py")))


def read_conditions(game: str) -> Mapping[str, Condition]:
    """The conditions of a game's clauses."""
    conditions: Mapping[str, Condition] = import_module(f"tests.games.{game}.{FILE}").CONDITIONS
    return conditions


def cite(turned: Turned) -> tuple[str, ...]:
    """The clauses that the entry of a move rests on, as everybody reads them."""
    return collect_granting_clauses(turned.before, turned.move, turned.events)


def find_false_citations(turned: Turned, conditions: Mapping[str, Condition]) -> Iterator[str]:
    """The clauses that are cited though their condition is false. What a position leaves open counts as true."""
    for name in cite(turned):
        try:
            if name in conditions and not conditions[name](turned):
                yield name
        except Undetermined:
            continue


def find_foreign_citations(turned: Turned, variant: str, variants: tuple[str, ...]) -> Iterator[str]:
    """The clauses of another variant that are cited, and those of a reading that does not hold."""
    for name in cite(turned):
        later = READING.fullmatch(name)
        is_other_reading = later and turned.before.interpretation_number(later[1]) != int(later[2])
        if is_other_reading or any(f"-{other}-" in name for other in variants if other != variant):
            yield name


# ---- words for conditions --------------------------------------------------------------------------------------------


def happens(*kinds: type[Event], where: Callable[[Any], bool] = lambda _event: True) -> Condition:
    """Something of these kinds follows from the move."""
    return lambda turned: any(isinstance(event, kinds) and where(event) for event in turned.events)


def moves(*kinds: type[Move], where: Callable[[Any], bool] = lambda _move: True) -> Condition:
    """The move is of one of these kinds."""
    return lambda turned: isinstance(turned.move, kinds) and where(turned.move)


def before(holds: Callable[[Any], bool]) -> Condition:
    """The state before the move is such."""
    return lambda turned: holds(turned.before)


def pending(*kinds: type) -> Condition:
    """A step of these kinds was pending before the move, or begins with it."""

    def is_pending(turned: Turned) -> bool:
        begun = (step for event in turned.events if (step := getattr(event, "step", None)) is not None)
        return any(isinstance(step, kinds) for step in (*turned.before.agenda, *begun))

    return is_pending


def either(*conditions: Condition) -> Condition:
    """One of these conditions holds."""
    return lambda turned: any(condition(turned) for condition in conditions)


def both(*conditions: Condition) -> Condition:
    """All these conditions hold."""
    return lambda turned: all(condition(turned) for condition in conditions)
