"""What the rules demand of a kind of move, whatever question is open.

The step on top of the agenda decides whether a move is legal; it names one rule that is broken, and often only that it
waits for something else. Players ask why. So each game declares for its moves, in the order in which its rulebook
thinks, what they demand. A refusal names every precondition that is broken, the most specific one first. Steps and
preconditions call the same functions, and no legal move breaks a precondition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.engine.events import Move
from referee.engine.rulings import BrokenRule, IllegalMove, Ruling, Scope, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import State

Check = Callable[[Any, Seat, Any], None]
C = TypeVar("C", bound=Check)
GENERAL_PREFIXES = ("KERNEL-", "CARDS-")  # clauses that hold in every game, so they say the least


@dataclass(frozen=True, slots=True)
class Precondition:
    """What the rules demand of some kinds of moves.

    `check(state, seat, move)` raises IllegalMove if the seat's own view breaks it. It is asked at any time, for any
    move of these kinds, and must not take for granted that the open question awaits it. `clauses` are those that it
    watches over.
    """

    check: Check
    scope: Scope
    clauses: tuple[str, ...]


_BY_MOVE: dict[type[State], dict[type[Move], list[Precondition]]] = {}


def precondition(
    table: type[State], *moves: type[Move], clauses: tuple[str, ...], scope: Scope = Scope.THING
) -> Callable[[C], C]:
    """Register a function as a precondition of these kinds of moves.

    `table` is the class of the game's states. Preconditions of a kind are asked in the order of their registration.
    """

    def register(check: C) -> C:
        for kind in moves:
            found = _BY_MOVE.setdefault(table, {}).setdefault(kind, [])
            found.append(Precondition(check, scope, clauses))
        return check

    return register


def list_preconditions(state: State, move: Move) -> tuple[Precondition, ...]:
    """Return the preconditions of a move, in the order of the rulebook."""
    return tuple(
        each
        for table in type(state).__mro__
        for kind in type(move).__mro__
        for each in _BY_MOVE.get(table, {}).get(kind, ())
    )


def find_broken_preconditions(seen: State, seat: Seat, move: Move) -> Iterator[tuple[Scope, Ruling]]:
    """Yield the refusals of all preconditions that a move breaks.

    They are asked in the seat's own view. A precondition that the view cannot answer is left out.
    """
    for each in list_preconditions(seen, move):
        try:
            each.check(seen, seat, move)
        except IllegalMove as broken:
            yield each.scope, broken.ruling
        except Undetermined:
            continue


def collect_watched_clauses(state: State, move: Move) -> tuple[str, ...]:
    """Return the clauses that the preconditions of a move watch over."""
    return tuple(dict.fromkeys(name for each in list_preconditions(state, move) for name in each.clauses))


def complete_refusal(state: State, seat: Seat, move: Move, refused: IllegalMove) -> IllegalMove:
    """Return a refusal that names every rule that a move breaks.

    The most specific rule is first. `refused` is what the open question says. Only the seat's own view is asked for
    more.
    KERNEL-REASON-1: A refusal names every rule that the move breaks, first the one that says most about it.
    """
    asked = list_preconditions(state, move)
    broken = list(find_broken_preconditions(state.view_for(seat), seat, move)) if asked else []
    if refused.ruling.clauses[0] not in {ruling.clauses[0] for _, ruling in broken}:
        general = refused.ruling.clauses[0].startswith(GENERAL_PREFIXES)
        broken.insert(0, (Scope.ANY_GAME if general else refused.scope, refused.ruling))
    rules: tuple[BrokenRule, ...] = ()
    names: dict[str, None] = {}
    for _, ruling in sorted(broken, key=lambda each: each[0]):
        cited = state.cite_clauses(ruling.clauses)
        if cited[0] in {each.clauses[0] for each in rules}:
            fresh = [name for name in cited if name not in names]
            if not fresh:
                continue  # the same rule, said once more
            cited = tuple(dict.fromkeys((*fresh, *cited)))  # another rule beside it, which is the one to name here
        rules += (BrokenRule(ruling.reason, cited, ruling.params),)
        names |= dict.fromkeys(cited)
    complete = IllegalMove(rules[0].reason, *names, **rules[0].params)
    complete.ruling = Ruling(False, rules[0].reason, tuple(names), rules[0].params, broken=rules)
    return complete
