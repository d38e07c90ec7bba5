"""The manifest of a store's log is held against the files that lie there, before a server reads either."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.infrastructure.embedded.log_files import FOLDER, MANIFEST, SINGLE, find_log_files

BASE, INCREMENT = "appendonly.aof.2.base.rdb", "appendonly.aof.2.incr.aof"
SOUND = f"file {BASE} seq 2 type b\nfile {INCREMENT} seq 2 type i\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / MANIFEST).write_text(SOUND)
    (tmp_path / FOLDER / BASE).write_bytes(bytes(1000))
    (tmp_path / FOLDER / INCREMENT).write_bytes(b"*1")
    return tmp_path


def test_what_a_sound_manifest_names_is_read_in_its_order(store: Path) -> None:
    found = find_log_files(store)
    assert (found.names, found.wrong) == ((f"{FOLDER}/{BASE}", f"{FOLDER}/{INCREMENT}"), ())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("appendonly.aof.3.base.rdb", bytes(1000)),  # rewritten, and not named yet
        ("appendonly.aof.3.incr.aof", b""),  # begun, and not named yet
        ("temp-rewriteaof-17.aof", bytes(1000)),
    ],
)
def test_what_a_kill_may_leave_is_no_damage(store: Path, name: str, content: bytes) -> None:
    (store / FOLDER / name).write_bytes(content)
    assert find_log_files(store).wrong == ()


@pytest.mark.parametrize(
    "manifest",
    [
        SOUND + "file appendonly.aof.1.incr.aof seq 1 type h\n",
        "# a note\n" + SOUND,
        SOUND.replace("type i\n", "type i startoffset 7\n"),
    ],
)
def test_history_notes_and_offsets_are_known(store: Path, manifest: str) -> None:
    (store / FOLDER / "appendonly.aof.1.incr.aof").write_bytes(b"*1" if " h\n" in manifest else b"")
    (store / MANIFEST).write_text(manifest)
    assert find_log_files(store).wrong == ()


@pytest.mark.parametrize("at", range(len(SOUND)))
def test_a_manifest_that_was_cut_anywhere_is_noticed_and_hides_no_file(store: Path, at: int) -> None:
    (store / MANIFEST).write_text(SOUND[:at])
    found = find_log_files(store)
    assert found.wrong
    assert found.names == (f"{FOLDER}/{BASE}", f"{FOLDER}/{INCREMENT}")


@pytest.mark.parametrize("name", [MANIFEST, f"{FOLDER}/{BASE}", f"{FOLDER}/{INCREMENT}"])
def test_a_missing_file_is_noticed(store: Path, name: str) -> None:
    (store / name).unlink()
    assert any("missing" in each for each in find_log_files(store).wrong)


def test_a_store_that_was_never_used_has_no_files_and_no_damage(tmp_path: Path) -> None:
    assert find_log_files(tmp_path).wrong == ()
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "appendonly.aof.1.base.rdb").write_bytes(bytes(90))  # killed at the very first start
    (tmp_path / FOLDER / "appendonly.aof.1.incr.aof").touch()
    assert find_log_files(tmp_path).wrong == ()


def test_a_log_of_one_file_needs_no_manifest(tmp_path: Path) -> None:
    (tmp_path / SINGLE).write_bytes(b"*1")
    assert find_log_files(tmp_path).names == (SINGLE,)
