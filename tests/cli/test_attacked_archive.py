"""What a hostile host and a clumsy user tried with archives, copies and the commands that read them."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from referee.audit.bundles.archiving import archive_match
from referee.cli.main import main
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive, ArchiveMissing
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.archives.backup import BackupFolderError, create_backup
from referee.infrastructure.settings import Settings
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.infrastructure.archiving import plain
from tests.service import house as desks


def archived(folder: Path) -> tuple[MemoryLog, Archive, Table]:
    """A match that is over and archived, and where it lies."""
    memory, archive = MemoryLog(), Archive(folder)
    app = house.app(desks.service(attach_archive(memory, archive)))
    table = house.opened(app, visibility="public")
    table.end("abandoned")
    archive_match(app.config["SERVICE"], archive, table.match, plain, now=True)
    return memory, archive, table


def left(*words: str) -> int:
    with pytest.raises(SystemExit) as gone:
        main([*words])
    return int(gone.value.code or 0)


def test_the_bundle_of_a_match_whose_archive_vanishes_is_a_problem_and_no_answer_that_breaks_off(
    tmp_path: Path,
) -> None:
    """The view is kept in memory, so the match itself is still told; only the bundle needs the file."""
    memory, archive, table = archived(tmp_path)
    fresh: Flask = house.app(desks.service(attach_archive(memory, Archive(tmp_path))))
    host = Person(fresh.test_client(), table.host.token)
    assert host.get(f"{table.path}/bundle").status_code == 200
    archive.path_for(table.match).write_bytes(b"")
    for viewer in ("", "?viewer=seat:0", "?viewer=full"):
        person = Person(fresh.test_client(), (table.seats[0] if viewer else table.host).token)
        problem(person.get(f"{table.path}/bundle{viewer}"), 423, "log-frozen")


def test_a_pipe_in_the_place_of_an_archive_is_a_file_that_is_missing_and_holds_nobody_up(tmp_path: Path) -> None:
    memory, archive, table = archived(tmp_path)
    path = archive.path_for(table.match)
    path.unlink()
    os.mkfifo(path)
    head = memory.read(table.match, limit=0).head
    assert head is not None
    with pytest.raises(ArchiveMissing, match="missing"):
        Archive(tmp_path).load_entries(table.match, head.version, head.root)


def test_no_name_of_the_data_directory_lets_a_copy_into_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    settings = Settings(data, data, data, data).with_data_dir(data)
    (tmp_path / "link").symlink_to(data)
    (tmp_path / "beside").mkdir()
    for way in (tmp_path / "link" / "copy", tmp_path / "beside" / ".." / "data" / "copy", tmp_path / "link"):
        with pytest.raises(BackupFolderError, match="lies in the directory"):
            create_backup(settings, way, store=False)
    with pytest.raises(BackupFolderError, match="lies in the directory"):
        create_backup(settings.with_data_dir(tmp_path / "link"), data / "copy", store=False)
    assert list(data.iterdir()) == []


def test_an_archive_file_is_shown_as_it_lies_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, archive, table = archived(tmp_path)
    file = archive.path_for(table.match)
    main(["show", str(file)])
    packed = capsys.readouterr().out
    plain_file = tmp_path / "a.bundle"
    plain_file.write_bytes(gzip.decompress(file.read_bytes()))
    main(["show", str(plain_file)])
    assert packed == capsys.readouterr().out
    assert "Monster Combat" in packed
    file.write_bytes(file.read_bytes()[:-40])
    assert left("show", str(file)) == 65
    assert "not an exported match" in capsys.readouterr().err


def test_an_address_that_is_none_of_a_store_is_misuse_and_no_crash(capsys: pytest.CaptureFixture[str]) -> None:
    assert left("shadow", "--url", "nonsense") == 2
    assert "--url" in capsys.readouterr().err


@pytest.mark.deep
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_full_disk_is_told_in_a_line(tmp_path: Path, more: list[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this machine has no /dev/full")
    _, archive, table = archived(tmp_path)
    words = [sys.executable, "-m", "referee.cli", "show", str(archive.path_for(table.match)), *more]
    with full.open("w") as out:
        done = subprocess.run(words, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 74
    assert done.stderr.startswith("referee: the output cannot be written: ")
    assert done.stderr.count("\n") == 1
