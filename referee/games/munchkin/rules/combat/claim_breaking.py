"""How whoever speaks up in the claim window closes it (MK-15.2)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.engine.steps import StepPopped
from referee.games.munchkin.events.combat import ClaimBroken
from referee.games.munchkin.state import Table


def break_claim(table: Table, seat: int) -> Iterator[Event]:
    """The facts with which a play closes an open window without a kill, none if no window is open (MK-15.2)."""
    if table.moment == "window":
        yield StepPopped()
        yield ClaimBroken(seat)
