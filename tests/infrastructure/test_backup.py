"""Backups of a store that is written to: whole, private, of one moment, and never half there."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest
import redis

from referee.audit.bundles.archiving import archive_match
from referee.infrastructure.archives import backup as backing
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.backup import BackupFolderError, NoteCopying, copy_store, create_backup
from referee.infrastructure.clients import build_client, open_match_log
from referee.infrastructure.composition import build_match_service
from referee.infrastructure.embedded import server
from referee.infrastructure.embedded.server import ServerUnreachableError, send_command
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import StoreBinary, find_installed_binaries
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import load_server_secret, write_private_file
from referee.infrastructure.settings import Settings
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.eventstore.writing import add, check_feed, check_whole, grow
from tests.infrastructure.archiving import plain
from tests.infrastructure.machine import eventually, lives
from tests.service.house import end_agreed_by_all

pytestmark = pytest.mark.deep

FOUND = {binary.family: binary for binary in reversed(find_installed_binaries())}
MATCHES = tuple(f"{number:02d}-{letter * 26}" for number, letter in enumerate("abcd"))


CHAIRS = (SeatAssignment("human"), SeatAssignment("human"))
ASK = commands.OpenMatch("monster_combat", "V1", {}, {"deck": "server"}, CHAIRS, "private")


def withdrawn(at: MatchService) -> str:
    """A match that is over, with two entries."""
    match = at.open_match(ASK, "w" * 22).match.id
    at.execute_command(match, end_agreed_by_all("withdrawn"), key="end", scope="host")
    return match


def settings_of(folder: Path, server: Path | None = None) -> Settings:
    return replace(Settings(folder, folder, folder, folder).with_data_dir(folder), store_server=server)


def keyed(settings: Settings) -> Settings:
    """The same settings, their keys made."""
    load_server_secret(settings.secret_file)
    load_signer(settings.signing_key_file)
    write_private_file(settings.operator_hash_file, b"00\n", replace=True)
    return settings


@contextlib.contextmanager
def stored(settings: Settings) -> Iterator[Settings]:
    """A store that runs in the data directory: the settings that name it."""
    with EmbeddedServers(settings.data_dir, queue=False, server=settings.store_server) as keeper:
        keyed(settings)
        yield replace(settings, store_url=keeper.store_url)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    if not FOUND:
        pytest.skip("no store server is installed")
    return settings_of(tmp_path / "data")


@contextlib.contextmanager
def written_to(named: Settings) -> Iterator[dict[str, int]]:
    """Everybody writes all the time, and the log is rewritten again and again: how many entries were acknowledged."""
    done, stop = dict.fromkeys(MATCHES, 0), threading.Event()

    def write(match: str) -> None:
        log = open_match_log(named)
        while not stop.is_set():
            add(log, match, f"0:{done[match]}", b'{"x":"' + b"y" * 300 + b'"}')
            done[match] += 1

    def rewrite() -> None:
        assert named.store_url is not None
        line = build_client(named.store_url)
        while not stop.wait(0.05):
            with contextlib.suppress(redis.ResponseError):  # one is under way
                line.bgrewriteaof()

    threads = [threading.Thread(target=write, args=(match,)) for match in MATCHES]
    threads.append(threading.Thread(target=rewrite))
    for thread in threads:
        thread.start()
    try:
        yield done
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("family", FOUND or ["none"])
def test_a_copy_of_a_store_that_is_written_to_is_of_one_moment(tmp_path: Path, family: str) -> None:
    if family not in FOUND:
        pytest.skip("no store server is installed")
    binary: StoreBinary = FOUND[family]
    settings = settings_of(tmp_path / "data", binary.path)
    copies = []
    with stored(settings) as named, written_to(named) as done:
        for number in range(4):
            while min(done.values()) < 8 * (number + 1):
                threading.Event().wait(0.005)
            target = tmp_path / f"copy{number}" / "store"
            target.mkdir(parents=True)
            before = dict(done)
            copy_store(settings.data_dir / "store", target)
            copies.append((target.parent, before, dict(done)))
    for folder, before, after in copies:
        with EmbeddedServers(folder, queue=False, server=binary.path) as keeper:
            log = open_match_log(replace(settings, store_url=keeper.store_url))
            for match in MATCHES:
                count = check_whole(log, match)
                assert before[match] <= count <= after[match] + 1
                check_feed(log, int(match[:2]), {match: count})


def test_a_server_is_started_on_the_copy_and_all_is_there(settings: Settings, tmp_path: Path) -> None:
    with stored(settings) as named:
        at, archive = build_match_service(named), Archive(named.archive_path)
        running, over = at.open_match(ASK, "a" * 22).match.id, withdrawn(at)
        assert archive_match(at, archive, over, plain, now=True) == "archived"
        kept, commitment = at.log.read_entries(over), at.load_match(running).match.commitment
        (settings.data_dir / "notes").mkdir()
        (settings.data_dir / "notes" / "other").write_bytes(b"of somebody")
        done = create_backup(settings, tmp_path / "copies" / "today")
    assert (done.archived, done.damaged, done.torn) == (1, (), 0)
    folder = tmp_path / "copies" / "today"
    assert [path.name for path in folder.parent.iterdir()] == ["today"]
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"secret", "signing.pem", "operator.sha256", "backup.json", "notes/other"} <= names
    assert not any(name.endswith((".sock", ".lock", ".log")) or "keeper" in name for name in names)
    assert not any(name.startswith("watermarks/") for name in names), "they are ahead of any copy of the store"
    assert all(stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600) for path in folder.rglob("*"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    shutil.rmtree(settings.data_dir)
    with stored(settings_of(folder)) as named:
        at = build_match_service(named)
        assert at.log.read_entries(over) == kept
        assert at.load_match(running).match.commitment == commitment == at.appender.draws.commitment(running)
        ended = at.execute_command(running, end_agreed_by_all("withdrawn"), key="end", scope="host")
        assert ended.version == 2
        assert at.open_match(ASK, "a" * 22).replayed, "the keys of requests are in the copy too"


def test_a_backup_goes_to_a_directory_of_its_own(settings: Settings, tmp_path: Path) -> None:
    with stored(settings):
        full = tmp_path / "full"
        full.mkdir()
        (full / "something").touch()
        for wrong in (full, full / "something", settings.data_dir / "inside"):
            with pytest.raises(BackupFolderError):
                create_backup(settings, wrong)
        assert [path.name for path in full.iterdir()] == ["something"]
        empty = tmp_path / "empty"
        empty.mkdir()
        assert create_backup(settings, empty).folder == empty
        assert (empty / "secret").read_bytes() == settings.secret_file.read_bytes()


def test_a_copy_without_the_store_says_so(settings: Settings, tmp_path: Path) -> None:
    with stored(settings) as named:
        with pytest.raises(StoreNotFoundError, match="--without-store"):
            create_backup(replace(named, store_cluster=True), tmp_path / "copy")
        assert not (tmp_path / "copy").exists()
        assert create_backup(named, tmp_path / "copy", store=False).store_bytes == 0
    assert not (tmp_path / "copy" / "store").exists()
    assert b'"store": false' in (tmp_path / "copy" / "backup.json").read_bytes()
    with pytest.raises(StoreNotFoundError, match="no store"):
        create_backup(keyed(settings_of(tmp_path / "bare")), tmp_path / "other")
    with pytest.raises(HostError, match="no server was started"):
        create_backup(settings_of(tmp_path / "nothing"), tmp_path / "other", store=False)
    assert not (tmp_path / "other").exists()


def test_keys_that_lie_elsewhere_come_to_their_usual_places(settings: Settings, tmp_path: Path) -> None:
    away = keyed(replace(settings_of(tmp_path / "data"), secret_file=tmp_path / "s", archive_dir=tmp_path / "shelf"))
    with stored(settings) as named:
        grow(open_match_log(replace(away, store_url=named.store_url)), MATCHES[0], 2)
        create_backup(away, tmp_path / "copy")
    assert (tmp_path / "copy" / "secret").read_bytes() == (tmp_path / "s").read_bytes()


def test_a_key_that_changes_meanwhile_is_copied_with_the_store_that_knows_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times, copied = [], copy_store

    def rotating(source: Path, target: Path, note: NoteCopying) -> int:
        times.append(1)
        if len(times) == 1:
            write_private_file(settings.signing_key_file, b"another key", replace=True)
        return copied(source, target, note)

    monkeypatch.setattr(backing, "copy_store", rotating)
    monkeypatch.setattr(backing, "_inspect_copy", lambda *_: ())
    with stored(settings):
        create_backup(settings, tmp_path / "copy")
    assert len(times) == 2
    assert (tmp_path / "copy" / "signing.pem").read_bytes() == b"another key"


def test_a_log_that_goes_on_in_another_file_is_copied_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = tmp_path / "store", tmp_path / "copy"
    (source / "appendonlydir").mkdir(parents=True)
    target.mkdir()
    looked: list[int] = []

    def rewritten(folder: Path) -> bytes:
        """Between the two looks of the first try the server rewrites its log."""
        looked.append(1)
        number = 1 if len(looked) == 1 else 2
        (source / "appendonlydir" / f"a.{number}.incr").write_bytes(b"log %d" % number)
        return b"file a.%d.incr seq %d type i\nfile a.0.incr seq 0 type h\n" % (number, number)

    monkeypatch.setattr(backing, "_read_manifest", rewritten)
    assert copy_store(source, target) == 5
    assert {path.name: path.read_bytes() for path in target.rglob("a.*")} == {"a.2.incr": b"log 2"}
    assert len(looked) == 4


def test_a_log_of_one_file_as_servers_before_seven_write_it(tmp_path: Path) -> None:
    family = "redis" if "redis" in FOUND else "valkey"
    if family not in FOUND:
        pytest.skip("no store server is installed")
    settings = settings_of(tmp_path / "data", FOUND[family].path)
    with stored(settings) as named:
        grow(open_match_log(named), MATCHES[0], 3)
        (written,) = (settings.data_dir / "store" / "appendonlydir").glob("*.incr.aof")
        single = tmp_path / "single"
        single.mkdir()
        shutil.copy(written, single / "appendonly.aof")
    target = tmp_path / "copy" / "store"
    target.mkdir(parents=True)
    assert copy_store(single, target) == (single / "appendonly.aof").stat().st_size
    with stored(settings_of(tmp_path / "copy", FOUND[family].path)) as named:
        assert check_whole(open_match_log(named), MATCHES[0]) == 3


def test_what_is_damaged_is_damaged_in_the_copy_and_is_told(settings: Settings, tmp_path: Path) -> None:
    with stored(settings) as named:
        match = withdrawn(build_match_service(named))
        assert named.store_url is not None
        build_client(named.store_url).xdel(f"{{p{match[:2]}}}:m:{match}:log", "1-0")
        done = create_backup(settings, tmp_path / "copy")
        assert open_match_log(named).read(match, limit=0).head.status == "open"  # type: ignore[union-attr]
        open_match_log(named).freeze_match(match)  # as the next start does
        again = create_backup(settings, tmp_path / "again")
    assert match.encode() in (tmp_path / "copy" / "backup.json").read_bytes()
    assert [str(damage) for damage in done.damaged] == [f"match {match}, version 1: the entry is missing"]
    assert [str(damage) for damage in again.damaged] == [
        f"match {match}, version 2: it is frozen since an earlier check failed"
    ]


@pytest.mark.parametrize("missing", [1, 20, 150])
def test_a_copy_that_ends_in_the_middle_of_a_write_is_that_of_before(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    whole = backing._copy_file_start

    def cut(file: IO[bytes], target: Path, size: int, *_: NoteCopying) -> None:
        whole(file, target, size - missing if target.name.endswith(".incr.aof") else size)

    monkeypatch.setattr(backing, "_copy_file_start", cut)
    with stored(settings) as named:
        match = withdrawn(build_match_service(named))
        done = create_backup(settings, tmp_path / "copy")
    assert done.torn > 0
    assert done.damaged == ()
    with stored(settings_of(tmp_path / "copy")) as named:
        assert check_whole(open_match_log(named), match) == 1
        check_feed(open_match_log(named), int(match[:2]), {match: 1})
        assert withdrawn(build_match_service(named)) == match


def served_in(folder: Path) -> int:
    """The process of the store server in a directory; 0 if there is none."""
    for place in EmbeddedServers(folder)._find_socket_dirs():
        with contextlib.suppress(ServerUnreachableError):
            return int(dict(line.split(":", 1) for line in info_of(place) if ":" in line)["process_id"])
    return 0


def info_of(sockets: Path) -> list[str]:
    return send_command(sockets / "store.sock", "INFO", "server").decode().splitlines()


@pytest.mark.crash
@pytest.mark.parametrize("point", ["copy_store", "recover_after_start", "sync_to_disk"])
def test_a_backup_that_is_killed_leaves_nothing_that_looks_like_one(
    settings: Settings, tmp_path: Path, point: str
) -> None:
    folder = tmp_path / "copies" / "today"
    with stored(settings):
        child = os.fork()
        if child == 0:
            act = getattr(backing, point)

            def dies(*args: object) -> None:
                act(*args)
                os.kill(os.getpid(), signal.SIGKILL)

            server.build_parent_binder = lambda: None  # else the orphan ends a moment later
            setattr(backing, point, dies)
            try:
                create_backup(settings, folder)
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
        assert not folder.exists()
        (left,) = folder.parent.iterdir()
        assert left.name.startswith(".today.")
        orphan = served_in(left)
        assert (orphan > 0) == (point == "recover_after_start"), "it was killed while a server read the copy"
        create_backup(settings, folder)
        eventually(lambda: not orphan or not lives(orphan))
    assert [path.name for path in folder.parent.iterdir()] == ["today"]
