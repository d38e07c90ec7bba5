"""Backups of a store that another server keeps, and putting them back: of one moment, whole or not at all."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli.commands.running import backup as copying
from referee.cli.main import cli
from referee.infrastructure.archives import wire_copy
from referee.infrastructure.archives.backup import create_backup
from referee.infrastructure.archives.restore import UNFINISHED, RestoreError, restore_backup
from referee.infrastructure.clients import open_match_log
from referee.infrastructure.composition import build_match_service
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import load_server_secret, write_private_file
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.sharing import KEY, OtherMarksError, claim_store
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from tests.eventstore.servers import NO_SERVER, Server, binaries

FAMILIES = sorted(binaries())
CHAIRS = (SeatAssignment("human"), SeatAssignment("human"))
ASK = commands.OpenMatch("monster_combat", "V1", {}, {"deck": "server"}, CHAIRS, "private")
pytestmark = pytest.mark.skipif(not FAMILIES, reason=NO_SERVER)


@pytest.fixture
def servers(request: pytest.FixtureRequest) -> Iterator[list[Server]]:
    """Two servers of one family: the one that is copied, and an empty one."""
    binary = binaries()[getattr(request, "param", FAMILIES[-1])]
    started = [Server(binary).start() for _ in range(2)]
    yield started
    for server in started:
        server.remove()


def settings_at(folder: Path, server: Server) -> Settings:
    made = Settings(folder, folder, folder, folder).with_data_dir(folder)
    return replace(made, store_url=f"unix://{server.socket}")


def keyed(settings: Settings) -> Settings:
    load_server_secret(settings.secret_file)
    load_signer(settings.signing_key_file)
    write_private_file(settings.operator_hash_file, b"00\n", replace=True)
    return settings


def read_all(server: Server) -> dict[bytes, Any]:
    """Every key but where the marks are, as the server would hand it over."""
    with server.client() as client:
        return {key: client.dump(key) for key in client.scan_iter() if key != KEY.encode()}


@pytest.mark.deep
@pytest.mark.parametrize("servers", FAMILIES, indirect=True)
def test_a_snapshot_holds_what_was_acknowledged_before_while_others_write(
    tmp_path: Path, servers: list[Server]
) -> None:
    server, empty = servers
    settings, stop = keyed(settings_at(tmp_path / "data", server)), threading.Event()
    service = build_match_service(settings)
    first = [service.open_match(ASK, f"{number:022d}").match.id for number in range(5)]
    later: list[str] = []

    def write() -> None:
        while not stop.is_set():
            later.append(service.open_match(ASK, f"{len(later) + 5:022d}").match.id)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        done = create_backup(settings, tmp_path / "copy")
        assert server.client().info("replication")["connected_slaves"] == 0
    finally:
        stop.set()
        writer.join()
    assert done.store_bytes > 0
    assert done.damaged == ()
    restored = settings_at(tmp_path / "elsewhere", empty)
    assert restore_backup(restored, tmp_path / "copy").damaged == ()
    there = open_match_log(restored)
    came_over = [there.read_entries(match) for match in (*first, *later)]
    written = [service.log.read_entries(match) for match in (*first, *later)]
    assert all(came_over[: len(first)]), "what was acknowledged before"
    assert [part for part in came_over if part] == written[: sum(map(bool, came_over))], "and nothing after a gap"
    assert (tmp_path / "elsewhere" / "secret").read_bytes() == settings.secret_file.read_bytes()
    assert not list((tmp_path / "elsewhere").glob(".restore-*"))


@pytest.mark.deep
def test_times_to_live_come_over_and_where_the_marks_were_does_not(tmp_path: Path, servers: list[Server]) -> None:
    source, target = servers
    settings = keyed(settings_at(tmp_path / "data", source))
    claim_store(source.client(), settings.watermarks_path)
    source.client().set("short", "x", px=60_000)
    source.client().set("long", "y")
    create_backup(settings, tmp_path / "copy")
    restored = settings_at(tmp_path / "new", target)
    assert restore_backup(restored, tmp_path / "copy").keys > 2
    assert 0 < target.client().pttl("short") <= 60_000
    assert target.client().pttl("long") == -1
    claim_store(target.client(), restored.watermarks_path)  # a folder of its own
    assert read_all(source).keys() <= read_all(target).keys()


@pytest.mark.deep
def test_nothing_is_overwritten(tmp_path: Path, servers: list[Server]) -> None:
    source, target = servers
    settings = keyed(settings_at(tmp_path / "data", source))
    source.client().set("here", "1")
    create_backup(settings, tmp_path / "copy")
    with pytest.raises(RestoreError, match="not empty"):
        restore_backup(settings, tmp_path / "copy")
    other = keyed(settings_at(tmp_path / "other", target))
    with pytest.raises(RestoreError, match="differs from the backup's"):
        restore_backup(other, tmp_path / "copy")
    assert target.client().dbsize() == 0
    with pytest.raises(RestoreError, match="--data-dir"):
        restore_backup(replace(other, store_url=None), tmp_path / "copy")
    with pytest.raises(RestoreError, match="no backup"):
        restore_backup(other, tmp_path)
    create_backup(settings, tmp_path / "bare", store=False)
    with pytest.raises(RestoreError, match="--without-store"):
        restore_backup(other, tmp_path / "bare")


@pytest.mark.deep
def test_a_restore_that_was_interrupted_starts_nothing_and_can_be_repeated(
    tmp_path: Path, servers: list[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = servers
    settings = keyed(settings_at(tmp_path / "data", source))
    source.client().set("a", "1")
    create_backup(settings, tmp_path / "copy")
    restored = settings_at(tmp_path / "new", target)

    def break_off(*_: object) -> int:
        target.client().set("half", "1")
        raise OSError("No space left on device")

    monkeypatch.setattr("referee.infrastructure.archives.restore._copy_keys", break_off)
    with pytest.raises(HostError, match="No space left"):
        restore_backup(restored, tmp_path / "copy")
    with pytest.raises(OtherMarksError, match=UNFINISHED.decode()):
        claim_store(target.client(), restored.watermarks_path)
    monkeypatch.undo()
    assert restore_backup(restored, tmp_path / "copy").keys
    assert target.client().get("a") == b"1"
    assert target.client().get("half") is None


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (b"", "hung up"),
        (b"\n\n$20\r\nshort", "in the middle"),
        (b"-NOPERM no SYNC\r\n", "NOPERM"),
        (b"$EOF:x\r\n", "EOF"),
    ],
)
def test_half_a_snapshot_is_none(said: bytes, wrong: str) -> None:
    with pytest.raises(HostError, match=wrong):
        wire_copy._copy_snapshot(io.BytesIO(said), io.BytesIO())


def test_a_store_that_is_away_is_named_without_its_password(tmp_path: Path) -> None:
    settings = keyed(Settings(tmp_path, tmp_path, tmp_path, tmp_path).with_data_dir(tmp_path / "data"))
    with pytest.raises(StoreNotFoundError) as raised:
        create_backup(replace(settings, store_url="redis://x:geheim@127.0.0.1:1/0"), tmp_path / "copy")
    assert "geheim" not in str(raised.value)
    assert not (tmp_path / "copy").exists()


def test_old_copies_go_once_a_new_one_is_there_and_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("2026-01-01T00-00-00Z", "2026-01-02T00-00-00Z", "2026-01-03T00-00-00Z", "mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "backup.json").write_text("{}")
    (tmp_path / "2025-01-01T00-00-00Z").mkdir()  # no backup
    settings = Settings(tmp_path, tmp_path, tmp_path, tmp_path)

    def make(_settings: Settings, folder: Path, **_: object) -> int:
        folder.mkdir()
        (folder / "backup.json").write_text("{}")
        return 0

    monkeypatch.setattr(copying, "run_backup", make)
    assert copying.run_dated_backup(settings, tmp_path, store=True, as_json=False, keep=2) == 0
    left = sorted(path.name for path in tmp_path.iterdir())
    assert len(left) == 4
    assert {"2025-01-01T00-00-00Z", "2026-01-03T00-00-00Z", "mine"} < set(left)


def test_the_command_says_what_belongs_together(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["backup", str(tmp_path / "x"), "--every", "1"])
    assert done.exit_code == 2
    assert "--keep" in done.output
