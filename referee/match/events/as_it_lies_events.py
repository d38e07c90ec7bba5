"""The event by which a table plays on with what lies there, surplus or not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.engine.codec import named
from referee.engine.events import replace_fields
from referee.engine.zones import ZonedState
from referee.match.aggregate import Match, TableEvent


@named("table.AsItLies")
@dataclass(frozen=True)
class TableTakenAsItLies(TableEvent):
    """The table plays on with what lies there.

    `surplus` are all copies that lie there beyond those of the box. `ground` is the number of the dispute or deviation
    in which the table has agreed. A rewind undoes it.

    TABLE-CENSUS-2: If all people at the table agree, play goes on with what lies there, and the census starts from
    that.
    """

    ground: int
    surplus: dict[str, int] = field(default_factory=dict)
    clauses = ("TABLE-CENSUS-2",)

    def apply(self, state: Match) -> Match:
        if not isinstance(state.state, ZonedState):
            return state
        return replace(state, state=replace_fields(state.state, surplus=self.surplus))
