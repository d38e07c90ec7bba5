"""The hub: nobody who begins to watch is passed over."""

from __future__ import annotations

import threading
import time

from api.http.change_feed import Hub, Watch
from referee.eventstore.contract import Tide
from referee.eventstore.memory.log import MemoryLog

ONE, OTHER = "07-" + "a" * 26, "07-" + "b" * 26  # of one partition


def test_who_joins_while_the_reader_begins_with_the_partition_is_woken_too() -> None:
    """A commit that the reader finds done when it begins is told to all who watch by then: nobody tells it later."""
    log, joined = MemoryLog(), threading.Event()
    hub = Hub(log, 10, beat=60.0)
    late: list[Watch] = []
    real = log.tide

    def tide(partition: int) -> Tide:
        if not joined.is_set():
            late.append(hub.watch(OTHER))  # between the reader's look at the watches and at the partition
            late[0].tick()
            joined.set()
        return real(partition)

    log.tide = tide  # type: ignore[method-assign]
    first = hub.watch(ONE)
    assert joined.wait(10)
    began = time.monotonic()
    late[0].wait(10.0)
    assert time.monotonic() - began < 5.0, "it was woken"
    for watch in (first, *late):
        watch.close()
    hub.close()
