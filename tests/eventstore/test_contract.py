"""What every log promises (store.md, section 5): its commits, its bytes, its writers, its snapshots."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from referee.eventstore.contract import (
    MAX_ENTRY_BYTES,
    PARTITIONS,
    Commit,
    Head,
    IdempotencyRecord,
    LogWriteStatus,
    MatchLog,
    Snapshot,
    StoredEntry,
    partition_for_match,
)
from tests.eventstore.writing import (
    ELSEWHERE,
    MATCH,
    OTHER,
    add,
    asking,
    check_feed,
    check_whole,
    everything,
    following,
    grow,
    head_of,
)

P = partition_for_match(MATCH)
WRITERS = 8


# -- a match that is not there -----------------------------------------------------------------------------------------


def test_an_unknown_match_reads_as_nothing(log: MatchLog) -> None:
    reading = log.read(MATCH, key="0:k", grant="token")
    assert reading == replace(reading, head=None, entries=(), known=None, due=None, epoch=0, snapshot=None, grant=None)
    assert log.read_entries(MATCH) == ()
    assert log.read_feed(P, 0) == ()
    assert (
        log.read_partition_info(P).position,
        log.read_partition_info(P).epoch,
        log.read_partition_info(P).format,
    ) == (0, 0, 1)


@pytest.mark.parametrize("match", ["", "7-abc", "64-abc", "07abc", "ab-abc", "٠٧-abc", "007-abc", "-7-abc", "+7-abc"])
def test_an_id_that_names_no_partition_is_refused(log: MatchLog, match: str) -> None:
    with pytest.raises(ValueError, match="names no partition"):
        log.read(match)


# -- promises 1 and 3: a commit is whole ------------------------------------------------------------------------------


def test_a_commit_writes_log_head_key_feed_deadline_and_wake(log: MatchLog) -> None:
    commit = following(
        MATCH, None, "0:first", b'{"a":1}', reopens_question=True, question="mc.Ask", edition="e1", thinking_ms=60_000
    )
    before = log.now()
    appended = log.append(commit)
    assert (appended.status, appended.version, appended.position, appended.wake) == (LogWriteStatus.OK, 1, 1, True)
    reading = log.read(MATCH, key="0:first")
    assert reading.head == Head(1, commit.root, commit.frontier, "open", 1, "mc.Ask", "e1")
    assert reading.entries == (StoredEntry(1, commit.envelope, commit.sealed, commit.root),)
    assert reading.known == IdempotencyRecord(1, asking("0:first"))
    assert reading.due is not None
    assert reading.due.tag == "1"
    assert before + 60_000 <= reading.due.at_ms <= reading.now_ms + 60_000
    assert log.read_feed(P, 0) == ((1, MATCH, 1),)
    assert log.read_partition_info(P).position == 1
    assert log.read_positions() == tuple(int(partition == P) for partition in range(PARTITIONS))


def test_versions_have_no_gap_and_roots_are_right(log: MatchLog) -> None:
    grow(log, MATCH, 11)
    grow(log, OTHER, 3)
    assert check_whole(log, MATCH) == 11
    assert check_whole(log, OTHER) == 3
    check_feed(log, P, {MATCH: 11, OTHER: 3})


def test_a_page_of_entries_begins_after_a_version(log: MatchLog) -> None:
    grow(log, MATCH, 7)
    whole = log.read(MATCH).entries
    assert log.read(MATCH, after=5).entries == log.read_entries(MATCH, 5) == whole[5:]
    assert log.read(MATCH, after=2, limit=3).entries == log.read_entries(MATCH, 2, 3) == whole[2:5]
    assert log.read(MATCH, after=7).entries == log.read_entries(MATCH, 7) == log.read_entries(MATCH, 99) == ()
    assert log.read(MATCH, limit=0).entries == log.read_entries(MATCH, 0, 0) == log.read_feed(P, 0, 0) == ()
    assert log.read(MATCH, limit=0).head == head_of(log, MATCH)


def test_matches_do_not_meet(log: MatchLog) -> None:
    add(log, MATCH, "0:k", b"mine")
    add(log, ELSEWHERE, "0:k", b"theirs")
    assert log.read(OTHER, key="0:k").known is None
    assert [entry.envelope for entry in log.read_entries(MATCH)] == [b"mine"]
    check_feed(log, P, {MATCH: 1})
    check_feed(log, partition_for_match(ELSEWHERE), {ELSEWHERE: 1})


def test_status_question_and_edition_follow_the_entries(log: MatchLog) -> None:
    add(log, MATCH, "0:1", reopens_question=True, question="first", edition="e1")
    add(log, MATCH, "0:2", question="not asked anew, so not the question", edition="e2")
    head = head_of(log, MATCH)
    assert (head.question_version, head.question, head.edition, head.status) == (1, "first", "e2", "open")
    add(log, MATCH, "0:3", reopens_question=True, question="", edition="", status="over")
    head = head_of(log, MATCH)
    assert (head.question_version, head.question, head.edition, head.status) == (3, "", "", "over")


# -- promise 10: bytes read are bytes written -------------------------------------------------------------------------

NASTY = bytes(range(256)) + b"\r\n$-1\r\n*0\r\n\x00" + "ä😀 ]]".encode()


@pytest.mark.parametrize(
    ("envelope", "sealed"),
    [
        (b"{", b""),
        (b"", b"x"),
        (b"", b""),
        (NASTY, NASTY[::-1]),
        (b"e" * MAX_ENTRY_BYTES, b""),
        (b"e" * (MAX_ENTRY_BYTES - 9), b"x" * 9),
    ],
    ids=["1 B", "sealed only", "empty", "every byte", "256 kB", "256 kB in two"],
)
def test_bytes_read_are_bytes_written(log: MatchLog, envelope: bytes, sealed: bytes) -> None:
    commit = following(MATCH, None, "0:k", envelope, sealed=sealed)
    assert log.append(commit).status is LogWriteStatus.OK
    assert log.read_entries(MATCH) == log.read(MATCH).entries == (StoredEntry(1, envelope, sealed, commit.root),)
    check_whole(log, MATCH)


@pytest.mark.parametrize("key", ["0:a:b", "-1:chance 7", "0:ä😀", "0:%d", "0:\n", "0:x*[?]{}", "0:" + "k" * 300])
@pytest.mark.parametrize("ask", [b"", b":", NASTY, b"7:" * 16])
def test_a_key_and_an_ask_may_be_any_text_and_bytes(log: MatchLog, key: str, ask: bytes) -> None:
    commit = following(MATCH, None, key, fingerprint=ask)
    assert log.append(commit).status is LogWriteStatus.OK
    assert log.read(MATCH, key=key).known == IdempotencyRecord(1, ask)
    assert log.append(commit).status is LogWriteStatus.DUP
    assert log.append(replace(commit, fingerprint=ask + b"!")).status is LogWriteStatus.REUSED


# -- promise 5: one key, one entry ------------------------------------------------------------------------------------


def test_the_same_ask_under_the_same_key_is_one_entry(log: MatchLog) -> None:
    first = following(MATCH, None, "0:k", b"one")
    log.append(first)
    grow(log, MATCH, 2)
    before = everything(log, MATCH, "0:k")
    again = log.append(replace(following(MATCH, head_of(log, MATCH), "0:k", b"two"), fingerprint=first.fingerprint))
    assert (again.status, again.version, again.position, again.wake) == (LogWriteStatus.DUP, 1, 3, False)
    assert everything(log, MATCH, "0:k") == before


def test_another_ask_under_the_same_key_is_refused(log: MatchLog) -> None:
    add(log, MATCH, "0:k")
    grow(log, MATCH, 2)
    before = everything(log, MATCH, "0:k")
    again = log.append(following(MATCH, head_of(log, MATCH), "0:k", fingerprint=b"something else"))
    assert (again.status, again.version, again.position, again.wake) == (LogWriteStatus.REUSED, 3, 3, False)
    assert everything(log, MATCH, "0:k") == before


def test_keys_of_two_seats_are_two_keys(log: MatchLog) -> None:
    add(log, MATCH, "0:k")
    add(log, MATCH, "1:k")
    assert (log.read(MATCH, key="0:k").known, log.read(MATCH, key="1:k").known) == (
        IdempotencyRecord(1, asking("0:k")),
        IdempotencyRecord(2, asking("1:k")),
    )


# -- promise 2: of many writers one commits ---------------------------------------------------------------------------


def test_of_eight_writers_from_one_version_exactly_one_commits(log: MatchLog) -> None:
    grow(log, MATCH, 1)
    head, start = head_of(log, MATCH), threading.Barrier(WRITERS)

    def write(writer: int) -> LogWriteStatus:
        commit = following(MATCH, head, f"{writer}:k", str(writer).encode())
        start.wait()
        return log.append(commit).status

    with ThreadPoolExecutor(WRITERS) as pool:
        answers = sorted(pool.map(write, range(WRITERS)))
    assert answers == sorted([LogWriteStatus.OK] + [LogWriteStatus.CONFLICT] * (WRITERS - 1))
    assert check_whole(log, MATCH) == 2
    check_feed(log, P, {MATCH: 2})


def test_eight_writers_on_one_match_lose_nothing(log: MatchLog) -> None:
    each, start = 6, threading.Barrier(WRITERS)

    def write(writer: int) -> list[int]:
        versions = []
        start.wait()
        for number in range(each):
            answer = LogWriteStatus.CONFLICT
            while answer is LogWriteStatus.CONFLICT:
                commit = following(MATCH, log.read(MATCH, limit=0).head, f"{writer}:{number}", b"%d" % writer)
                answer = (appended := log.append(commit)).status
            assert answer is LogWriteStatus.OK
            versions.append(appended.version)
        return versions

    with ThreadPoolExecutor(WRITERS) as pool:
        written = list(pool.map(write, range(WRITERS)))
    assert sorted(version for own in written for version in own) == list(range(1, WRITERS * each + 1))
    assert check_whole(log, MATCH) == WRITERS * each
    check_feed(log, P, {MATCH: WRITERS * each})
    entries = log.read(MATCH).entries
    assert all(entries[version - 1].envelope == b"%d" % writer for writer, own in enumerate(written) for version in own)


# -- snapshots --------------------------------------------------------------------------------------------------------


def test_a_snapshot_goes_only_over_a_lower_version(log: MatchLog) -> None:
    grow(log, MATCH, 5)
    assert log.read(MATCH).snapshot is None
    assert log.save_snapshot(MATCH, Snapshot(3, "1", NASTY)) is True
    assert log.save_snapshot(MATCH, Snapshot(3, "1", b"as low")) is False
    assert log.save_snapshot(MATCH, Snapshot(2, "1", b"lower")) is False
    assert log.read(MATCH).snapshot == Snapshot(3, "1", NASTY)
    assert log.save_snapshot(MATCH, Snapshot(5, "1", b"")) is True
    assert log.read(MATCH).snapshot == Snapshot(5, "1", b"")
    assert log.save_snapshot(MATCH, Snapshot(2, "2", b"other rules")) is True
    assert log.read(MATCH).snapshot == Snapshot(2, "2", b"other rules")


def test_a_snapshot_is_read_only_by_those_who_know_nothing_yet(log: MatchLog) -> None:
    grow(log, MATCH, 5)
    assert log.save_snapshot(MATCH, Snapshot(3, "1", NASTY)) is True
    assert log.read(MATCH, after=1).snapshot is None
    assert log.read(MATCH, limit=0).snapshot == Snapshot(3, "1", NASTY)


def test_a_snapshot_beyond_the_log_or_of_no_match_is_refused(log: MatchLog) -> None:
    grow(log, MATCH, 1)
    assert log.save_snapshot(MATCH, Snapshot(2, "1", b"?")) is False
    assert log.save_snapshot(OTHER, Snapshot(1, "1", b"?")) is False
    assert log.read(MATCH).snapshot is None
    assert log.read(OTHER).snapshot is None


# -- several entries together -----------------------------------------------------------------------------------------


def three_together(log: MatchLog, **last: Any) -> list[Commit]:
    """Commits for the next three entries; `last` changes the last one."""
    made: list[Commit] = []
    head = log.read(MATCH, limit=0).head
    for at in range(3):
        commit = following(MATCH, head, f"0:together{at}", f'{{"n":{at}}}'.encode(), reopens_question=True)
        made.append(replace(commit, **last) if at == 2 else commit)
        head = Head(commit.version, commit.root, commit.frontier, "open", commit.version, "", "")
    return made


def test_entries_added_together_are_all_there(log: MatchLog) -> None:
    grow(log, MATCH, 2)
    made = three_together(log, thinking_ms=60_000)
    done = log.append_together(made)
    assert (done.status, done.version, done.position) == (LogWriteStatus.OK, 5, 5)
    assert done.due_ms is not None
    assert [each.version for each in log.read_entries(MATCH)] == [1, 2, 3, 4, 5]
    assert [position for position, _, _ in log.read_feed(7, 0)] == [1, 2, 3, 4, 5]
    assert all(log.read(MATCH, key=each.key).known for each in made)
    check_whole(log, MATCH)
    again = log.append_together(made)
    assert (again.status, again.version) == (LogWriteStatus.DUP, 3)
    other = log.append_together([replace(made[0], fingerprint=b"other"), *made[1:]])
    assert other.status is LogWriteStatus.REUSED
    check_whole(log, MATCH)


@pytest.mark.parametrize(
    ("last", "status"),
    [
        ({"envelope": b"e" * (MAX_ENTRY_BYTES + 1)}, LogWriteStatus.TOOBIG),
        ({"key": f"0:{MATCH}1"}, LogWriteStatus.CONFLICT),
    ],
    ids=["too big", "key known"],
)
def test_if_one_of_them_cannot_be_added_none_is(log: MatchLog, last: dict[str, Any], status: LogWriteStatus) -> None:
    grow(log, MATCH, 2)
    before = everything(log, MATCH, "0:together0")
    assert log.append_together(three_together(log, **last)).status is status
    assert everything(log, MATCH, "0:together0") == before
    late = three_together(log)
    grow(log, MATCH, 1)
    assert log.append_together(late).status is LogWriteStatus.CONFLICT
    check_whole(log, MATCH)
