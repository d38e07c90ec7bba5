"""How a play closes the claim window (MK-15.2)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.engine.steps import StepPopped
from referee.games.munchkin.events.combat import ClaimBroken
from referee.games.munchkin.state import Table


def break_claim(table: Table, seat: int) -> Iterator[Event]:
    """Yield the events with which a play closes an open claim window, if any.

    MK-15.2: Any accepted play in the window closes it without a kill. The combat is open again.
    """
    if table.moment == "window":
        yield StepPopped()
        yield ClaimBroken(seat)
