"""The root log as files: as C2SP tlog-tiles asks, read by others' programs, and whole after any interruption."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.errors import HostError
from referee.infrastructure.publication import tile_folder
from referee.infrastructure.publication.tile_folder import write_tiles
from referee.infrastructure.root_publisher import RootLogError, RootPublisher
from referee.transparency.cosignatures import cosign
from referee.transparency.key_chain import RootLeaf
from referee.transparency.merkle import compute_root_of_leaves, leaf_hash
from referee.transparency.receipts import Signer, encode_verifier_key, split_note, verify_note
from referee.transparency.tiles import Tile, iterate_tiles

STORE = "1f3a1f3a1f3a1f3a"
GO_MODULES = Path("/usr/share/gocode/src/golang.org/x/mod")


def build_publisher() -> RootPublisher:
    return RootPublisher(MemoryLog(), Signer(Ed25519PrivateKey.from_private_bytes(bytes([1] * 32))), STORE)


def grow(publisher: RootPublisher, size: int) -> None:
    """Publish roots until the log has that many leaves; the first is the key."""
    for number in range(publisher.count_leaves(), size):
        match = f"{number % 100:02d}-{number:026d}"
        publisher.publish_root(RootLeaf(match, number, leaf_hash(str(number).encode()), "finished"))


def list_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_shown(folder: Path, publisher: RootPublisher) -> int:
    """Return the size that the folder shows, after checking its root against all leaf hashes in its tiles."""
    shown = verify_note((folder / "checkpoint").read_text(), [publisher.signer.public], publisher.origin)
    tiles = [tile for tile in iterate_tiles(shown.size) if tile.level == 0]
    data = b"".join((folder / tile.path).read_bytes() for tile in tiles)
    leaves = [data[at : at + 32] for at in range(0, len(data), 32)]
    assert compute_root_of_leaves(leaves) == shown.root
    return shown.size


def test_the_example_of_the_specification_has_these_tiles() -> None:
    tiles = list(iterate_tiles(70_000))
    widths = {level: [tile.width for tile in tiles if tile.level == level] for level in range(4)}
    assert widths == {0: [256] * 273 + [112], 1: [256, 17], 2: [1], 3: []}
    assert [tile.path for tile in iterate_tiles(256)] == ["tile/0/000", "tile/1/000.p/1"]
    assert Tile(0, 1234067).path == "tile/0/x001/x234/067"
    assert Tile(-1, 5, 3).path == "tile/entries/005.p/3"
    assert list(iterate_tiles(0)) == []


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 300, 512, 600])
def test_every_size_is_written_as_the_specification_says(tmp_path: Path, size: int) -> None:
    publisher = build_publisher()
    grow(publisher, size)
    done = write_tiles(publisher, tmp_path, entries=True)
    assert (done.size_before, done.size) == (0, size)
    found = list_files(tmp_path)
    assert set(found) == {"checkpoint", *(tile.path for tile in iterate_tiles(size, entries=True))}
    assert read_shown(tmp_path, publisher) == size
    entry, bundle = 0, b"".join(found[name] for name in sorted(found) if "entries" in name)
    while bundle:
        length = int.from_bytes(bundle[:2], "big")
        assert publisher.read_leaves(entry, 1) == (bundle[2 : 2 + length],)
        entry, bundle = entry + 1, bundle[2 + length :]
    assert entry == size


def test_without_entries_nothing_names_a_match(tmp_path: Path) -> None:
    publisher = build_publisher()
    grow(publisher, 300)
    write_tiles(publisher, tmp_path)
    found = list_files(tmp_path)
    assert not [name for name in found if "entries" in name]
    assert not [name for name, data in found.items() if b"-0000000" in data]


def test_only_what_is_new_is_written_and_a_full_tile_stays(tmp_path: Path) -> None:
    publisher = build_publisher()
    grow(publisher, 255)
    write_tiles(publisher, tmp_path, entries=True)
    grow(publisher, 300)
    write_tiles(publisher, tmp_path)  # entries go on by themselves: a monitor that follows them needs all
    assert not (tmp_path / "tile/0/000.p").exists()
    full = [tmp_path / "tile/0/000", tmp_path / "tile/entries/000"]
    before = [path.stat() for path in full]
    assert write_tiles(publisher, tmp_path).files == 0
    grow(publisher, 301)
    assert write_tiles(publisher, tmp_path).files == 2
    assert [path.stat() for path in full] == before
    assert read_shown(tmp_path, publisher) == 301
    assert (tmp_path / "checkpoint").stat().st_mode & 0o777 == 0o644


def test_another_log_or_history_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    publisher = build_publisher()
    grow(publisher, 260)
    write_tiles(publisher, tmp_path)
    before = list_files(tmp_path)
    behind, rewritten = build_publisher(), build_publisher()
    grow(behind, 200)
    rewritten.publish_root(RootLeaf(f"07-{'x' * 26}", 3, bytes(32), "finished"))
    grow(rewritten, 300)
    foreign = RootPublisher(MemoryLog(), Signer.generate(), "another")
    for other, wrong, text in (
        (behind, RootLogError, "changed or lost"),
        (rewritten, RootLogError, "changed or lost"),
        (foreign, HostError, "another log"),
    ):
        with pytest.raises(wrong, match=text):
            write_tiles(other, tmp_path)
    assert list_files(tmp_path) == before
    (tmp_path / "checkpoint").unlink()
    with pytest.raises(HostError, match="not of this log"):
        write_tiles(rewritten, tmp_path)


def test_a_folder_of_other_files_or_a_damaged_tile_is_refused(tmp_path: Path) -> None:
    publisher = build_publisher()
    grow(publisher, 260)
    (tmp_path / "photo").write_bytes(b"mine")
    with pytest.raises(HostError, match="other files"):
        write_tiles(publisher, tmp_path)
    log = tmp_path / "log"
    write_tiles(publisher, log)
    (log / "tile/0/000").write_bytes(b"short")
    with pytest.raises(HostError, match="damaged"):
        write_tiles(publisher, log)
    (log / "tile/0/000").unlink()
    write_tiles(publisher, log)
    assert read_shown(log, publisher) == 260


def test_two_processes_do_not_write_one_folder_at_once(tmp_path: Path) -> None:
    with tile_folder._hold_lock(tmp_path), pytest.raises(HostError, match="another process"):
        write_tiles(build_publisher(), tmp_path)


@pytest.mark.parametrize("survived", range(9))
def test_wherever_the_writing_ends_the_folder_shows_a_whole_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    publisher = build_publisher()
    grow(publisher, 250)
    write_tiles(publisher, tmp_path, entries=True)
    grow(publisher, 520)
    left, replace = survived, os.replace

    def end_soon(begun: str, path: Path) -> None:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        replace(begun, path)

    monkeypatch.setattr(os, "replace", end_soon)
    try:
        write_tiles(publisher, tmp_path)
    except KeyboardInterrupt:
        assert read_shown(tmp_path, publisher) == 250
    monkeypatch.setattr(os, "replace", replace)
    grow(publisher, 530)
    write_tiles(publisher, tmp_path)
    assert read_shown(tmp_path, publisher) == 530


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.infrastructure.publication.test_tile_folder import build_publisher, grow
from referee.infrastructure.publication.tile_folder import write_tiles
publisher = build_publisher()
grow(publisher, 700)
write_tiles(publisher, Path({folder!r}), entries=True)
print("begun", flush=True)
while True:
    grow(publisher, publisher.count_leaves() + 7)
    write_tiles(publisher, Path({folder!r}))
"""


def test_a_writer_that_is_killed_leaves_a_whole_tree(tmp_path: Path) -> None:
    code = KILLED.format(root=str(Path(__file__).parents[3]), folder=str(tmp_path))
    for pause in (0.0, 0.013, 0.05, 0.11):
        shutil.rmtree(tmp_path, ignore_errors=True)
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"begun\n"
            time.sleep(pause)
            writer.send_signal(signal.SIGKILL)
        publisher = build_publisher()
        size = read_shown(tmp_path, publisher)
        assert size >= 700
        grow(publisher, size + 300)
        write_tiles(publisher, tmp_path)
        assert read_shown(tmp_path, publisher) == size + 300
        assert not list(tmp_path.glob(f"{tile_folder.BEGUN}*"))


def note_text(folder: Path) -> str:
    return split_note((folder / "checkpoint").read_text())[0]


@pytest.mark.parametrize("size", [1, 256, 700])
def test_the_reference_implementation_in_go_reads_the_folder(tmp_path: Path, size: int) -> None:
    go = shutil.which("go")
    if go is None or not GO_MODULES.is_dir():
        pytest.skip("Go and its module golang.org/x/mod are not installed (Debian: golang-go golang-golang-x-mod-dev)")
    publisher = build_publisher()
    for step in (1, 200, 256, 700):
        grow(publisher, min(step, size))
        write_tiles(publisher, tmp_path / "log", entries=True)
    with (tmp_path / "log" / "checkpoint").open("a") as checkpoint:  # a witness's line is none of its business
        checkpoint.write(cosign(Signer.generate(), "witness.example", note_text(tmp_path / "log"), 5))
    source = Path(__file__).with_name("tiled.go")
    key = encode_verifier_key(publisher.origin, publisher.signer.public)
    env = {
        **os.environ, "GO111MODULE": "off", "GOPATH": str(GO_MODULES.parents[3]), "GOFLAGS": "",
        "GOCACHE": str(tmp_path / "cache"),
    }  # fmt: skip
    command = [go, "run", str(source), str(tmp_path / "log"), key]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.split()) == (0, [str(size)] * 2), done.stderr
