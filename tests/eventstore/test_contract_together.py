"""Calls that are made together, and feeds that are read together: each is what it is alone."""

from __future__ import annotations

import pytest

from referee.eventstore.contract import LogWriteStatus, MatchLog, ProjectionBatch, ProjectionWrite
from referee.eventstore.projection_store import StoreCall
from tests.eventstore.conftest import House
from tests.eventstore.writing import ELSEWHERE, MATCH, following

P, Q = 7, 63
ROW = ProjectionWrite("hset", "rows", MATCH, b"{}")
RANK = ProjectionWrite("zadd", "rows", MATCH, b"5")


def written(log: MatchLog, match: str, count: int) -> None:
    for number in range(count):
        done = log.append(following(match, log.read(match, limit=0).head, f"0:{number}"))
        assert done.status is LogWriteStatus.OK


def test_calls_together_return_what_each_returns_alone(log: MatchLog) -> None:
    written(log, MATCH, 3)
    log.put_pass(MATCH, 1, "k", b"ask", b"record", 60_000)
    log.apply_projection(P, "lobby", 1, 0, 2, [ROW])
    calls = [
        StoreCall("read_view_cursors", (P, [("lobby", 1), ("other", 2)])),
        StoreCall("read_entries", (MATCH, 1, 2)),
        StoreCall("read_entries", (ELSEWHERE, 0, 2)),
        StoreCall("read_projection", (P, "lobby", 1, "rows")),
        StoreCall("read_projection", (P, "lobby", 1, "rows", (MATCH, "none"))),
        StoreCall("read_passes", (MATCH,)),
    ]
    found = log.call_together(calls)
    assert found == [getattr(log, call.name)(*call.args) for call in calls]
    assert found[0] == (2, 0)
    assert [entry.version for entry in found[1]] == [2, 3]
    assert found[2:] == [(), {MATCH: b"{}"}, {MATCH: b"{}"}, {1: b"record"}]
    assert log.call_together([]) == []


def test_writes_together_are_made_in_order_and_each_by_itself(log: MatchLog) -> None:
    written(log, MATCH, 1)
    assert not log.set_wake_flag(P)
    moved, late = ProjectionBatch("lobby", 1, 0, 1, [ROW]), ProjectionBatch("lobby", 1, 0, 9, [])
    unfit = ProjectionBatch("other", 1, 0, 1, [ROW, RANK])
    found = log.call_together(
        [
            StoreCall("clear_wake_flag", (P,)),
            StoreCall("apply_projections", (P, [moved, unfit])),
            StoreCall("apply_projections", (Q, [ProjectionBatch("lobby", 1, 0, 3, [])])),
            StoreCall("apply_projections", (P, [late])),
            StoreCall("read_view_cursors", (P, [("lobby", 1), ("other", 1)])),
        ]
    )
    assert found == [None, (True, None), (True,), (False,), (1, 0)]
    assert log.read_cursor(Q, "lobby", 1) == 3
    assert log.set_wake_flag(P)


def test_a_write_that_cannot_be_applied_is_refused(log: MatchLog) -> None:
    wrong = ProjectionBatch("lobby", 1, 0, 1, [ProjectionWrite("incr", "rows", "a", b"1")])
    with pytest.raises(ValueError, match="incr"):
        log.call_together([StoreCall("apply_projections", (P, [wrong]))])
    assert log.read_cursor(P, "lobby", 1) == 0


def test_a_server_that_has_forgotten_the_scripts_gets_them_again(streams: House) -> None:
    calls = [StoreCall("apply_projections", (P, [ProjectionBatch("lobby", 1, 0, 1, [ROW])]))]
    streams.client.script_flush()
    assert streams.log.call_together(calls) == [(True,)]
    assert streams.log.call_together(calls) == [(False,)]


def test_feeds_are_read_together_and_idle_ones_are_left_out(log: MatchLog) -> None:
    written(log, MATCH, 3)
    written(log, ELSEWHERE, 2)
    everything = log.read_feeds({P: 0, Q: 0, 8: 0})
    assert everything == {P: log.read_feed(P, 0), Q: log.read_feed(Q, 0)}
    assert log.read_feeds({P: 1, Q: 2}, 1) == {P: ((2, MATCH, 2),)}
    assert log.read_feeds({P: 3, Q: 2}) == log.read_feeds({}) == log.read_feeds({P: 0}, 0) == {}
