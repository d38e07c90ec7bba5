"""What every log promises: every answer to a commit, in the order of the checks (store.md, section 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.eventstore.contract import MAX_ENTRY_BYTES, LogWriteStatus, MatchLog, partition_for_match
from tests.eventstore.writing import (
    ELSEWHERE,
    MATCH,
    NOTHING,
    OTHER,
    add,
    asking,
    check_whole,
    everything,
    following,
    head_of,
)

P = partition_for_match(MATCH)
TOO_LONG = b"e" * MAX_ENTRY_BYTES
OLD_EPOCH = 7
KNOWN = {"key": f"0:{MATCH}1", "fingerprint": asking(f"0:{MATCH}1")}
STALE = {"version": 2}
AHEAD = {"version": 4}
OTHER_ROOT = {"previous_root": b"another root"}
REST = {"epoch": OLD_EPOCH, "envelope": TOO_LONG}


@pytest.mark.parametrize(
    ("status", "given", "answer", "version"),
    [
        ("over", {**KNOWN, **STALE, **OTHER_ROOT, **REST}, LogWriteStatus.DUP, 1),
        ("frozen", {**KNOWN, **AHEAD, **REST}, LogWriteStatus.DUP, 1),
        ("archived", {**KNOWN, **AHEAD, **REST, "fingerprint": b"?"}, LogWriteStatus.REUSED, 2),
        ("frozen", {**KNOWN, **STALE, **REST, "fingerprint": b"?"}, LogWriteStatus.REUSED, 2),
        ("over", {**STALE, **OTHER_ROOT, **REST}, LogWriteStatus.GONE, 2),
        ("over", {**AHEAD, **OTHER_ROOT, **REST}, LogWriteStatus.GONE, 2),
        ("archived", {**STALE, **OTHER_ROOT, **REST}, LogWriteStatus.GONE, 2),
        ("archived", {}, LogWriteStatus.GONE, 2),
        ("frozen", {**STALE, **OTHER_ROOT, **REST}, LogWriteStatus.FROZEN, 2),
        ("frozen", {}, LogWriteStatus.FROZEN, 2),
        ("open", {**STALE, **OTHER_ROOT, **REST}, LogWriteStatus.CONFLICT, 2),
        ("open", {"version": 1}, LogWriteStatus.CONFLICT, 2),
        ("open", {**AHEAD, **REST}, LogWriteStatus.FORK, 2),
        ("open", {**OTHER_ROOT, **REST}, LogWriteStatus.FORK, 2),
        ("open", {"previous_root": b""}, LogWriteStatus.FORK, 2),
        ("open", REST, LogWriteStatus.FENCED, 2),
        ("open", {"envelope": TOO_LONG}, LogWriteStatus.TOOBIG, 2),
        ("open", {"envelope": b"", "sealed": TOO_LONG + b"x"}, LogWriteStatus.TOOBIG, 2),
        ("open", {"epoch": 0}, LogWriteStatus.OK, 3),
    ],
)
def test_answers_come_in_the_order_of_the_checks(
    log: MatchLog, status: str, given: dict[str, Any], answer: LogWriteStatus, version: int
) -> None:
    add(log, MATCH, f"0:{MATCH}1", reopens_question=True, question="q", thinking_ms=60_000)
    add(log, MATCH, "0:2", status=status)
    before = everything(log, MATCH, "0:new")
    commit = following(MATCH, head_of(log, MATCH), "0:new", reopens_question=True, thinking_ms=1)
    appended = log.append(replace(commit, **given))
    assert (appended.status, appended.version) == (answer, version)
    if answer is LogWriteStatus.OK:
        assert check_whole(log, MATCH) == 3
        return
    assert (appended.position, appended.wake) == (2, False)
    after = everything(log, MATCH, "0:new")
    if answer is LogWriteStatus.FORK:  # it freezes, and writes no more
        reading, *rest = before
        before = (replace(reading, head=replace(reading.head, status="frozen")), *rest)
    assert after == before


def test_a_fork_freezes_the_match_for_everybody(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    head = head_of(log, MATCH)
    assert log.append(following(MATCH, head, "0:2", previous_root=b"x" * 32)).status is LogWriteStatus.FORK
    assert log.append(following(MATCH, head, "0:2")).status is LogWriteStatus.FROZEN
    assert check_whole(log, MATCH) == 1


def test_a_history_that_is_lost_whole_is_a_fork_and_writes_nothing(log: MatchLog) -> None:
    ahead = following(MATCH, replace(NOTHING, version=1, root=b"r", frontier=(b"f" * 32,)), "0:2")
    assert log.append(ahead).status is LogWriteStatus.FORK
    assert log.append(following(MATCH, None, "0:1", previous_root=b"r")).status is LogWriteStatus.FORK
    assert log.read(MATCH).head is None
    assert add(log, MATCH, "0:1").position == 1


def test_raised_epochs_fence_writers_of_before(log: MatchLog) -> None:
    add(log, MATCH, "0:1", epoch=log.read(MATCH).epoch)
    log.raise_epochs()
    assert log.read(MATCH).epoch == log.read_partition_info(P).epoch == log.read_partition_info(63).epoch == 1
    head = head_of(log, MATCH)
    assert log.append(following(MATCH, head, "0:2", epoch=0)).status is LogWriteStatus.FENCED
    assert log.append(following(MATCH, head, "0:2", epoch=1)).status is LogWriteStatus.OK
    assert add(log, MATCH, "0:3", epoch=None).version == 3


def test_freeze_stops_a_match_and_no_other(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    add(log, OTHER, "0:1")
    log.freeze_match(MATCH)
    log.freeze_match(ELSEWHERE)  # which is not there, and is not made by it
    assert log.append(following(MATCH, head_of(log, MATCH), "0:2")).status is LogWriteStatus.FROZEN
    assert add(log, OTHER, "0:2").version == 2
    assert log.read(ELSEWHERE).head is None


def test_a_match_that_is_unfrozen_is_what_it_was(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    assert log.unfreeze_match(MATCH) is False
    assert log.unfreeze_match(ELSEWHERE) is False
    log.freeze_match(MATCH)
    log.freeze_match(MATCH)
    assert log.unfreeze_match(MATCH) is True
    assert add(log, MATCH, "0:2").version == 2
    head = head_of(log, MATCH)
    assert log.append(following(MATCH, head, "0:3", previous_root=b"x" * 32)).status is LogWriteStatus.FORK
    assert log.unfreeze_match(MATCH) is True
    assert add(log, MATCH, "0:3", status="over").version == 3
    log.freeze_match(MATCH)
    assert log.unfreeze_match(MATCH) is True
    assert head_of(log, MATCH).status == "over"
