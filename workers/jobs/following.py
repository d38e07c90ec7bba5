"""Lets tournaments go on without anybody looking at them.

When a match of a tournament has ended, its result is noted. When time is up, a result is final. Then the matches of the
tournament are made as it wants them. All of that has keys of its own, so jobs that are killed, or run at the same time,
do nothing twice.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.eventstore.contract import StoreUnavailable
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.errors import MatchUnavailable
from referee.repository.tournaments import UnknownTournament
from referee.service.tournaments.following import settle_tournament

if TYPE_CHECKING:
    from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.following")


def find_tournament(table: Match) -> str:
    """Return the tournament of a match that is over, or ""."""
    return table.tournament if table.status in FINAL_STATUSES else ""


def let_tournament_go_on(context: WorkerContext, tournament: str) -> bool:
    """Do what is due in a tournament and in its matches; return False on failure.

    A tournament that cannot go on is logged, and must not hold up others. Raises StoreUnavailable.
    """
    try:
        if context.secret:
            settle_tournament(context.tournaments, context.secret, tournament)
        else:
            context.tournaments.load(tournament)
    except StoreUnavailable:
        raise
    except UnknownTournament:  # a match can name a tournament of another server
        return True
    except MatchUnavailable as closed:
        LOGGER.warning("tournament %s cannot go on: %s", tournament, closed)
        return closed.reason not in ("frozen", "fenced")
    except Exception:  # whatever it is: it is logged, tried again, and other tournaments go on
        LOGGER.exception("tournament %s cannot go on", tournament)
        return False
    return True
