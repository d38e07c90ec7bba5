"""Who acts in a dispute, and the clauses that a body names."""

from __future__ import annotations

from collections.abc import Iterable

from api.http.access.authorization import Caller
from api.http.problems import Problem
from referee.engine.game import Game
from referee.rendering import texts


def acting_seat(caller: Caller, named: int | None) -> int:
    """Return the named seat, or the caller's only one. Raises Problem."""
    if named is not None:
        caller.require_seat_assignment(named)
        if named not in caller.seats:
            raise Problem("not-your-seat", params={"seat": named})
        return named
    if len(caller.seats) > 1:
        raise invalid_input_problem("/seat", "The token holds several seats; name the one that speaks.")
    return caller.seats[0]


def claimant_id(caller: Caller, named: int | None) -> str:
    """Return who disputes: a seat's number, `host` or `arbiter`. Raises Problem."""
    if named is None and not caller.seats:
        return caller.grant.role
    return str(acting_seat(caller, named))


def require_clauses(game: Game, clauses: Iterable[str], pointer: str, each: bool = True) -> tuple[str, ...]:
    """Return the clauses if all of them exist. Raises Problem."""
    named = tuple(clauses)
    for at, name in enumerate(named):
        try:
            texts.find_clause(game, name)
        except KeyError:
            raise invalid_input_problem(f"{pointer}/{at}" if each else pointer, "There is no such clause.") from None
    return named


def require_some_clauses(game: Game, clauses: list[str], pointer: str) -> tuple[str, ...]:
    """Return the clauses if there is at least one and all exist. Raises Problem."""
    if not clauses:
        raise Problem("clause-missing", errors=[{"pointer": pointer, "detail": "is missing"}])
    return require_clauses(game, clauses, pointer, each=pointer == "/clauses")


def invalid_input_problem(pointer: str, detail: str) -> Problem:
    """Return the problem for a member of the body that its schema cannot check."""
    return Problem("invalid-input", errors=[{"pointer": pointer, "detail": detail}])
