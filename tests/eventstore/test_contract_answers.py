"""What every log promises: every answer to a commit, in the order of the checks (store.md, section 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.eventstore.contract import LARGEST, Answer, MatchLog, partition_of
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

P = partition_of(MATCH)
TOO_LONG = b"e" * LARGEST
OLD_EPOCH = 7
KNOWN = {"key": f"0:{MATCH}1", "ask": asking(f"0:{MATCH}1")}
STALE = {"version": 2}
AHEAD = {"version": 4}
OTHER_ROOT = {"was_root": b"another root"}
REST = {"epoch": OLD_EPOCH, "envelope": TOO_LONG}


@pytest.mark.parametrize(
    ("status", "given", "answer", "version"),
    [
        ("over", {**KNOWN, **STALE, **OTHER_ROOT, **REST}, Answer.DUP, 1),
        ("frozen", {**KNOWN, **AHEAD, **REST}, Answer.DUP, 1),
        ("archived", {**KNOWN, **AHEAD, **REST, "ask": b"?"}, Answer.REUSED, 2),
        ("frozen", {**KNOWN, **STALE, **REST, "ask": b"?"}, Answer.REUSED, 2),
        ("over", {**STALE, **OTHER_ROOT, **REST}, Answer.GONE, 2),
        ("over", {**AHEAD, **OTHER_ROOT, **REST}, Answer.GONE, 2),
        ("archived", {**STALE, **OTHER_ROOT, **REST}, Answer.GONE, 2),
        ("archived", {}, Answer.GONE, 2),
        ("frozen", {**STALE, **OTHER_ROOT, **REST}, Answer.FROZEN, 2),
        ("frozen", {}, Answer.FROZEN, 2),
        ("open", {**STALE, **OTHER_ROOT, **REST}, Answer.CONFLICT, 2),
        ("open", {"version": 1}, Answer.CONFLICT, 2),
        ("open", {**AHEAD, **REST}, Answer.FORK, 2),
        ("open", {**OTHER_ROOT, **REST}, Answer.FORK, 2),
        ("open", {"was_root": b""}, Answer.FORK, 2),
        ("open", REST, Answer.FENCED, 2),
        ("open", {"envelope": TOO_LONG}, Answer.TOOBIG, 2),
        ("open", {"envelope": b"", "sealed": TOO_LONG + b"x"}, Answer.TOOBIG, 2),
        ("open", {"epoch": 0}, Answer.OK, 3),
    ],
)
def test_answers_come_in_the_order_of_the_checks(
    log: MatchLog, status: str, given: dict[str, Any], answer: Answer, version: int
) -> None:
    add(log, MATCH, f"0:{MATCH}1", asked_anew=True, question="q", thinking_ms=60_000)
    add(log, MATCH, "0:2", status=status)
    before = everything(log, MATCH, "0:new")
    commit = following(MATCH, head_of(log, MATCH), "0:new", asked_anew=True, thinking_ms=1)
    appended = log.append(replace(commit, **given))
    assert (appended.answer, appended.version) == (answer, version)
    if answer is Answer.OK:
        assert check_whole(log, MATCH) == 3
        return
    assert (appended.position, appended.wake) == (2, False)
    after = everything(log, MATCH, "0:new")
    if answer is Answer.FORK:  # it freezes, and writes no more
        reading, *rest = before
        before = (replace(reading, head=replace(reading.head, status="frozen")), *rest)
    assert after == before


def test_a_fork_freezes_the_match_for_everybody(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    head = head_of(log, MATCH)
    assert log.append(following(MATCH, head, "0:2", was_root=b"x" * 32)).answer is Answer.FORK
    assert log.append(following(MATCH, head, "0:2")).answer is Answer.FROZEN
    assert check_whole(log, MATCH) == 1


def test_a_history_that_is_lost_whole_is_a_fork_and_writes_nothing(log: MatchLog) -> None:
    ahead = following(MATCH, replace(NOTHING, version=1, root=b"r", frontier=(b"f" * 32,)), "0:2")
    assert log.append(ahead).answer is Answer.FORK
    assert log.append(following(MATCH, None, "0:1", was_root=b"r")).answer is Answer.FORK
    assert log.read(MATCH).head is None
    assert add(log, MATCH, "0:1").position == 1


def test_raised_epochs_fence_writers_of_before(log: MatchLog) -> None:
    add(log, MATCH, "0:1", epoch=log.read(MATCH).epoch)
    log.raise_epochs()
    assert log.read(MATCH).epoch == log.about(P).epoch == log.about(63).epoch == 1
    head = head_of(log, MATCH)
    assert log.append(following(MATCH, head, "0:2", epoch=0)).answer is Answer.FENCED
    assert log.append(following(MATCH, head, "0:2", epoch=1)).answer is Answer.OK
    assert add(log, MATCH, "0:3", epoch=None).version == 3


def test_freeze_stops_a_match_and_no_other(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    add(log, OTHER, "0:1")
    log.freeze(MATCH)
    log.freeze(ELSEWHERE)  # which is not there, and is not made by it
    assert log.append(following(MATCH, head_of(log, MATCH), "0:2")).answer is Answer.FROZEN
    assert add(log, OTHER, "0:2").version == 2
    assert log.read(ELSEWHERE).head is None
