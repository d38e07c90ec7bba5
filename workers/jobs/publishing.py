"""Publishes the final roots of matches and tournaments in the root log.

A match is published once it is over and no dispute is open, a tournament once it is over. Like a projection, the
publisher follows the feed of each partition with a cursor of its own. But what it writes lies in one place for all
partitions. So a root is published first, which may happen twice, and the cursor moves after it. If a publisher is
killed, the next one goes on from the cursor, and finds what is published already. A match that goes on after its end,
because of a later dispute, is published again when it is over again.

A match that cannot be published (an entry cannot be read, a log was changed) does not hold up the others. It is
recorded, and tried again in every full sweep.

On its way the publisher lets tournaments go on (`following`): those that it meets, and those of ended matches. What a
job left that was killed is done by the next sweep.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.eventstore.contract import Precondition, ProjectionWrite, StoreUnavailable
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.repository.tournaments import TournamentRepository
from referee.tournament.state import is_tournament_id
from referee.transfer.export_import import LEFT
from referee.transparency.key_chain import RootLeaf
from referee.transparency.root_log import RootWriteStatus
from workers.jobs import following
from workers.projections.base import latest_versions

if TYPE_CHECKING:
    from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.publishing")
NAME, BUILD, STUCK = "roots", 1, "stuck"
BATCH = 100


def is_publishable(table: Match) -> bool:
    """Whether a root of the match is to be published.

    It is if the match is over without an open dispute, or has left for another server.
    """
    return table.gone is not None or (table.status in FINAL_STATUSES and not table.has_open_dispute)


def published_status(table: Match) -> str:
    """Return the status of a match in the root log."""
    return table.status if table.gone is None else LEFT


def is_tournament_over(context: WorkerContext, tournament: str) -> bool:
    """Whether a tournament takes no more entries. Raises StoreUnavailable."""
    head = context.log.read(tournament, limit=0).head
    return head is not None and head.status == "over"


def publish_partition(context: WorkerContext, partition: int) -> None:
    """Publish the matches of a partition that have ended, up to the end of its feed.

    Tournaments go on before that. Raises StoreUnavailable.
    """
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
        else:  # another publisher has moved the cursor
            looked_at, seen = set(), log.read_cursor(partition, NAME, BUILD)


def sweep_partition(context: WorkerContext, partition: int, position: int) -> None:
    """Publish what no job has published, and retry what failed before.

    Raises StoreUnavailable.
    """
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
    """Publish a match or tournament if it is publishable; return False on failure.

    Raises StoreUnavailable.
    """
    assert context.publisher is not None
    try:
        went_on = _follow_log(context, match)
        version, status = _find_final_status(context, match)
        if status:
            root = context.prover.load_verified_root(match, version)
            added = context.publisher.publish_root(RootLeaf(match, version, root, status))
            if added.status is RootWriteStatus.OK:
                kind = "tournament" if is_tournament_id(match) else "match"
                LOGGER.info("a %s has ended", kind)  # without its name, as everywhere in the log
    except StoreUnavailable:
        raise
    except Exception:  # an unreadable or changed entry, say: it must not hold up the other matches
        LOGGER.exception("the final root of %s cannot be published", match)
        return False
    return went_on


def _follow_log(context: WorkerContext, name: str) -> bool:
    """Let the tournament of a log go on, if it has one; return False on failure."""
    tournament = name
    if not is_tournament_id(name):
        tournament = following.find_tournament(_load_public_match(context, name)[1])
    return not tournament or following.let_tournament_go_on(context, tournament)


def _load_public_match(context: WorkerContext, match: str) -> tuple[int, Match]:
    head = context.log.read(match, limit=0).head
    version = 0 if head is None else head.version
    return version, context.public_matches.load_match(match, version).match


def _find_final_status(context: WorkerContext, name: str) -> tuple[int, str]:
    """Return the version of a log, and its status to publish; none while it goes on."""
    if is_tournament_id(name):
        loaded = TournamentRepository(context.log).read(name)
        return loaded.version, loaded.state.status if loaded.state.is_over else ""
    version, table = _load_public_match(context, name)
    return version, published_status(table) if is_publishable(table) else ""
