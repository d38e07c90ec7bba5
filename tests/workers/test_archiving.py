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
from referee.audit.bundles.archiving import NotTheSame, put_away
from referee.audit.bundles.format import EntryLine, Line
from referee.eventstore.contract import Answer, MatchLog, partition_of
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import StreamLog
from referee.infrastructure.archives import archive as files
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import shelved
from referee.infrastructure.clients import AWAY
from referee.match.events.dispute_commands import OpenDispute
from referee.match.table import commands
from referee.ratings.projection_versions import BUILDS
from referee.service.finality import unsettled
from referee.service.match_service import Away, Desk, Loaded
from tests.infrastructure.archiving import plain
from tests.service.house import desk
from tests.workers.house import context_of, opened, played
from workers import __main__ as command
from workers.composition import use_context
from workers.jobs.archiving import DAY_MS, Archiver, Shelving, ripe
from workers.projections.public_match import Courses
from workers.projections.rebuild import compare, rebuild
from workers.projections.runner import LIVE, catch_up


def led(log: MatchLog) -> None:
    for partition in range(64):
        if log.about(partition).position:
            catch_up(log, partition, Courses(log)).or_raise()


def withdrawn(at: Desk) -> str:
    """A match of two entries that is over."""
    match = opened(at, "table", "table", begin=False)
    at.business(match, commands.End("withdrawn"), key="end", scope="host")
    return match


@pytest.fixture
def memory() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


@pytest.fixture
def at(memory: MemoryLog, archive: Archive) -> Desk:
    return desk(shelved(memory, archive))


def finished(at: Desk, seed: int = 1) -> str:
    match = opened(at, "table", "table")
    played(at, match, seed)
    assert at.load(match).match.status == "finished"
    return match


# -- what goes and what stays ------------------------------------------------------------------------------------------


def test_a_match_stays_as_long_as_it_may_be_disputed(at: Desk, memory: MemoryLog, archive: Archive) -> None:
    match = finished(at)
    limit = at.load(match).match.courts.claims_ms
    assert put_away(at, archive, match, plain) == "claims"
    memory.advance(limit)
    assert put_away(at, archive, match, plain) == "claims"
    at.business(match, OpenDispute("0", at.load(match).version - 1, "illegal_move"), key="d", scope="seat0")
    assert put_away(at, archive, match, plain) in ("claims", "disputed")
    memory.advance(limit + 1)
    assert memory.entries(match)
    assert put_away(at, archive, match, plain) == "archived"
    assert memory.entries(match) == ()


def test_what_runs_is_frozen_or_disputed_is_never_put_away(at: Desk, memory: MemoryLog, archive: Archive) -> None:
    running, frozen, disputed = opened(at, "table", "table"), withdrawn(at), at.load(finished(at))
    memory.freeze(frozen)
    assert put_away(at, archive, running, plain, now=True) == "running"
    assert put_away(at, archive, frozen, plain, now=True) == "frozen"
    memory.advance(10 * DAY_MS)
    contested = replace(disputed, match=replace(disputed.match, disputes=(_open_dispute(),)))
    assert unsettled(at, contested) == "disputed"
    assert unsettled(at, at.load(disputed.match.id)) == ""
    assert not archive.folder.exists()


def _open_dispute() -> Any:
    class Open:
        open = True

    return Open()


def test_a_match_that_goes_on_while_it_is_put_away_stays(
    at: Desk, memory: MemoryLog, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = withdrawn(at)
    answers = iter([Answer.CONFLICT, Answer.FORK])
    monkeypatch.setattr(MemoryLog, "archive", lambda *_: next(answers))
    assert put_away(at, archive, match, plain, now=True) == "fork"
    assert memory.entries(match)


def test_what_was_not_written_as_it_is_stored_drops_nothing(at: Desk, memory: MemoryLog, archive: Archive) -> None:
    match = withdrawn(at)

    def wrong(given: Desk, loaded: Loaded) -> Any:
        """Another match's entries, right in themselves."""
        other = given.load(withdrawn(given))
        lines: list[Line] = [line for line in plain(given, other) if isinstance(line, EntryLine)]
        return iter([next(plain(given, loaded)), *lines])

    with pytest.raises(Away):
        put_away(at, archive, match, wrong, now=True)
    assert len(memory.entries(match)) == 2


def test_what_reads_back_otherwise_drops_nothing(
    at: Desk, memory: MemoryLog, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = withdrawn(at)
    entries = memory.entries(match)
    other = (replace(entries[0], sealed=b"{}"), entries[1])
    monkeypatch.setattr(Archive, "entries", lambda *_: other)
    with pytest.raises(NotTheSame):
        put_away(at, archive, match, plain, now=True)
    assert memory.entries(match) == entries


# -- the archiver ------------------------------------------------------------------------------------------------------


def test_the_archiver_takes_what_is_old_enough_and_leaves_the_rest(
    at: Desk, memory: MemoryLog, archive: Archive
) -> None:
    old = [finished(at, seed) for seed in (1, 2)]
    memory.advance(3 * DAY_MS)
    young, running = finished(at, 3), opened(at, "table", "table")
    memory.advance(2 * DAY_MS)
    archiver = Archiver(Shelving(at, archive, plain), 4)
    assert archiver.look(threading.Event()) == 0, "no view has told it yet"
    led(at.log)
    assert sorted(ripe(memory, memory.now() - 4 * DAY_MS)) == sorted(old)
    assert archiver.look(threading.Event()) == 2
    assert [at.load(match).head.status for match in (*old, young, running)] == ["archived"] * 2 + ["open"] * 2
    assert archiver.look(threading.Event()) == 0
    assert list(ripe(memory, memory.now() - 4 * DAY_MS)) == []


def test_one_match_that_fails_keeps_no_other_from_its_archive(
    at: Desk, memory: MemoryLog, archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = finished(at, 1), finished(at, 2)
    memory.advance(2 * DAY_MS)
    led(at.log)
    tried = []

    def bundling(given: Desk, loaded: Loaded) -> Any:
        if loaded.match.id == bad:
            tried.append(bad)
            raise RuntimeError("cannot be told")
        return plain(given, loaded)

    archiver = Archiver(Shelving(at, archive, bundling), 1)
    assert [archiver.look(threading.Event()) for _ in range(3)] == [1, 0, 0]
    assert (at.load(good).head.status, at.load(bad).head.status, len(tried)) == ("archived", "open", 1)
    assert bad in caplog.text


def test_views_reckoned_anew_count_archived_matches(at: Desk, memory: MemoryLog, archive: Archive) -> None:
    match = finished(at)
    led(at.log)
    assert put_away(at, archive, match, plain, now=True) == "archived"
    for view in LIVE:
        assert rebuild(at.log, view.name, view.build + 1) == memory.about(partition_of(match)).position
        assert compare(at.log, view.name, view.build, view.build + 1) == ()
    rebuilt = BUILDS["summary"] + 1
    row = json.loads(memory.projected(partition_of(match), "summary", rebuilt, "matches")[match])
    assert row["status"] == "finished"


def test_a_view_is_not_reckoned_anew_without_a_match_whose_file_is_lost(
    at: Desk, memory: MemoryLog, archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    match = finished(at)
    led(at.log)
    kept = memory.projected(partition_of(match), "summary", BUILDS["summary"], "matches")
    assert put_away(at, archive, match, plain, now=True) == "archived"
    archive.path(match).unlink()
    use_context(context_of(shelved(memory, Archive(archive.folder))))
    assert command.main(["rebuild", "summary"]) == 1
    assert f"summary stays as it is, for a match cannot be read: the archive of {match}" in capsys.readouterr().err
    assert memory.projected(partition_of(match), "summary", BUILDS["summary"], "matches") == kept


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
    "before its name is on the disk": (files, "synced", before),
    "before it is read back": (archiving, "_read_back", before),
    "when it was read back": (archiving, "_read_back", after),
    "before the store hears of it": (StreamLog, "archive", before),
    "when the store has done it": (StreamLog, "archive", after),
}


@pytest.mark.crash
@pytest.mark.parametrize("point", POINTS)
def test_whoever_is_killed_while_archiving_has_lost_nothing(socket: Path, tmp_path: Path, point: str) -> None:
    def log(folder: Path) -> MatchLog:
        client = redis.Redis(unix_socket_path=str(socket))
        return shelved(StreamLog(client, AWAY), Archive(folder))

    redis.Redis(unix_socket_path=str(socket)).flushall()
    folder = tmp_path / "archive"
    at = desk(log(folder))
    match = withdrawn(at)
    Archive(folder).path(match)
    with Archive(folder).alone(match):
        pass  # the folder is there: what dies is the archiving
    whole = at.log.read(match).entries
    child = os.fork()
    if child == 0:  # with connections of its own
        where, name, dying = POINTS[point]
        setattr(where, name, dying(getattr(where, name)))
        try:
            put_away(desk(log(folder)), Archive(folder), match, plain, now=True)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, "it was to die on the way"
    for each in (at, desk(log(folder))):
        assert each.log.read(match).entries == each.log.entries(match) == whole
        assert each.load(match).match.status == "withdrawn"
    done = put_away(at, Archive(folder), match, plain, now=True)
    assert done == ("already" if point == "when the store has done it" else "archived")
    assert desk(log(folder)).log.entries(match) == whole
    assert StreamLog(redis.Redis(unix_socket_path=str(socket)), AWAY).entries(match) == ()
    assert {path.name for path in Archive(folder).path(match).parent.iterdir()} == {".lock", f"{match}.bundle.gz"}
