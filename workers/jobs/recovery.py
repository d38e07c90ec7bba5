"""What a match awaits from us: an outcome of chance or a standing pass whose desk died before it was played, or bots
that nobody has asked."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.engine.referee import awaited
from referee.engine.seats import CHANCE
from referee.eventstore.contract import StoreAway
from referee.match.aggregate import OVER
from referee.service.match_service import Away, UnknownMatch
from workers.bots.player import bots_asked

if TYPE_CHECKING:
    from workers.context import Context

LOGGER = logging.getLogger("referee.workers.healing")


def heal(context: Context, match: str) -> None:
    """Lets chance move where the server holds it, plays the passes that stand, and asks for the bots that are awaited
    or invited.

    A match that cannot be healed is told of in the log, and the next look tries again: it must not keep others waiting.
    Raises StoreAway, and what the queue raises when it is away.
    """
    try:
        loaded = context.desk.load(match)  # plays what stands
        state = loaded.match.state
        if state is None or loaded.match.status in OVER or loaded.match.halted:
            return
        if CHANCE in awaited(state):
            context.desk.heal(match)
            loaded = context.desk.load(match)
    except StoreAway:
        raise
    except (UnknownMatch, Away) as away:
        LOGGER.warning("match %s cannot be healed: %r", match, away)
        return
    except Exception:
        LOGGER.exception("match %s cannot be healed", match)
        return
    if bots_asked(loaded, context.queues.left(match)):
        context.queues.bots(match)
