"""The hub: nobody who begins to watch is passed over."""

from __future__ import annotations

import threading
import time

from api.http.change_feed import ChangeFeed, Subscription
from referee.eventstore.contract import PartitionProgress
from referee.eventstore.memory.log import MemoryLog

ONE, OTHER = "07-" + "a" * 26, "07-" + "b" * 26  # of one partition


def test_who_joins_while_the_reader_begins_with_the_partition_is_woken_too() -> None:
    """A commit that the reader finds done when it begins is told to all who watch by then: nobody tells it later."""
    log, joined = MemoryLog(), threading.Event()
    hub = ChangeFeed(log, 10, beat=60.0)
    late: list[Subscription] = []
    real = log.read_progress

    def tide(partition: int) -> PartitionProgress:
        if not joined.is_set():
            late.append(hub.subscribe_to_match(OTHER))  # between the reader's look at the watches and at the partition
            late[0].arm_wakeup()
            joined.set()
        return real(partition)

    log.read_progress = tide  # type: ignore[method-assign]
    first = hub.subscribe_to_match(ONE)
    assert joined.wait(10)
    began = time.monotonic()
    late[0].wait(10.0)
    assert time.monotonic() - began < 5.0, "it was woken"
    for watch in (first, *late):
        watch.close()
    hub.close()
