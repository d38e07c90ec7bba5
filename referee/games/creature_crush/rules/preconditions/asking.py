"""Ask preconditions of the two players, and what several of them look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from referee.engine.events import Move
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.games.creature_crush.components import SEATS
from referee.games.creature_crush.rules.chain import Chain, ResponseWindow
from referee.games.creature_crush.state import Table

Check = Callable[[Table, int, Any], None]
C = TypeVar("C", bound=Check)
PHASES = ("start", "combat", "tactic")


def demands(*moves: type[Move], clauses: tuple[str, ...], scope: Scope = Scope.THING) -> Callable[[C], C]:
    """Register a precondition of these moves, asked of the two players only."""

    def register(check: C) -> C:
        @precondition(Table, *moves, clauses=clauses, scope=scope)
        @wraps(check)
        def check_player(table: Table, seat: Seat, move: Any) -> None:
            if int(seat) in SEATS:
                check(table, int(seat), move)

        return check

    return register


def is_broken(check: Callable[..., Any], *about: Any) -> bool:
    """Return whether a check refuses, so that what rests on it is not asked."""
    try:
        check(*about)
    except IllegalMove:
        return True
    return False


def has_dice(table: Table, seat: int) -> bool:
    """Return whether the start dice on the table are this player's."""
    return table.turn == seat and table.phase in PHASES[1:]


def find_open_window(table: Table) -> ResponseWindow | None:
    """Return the window that waits for a flip or a pass, or None."""
    top = table.agenda[-1] if table.agenda else None
    return top.windows[-1] if isinstance(top, Chain) and top.windows else None


def is_in_other_phase(table: Table, seat: int, own: str) -> bool:
    """Return whether it is this player's turn, but another phase than `own`."""
    return table.turn == seat and table.phase in PHASES and table.phase != own
