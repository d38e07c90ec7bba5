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
    assert joined.wait(30)
    assert late[0].wait(30.0), "it was woken"
    for watch in (first, *late):
        watch.close()
    hub.close()


FIRST = 1  # the count of the first that is watched, until the reader begins


def wait_for_change(hub: ChangeFeed, match: str, since: int) -> int:
    """The count of changes, as soon as it is above that one."""
    until = time.monotonic() + 30
    while (count := hub.get_change_counts(match)[0]) <= since:
        assert time.monotonic() < until, "nobody was told"
        time.sleep(0.001)
    return count


def wait_for_rest(hub: ChangeFeed, match: str) -> int:
    """Return the count of changes once it stands still for a while: nothing says that no more will come."""
    until, count = time.monotonic() + 30, -1
    while count != (count := hub.get_change_counts(match)[0]):
        assert time.monotonic() < until, "it never stands still"
        time.sleep(0.3)
    return count


def test_what_this_process_writes_wakes_at_once_and_only_once() -> None:
    log = MemoryLog()
    app = house.app(desk.service(log))
    table, hub = house.opened(app), app.config["CHANGE_FEED"]
    watch = hub.subscribe_to_match(table.match)
    begun = wait_for_change(hub, table.match, FIRST)
    before, _ = watch.arm_wakeup()
    assert before == begun
    moved(table)
    written, _ = hub.get_change_counts(table.match)
    assert written > before
    assert watch.wait(0.0)
    assert wait_for_rest(hub, table.match) == written, "the reader does not tell it again"
    watch.close()
    hub.close()


def test_what_another_process_writes_is_told_by_the_reader() -> None:
    log = MemoryLog()
    hub = ChangeFeed(log, 10, beat=60.0)
    watch = hub.subscribe_to_match(MATCH)
    begun = wait_for_change(hub, MATCH, FIRST)
    hub.note_written(MATCH, 2)
    noted = hub.get_change_counts(MATCH)[0]
    assert noted > begun
    grow(log, MATCH, 2)
    assert wait_for_rest(hub, MATCH) == noted
    visits = hub.get_change_counts(MATCH)[1]
    add(log, MATCH, "0:3")
    wait_for_change(hub, MATCH, noted)
    assert hub.get_change_counts(MATCH)[1] == visits, "nobody has come or gone"
    log.record_visit(MATCH, 0, "a", 60_000)
    until = time.monotonic() + 30
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
    wait_for_rest(hub, MATCH)
    hub.note_written(MATCH, 3 + 9)
    last = hub.get_change_counts(MATCH)[0]
    del log._partitions[partition_for_match(MATCH)].feed[1:]
    wait_for_change(hub, MATCH, last)  # everybody looks again
    last = wait_for_rest(hub, MATCH)  # and without cause nobody does
    add(log, MATCH, "0:4")
    wait_for_change(hub, MATCH, last)
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
    until = time.monotonic() + 30
    while not hub._rests and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(AWAY_PAUSE)
    last = wait_for_rest(hub, MATCH)
    for version in (1, 2):
        grow(log, MATCH, version)
        last = wait_for_change(hub, MATCH, last)  # another process wrote it, and the reader tells it
    hub._rests[int(away)], missed = 0.0, hub.get_change_counts(there)[0]
    gone.clear()
    wait_for_change(hub, there, missed)  # those who watch that match look once it is back
    for watch in watches:
        watch.close()
    hub.close()
