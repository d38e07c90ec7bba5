"""The open matches of a player, and what each asks of the player now.

Which matches these are is noted with the account, and everything else is read from the match itself, as the seat may
see it. So nothing waits for a projection; one is asked only to skip the matches that are long over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from api.http.access.admission import load_caller
from api.http.access.tickets import Bearer
from api.http.responses import format_optional_time
from api.resources.rematches.reservations import RESERVED
from referee.eventstore.contract import partition_for_match
from referee.match.aggregate import FINAL_STATUSES
from referee.match.errors import MatchUnavailable, UnknownMatch
from referee.queries import views
from referee.queries.dispute_actions import list_pending_requests
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.service.match_service import MatchService
from referee.service.rights import tokens
from referee.tournament.state import is_tournament_id

MAX_OPEN = 200  # matches of a player that are looked at


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player whose matches are looked at, and the secret behind persons."""

    service: MatchService
    bearer: Bearer
    secret: bytes

    def read_match(self, match: str) -> dict[str, Any] | None:
        """Return what a match asks of the player now; None without a seat there.

        Raises StoreUnavailable.
        """
        person = tokens.derive_person(self.secret, match, self.bearer.account)
        try:
            caller, found = load_caller(self.service, match, self.bearer, person)
        except (UnknownMatch, MatchUnavailable):  # it has moved, or the file of its archive is lost
            return None
        table, asks = found.match, set()
        kept = [seat for seat in caller.grant.seats if table.status == "lobby" and table.may_seat_person(seat)]
        if not caller.seats and not kept:
            return None
        asks |= {"seat"} if kept else set()
        for seat in caller.seats:
            asks |= {"move"} if seat in views.awaited_response(table) else set()
            asks |= {each.what.removeprefix("asked.") for each in list_pending_requests(table, seat)}
        return {
            "match": match,
            "game": table.game,
            "variant": table.variant,
            "status": table.public_status,
            "seats": sorted({*caller.seats, *kept}),
            "version": found.version,
            "awaited": bool(asks),
            "asks": sorted(asks),
            "until": format_optional_time(caller.deadline.at_ms if "move" in asks and caller.deadline else None),
        }


def is_open(state: dict[str, Any]) -> bool:
    """Return whether a match goes on, or is over and still asks something."""
    return state["status"] not in (*FINAL_STATUSES, "moved") or state["awaited"]


def list_noted_matches(service: MatchService, player: str) -> list[str]:
    """Return the matches at which a player ever sat down or has a seat kept.

    The latest comes first.
    """
    kept = service.log.list_account_items(player, RESERVED).items()
    found = {match: orjson.loads(record)["at_ms"] for match, record in kept}
    for sitting, note in service.log.read_sittings(player).items():
        match = sitting.partition(":")[0]
        if is_tournament_id(match):
            continue
        found[match] = max(found.get(match, 0), orjson.loads(note)["at_ms"])
    return sorted(found, key=lambda match: found[match], reverse=True)


def find_over_matches(service: MatchService, matches: list[str]) -> frozenset[str]:
    """Return which of these matches are over, as far as the projection has read."""
    partitions = sorted({partition_for_match(match) for match in matches})
    rows = service.log.read_across_partitions(
        "standings", PROJECTION_VERSIONS["standings"], "matches", sorted(matches), only=partitions
    )
    kept = {match: orjson.loads(row) for _, found in rows.values() for match, row in found.items()}
    return frozenset(match for match, row in kept.items() if row["status"] in FINAL_STATUSES)


def iterate_open_matches(view: PlayerView) -> Iterator[dict[str, Any]]:
    """Yield the open matches of a player, the latest first."""
    noted = list_noted_matches(view.service, view.bearer.account)
    over = find_over_matches(view.service, noted)
    for match in [match for match in noted if match not in over][:MAX_OPEN]:
        state = view.read_match(match)
        if state is not None and is_open(state):
            yield state
