"""Matches put away: what is settled goes, nothing is lost whoever is killed on the way, and views are as before."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.audit.bundles import archiving
from referee.audit.bundles.archiving import ArchiveMismatch, archive_match
from referee.audit.bundles.format import BundleLine, EntryLine
from referee.eventstore.contract import LogWriteStatus, MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.archives import archive as files
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.clients import UNAVAILABLE_ERRORS
from referee.match.errors import MatchUnavailable
from referee.match.events.dispute_commands import OpenDispute
from referee.match.loaded import LoadedMatch
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.service.finality import find_archive_blocker
from referee.service.match_service import MatchService
from tests.infrastructure.archiving import plain
from tests.service.house import end_agreed_by_all, service
from tests.workers.house import context_of, opened, played
from workers import __main__ as command
from workers.composition import set_context
from workers.jobs.archiving import DAY_MS, Archiver, ArchiveService, find_archivable_matches
from workers.projections.public_match import PublicMatches
from workers.projections.rebuild import compare_builds, rebuild_projection
from workers.projections.runner import LIVE_PROJECTIONS, catch_up


def led(log: MatchLog) -> None:
    for partition in range(64):
        if log.read_partition_info(partition).position:
            catch_up(log, partition, PublicMatches(log)).raise_failures()


def withdrawn(at: MatchService) -> str:
    """A match of two entries that is over."""
    match = opened(at, "table", "table", begin=False)
    at.execute_command(match, end_agreed_by_all("withdrawn"), key="end", scope="host")
    return match


@pytest.fixture
def memory() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


@pytest.fixture
def at(memory: MemoryLog, archive: Archive) -> MatchService:
    return service(attach_archive(memory, archive))


def finished(at: MatchService, seed: int = 1) -> str:
    match = opened(at, "table", "table")
    played(at, match, seed)
    assert at.load_match(match).match.status == "finished"
    return match


# -- what goes and what stays ------------------------------------------------------------------------------------------


def test_a_match_stays_as_long_as_it_may_be_disputed(at: MatchService, memory: MemoryLog, archive: Archive) -> None:
    match = finished(at)
    limit = at.load_match(match).match.courts.claims_ms
    assert archive_match(at, archive, match, plain) == "claims"
    memory.advance_clock(limit)
    assert archive_match(at, archive, match, plain) == "claims"
    at.execute_command(
        match, OpenDispute("0", at.load_match(match).version - 1, "illegal_move"), key="d", scope="seat0"
    )
    assert archive_match(at, archive, match, plain) in ("claims", "disputed")
    memory.advance_clock(limit + 1)
    assert memory.read_entries(match)
    assert archive_match(at, archive, match, plain) == "archived"
    assert memory.read_entries(match) == ()


def test_what_runs_is_frozen_or_disputed_is_never_put_away(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    running, frozen, disputed = opened(at, "table", "table"), withdrawn(at), at.load_match(finished(at))
    memory.freeze_match(frozen)
    assert archive_match(at, archive, running, plain, now=True) == "running"
    assert archive_match(at, archive, frozen, plain, now=True) == "frozen"
    memory.advance_clock(10 * DAY_MS)
    contested = replace(disputed, match=replace(disputed.match, disputes=(_open_dispute(),)))
    assert find_archive_blocker(at, contested) == "disputed"
    assert find_archive_blocker(at, at.load_match(disputed.match.id)) == ""
    assert not archive.folder.exists()


def _open_dispute() -> Any:
    class Open:
        is_open = True

    return Open()


def test_a_match_that_goes_on_while_it_is_put_away_stays(
    at: MatchService, memory: MemoryLog, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = withdrawn(at)
    answers = iter([LogWriteStatus.CONFLICT, LogWriteStatus.FORK])
    monkeypatch.setattr(MemoryLog, "archive_match", lambda *_: next(answers))
    assert archive_match(at, archive, match, plain, now=True) == "fork"
    assert memory.read_entries(match)


def test_what_was_not_written_as_it_is_stored_drops_nothing(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    match = withdrawn(at)

    def wrong(given: MatchService, loaded: LoadedMatch) -> Any:
        """Another match's entries, right in themselves."""
        other = given.load_match(withdrawn(given))
        lines: list[BundleLine] = [line for line in plain(given, other) if isinstance(line, EntryLine)]
        return iter([next(plain(given, loaded)), *lines])

    with pytest.raises(MatchUnavailable):
        archive_match(at, archive, match, wrong, now=True)
    assert len(memory.read_entries(match)) == 2


def test_what_reads_back_otherwise_drops_nothing(
    at: MatchService, memory: MemoryLog, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = withdrawn(at)
    entries = memory.read_entries(match)
    other = (replace(entries[0], sealed=b"{}"), entries[1])
    monkeypatch.setattr(Archive, "load_entries", lambda *_: other)
    with pytest.raises(ArchiveMismatch):
        archive_match(at, archive, match, plain, now=True)
    assert memory.read_entries(match) == entries


# -- the archiver ------------------------------------------------------------------------------------------------------


def test_the_archiver_takes_what_is_old_enough_and_leaves_the_rest(
    at: MatchService, memory: MemoryLog, archive: Archive
) -> None:
    old = [finished(at, seed) for seed in (1, 2)]
    memory.advance_clock(3 * DAY_MS)
    young, running = finished(at, 3), opened(at, "table", "table")
    memory.advance_clock(2 * DAY_MS)
    archiver = Archiver(ArchiveService(at, archive, plain), 4)
    assert archiver.handle_due_matches(threading.Event()) == 0, "no view has told it yet"
    led(at.log)
    assert sorted(find_archivable_matches(memory, memory.now() - 4 * DAY_MS)) == sorted(old)
    assert archiver.handle_due_matches(threading.Event()) == 2
    assert [at.load_match(match).head.status for match in (*old, young, running)] == ["archived"] * 2 + ["open"] * 2
    assert archiver.handle_due_matches(threading.Event()) == 0
    assert list(find_archivable_matches(memory, memory.now() - 4 * DAY_MS)) == []


def test_one_match_that_fails_keeps_no_other_from_its_archive(
    at: MatchService, memory: MemoryLog, archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = finished(at, 1), finished(at, 2)
    memory.advance_clock(2 * DAY_MS)
    led(at.log)
    tried = []

    def bundling(given: MatchService, loaded: LoadedMatch) -> Any:
        if loaded.match.id == bad:
            tried.append(bad)
            raise RuntimeError("cannot be told")
        return plain(given, loaded)

    archiver = Archiver(ArchiveService(at, archive, bundling), 1)
    assert [archiver.handle_due_matches(threading.Event()) for _ in range(3)] == [1, 0, 0]
    assert (at.load_match(good).head.status, at.load_match(bad).head.status, len(tried)) == ("archived", "open", 1)
    assert bad in caplog.text


def test_views_reckoned_anew_count_archived_matches(at: MatchService, memory: MemoryLog, archive: Archive) -> None:
    match = finished(at)
    led(at.log)
    assert archive_match(at, archive, match, plain, now=True) == "archived"
    for view in LIVE_PROJECTIONS:
        assert (
            rebuild_projection(at.log, view.name, view.build + 1)
            == memory.read_partition_info(partition_for_match(match)).position
        )
        assert compare_builds(at.log, view.name, view.build, view.build + 1) == ()
    rebuilt = PROJECTION_VERSIONS["summary"] + 1
    row = json.loads(memory.read_projection(partition_for_match(match), "summary", rebuilt, "matches")[match])
    assert row["status"] == "finished"


def test_a_view_is_not_reckoned_anew_without_a_match_whose_file_is_lost(
    at: MatchService, memory: MemoryLog, archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    match = finished(at)
    led(at.log)
    kept = memory.read_projection(partition_for_match(match), "summary", PROJECTION_VERSIONS["summary"], "matches")
    assert archive_match(at, archive, match, plain, now=True) == "archived"
    archive.path_for(match).unlink()
    set_context(context_of(attach_archive(memory, Archive(archive.folder))))
    assert command.main(["rebuild", "summary"]) == 1
    assert f"summary is not replaced, because a match cannot be read: the archive of {match}" in capsys.readouterr().err
    assert (
        memory.read_projection(partition_for_match(match), "summary", PROJECTION_VERSIONS["summary"], "matches") == kept
    )


# -- kill -9 -----------------------------------------------------------------------------------------------------------

Dying = Callable[[Callable[..., Any]], Callable[..., Any]]


def before(act: Callable[..., Any]) -> Callable[..., Any]:
    def dies(*args: Any, **kwargs: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    return dies


def after(act: Callable[..., Any]) -> Callable[..., Any]:
    def dies(*args: Any, **kwargs: Any) -> Any:
        act(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    return dies


def halfway(act: Callable[..., Any]) -> Callable[..., Any]:
    def dies(file: Any, data: bytes) -> Any:
        act(file, data[: len(data) // 2])
        file.fileobj.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    return dies


POINTS: dict[str, tuple[Any, str, Dying]] = {
    "before the file is begun": (files.tempfile, "mkstemp", before),
    "when the file is begun": (files.tempfile, "mkstemp", after),
    "in the middle of a line": (files.gzip.GzipFile, "write", halfway),
    "before the file is on the disk": (files.os, "fsync", before),
    "when the file is on the disk": (files.os, "fsync", after),
    "before it has its name": (files.os, "replace", before),
    "when it has its name": (files.os, "replace", after),
    "before its name is on the disk": (files, "sync_to_disk", before),
    "before it is read back": (archiving, "_compare_archive", before),
    "when it was read back": (archiving, "_compare_archive", after),
    "before the store hears of it": (RedisLog, "archive_match", before),
    "when the store has done it": (RedisLog, "archive_match", after),
}


@pytest.mark.crash
@pytest.mark.parametrize("point", POINTS)
def test_whoever_is_killed_while_archiving_has_lost_nothing(socket: Path, tmp_path: Path, point: str) -> None:
    def log(folder: Path) -> MatchLog:
        client = redis.Redis(unix_socket_path=str(socket))
        return attach_archive(RedisLog(client, UNAVAILABLE_ERRORS), Archive(folder))

    redis.Redis(unix_socket_path=str(socket)).flushall()
    folder = tmp_path / "archive"
    at = service(log(folder))
    match = withdrawn(at)
    Archive(folder).path_for(match)
    with Archive(folder).lock_partition_of(match):
        pass  # the folder is there: what dies is the archiving
    whole = at.log.read(match).entries
    child = os.fork()
    if child == 0:  # with connections of its own
        where, name, dying = POINTS[point]
        setattr(where, name, dying(getattr(where, name)))
        try:
            archive_match(service(log(folder)), Archive(folder), match, plain, now=True)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, "it was to die on the way"
    for each in (at, service(log(folder))):
        assert each.log.read(match).entries == each.log.read_entries(match) == whole
        assert each.load_match(match).match.status == "withdrawn"
    done = archive_match(at, Archive(folder), match, plain, now=True)
    assert done == ("already" if point == "when the store has done it" else "archived")
    assert service(log(folder)).log.read_entries(match) == whole
    assert RedisLog(redis.Redis(unix_socket_path=str(socket)), UNAVAILABLE_ERRORS).read_entries(match) == ()
    assert {path.name for path in Archive(folder).path_for(match).parent.iterdir()} == {".lock", f"{match}.bundle.gz"}
