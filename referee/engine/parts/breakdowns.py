"""The numbers of events and tables, explained by their parts."""

from __future__ import annotations

from typing import Any, Protocol

from referee.engine.breakdown import Term, count_event_fields
from referee.engine.events import Event


class Breakdowns(Protocol):
    """Explains numbers: a module with these functions, or an object.

    A class derived from it explains by default what the fields of an event show.
    """

    def break_down_event(self, view: Any, event: Event, /) -> tuple[Term, ...]:
        """Return the numbers of an event, each with the card and clause it comes from.

        `view` is the table as the viewer saw it just before the event. The event is as the same viewer may know it. An
        override must look at nothing else.
        """
        return count_event_fields(event)

    def compute_totals(self, view: Any, /) -> tuple[Term, ...]:
        """Return the sums that stand on the table now, such as both sides of a fight.

        Each consists of its parts, with card and clause. `view` is the table as the viewer sees it. An override must
        look at nothing else, and leaves out what a position does not say.
        """
        return ()


class FieldBreakdowns(Breakdowns):
    """The numbers that the fields of events show."""
