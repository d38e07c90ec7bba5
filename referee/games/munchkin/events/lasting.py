"""What card texts give players, or keep them from, for a while (MK-27.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.games.munchkin.values import LastingValue


@named("mk.LastingBegan")
@dataclass(frozen=True)
class LastingBegan(Event):
    """A text gives a player something, or keeps from it, for a while (MK-27.2)."""

    lasting: LastingValue
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.2",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, lasting=(*state.lasting, self.lasting))


def end_lasting(state: Any, until: str, seat: int = -1) -> Any:
    """Return the table without what lasted until now.

    What lasts until a player's next turn ends as the turn of `seat` begins.
    """
    kept = tuple(each for each in state.lasting if each.until != until or (seat >= 0 and each.by != seat))
    return state if kept == state.lasting else replace_fields(state, lasting=kept)
