"""What every log promises: the feed, wake flags, deadlines, grace, projections."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from referee.eventstore.contract import (
    WAKE_FLAG_MS,
    MatchLog,
    Precondition,
    ProjectionBatch,
    ProjectionWrite,
    partition_for_match,
)
from referee.eventstore.memory.log import MemoryLog
from tests.eventstore.conftest import House
from tests.eventstore.writing import ELSEWHERE, MATCH, OTHER, add, everything, grow

P = partition_for_match(MATCH)
MINUTE = 60_000


# -- feed and wake ----------------------------------------------------------------------------------------------------


def test_the_feed_goes_on_after_a_position(log: MatchLog) -> None:
    grow(log, MATCH, 2)
    grow(log, OTHER, 1)
    read = log.read_feed(P, 0, 2)
    assert read == ((1, MATCH, 1), (2, MATCH, 2))
    grow(log, MATCH, 1)
    assert log.read_feed(P, 2) == ((3, OTHER, 1), (4, MATCH, 3))
    assert log.read_feed(P, 0, 2) == read
    assert log.read_feed(P, 4) == ()
    assert log.read_feed(P + 1, 0) == ()


def test_one_commit_wakes_until_the_flag_is_cleared(log: MatchLog) -> None:
    assert add(log, MATCH, "0:1").wake is True
    assert add(log, OTHER, "0:1").wake is False
    assert log.set_wake_flag(P) is False
    assert add(log, ELSEWHERE, "0:1").wake is True
    log.clear_wake_flag(P)
    assert add(log, MATCH, "0:2").wake is True
    log.clear_wake_flag(P)
    assert log.set_wake_flag(P) is True
    assert log.set_wake_flag(P) is False


def test_a_wake_flag_in_memory_falls_by_itself() -> None:
    log = MemoryLog()
    assert log.set_wake_flag(P) is True
    log.advance_clock(WAKE_FLAG_MS - 1)
    assert log.set_wake_flag(P) is False
    log.advance_clock(1)
    assert add(log, MATCH, "0:1").wake is True


def test_a_wake_flag_on_a_server_falls_by_itself(streams: House) -> None:
    add(streams.log, MATCH, "0:1")
    streams.log.set_wake_flag(P + 1)
    for partition in (P, P + 1):
        assert WAKE_FLAG_MS - 2000 < streams.client.pttl(f"{{p{partition:02d}}}:wake") <= WAKE_FLAG_MS


# -- deadlines --------------------------------------------------------------------------------------------------------


def test_the_clock_goes_on(house: House) -> None:
    before = house.log.now()
    house.wait(5)
    assert house.log.read(MATCH).now_ms >= before + 5


def test_asking_anew_replaces_the_deadline(log: MatchLog) -> None:
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=MINUTE)
    before = log.now()
    add(log, MATCH, "0:2", reopens_question=True, thinking_ms=5 * MINUTE)
    reading = log.read(MATCH)
    assert reading.due is not None
    assert reading.due.tag == "2"
    assert before + 5 * MINUTE <= reading.due.at_ms <= reading.now_ms + 5 * MINUTE
    assert log.find_due_deadlines(P, reading.now_ms + 10 * MINUTE) == ((reading.due.at_ms, MATCH, "2"),)


def test_asking_anew_without_a_clock_takes_the_deadline_away(log: MatchLog) -> None:
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=MINUTE)
    add(log, MATCH, "0:2", reopens_question=True, thinking_ms=None)
    assert log.read(MATCH).due is None
    assert log.find_next_deadline() is None


def test_one_of_several_answers_does_not_restart_the_deadline(house: House) -> None:
    log = house.log
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=MINUTE)
    due = log.read(MATCH).due
    assert due is not None
    house.wait(5)
    add(log, MATCH, "0:2", reopens_question=False, thinking_ms=MINUTE)
    assert log.read(MATCH).due == due
    assert log.find_due_deadlines(P, due.at_ms) == ((due.at_ms, MATCH, "1"),)


def test_a_deadline_of_no_time_is_due_at_once(log: MatchLog) -> None:
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=0)
    reading = log.read(MATCH)
    assert reading.due is not None
    assert reading.due.at_ms <= reading.now_ms


def test_due_lists_what_has_passed_the_earliest_first(log: MatchLog) -> None:
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=3 * MINUTE)
    add(log, OTHER, "0:1", reopens_question=True, thinking_ms=MINUTE)
    add(log, ELSEWHERE, "0:1", reopens_question=True, thinking_ms=2 * MINUTE)
    now = log.now()
    assert log.find_due_deadlines(P, now) == ()
    later = log.find_due_deadlines(P, now + 4 * MINUTE)
    assert [(match, tag) for _, match, tag in later] == [(OTHER, "1"), (MATCH, "1")]
    assert log.find_due_deadlines(P, later[0][0]) == log.find_due_deadlines(P, now + 4 * MINUTE, 1) == later[:1]
    assert log.find_due_deadlines(P, later[0][0] - 1) == log.find_due_deadlines(P, now + 4 * MINUTE, 0) == ()
    assert log.find_next_deadline() == later[0][0]
    log.drop_deadline(OTHER, "1")
    log.drop_deadline(OTHER, "1")  # twice is no harm
    log.drop_deadline(MATCH, "2")  # nor is one that is not there
    assert log.find_due_deadlines(P, now + 4 * MINUTE) == later[1:]
    elsewhere = log.read(ELSEWHERE).due
    assert elsewhere is not None
    assert log.find_next_deadline() == elsewhere.at_ms


def test_a_deadline_passes_by_the_clock_of_the_store(house: House) -> None:
    log = house.log
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=40)
    reading = log.read(MATCH)
    assert reading.due is not None
    house.wait(40)
    assert log.find_due_deadlines(P, log.now()) == ((reading.due.at_ms, MATCH, "1"),)


def test_grace_moves_late_deadlines_once_per_run(house: House) -> None:
    log = house.log
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=1)
    add(log, ELSEWHERE, "0:1", reopens_question=True, thinking_ms=1)
    add(log, OTHER, "0:1", reopens_question=True, thinking_ms=MINUTE)
    unmoved = log.read(OTHER).due
    house.wait(3)
    before = log.now()
    assert log.extend_overdue_deadlines("run-1", 30_000) == 2
    for match in (MATCH, ELSEWHERE):
        reading = log.read(match)
        assert reading.due is not None
        assert before + 30_000 <= reading.due.at_ms <= reading.now_ms + 30_000
        assert reading.due.tag == "1"
    assert log.read(OTHER).due == unmoved

    add(log, MATCH, "0:2", reopens_question=True, thinking_ms=1)
    house.wait(3)
    late = everything(log, MATCH)
    assert log.extend_overdue_deadlines("run-1", 30_000) == 0
    assert everything(log, MATCH) == late
    assert log.extend_overdue_deadlines("run-2", 30_000) == 1


def test_a_deadline_can_be_moved_and_one_that_is_gone_stays_away(house: House) -> None:
    log = house.log
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=MINUTE)
    at_ms = log.now() + 5
    log.move_deadline(MATCH, "1", at_ms)
    log.move_deadline(MATCH, "2", at_ms)
    assert log.find_due_deadlines(P, at_ms, limit=-1) == ((at_ms, MATCH, "1"),)
    log.drop_deadline(MATCH, "1")
    log.move_deadline(MATCH, "1", at_ms)
    assert log.find_next_deadline() is None


# -- projections ------------------------------------------------------------------------------------------------------


def test_a_projection_moves_its_cursor_with_its_writes(log: MatchLog) -> None:
    assert log.read_cursor(P, "lobby", 1) == 0
    writes = [
        ProjectionWrite("hset", "rows", "a", b"\x00\xff"),
        ProjectionWrite("hset", "rows", "ä b", b""),
        ProjectionWrite("hset", "rows", "gone", b"1"),
        ProjectionWrite("hdel", "rows", "gone"),
        ProjectionWrite("zadd", "since", "b", b"20"),
        ProjectionWrite("zadd", "since", "a", b"1790000000000"),
        ProjectionWrite("zadd", "since", "c", b"20"),
        ProjectionWrite("zadd", "since", "d", b"-3"),
        ProjectionWrite("zadd", "since", "gone", b"1"),
        ProjectionWrite("zrem", "since", "gone"),
    ]
    assert log.apply_projection(P, "lobby", 1, 0, 10, writes) is True
    assert log.read_cursor(P, "lobby", 1) == 10
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"\x00\xff", "ä b": b""}
    whole = (("d", -3), ("b", 20), ("c", 20), ("a", 1790000000000))
    assert log.read_ranking(P, "lobby", 1, "since") == whole
    assert log.read_ranking(P, "lobby", 1, "since", 1, 2) == whole[1:3]
    assert log.read_ranking(P, "lobby", 1, "since", 4) == log.read_ranking(P, "lobby", 1, "since", 0, 0) == ()
    assert (
        log.apply_projection(
            P, "lobby", 1, 10, 11, [ProjectionWrite("del", "rows"), ProjectionWrite("hset", "rows", "z", b"1")]
        )
        is True
    )
    assert log.read_projection(P, "lobby", 1, "rows") == {"z": b"1"}


def test_who_starts_from_another_cursor_writes_nothing(log: MatchLog) -> None:
    assert log.apply_projection(P, "lobby", 1, 0, 5, [ProjectionWrite("hset", "rows", "a", b"1")]) is True
    for seen in (0, 4, 6):
        assert (
            log.apply_projection(
                P, "lobby", 1, seen, 9, [ProjectionWrite("hset", "rows", "a", b"2"), ProjectionWrite("del", "rows")]
            )
            is False
        )
    assert log.read_cursor(P, "lobby", 1) == 5
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"1"}
    assert log.apply_projection(P, "lobby", 1, 5, 6, []) is True
    assert log.read_cursor(P, "lobby", 1) == 6


def test_several_projections_move_on_in_one_call_each_in_an_act_of_its_own(log: MatchLog) -> None:
    log.apply_projection(P, "lobby", 1, 0, 3, [ProjectionWrite("hset", "rows", "a", b"1")])
    done = log.apply_projections(
        P,
        [
            ProjectionBatch(
                "lobby",
                1,
                3,
                5,
                [ProjectionWrite("hset", "rows", "b", b"2"), ProjectionWrite("zadd", "ranks", "b", b"2")],
            ),
            ProjectionBatch("late", 1, 1, 5, [ProjectionWrite("hset", "rows", "a", b"1")]),
            ProjectionBatch(
                "odd", 1, 0, 5, [ProjectionWrite("hset", "rows", "a", b"1"), ProjectionWrite("zadd", "rows", "a", b"1")]
            ),
            ProjectionBatch("idle", 2, 0, 5, []),
            ProjectionBatch(
                "sums", 1, 0, 5, [ProjectionWrite("del", "rows"), ProjectionWrite("hset", "rows", "z", b"3")]
            ),
        ],
    )
    assert done == (True, False, None, True, True)
    names = ("lobby", "late", "odd", "sums")
    assert log.read_view_cursors(P, [*((name, 1) for name in names), ("idle", 2), ("nobody", 1)]) == (5, 0, 0, 5, 5, 0)
    rows = [log.read_projection(P, name, 1, "rows") for name in names]
    assert rows == [{"a": b"1", "b": b"2"}, {}, {}, {"z": b"3"}]
    assert log.read_ranking(P, "lobby", 1, "ranks") == (("b", 2),)
    assert (log.apply_projections(P, []), log.read_view_cursors(P, [])) == ((), ())


def test_a_write_that_cannot_be_stops_the_whole_call(log: MatchLog) -> None:
    fine = ProjectionBatch("lobby", 1, 0, 5, [ProjectionWrite("hset", "rows", "a", b"1")])
    with pytest.raises(ValueError, match="score"):
        log.apply_projections(
            P, [fine, ProjectionBatch("ranks", 1, 0, 5, [ProjectionWrite("zadd", "since", "a", b"1.5")])]
        )
    assert log.read_view_cursors(P, [("lobby", 1), ("ranks", 1)]) == (0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        ProjectionWrite("incr", "rows", "a", b"1"),
        ProjectionWrite("zadd", "since", "a", b"1.5"),
        ProjectionWrite("zadd", "since", "a", b""),
        ProjectionWrite("zadd", "since", "a", b"inf"),
        ProjectionWrite("zadd", "since", "a", b"9" * 16),
        ProjectionWrite("hset", "cursor", "a", b"1"),
        ProjectionWrite("zadd", "rows", "a", b"1"),
        ProjectionWrite("hset", "ranks", "a", b"1"),
        ProjectionWrite("zrem", "rows", "a"),
    ],
    ids=str,
)
def test_a_batch_with_a_wrong_write_is_refused_whole(log: MatchLog, wrong: ProjectionWrite) -> None:
    log.apply_projection(
        P, "lobby", 1, 0, 1, [ProjectionWrite("hset", "rows", "a", b"1"), ProjectionWrite("zadd", "ranks", "a", b"1")]
    )
    with pytest.raises(ValueError, match=r"writes|written|score"):
        log.apply_projection(P, "lobby", 1, 1, 2, [ProjectionWrite("hset", "rows", "a", b"2"), wrong])
    assert log.read_cursor(P, "lobby", 1) == 1
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"1"}
    assert log.read_ranking(P, "lobby", 1, "ranks") == (("a", 1),)


def test_an_amendment_is_written_where_its_guard_holds_and_moves_no_cursor(log: MatchLog) -> None:
    log.apply_projection(
        P, "lobby", 1, 0, 5, [ProjectionWrite("hset", "rows", "a", b"1"), ProjectionWrite("hset", "rows", "none", b"")]
    )
    writes = [
        ProjectionWrite("hset", "rows", "a", b"2"),
        ProjectionWrite("zadd", "since", "a", b"7"),
        ProjectionWrite("hset", "more", "x", b"y"),
    ]
    for field, held in (("a", None), ("a", b"2"), ("a", b""), ("b", b"1"), ("none", None), ("b", b"")):
        assert log.amend_projection(P, "lobby", 1, Precondition("rows", field, held), writes) is False
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"1", "none": b""}
    assert log.amend_projection(P, "lobby", 1, Precondition("rows", "a", b"1"), writes) is True
    assert log.amend_projection(P, "lobby", 1, Precondition("rows", "a", b"1"), writes) is False
    assert (
        log.amend_projection(
            P, "lobby", 1, Precondition("empty", "a", None), [ProjectionWrite("hset", "empty", "a", b"=")]
        )
        is True
    )
    assert (
        log.amend_projection(P, "lobby", 1, Precondition("empty", "a", b"="), [ProjectionWrite("del", "empty")]) is True
    )
    assert log.amend_projection(P, "lobby", 1, Precondition("rows", "none", b""), []) is True
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"2", "none": b""}
    assert log.read_ranking(P, "lobby", 1, "since") == (("a", 7),)
    assert log.read_projection(P, "lobby", 1, "more") == {"x": b"y"}
    assert log.read_projection(P, "lobby", 1, "empty") == {}
    assert log.read_cursor(P, "lobby", 1) == 5


def test_a_guard_of_ranks_or_of_the_cursor_and_a_wrong_write_are_refused_whole(log: MatchLog) -> None:
    log.apply_projection(
        P, "lobby", 1, 0, 1, [ProjectionWrite("hset", "rows", "a", b"1"), ProjectionWrite("zadd", "ranks", "a", b"1")]
    )
    fine = ProjectionWrite("hset", "rows", "a", b"2")
    with pytest.raises(ValueError, match="cursor"):
        Precondition("cursor", "a", None)
    for guard, wrong in (
        (Precondition("ranks", "a", None), fine),
        (Precondition("rows", "a", b"1"), ProjectionWrite("zadd", "rows", "a", b"1")),
        (Precondition("rows", "a", b"1"), ProjectionWrite("incr", "rows", "a", b"1")),
    ):
        with pytest.raises(ValueError, match=r"writes|guards|ranks"):
            log.amend_projection(P, "lobby", 1, guard, [fine, wrong])
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"1"}


def test_of_many_who_amend_at_once_one_does(log: MatchLog) -> None:
    log.apply_projection(P, "lobby", 1, 0, 1, [ProjectionWrite("hset", "rows", "a", b"0")])
    guard = Precondition("rows", "a", b"0")
    with ThreadPoolExecutor(8) as pool:
        done = list(
            pool.map(
                lambda who: log.amend_projection(
                    P, "lobby", 1, guard, [ProjectionWrite("hset", "rows", "a", b"%d" % (who + 1))]
                ),
                range(8),
            )
        )
    assert done.count(True) == 1
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"%d" % (done.index(True) + 1)}


def test_a_key_that_was_emptied_may_hold_another_kind(log: MatchLog) -> None:
    log.apply_projection(P, "lobby", 1, 0, 1, [ProjectionWrite("hset", "rows", "a", b"1")])
    assert (
        log.apply_projection(
            P, "lobby", 1, 1, 2, [ProjectionWrite("del", "rows"), ProjectionWrite("zadd", "rows", "a", b"7")]
        )
        is True
    )
    assert log.read_ranking(P, "lobby", 1, "rows") == (("a", 7),)
    assert log.apply_projection(P, "lobby", 1, 2, 3, [ProjectionWrite("zrem", "rows", "a")]) is True
    assert log.apply_projection(P, "lobby", 1, 3, 4, [ProjectionWrite("hset", "rows", "a", b"1")]) is True
    assert log.read_projection(P, "lobby", 1, "rows") == {"a": b"1"}


def test_builds_names_and_partitions_do_not_meet(log: MatchLog) -> None:
    places = [(P, "lobby", 1), (P, "lobby", 12), (P, "lob*", 1), (P, "summary", 1), (P + 1, "lobby", 1)]
    for number, place in enumerate(places, 1):
        assert log.apply_projection(*place, 0, number, [ProjectionWrite("hset", "rows", "n", b"%d" % number)]) is True
    log.drop_projection(P, "lob*", 1)
    log.drop_projection(P, "lobby", 1)
    for number, place in enumerate(places, 1):
        kept = place not in ((P, "lobby", 1), (P, "lob*", 1))
        assert log.read_cursor(*place) == (number if kept else 0)
        assert log.read_projection(*place, "rows") == ({"n": b"%d" % number} if kept else {})
