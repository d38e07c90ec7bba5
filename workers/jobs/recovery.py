"""Resumes matches that wait for the server.

A process may have died before it played an outcome of chance or a standing pass. Or no job was enqueued for a bot.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CHANCE
from referee.eventstore.contract import StoreUnavailable
from referee.match.aggregate import FINAL_STATUSES
from referee.match.errors import MatchUnavailable, UnknownMatch
from workers.bots.player import needs_bots

if TYPE_CHECKING:
    from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.healing")


def recover_match(context: WorkerContext, match: str) -> None:
    """Play what the server owes a match, and enqueue a job for its bots if needed.

    The server owes outcomes of chance and standing passes. A match that cannot be recovered is logged, and the next
    sweep tries again: it must not hold up the others. Raises StoreUnavailable, and RedisError if the queue is away.
    """
    try:
        loaded = context.service.load_match(match)  # this plays standing passes and due deadlines
        state = loaded.match.state
        if state is None or loaded.match.status in FINAL_STATUSES or loaded.match.is_halted:
            return
        if CHANCE in seats_that_must_act(state):
            context.service.recover_match(match)
            loaded = context.service.load_match(match)
    except StoreUnavailable:
        raise
    except (UnknownMatch, MatchUnavailable) as away:
        LOGGER.warning("match %s cannot be recovered: %r", match, away)
        return
    except Exception:
        LOGGER.exception("match %s cannot be recovered", match)
        return
    if needs_bots(loaded, context.queues.get_declined_version(match)):
        context.queues.request_bots(match)
