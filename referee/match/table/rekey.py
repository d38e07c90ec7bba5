"""A new secret for chance where play goes back behind an end, or changes server.

While a match is over, the secret behind its draws and salts is open to all who may see everything. If a match has
moved, the server that it left knows the secret. So the entry that leads back into play commits to a new secret with its
last event, and takes its own salts from the new one.

TABLE-CHANCE-1: If play goes back behind the end, or the match comes to another server, the server binds itself to a new
secret in the same entry. What comes is drawn from that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.engine.codec import named
from referee.engine.events import Event
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match
from referee.match.table.player_seed import mark_links_served


@named("table.ChanceRenewed")
@dataclass(frozen=True)
class SecretRenewed(LastingTableEvent):
    """The server bound itself to a new secret, the `generation`th after the first.

    Salts and draws come from it from this entry on. A rewind does not undo it, because the old secret stays known.
    """

    generation: int
    commitment: str
    clauses = ("TABLE-CHANCE-1",)

    def apply(self, state: Match) -> Match:
        return replace(state, renewals=(*state.renewals, self.commitment), seeds=mark_links_served(state.seeds))


@named("table.DrawsCounted")
@dataclass(frozen=True)
class DrawsCounted(LastingTableEvent):
    """Play went back, and the draws go on from the number that they had reached.

    The links of seats have served, in draws that no longer count.

    TABLE-CHANCE-2: The draws of a match are counted, and those that no longer count are counted too. So no draw is made
    again that people have seen.
    """

    draws: int
    clauses = ("TABLE-CHANCE-2",)

    def apply(self, state: Match) -> Match:
        return replace(state, draws=self.draws, seeds=mark_links_served(state.seeds))


def needs_new_secret(before: Match, after: Match) -> bool:
    """Tell whether an entry needs a new secret, because others know the old one.

    It does if it leads from the end of a match back into play, or brings the match to another server.
    """
    if before.gone is not None and after.gone is None:
        return True
    return before.status in FINAL_STATUSES and after.status not in FINAL_STATUSES


def find_secret_renewal(events: Iterable[Event]) -> SecretRenewed | None:
    """Return the renewal of the secret among these events; None if there is none."""
    return next((event for event in events if isinstance(event, SecretRenewed)), None)
