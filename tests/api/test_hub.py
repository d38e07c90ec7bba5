"""The hub: nobody who begins to watch is passed over, and nobody is woken twice for one entry."""

from __future__ import annotations

import threading
import time

import pytest

from api.http.change_feed import AWAY_PAUSE, ChangeFeed, Subscription
from referee.eventstore.contract import PartitionProgress, StoreUnavailable, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from tests.api import house
from tests.api.streaming import moved
from tests.eventstore.writing import MATCH, add, grow
from tests.service import house as desk

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


def count_changes(hub: ChangeFeed, match: str, since: int = 0) -> int:
    """The count of changes, as soon as it is another one; after a while in any case."""
    until = time.monotonic() + 0.3
    while (count := hub.get_change_counts(match)[0]) == since and time.monotonic() < until:
        time.sleep(0.001)
    return count


def test_what_this_process_writes_wakes_at_once_and_only_once() -> None:
    log = MemoryLog()
    app = house.app(desk.service(log))
    table, hub = house.opened(app), app.config["CHANGE_FEED"]
    watch = hub.subscribe_to_match(table.match)
    begun = count_changes(hub, table.match, hub.get_change_counts(table.match)[0])  # the reader has begun by then
    before, _ = watch.arm_wakeup()
    assert before == begun
    moved(table)
    written, _ = hub.get_change_counts(table.match)
    assert written > before
    assert watch.wait(0.0)
    assert count_changes(hub, table.match, written) == written, "the reader does not tell it again"
    watch.close()
    hub.close()


def test_what_another_process_writes_is_told_by_the_reader() -> None:
    log = MemoryLog()
    hub = ChangeFeed(log, 10, beat=60.0)
    watch = hub.subscribe_to_match(MATCH)
    begun = count_changes(hub, MATCH, hub.get_change_counts(MATCH)[0])
    hub.note_written(MATCH, 2)
    noted = hub.get_change_counts(MATCH)[0]
    assert noted > begun
    grow(log, MATCH, 2)
    assert count_changes(hub, MATCH, noted) == noted
    visits = hub.get_change_counts(MATCH)[1]
    add(log, MATCH, "0:3")
    assert count_changes(hub, MATCH, noted) > noted
    assert hub.get_change_counts(MATCH)[1] == visits, "nobody has come or gone"
    log.record_visit(MATCH, 0, "a", 60_000)
    until = time.monotonic() + 5
    while hub.get_change_counts(MATCH)[1] == visits and time.monotonic() < until:
        time.sleep(0.001)
    assert hub.get_change_counts(MATCH)[1] > visits
    watch.close()
    hub.close()


def test_a_store_that_was_restored_is_followed_from_where_it_stands() -> None:
    log = MemoryLog()
    hub = ChangeFeed(log, 10, beat=0.1)
    watch = hub.subscribe_to_match(MATCH)
    grow(log, MATCH, 3)
    last = count_changes(hub, MATCH, count_changes(hub, MATCH))
    hub.note_written(MATCH, 3 + 9)
    last = count_changes(hub, MATCH, -1)
    del log._partitions[partition_for_match(MATCH)].feed[1:]
    assert count_changes(hub, MATCH, last) > last, "everybody looks again"
    last = count_changes(hub, MATCH, -1)
    time.sleep(0.3)
    assert hub.get_change_counts(MATCH)[0] == last, "and without cause nobody does"
    add(log, MATCH, "0:4")
    assert count_changes(hub, MATCH, last) > last
    watch.close()
    hub.close()


@pytest.mark.parametrize("away", ["02", "63"])  # before the other one and after it
def test_matches_of_a_part_of_the_store_that_is_away_do_not_silence_those_of_the_others(away: str) -> None:
    log, gone = MemoryLog(), {int(away)}
    real = log.read_progress

    def read_progress(partition: int) -> PartitionProgress:
        if partition in gone:
            raise StoreUnavailable("that part is away")
        return real(partition)

    log.read_progress = read_progress  # type: ignore[method-assign]
    hub, there = ChangeFeed(log, 10, beat=60.0), f"{away}-{'a' * 26}"
    watches = [hub.subscribe_to_match(match) for match in (there, MATCH)]
    until = time.monotonic() + 10
    while not hub._rests and time.monotonic() < until:
        time.sleep(0.001)
    last = count_changes(hub, MATCH, -1)
    time.sleep(AWAY_PAUSE)
    last = count_changes(hub, MATCH, -1)
    for version in (1, 2):
        grow(log, MATCH, version)
        assert last < (last := count_changes(hub, MATCH, last)), "another process wrote it, and the reader tells it"
    hub._rests[int(away)], missed = 0.0, hub.get_change_counts(there)[0]
    gone.clear()
    assert count_changes(hub, there, missed) > missed, "those who watch that match look once it is back"
    for watch in watches:
        watch.close()
    hub.close()
