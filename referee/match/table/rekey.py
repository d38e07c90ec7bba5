"""A new secret of chance where play goes back behind an end: what was disclosed then tells nothing of what comes.

While a match is over, the secret behind its draws and salts is open to whoever may see all of it; and where a match has
moved, the server it left knows it. So the entry that leads from there back into play commits to another one with its
last fact (TABLE-CHANCE-1), and takes its own salts from that one already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.engine.codec import named
from referee.engine.events import Event
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match


@named("table.ChanceRenewed")
@dataclass(frozen=True)
class SecretRenewed(LastingTableEvent):
    """The server bound itself to another secret, the `generation`th after the first: salts and draws come from it from
    this entry on. It stays when play goes back, for what was disclosed stays known."""

    generation: int
    commitment: str
    clauses = ("TABLE-CHANCE-1",)

    def apply(self, state: Match) -> Match:
        return replace(state, renewals=(*state.renewals, self.commitment))


def needs_new_secret(before: Match, after: Match) -> bool:
    """Whether an entry leads from the end of a match back into play, or brings it to another server, so that it needs a
    new secret: the one before is known to others."""
    if before.gone is not None and after.gone is None:
        return True
    return before.status in FINAL_STATUSES and after.status not in FINAL_STATUSES


def find_secret_renewal(events: Iterable[Event]) -> SecretRenewed | None:
    """What these facts of an entry say of a new secret; None if they say nothing of one."""
    return next((event for event in events if isinstance(event, SecretRenewed)), None)
