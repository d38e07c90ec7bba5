"""Matches that nobody touches: they lie in files, read and write as before, and nothing is lost whoever is killed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.audit.bundles.archiving import ALREADY, ASLEEP, archive_match, put_match_to_sleep
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.contract import LogWriteStatus, MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.clients import UNAVAILABLE_ERRORS
from referee.infrastructure.integrity_check import find_missing_archives, freeze_damaged_matches, freeze_lost_matches
from referee.infrastructure.watermarks.guard import HistoryGuard, SignedHistory
from referee.match.errors import MatchUnavailable
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.eventstore.writing import check_whole
from tests.infrastructure.archiving import plain
from tests.service.house import service
from tests.workers.house import opened, played
from tests.workers.test_archiving import POINTS, Dying, after, before, led, withdrawn
from workers.jobs.archiving import DAY_MS, SLEEPING, Archiver, ArchiveService
from workers.projections.public_match import PublicMatches


@pytest.fixture
def memory() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


@pytest.fixture
def at(memory: MemoryLog, archive: Archive) -> MatchService:
    return service(attach_archive(memory, archive))


def begun(at: MatchService) -> str:
    match = opened(at, "table", "table")
    played(at, match, 1, 2)
    assert at.load_match(match).match.status == "running"
    return match


def next_move(at: MatchService, match: str, key: str) -> MoveRequest:
    state = at.load_match(match).match.state
    assert state is not None
    seat = min(seat for seat in seats_that_must_act(state) if seat >= 0)
    move = sample_legal_move(state, Seat(seat), lambda _: 0)
    assert move is not None
    return MoveRequest(match, Seat(seat), move, key=key)


def asleep(at: MatchService, archive: Archive) -> str:
    match = begun(at)
    assert put_match_to_sleep(at, archive, match, plain, at.log.now() + 1) == ASLEEP
    return match


def test_the_archiver_puts_to_sleep_what_nobody_touches(at: MatchService, memory: MemoryLog, archive: Archive) -> None:
    old, over, lobby = begun(at), withdrawn(at), opened(at, "human", "human", begin=False)
    memory.advance_clock(3 * DAY_MS)
    young = begun(at)
    memory.advance_clock(2 * DAY_MS)
    led(at.log)
    archiver = Archiver(ArchiveService(at, archive, plain), 4, SLEEPING)
    assert archiver.handle_due_matches(threading.Event()) == 1
    assert [at.load_match(each).head.asleep for each in (old, young, over, lobby)] == [True, False, False, False]
    assert archiver.handle_due_matches(threading.Event()) == 0
    assert put_match_to_sleep(at, archive, old, plain, memory.now()) == ALREADY
    assert archive_match(at, archive, old, plain, now=True) == "running"


def test_a_sleeping_match_is_read_as_before_and_a_move_wakes_it(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    match = begun(at)
    entries, stood = at.log.read(match).entries, at.load_match(match)
    assert put_match_to_sleep(at, archive, match, plain, memory.now() + 1) == ASLEEP
    assert memory.read_entries(match) == ()
    for each in (at, service(at.log)):
        assert each.log.read(match).entries == each.log.read_entries(match) == entries
        assert each.load_match(match).match == stood.match
    request = next_move(at, match, "wakes")
    done = at.make_move(request)
    assert done.entry == len(entries) + 1
    assert memory.read_entries(match)[: len(entries)] == entries
    assert check_whole(memory, match) == done.version
    assert not at.load_match(match).head.asleep
    led(at.log)
    assert PublicMatches(at.log).load_match(match, done.version).match.status == "running"
    played(at, match, 2)
    assert at.load_match(match).match.status == "finished"
    assert archive_match(at, archive, match, plain, now=True) == "archived", "over the file of its sleep"
    assert len(at.log.read_entries(match, 0, 1000)) == at.load_match(match).version


def test_a_request_before_the_sleep_gets_its_answer_after_it(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    match = begun(at)
    request = next_move(at, match, "once")
    first = at.make_move(request)
    put_match_to_sleep(at, archive, match, plain, memory.now() + 1)
    again = at.make_move(request)
    assert (again.replayed, again.entry, again.receipt) == (True, first.entry, first.receipt)
    assert at.load_match(match).head.asleep, "nothing was written"


def test_a_command_of_the_table_wakes_a_match(at: MatchService, archive: Archive) -> None:
    from referee.match.events.ending_events import EndMatch

    match = asleep(at, archive)
    done = at.execute_command(match, EndMatch("abandoned", (), "host", (0, 1)), key="end", scope="host")
    assert (done.match.status, at.load_match(match).head.asleep) == ("abandoned", False)


def test_what_happens_at_the_last_moment_keeps_a_match_awake(
    at: MatchService, memory: MemoryLog, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, sleep = begun(at), MemoryLog.put_to_sleep
    before_ms = memory.now() + 1

    def late(log: MemoryLog, *args: Any) -> LogWriteStatus:
        memory.advance_clock(1)
        at.make_move(next_move(at, match, "late"))
        return sleep(log, *args)

    monkeypatch.setattr(MemoryLog, "put_to_sleep", late)
    assert put_match_to_sleep(at, archive, match, plain, before_ms) == "running"
    assert check_whole(memory, match) == at.load_match(match).version


def test_a_match_falls_asleep_while_a_move_is_decided(
    at: MatchService, memory: MemoryLog, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, append = begun(at), MemoryLog.append
    request = next_move(at, match, "slow")

    def slow(log: MemoryLog, commit: Any) -> Any:
        monkeypatch.setattr(MemoryLog, "append", append)
        assert put_match_to_sleep(service(at.log), archive, match, plain, memory.now() + 1) == ASLEEP
        return log.append(commit)

    monkeypatch.setattr(MemoryLog, "append", slow)
    assert at.make_move(request).replayed is False
    assert check_whole(memory, match) == at.load_match(match).version


def test_many_wake_a_match_at_once_and_a_move_counts_once(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    match = asleep(at, archive)
    desks = [service(attach_archive(memory, Archive(archive.folder))) for _ in range(8)]
    request = replace(next_move(at, match, "same"), seen=at.load_match(match).version)
    with ThreadPoolExecutor(8) as several:
        done = list(several.map(lambda desk: desk.make_move(request), desks))
    assert len({each.entry for each in done}) == 1
    assert sum(not each.replayed for each in done) == 1
    assert check_whole(memory, match) == at.load_match(match).version


def test_a_sleeping_match_without_its_file_is_told_of_and_left_alone(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    match = asleep(at, archive)
    assert freeze_damaged_matches(at.log, at.appender.draws.salt) == []
    path = archive.path_for(match)
    kept = path.read_bytes()
    path.unlink()
    assert [each.match for each in find_missing_archives(at.log, archive)] == [match]
    with pytest.raises(MatchUnavailable):
        service(at.log).load_match(match)
    path.write_bytes(kept)
    fresh = service(at.log)
    fresh.make_move(next_move(fresh, match, "back"))
    assert find_missing_archives(at.log, archive) == []


def test_the_marks_of_what_was_signed_hold_for_a_sleeping_match(
    at: MatchService, memory: MemoryLog, archive: Archive, tmp_path: Path
) -> None:
    guard = HistoryGuard(SignedHistory(tmp_path / "watermarks"), at.log)
    at.sign, at.appender.watch = guard.guard_signature(at.sign), guard
    match = asleep(at, archive)
    path = archive.path_for(match)
    kept = path.read_bytes()
    path.unlink()
    assert freeze_lost_matches(at.log, SignedHistory(tmp_path / "watermarks")) == [], "a start reads no files of those"
    path.write_bytes(kept)
    fresh = service(attach_archive(memory, Archive(archive.folder)))
    guard = HistoryGuard(SignedHistory(tmp_path / "watermarks"), fresh.log)
    fresh.sign, fresh.appender.watch = guard.guard_signature(fresh.sign), guard
    assert fresh.make_move(next_move(fresh, match, "on")).receipt
    assert check_whole(memory, match) == fresh.load_match(match).version
    assert freeze_lost_matches(fresh.log, SignedHistory(tmp_path / "watermarks")) == []


# -- kill -9 -----------------------------------------------------------------------------------------------------------

ON_THE_WAY = {name: point for name, point in POINTS.items() if "store" not in name} | {
    "before the store hears of it": (RedisLog, "put_to_sleep", before),
    "when the store has done it": (RedisLog, "put_to_sleep", after),
}
WAKING: dict[str, tuple[Any, str, Dying]] = {
    "before it is woken": (RedisLog, "wake_match", before),
    "when it is awake": (RedisLog, "wake_match", after),
}


def desk(socket: Path, folder: Path) -> MatchService:
    client = redis.Redis(unix_socket_path=str(socket))
    return service(attach_archive(RedisLog(client, UNAVAILABLE_ERRORS), Archive(folder)))


def killed(point: tuple[Any, str, Dying], act: Callable[[], object]) -> None:
    """Does something in a child process that dies at that point."""
    child = os.fork()
    if child == 0:
        where, name, dying = point
        setattr(where, name, dying(getattr(where, name)))
        try:
            act()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it was to die on the way"
    assert os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.crash
@pytest.mark.parametrize("point", ON_THE_WAY)
def test_a_kill_on_the_way_to_sleep_loses_nothing(socket: Path, tmp_path: Path, point: str) -> None:
    redis.Redis(unix_socket_path=str(socket)).flushall()
    folder = tmp_path / "archive"
    at = desk(socket, folder)
    match = begun(at)
    whole, late = at.log.read(match).entries, at.log.now() + DAY_MS
    with Archive(folder).lock_partition_of(match):
        pass  # the folder is there: what dies is the writing
    killed(ON_THE_WAY[point], lambda: put_match_to_sleep(desk(socket, folder), Archive(folder), match, plain, late))
    for each in (at, desk(socket, folder)):
        assert each.log.read(match).entries == each.log.read_entries(match) == whole
    done = put_match_to_sleep(at, Archive(folder), match, plain, late)
    assert done == (ALREADY if point == "when the store has done it" else ASLEEP)
    at.make_move(next_move(at, match, "on"))
    assert check_whole(at.log, match) == at.load_match(match).version > len(whole)


@pytest.mark.crash
@pytest.mark.parametrize("point", WAKING)
def test_a_kill_while_waking_loses_nothing(socket: Path, tmp_path: Path, point: str) -> None:
    redis.Redis(unix_socket_path=str(socket)).flushall()
    folder = tmp_path / "archive"
    at = desk(socket, folder)
    match = begun(at)
    whole = at.log.read(match).entries
    assert put_match_to_sleep(at, Archive(folder), match, plain, at.log.now() + DAY_MS) == ASLEEP
    request = next_move(at, match, "again")
    killed(WAKING[point], lambda: desk(socket, folder).make_move(request))
    fresh = desk(socket, folder)
    assert fresh.log.read(match).entries == fresh.log.read_entries(match) == whole
    assert fresh.make_move(request).replayed is False
    assert fresh.make_move(request).replayed is True
    assert check_whole(fresh.log, match) == fresh.load_match(match).version


def test_a_log_without_files_says_that_a_match_sleeps(at: MatchService, memory: MemoryLog, archive: Archive) -> None:
    match = asleep(at, archive)
    request = next_move(at, match, "blind")
    log: MatchLog = at.log
    assert log.read(match, limit=0).head == replace(memory.read(match, limit=0).head, asleep=True)  # type: ignore[type-var]
    loaded = at.load_match(match)
    at.appender._log = memory  # a program that knows of no files
    with pytest.raises(MatchUnavailable, match="asleep"):
        at.make_move(request, loaded)
