"""Promise 13: whatever is asked of them, nobody can tell the log in memory from one on a server."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.eventstore.contract import AppendResult, Head, MatchLog, Precondition, ProjectionWrite, Snapshot
from referee.eventstore.memory.log import MemoryLog
from tests.eventstore.conftest import REAL, build
from tests.eventstore.writing import ELSEWHERE, MATCH, OTHER, following

Call = tuple[str, Callable[[MatchLog], Any]]
HOUR = 3_600_000  # no deadline passes while a test runs, but those of no time

matches = st.sampled_from([MATCH, OTHER, ELSEWHERE])
partitions = st.sampled_from([7, 63])
small = st.integers(0, 4)
players = st.sampled_from(["pl-a", "pl-b"])
keys = st.sampled_from(["0:a", "0:b", "1:a", "1:b", "chance:1"])
fields = st.sampled_from(["a", "b", "ä"])


@st.composite
def commits(draw: st.DrawFn) -> Call:
    match, key = draw(matches), draw(keys)
    envelope = draw(st.sampled_from([b"", b"{}", b"\x00\xff", b"x" * 262_145]))
    given: dict[str, Any] = {
        "status": draw(st.sampled_from(["open"] * 9 + ["over", "frozen", "archived"])),
        "reopens_question": draw(st.booleans()),
        "question": draw(fields),
        "thinking_ms": draw(st.sampled_from([None, 0, HOUR, 2 * HOUR])),
        "epoch": draw(st.sampled_from([None] * 4 + [0, 1])),
        "fingerprint": draw(st.sampled_from([b"one", b"two"])),
        "token_hash": draw(st.sampled_from([""] * 6 + ["t1"])),
        "grant": draw(st.sampled_from([b"", b"r1"])),
    }
    ahead = draw(st.sampled_from([0] * 12 + [-1, 1]))
    root = draw(st.sampled_from([None] * 12 + [b"another"]))

    def call(log: MatchLog) -> Any:
        commit = following(match, log.read(match, limit=0).head, key, envelope, **given)
        changed = {} if root is None else {"previous_root": root}
        return log.append(replace(commit, version=commit.version + ahead, **changed))

    return f"append {match[:5]} {key} {given} {ahead} {root} {len(envelope)} B", call


def buried() -> st.SearchStrategy[Call]:
    """Archiving a match as it stands."""

    def of(match: str) -> Call:
        def call(log: MatchLog) -> Any:
            head = log.read(match, limit=0).head
            return log.archive_match(match, head.version if head else 1, head.root if head else b"")

        return f"archive {match[:5]} as it stands", call

    return matches.map(of)


def sleeping() -> st.SearchStrategy[Call]:
    """A match is put to sleep as it stands, and perhaps woken with its entries or with none."""

    def of(match: str, wakes: bool) -> Call:
        def call(log: MatchLog) -> Any:
            reading = log.read(match)
            at = (reading.head.version, reading.head.root) if reading.head else (1, b"")
            slept = log.put_to_sleep(match, *at)
            return slept, log.wake_match(match, *at, reading.entries) if wakes else None

        return f"sleep {match[:5]} {wakes}", call

    return st.builds(of, matches, st.booleans())


@st.composite
def projections(draw: st.DrawFn) -> Call:
    partition, seen = draw(partitions), draw(small)
    ops = st.sampled_from(["hset", "hdel", "zadd", "zrem", "del", "hset", "zadd", "incr"])
    values = st.sampled_from([b"1", b"-7", b"12", b"1e3"])
    suffixes = st.sampled_from(["rows", "since"])
    writes = draw(st.lists(st.builds(ProjectionWrite, ops, suffixes, fields, values), max_size=4))
    return f"project {partition} {seen} {writes}", lambda log: log.apply_projection(
        partition, "v", 1, seen, seen + 1, writes
    )


@st.composite
def amendments(draw: st.DrawFn) -> Call:
    partition = draw(partitions)
    guard = Precondition(
        draw(st.sampled_from(["rows", "since"])), draw(fields), draw(st.sampled_from([None, b"1", b"12"]))
    )
    ops = st.sampled_from(["hset", "hdel", "zadd", "zrem", "del"])
    suffixes = st.sampled_from(["rows", "since"])
    writes = draw(
        st.lists(st.builds(ProjectionWrite, ops, suffixes, fields, st.sampled_from([b"1", b"12"])), max_size=3)
    )
    return f"amend {partition} {guard} {writes}", lambda log: log.amend_projection(partition, "v", 1, guard, writes)


def one(name: str, *given: st.SearchStrategy[Any]) -> st.SearchStrategy[Call]:
    """One call by its name."""
    return st.tuples(*given).map(lambda args: (f"{name} {args}", lambda log: getattr(log, name)(*args)))


whole = st.integers(0, 3)
texts = st.sampled_from(["", "t1", "t2"])
records = st.sampled_from([b"", b"r1", b"\xff"])
others = st.one_of(
    projections(),
    projections(),
    amendments(),
    one("read_entries", matches, small, small),
    one("read_feed", partitions, small, small),
    one("save_snapshot", matches, st.builds(Snapshot, small, fields, records)),
    one("drop_deadline", matches, st.sampled_from(["1", "2"])),
    one("move_deadline", matches, st.sampled_from(["1", "2"]), st.just(10**12)),
    one("freeze_match", matches),
    one("unfreeze_match", matches),
    buried(),
    sleeping(),
    one("put_to_sleep", matches, small, records),
    one("wake_match", matches, small, records, st.just(())),
    one("archive_match", matches, small, records),
    one("list_archived", partitions, small, small),
    one(
        "add_tombstone", matches, st.builds(Head, small, records, st.just((bytes(32),)), fields, small, fields, fields)
    ),
    one("set_wake_flag", partitions),
    one("clear_wake_flag", partitions),
    one("raise_epochs"),
    one("extend_overdue_deadlines", st.sampled_from(["run 1", "run 2", "run 3"]), st.just(HOUR)),
    one("drop_projection", partitions, st.just("v"), st.just(1)),
    one("put_grant", matches, texts, records),
    one("revoke_grants", matches, st.lists(texts, max_size=2)),
    one("put_seat_names", matches, st.dictionaries(fields, st.sampled_from([None, "Ada", ""]), max_size=3)),
    one("add_invitation", texts, records, whole, st.just(HOUR)),
    one("redeem_invitation", texts, fields),
    one("release_invitation", texts, fields),
    one("revoke_invitation", texts),
    one("reserve_opening", texts, matches, small, st.just(HOUR)),
    one("drop_openings", texts, st.lists(matches, max_size=2)),
    one("put_pass", matches, whole, texts, records, records, st.just(HOUR)),
    one("drop_pass", matches, st.one_of(st.none(), whole)),
    one("create_player", players, texts, records),
    one("drop_player", players, small),
    one(
        "put_deck",
        players,
        texts,
        fields,
        records,
        records,
        st.just(HOUR),
        whole,
        st.one_of(st.none(), small),
    ),
    one("drop_deck", players, texts, st.one_of(st.none(), small)),
    one("replace_answer", texts, texts, records),
    one("remember_answer", texts, texts, records, records, st.just(HOUR)),
)
calls = st.lists(st.one_of(commits(), commits(), others), min_size=1, max_size=25)


def outcome(call: Callable[[MatchLog], Any], log: MatchLog) -> Any:
    """What a call gives, or that it is refused."""
    try:
        found = call(log)
    except ValueError as refusal:
        return str(refusal)
    if isinstance(found, AppendResult):  # its times are those of two clocks
        due = None if found.due_ms is None else roughly(found.due_ms, found.now_ms)
        return replace(found, now_ms=0, due_ms=None), due
    return found


def roughly(at_ms: int, now_ms: int) -> int:
    """A time by the hours from now: the clocks are two, and no call takes an hour."""
    return round((at_ms - now_ms) / HOUR)


def picture(log: MatchLog) -> Any:
    """All that can be read, with times as hours from now."""
    now, seen = log.now(), []
    for match, key, token in itertools.product([MATCH, OTHER, ELSEWHERE], ["0:a", "chance:1"], ["", "t1"]):
        reading = log.read(match, key=key, grant=token)
        due = None if reading.due is None else (roughly(reading.due.at_ms, now), reading.due.tag)
        seen.append(
            (
                replace(reading, now_ms=0, due=None),
                due,
                log.read_grants(match),
                log.read_seat_names(match),
                log.read_passes(match),
            )
        )
        seen.append([log.find_pass_by_key(match, seat, key) for seat in range(4) for key in ("", "t1", "t2")])
    for partition in (7, 63):
        due = sorted(
            (roughly(at, now), match, tag) for at, match, tag in log.find_due_deadlines(partition, now + 9 * HOUR)
        )
        about = log.read_partition_info(partition)
        seen.append((log.read_feed(partition, 0), due, about.position, about.epoch, about.format))
        seen.append((log.read_cursor(partition, "v", 1), log.list_archived(partition)))
        for suffix in ("rows", "since"):
            seen.append(shown(log, partition, suffix))
    seen += [log.find_invitation(code) for code in ("", "t1", "t2")]
    seen += [log.find_answer(scope, key) for scope in ("", "t1") for key in ("t1", "t2")]
    seen += [log.read_openings(host) for host in ("", "t1", "t2")]
    for player in ("pl-a", "pl-b"):
        seen += [
            log.find_player(player),
            log.read_decks(player),
            [log.find_deck_write(player, key) for key in ("a", "b", "ä")],
        ]
    following_due = log.find_next_deadline()
    seen.append(None if following_due is None else roughly(following_due, now))
    return seen


def shown(log: MatchLog, partition: int, suffix: str) -> Any:
    """A view by the reading that fits its kind; the other one is no promise. A write that removes nothing tells."""
    cursor = log.read_cursor(partition, "v", 1)
    try:
        log.apply_projection(partition, "v", 1, cursor, cursor, [ProjectionWrite("hdel", suffix, "no such field")])
    except ValueError:
        return log.read_ranking(partition, "v", 1, suffix)
    return log.read_projection(partition, "v", 1, suffix)


@pytest.mark.parametrize("kind", ["fake", *REAL])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(calls)
def test_no_call_tells_memory_from_a_server(kind: str, course: list[Call]) -> None:
    memory, house = MemoryLog(lambda: int(time.time() * 1000)), build(kind)
    try:
        for number, (name, call) in enumerate(course, 1):
            assert outcome(call, memory) == outcome(call, house.log), f"call {number}: {name}"
        assert picture(memory) == picture(house.log)
    finally:
        house.client.close()
