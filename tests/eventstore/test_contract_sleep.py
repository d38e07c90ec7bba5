"""What every log promises of sleeping matches: their entries lie elsewhere, and all else is as before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from referee.eventstore.contract import LogWriteStatus, MatchLog, Snapshot, StoredEntry, partition_for_match
from tests.eventstore.conftest import House
from tests.eventstore.test_contract_archive import HOUR, ended
from tests.eventstore.writing import MATCH, OTHER, add, check_feed, check_whole, everything, following, grow, head_of

P = partition_for_match(MATCH)


def sleeping(log: MatchLog) -> tuple[StoredEntry, ...]:
    """A match that was put to sleep; its entries."""
    head = ended(log)
    entries = log.read_entries(MATCH)
    assert log.put_to_sleep(MATCH, head.version, head.root) is LogWriteStatus.OK
    return entries


def test_a_sleeping_match_loses_its_entries_and_nothing_else(log: MatchLog) -> None:
    head = ended(log)
    before = log.read(MATCH, key="0:last", grant="token")
    assert log.put_to_sleep(MATCH, head.version, head.root) is LogWriteStatus.OK
    after = log.read(MATCH, key="0:last", grant="token")
    assert after.head == replace(head, asleep=True)
    assert (after.entries, after.snapshot, log.read_entries(MATCH)) == ((), None, ())
    kept = replace(before, head=after.head, entries=(), snapshot=None, now_ms=after.now_ms)
    assert after == kept
    assert after.known
    assert after.due
    assert after.grant == b"record"
    assert dict(after.passes) == {0: b"record"}
    assert log.list_archived(P) == ((MATCH, 3),)


def test_a_match_that_is_woken_is_as_it_was(log: MatchLog) -> None:
    head = ended(log)
    log.save_snapshot(MATCH, Snapshot(1, "2", b"of other rules"))  # a snapshot is lost, and only that
    before = replace(log.read(MATCH, key="0:last"), snapshot=None, now_ms=0)
    entries = log.read_entries(MATCH)
    log.put_to_sleep(MATCH, head.version, head.root)
    assert log.wake_match(MATCH, head.version, head.root, entries) is LogWriteStatus.OK
    assert replace(log.read(MATCH, key="0:last"), now_ms=0) == before
    assert log.list_archived(P) == ()
    add(log, MATCH, "0:next")
    assert check_whole(log, MATCH) == 4
    check_feed(log, P, {MATCH: 4})


def test_a_sleeping_match_takes_no_entry_and_knows_its_keys(log: MatchLog) -> None:
    sleeping(log)
    head, before = head_of(log, MATCH), everything(log, MATCH)
    assert log.append(following(MATCH, head, "0:new")).status is LogWriteStatus.ASLEEP
    assert log.append_together([following(MATCH, head, "0:new")]).status is LogWriteStatus.ASLEEP
    assert log.append(following(MATCH, None, "0:new")).status is LogWriteStatus.CONFLICT
    gone = log.transfer_out(following(MATCH, head, "0:go", status="moved"), log.read_transfer_payload(MATCH), b"packed")
    assert gone.status is LogWriteStatus.ASLEEP
    assert log.find_departed_payload(MATCH) is None
    again = replace(following(MATCH, head, "0:last"), fingerprint=log.read(MATCH, key="0:last").known.fingerprint)  # type: ignore[union-attr]
    assert (log.append(again).status, log.append(again).version) == (LogWriteStatus.DUP, head.version)
    assert log.save_snapshot(MATCH, Snapshot(head.version, "2", b"state")) is False
    assert log.archive_match(MATCH, head.version, head.root) is LogWriteStatus.CONFLICT
    assert everything(log, MATCH) == before


def test_only_what_was_kept_elsewhere_is_dropped(log: MatchLog) -> None:
    head = ended(log)
    before = everything(log, MATCH)
    assert log.put_to_sleep(MATCH, head.version - 1, head.root) is LogWriteStatus.CONFLICT
    assert log.put_to_sleep(MATCH, head.version, bytes(32)) is LogWriteStatus.FORK
    assert log.put_to_sleep(OTHER, 1, bytes(32)) is LogWriteStatus.CONFLICT
    assert log.wake_match(OTHER, 1, bytes(32), ()) is LogWriteStatus.CONFLICT
    assert log.wake_match(MATCH, head.version, head.root, ()) is LogWriteStatus.DUP
    assert everything(log, MATCH) == before


def test_only_a_match_that_goes_on_is_put_to_sleep(log: MatchLog) -> None:
    head = ended(log)
    log.freeze_match(MATCH)
    assert log.put_to_sleep(MATCH, head.version, head.root) is LogWriteStatus.FROZEN
    grow(log, OTHER, 2)
    other = head_of(log, OTHER)
    log.archive_match(OTHER, other.version, other.root)
    assert log.put_to_sleep(OTHER, other.version, other.root) is LogWriteStatus.CONFLICT


def test_a_match_sleeps_once_and_wakes_once(log: MatchLog) -> None:
    entries = sleeping(log)
    head = head_of(log, MATCH)
    assert log.put_to_sleep(MATCH, head.version, head.root) is LogWriteStatus.DUP
    assert log.wake_match(MATCH, head.version - 1, head.root, entries) is LogWriteStatus.CONFLICT
    assert log.wake_match(MATCH, head.version, bytes(32), entries) is LogWriteStatus.CONFLICT
    with ThreadPoolExecutor(8) as several:
        answers = list(several.map(lambda _: log.wake_match(MATCH, head.version, head.root, entries), range(8)))
    assert sorted(answers) == [LogWriteStatus.DUP] * 7 + [LogWriteStatus.OK]
    assert check_whole(log, MATCH) == head.version


def test_a_sleeping_match_that_is_frozen_stays_so(log: MatchLog) -> None:
    entries = sleeping(log)
    log.freeze_match(MATCH)
    head = head_of(log, MATCH)
    assert (head.status, head.asleep) == ("frozen", True)
    assert log.append(following(MATCH, head, "0:new")).status is LogWriteStatus.FROZEN
    assert log.wake_match(MATCH, head.version, head.root, entries) is LogWriteStatus.OK
    assert head_of(log, MATCH).status == "frozen"


def test_a_reader_who_has_the_match_is_told_that_it_sleeps(log: MatchLog) -> None:
    sleeping(log)
    head = head_of(log, MATCH)
    reading = log.read(MATCH, after=head.version, root=head.root)
    assert (reading.is_unchanged, reading.head) == (False, head)


@pytest.mark.parametrize(("what", "stays"), [("log", 0), ("snap", 0), ("keys", 1), ("passes", 1), ("grants", 1)])
def test_what_takes_most_room_leaves_the_memory(streams: House, what: str, stays: int) -> None:
    sleeping(streams.log)
    assert streams.client.exists(f"{{p07}}:m:{MATCH}:{what}") == stays
    assert streams.log.find_next_deadline() <= streams.log.now() + HOUR  # type: ignore[operator]
