"""What a match awaits from us: an outcome of chance or a standing pass whose desk died before it was played, or bots
that nobody has asked."""

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
    """Lets chance move where the server holds it, plays the passes that stand, and asks for the bots that are awaited
    or invited.

    A match that cannot be healed is told of in the log, and the next look tries again: it must not keep others waiting.
    Raises StoreUnavailable, and what the queue raises when it is away.
    """
    try:
        loaded = context.service.load_match(match)  # plays what stands
        state = loaded.match.state
        if state is None or loaded.match.status in FINAL_STATUSES or loaded.match.is_halted:
            return
        if CHANCE in seats_that_must_act(state):
            context.service.recover_match(match)
            loaded = context.service.load_match(match)
    except StoreUnavailable:
        raise
    except (UnknownMatch, MatchUnavailable) as away:
        LOGGER.warning("match %s cannot be healed: %r", match, away)
        return
    except Exception:
        LOGGER.exception("match %s cannot be healed", match)
        return
    if needs_bots(loaded, context.queues.get_declined_version(match)):
        context.queues.request_bots(match)
