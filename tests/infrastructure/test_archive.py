"""Archived matches in files: what comes back is what the store held, or nothing; and a log that reads from them."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.engine.codec import encode_canonical
from referee.eventstore.contract import Commit, Head, LogWriteStatus, MatchLog, StoredEntry
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.projection_store import StoreCall
from referee.infrastructure.archives.archive import Archive, ArchiveMissing
from referee.infrastructure.archives.archived_log import ArchiveBackedLog, attach_archive, find_archive
from referee.infrastructure.errors import HostError
from referee.match.entries import compute_commitment
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

MATCH = "07-abcdefghijklmnopqrstuvwxyz"
SALT = bytes(range(32))


def grown(log: MatchLog, count: int, match: str = MATCH, size: int = 10) -> Head:
    """A match of entries that look like those of the desk; its head."""
    head = log.read(match, limit=0).head or Head(0, b"", (), "open", 0, "", "")
    for version in range(head.version + 1, head.version + count + 1):
        hidden = encode_canonical({"n": version, "text": "ü" * size})
        committed = compute_commitment(SALT, hidden)
        envelope = encode_canonical(
            {"match": match, "version": version, "commitments": {"full": committed}, "events": []}
        )
        frontier = extend_frontier(head.frontier, version - 1, leaf_hash(envelope))
        root = compute_root(frontier, version)
        commit = Commit(match, version, envelope, hidden, root, frontier, head.root, f"k{version}", b"")
        assert log.append(commit).status is LogWriteStatus.OK
        found = log.read(match, limit=0).head
        assert found is not None
        head = found
    return head


def line(entry: StoredEntry, match: str = MATCH) -> form.EntryLine:
    part = form.OpenedPart("full", SALT, entry.sealed.decode())
    return form.EntryLine(entry.version, entry.envelope.decode(), entry.root, (part,))


def lines(entries: tuple[StoredEntry, ...], match: str = MATCH) -> list[bytes]:
    size = len(entries)
    header = form.BundleHeader(match, f"s/{match}", "sealed", "toy", "", "", "1", "finished", size, 5, "tests")
    return list(form.encode_bundle([header, *(line(entry, match) for entry in entries)]))


def filed(archive: Archive, log: MatchLog, match: str = MATCH) -> Head:
    """Puts a match away, file and tombstone; its head."""
    head = log.read(match, limit=0).head
    assert head is not None
    archive.write_bundle(match, lines(log.read(match).entries, match))
    assert log.archive_match(match, head.version, head.root) is LogWriteStatus.OK
    return head


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "data" / "archive")


@pytest.fixture
def memory() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def log(memory: MemoryLog, archive: Archive) -> MatchLog:
    return attach_archive(memory, archive)


def test_entries_come_back_byte_for_byte(archive: Archive, memory: MemoryLog) -> None:
    head = grown(memory, 33)
    entries = memory.read(MATCH).entries
    path = archive.write_bundle(MATCH, lines(entries))
    for reader in (archive, archive, Archive(archive.folder)):
        assert reader.load_entries(MATCH, head.version, head.root) == entries
    assert form.decode_bundle(archive.read_lines(MATCH)).header.match == MATCH
    assert path == archive.folder / "07" / f"{MATCH}.bundle.gz"


def test_files_and_folders_are_for_their_owner_alone(archive: Archive, memory: MemoryLog) -> None:
    grown(memory, 1)
    path = archive.write_bundle(MATCH, lines(memory.read(MATCH).entries))
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent, archive.folder)] == [0o600, 0o700, 0o700]
    with archive.lock_partition_of(MATCH):
        assert stat.S_IMODE((path.parent / ".lock").stat().st_mode) == 0o600


def test_the_same_match_makes_the_same_file(archive: Archive, memory: MemoryLog) -> None:
    grown(memory, 5)
    first = archive.write_bundle(MATCH, lines(memory.read(MATCH).entries)).read_bytes()
    assert archive.write_bundle(MATCH, lines(memory.read(MATCH).entries)).read_bytes() == first


def root_changed(kept: list[bytes]) -> list[bytes]:
    second = form.decode_line(kept[2], 3)
    assert isinstance(second, form.EntryLine)
    return [*kept[:2], form.encode_line(replace(second, root=bytes(32))), *kept[3:]]


CHANGES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "an entry less": lambda kept: kept[:3] + kept[4:],
    "the last entry less": lambda kept: [*kept[:-2], form.encode_line(form.EndLine(len(kept) - 2))],
    "two entries swapped": lambda kept: [*kept[:2], kept[3], kept[2], *kept[4:]],
    "an entry twice": lambda kept: [*kept[:3], kept[2], *kept[3:]],
    "no end": lambda kept: kept[:-1],
    "more after the end": lambda kept: [*kept, kept[1]],
    "another's header": lambda kept: [kept[0].replace(b'"match":"07', b'"match":"08'), *kept[1:]],
    "for a seat's eyes": lambda kept: [kept[0].replace(b'"sealed"', b'"2"'), *kept[1:]],
    "a changed root": root_changed,
    "a changed hidden part": lambda kept: [each.replace(b'\\"n\\":3', b'\\"n\\":4') for each in kept],
    "a changed envelope": lambda kept: [each.replace(b'\\"events\\":[]', b'\\"events\\":[1]') for each in kept],
    "no JSON": lambda kept: [*kept[:2], b"{\n", *kept[3:]],
    "a list": lambda kept: [*kept[:2], b"[]\n", *kept[3:]],
    "a number for a text": lambda kept: [*kept[:2], b'{"kind":"entry","envelope":1}\n', *kept[3:]],
    "nothing": lambda kept: [],
}


@pytest.mark.parametrize("how", CHANGES)
def test_what_was_not_archived_is_never_served(archive: Archive, memory: MemoryLog, how: str) -> None:
    head = grown(memory, 6)
    entries = memory.read(MATCH).entries
    other = CHANGES[how](lines(entries))
    assert other != lines(entries)
    archive.write_bundle(MATCH, other)
    with pytest.raises(ArchiveMissing, match=MATCH) as lost:
        archive.load_entries(MATCH, head.version, head.root)
    assert (lost.value.reason, lost.value.match) == ("frozen", MATCH)
    assert archive.count_unreadable() == 1


def test_a_shorter_history_of_the_same_match_is_not_served(archive: Archive, memory: MemoryLog) -> None:
    grown(memory, 4)
    archive.write_bundle(MATCH, lines(memory.read(MATCH).entries))
    head = grown(memory, 1)
    with pytest.raises(ArchiveMissing):
        archive.load_entries(MATCH, head.version, head.root)


def test_a_missing_file_is_lost_until_it_is_back(archive: Archive, log: MatchLog) -> None:
    grown(log, 3)
    entries = log.read(MATCH).entries
    filed(archive, log)
    path = archive.path_for(MATCH)
    kept = path.read_bytes()
    path.unlink()
    for ask in (lambda: log.read_entries(MATCH), lambda: log.read(MATCH), lambda: log.read_entries(MATCH, 2, 1)):
        with pytest.raises(ArchiveMissing, match="missing"):
            ask()
    assert log.read(MATCH, limit=0).head is not None, "the tombstone still tells"
    other = Archive(archive.folder)
    assert archive.count_unreadable() == other.count_unreadable() == 1, "every process can tell of it"
    path.write_bytes(kept)
    assert archive.count_unreadable() == other.count_unreadable() == 0
    assert log.read_entries(MATCH) == entries


@pytest.mark.parametrize("match", ["", "../../etc/passwd", "07-abc/../x", "07-", "07-ABC", "7-abc", "07-abc\n"])
def test_no_id_leads_out_of_the_folder(archive: Archive, match: str) -> None:
    with pytest.raises(ValueError, match="is no match"):
        archive.path_for(match)


def test_a_log_reads_archived_matches_as_before(archive: Archive, log: MatchLog, memory: MemoryLog) -> None:
    grown(log, 7)
    asks = [(after, limit) for after in (0, 2, 6, 7, 9) for limit in (0, 1, 3, 100)]
    pages = [log.read_entries(MATCH, *ask) for ask in asks]
    reads = [log.read(MATCH, after=after, limit=limit).entries for after, limit in [*asks, (0, None), (3, None)]]
    filed(archive, log)
    fresh = attach_archive(memory, Archive(archive.folder))
    for reader in (log, fresh):
        assert [reader.read_entries(MATCH, *ask) for ask in asks] == pages
        again = [reader.read(MATCH, after=after, limit=limit).entries for after, limit in [*asks, (0, None), (3, None)]]
        assert again == reads


def test_whoever_was_reading_page_by_page_loses_nothing(archive: Archive, log: MatchLog) -> None:
    grown(log, 9)
    first = log.read_entries(MATCH, 0, 4)
    filed(archive, log)
    assert [entry.version for entry in first + log.read_entries(MATCH, 4, 4) + log.read_entries(MATCH, 8, 4)] == list(
        range(1, 10)
    )


def test_the_end_of_a_running_match_is_no_archive(log: MatchLog, archive: Archive) -> None:
    grown(log, 2)
    assert (log.read_entries(MATCH, 2), log.read_entries("08-nobody"), log.read("08-nobody").head) == ((), (), None)
    assert not archive.folder.exists()


def test_everything_else_is_the_logs_own(log: MatchLog, memory: MemoryLog, archive: Archive) -> None:
    log.put_seat_names(MATCH, {"0": "Ada"})
    assert memory.read_seat_names(MATCH) == {"0": "Ada"}
    assert (find_archive(log), find_archive(memory)) == (archive, None)
    own = {name for name in vars(ArchiveBackedLog) if not name.startswith("_")}
    assert own == {"read", "read_entries", "call_together", "append", "append_together", "transfer_out"}


def test_calls_together_read_an_archived_match_from_its_file(archive: Archive, log: MatchLog) -> None:
    grown(log, 5)
    calls = [
        StoreCall("read_entries", (MATCH, 1, 2)),
        StoreCall("read_view_cursors", (7, [("lobby", 1)])),
        StoreCall("read_entries", (MATCH, 5, 2)),
    ]
    before = log.call_together(calls)
    assert [entry.version for entry in before[0]] == [2, 3]
    filed(archive, log)
    assert log.call_together(calls) == before
    archive.path_for(MATCH).unlink()
    with pytest.raises(ArchiveMissing):
        log.call_together(calls)


def test_memory_is_bounded(tmp_path: Path, memory: MemoryLog) -> None:
    archive = Archive(tmp_path, held=20_000)
    matches = [f"07-{letter * 3}" for letter in "abcdef"]
    for match in matches:
        grown(memory, 3, match, size=2000)
        filed(archive, memory, match)
    heads = {match: memory.read(match, limit=0).head for match in matches}
    for match, head in heads.items():
        assert head is not None
        assert len(archive.load_entries(match, head.version, head.root)) == 3
    assert list(archive._kept) == matches[-1:], "12 kB each, so only one has room; and one always has"


def test_many_threads_read_the_same(tmp_path: Path, memory: MemoryLog) -> None:
    archive = Archive(tmp_path, held=1)
    matches = [f"07-{letter * 3}" for letter in "abc"]
    wanted = {}
    for match in matches:
        grown(memory, 20, match)
        wanted[match] = memory.read(match).entries
        filed(archive, memory, match)
    log, start = attach_archive(memory, archive), threading.Barrier(8)

    def read(turn: int) -> bool:
        start.wait()
        return all(log.read_entries(match) == wanted[match] for match in matches[turn % 3 :] + matches)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(8)))


def test_what_a_killed_writer_left_is_swept_away(archive: Archive, memory: MemoryLog) -> None:
    grown(memory, 1)
    path = archive.write_bundle(MATCH, lines(memory.read(MATCH).entries))
    left = path.with_name(f".{MATCH}.abc")
    left.write_bytes(b"half")
    with archive.lock_partition_of(MATCH):
        assert sorted(each.name for each in path.parent.iterdir()) == [".lock", path.name]


def test_two_who_archive_take_turns(archive: Archive) -> None:
    other, entered = Archive(archive.folder), threading.Event()

    def second() -> None:
        with other.lock_partition_of(MATCH):
            entered.set()

    with archive.lock_partition_of(MATCH):
        thread = threading.Thread(target=second)
        thread.start()
        assert not entered.wait(0.05)
    assert entered.wait(60)
    thread.join()


def test_a_full_disk_leaves_nothing_half(archive: Archive, memory: MemoryLog, monkeypatch: pytest.MonkeyPatch) -> None:
    grown(memory, 2)
    path = archive.write_bundle(MATCH, lines(memory.read(MATCH).entries))
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("referee.infrastructure.archives.archive.os.fsync", full)
    with pytest.raises(HostError, match="No space left"):
        archive.write_bundle(MATCH, [b"other\n"])
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]
