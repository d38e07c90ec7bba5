"""Publishes what matches came to, once they are over and no dispute is open, in the log of roots.

Like a view it follows the feed of a partition with a cursor of its own; but what it writes lies in one place for all
partitions. So a root is published first, which may be done twice, and the cursor moves after it: whenever a publisher
is killed, the next one begins where it was, and finds what is there already. A match that goes on after its end, by a
dispute that is opened later, is published again when it is over again.

A match that cannot be published (an entry that cannot be read, a log that was changed) keeps none of the others
waiting: it is noted, and tried again with every sweep.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.eventstore.contract import Precondition, ProjectionWrite, StoreUnavailable
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.transfer.export_import import LEFT
from referee.transparency.key_chain import RootLeaf
from workers.projections.base import latest_versions

if TYPE_CHECKING:
    from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.publishing")
NAME, BUILD, STUCK = "roots", 1, "stuck"
BATCH = 100


def is_publishable(table: Match) -> bool:
    """Whether what a match came to is to be published: it is over, and no court is at it; or it has left for another
    server."""
    return table.gone is not None or (table.status in FINAL_STATUSES and not table.has_open_dispute)


def published_status(table: Match) -> str:
    """The status that is published of a match."""
    return table.status if table.gone is None else LEFT


def publish_partition(context: WorkerContext, partition: int) -> None:
    """Publishes what came to an end in a partition, up to the end of its feed. Raises StoreUnavailable."""
    if context.publisher is None:
        return
    log, looked_at = context.log, set[str]()
    seen = log.read_cursor(partition, NAME, BUILD)
    while batch := log.read_feed(partition, seen, BATCH):
        met = [match for match in latest_versions(batch) if match not in looked_at]
        looked_at.update(met)
        failed = [match for match in met if not _publish_match(context, match)]
        notes = [ProjectionWrite("hset", STUCK, match, str(batch[-1][0]).encode()) for match in failed]
        if log.apply_projection(partition, NAME, BUILD, seen, batch[-1][0], notes):
            seen = batch[-1][0]
        else:  # another publisher was faster
            looked_at, seen = set(), log.read_cursor(partition, NAME, BUILD)


def sweep_partition(context: WorkerContext, partition: int, position: int) -> None:
    """Publishes what nobody was asked to, and tries once more what failed. Raises StoreUnavailable."""
    if context.publisher is None:
        return
    log = context.log
    if log.read_cursor(partition, NAME, BUILD) < position:
        publish_partition(context, partition)
    for match, noted in log.read_projection(partition, NAME, BUILD, STUCK).items():
        if _publish_match(context, match):
            log.amend_projection(
                partition, NAME, BUILD, Precondition(STUCK, match, noted), [ProjectionWrite("hdel", STUCK, match)]
            )


def _publish_match(context: WorkerContext, match: str) -> bool:
    """Publishes a match as it stands, if it is to be; False if that failed. Raises StoreUnavailable."""
    assert context.publisher is not None
    try:
        head = context.log.read(match, limit=0).head
        version = 0 if head is None else head.version
        table = context.public_matches.load_match(match, version).match
        if is_publishable(table):
            root = context.prover.load_verified_root(match, version)
            context.publisher.publish_root(RootLeaf(match, version, root, published_status(table)))
    except StoreUnavailable:
        raise
    except Exception:  # such as an entry that cannot be read, or was changed: the others are not to wait for it
        LOGGER.exception("what %s came to cannot be published", match)
        return False
    return True
