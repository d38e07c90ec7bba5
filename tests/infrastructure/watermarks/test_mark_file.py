"""The file of high-water marks: what it holds after kills, torn writes, full disks, and with many writers."""

from __future__ import annotations

import errno
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from referee.infrastructure.watermarks import mark_file
from referee.infrastructure.watermarks.mark_file import RECORD, Mark, MarkFile, MarksUnavailable
from tests.infrastructure.machine import ROOT

FORK = multiprocessing.get_context("fork")


def mark(size: int, salt: int = 0) -> Mark:
    return Mark(size, (size + salt * 10**9).to_bytes(32, "big"))


def name(number: int) -> str:
    return f"{number % 64:02d}-{'m' * 20}{chr(97 + number // 26 % 26)}{chr(97 + number % 26)}"


def test_a_mark_is_replaced_only_where_it_is_the_one_that_was_seen(tmp_path: Path) -> None:
    marks = MarkFile(tmp_path / "marks")
    assert marks.find(name(1)) is None
    assert marks.replace(name(1), None, mark(1))
    assert not marks.replace(name(1), None, mark(2))
    assert not marks.replace(name(1), mark(3), mark(4))
    assert marks.replace(name(1), mark(1), mark(7))
    assert [each.find(name(1)) for each in (marks, MarkFile(tmp_path / "marks"))] == [mark(7)] * 2
    assert marks.find(name(2)) is None
    assert (tmp_path / "marks" / "tail").stat().st_mode & 0o777 == 0o600
    with pytest.raises(ValueError, match="no log"):
        marks.find("m" * 33)


def test_the_folder_of_the_marks_is_open_to_its_owner_alone_and_so_is_the_one_around_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        assert MarkFile(tmp_path / "data" / "marks").replace(name(1), None, mark(1))
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "data", tmp_path / "data" / "marks")] == [0o700] * 2


def test_many_marks_are_merged_and_found_again_and_only_the_tail_is_in_memory(tmp_path: Path) -> None:
    marks, beside = MarkFile(tmp_path, 50 * RECORD.size), MarkFile(tmp_path, 50 * RECORD.size)
    dice, expected = random.Random(1), {}
    for turn in range(1, 2000):
        who, writer = name(dice.randrange(400)), dice.choice((marks, beside))
        assert writer.replace(who, expected.get(who), mark(turn))
        expected[who] = mark(turn)
        assert len(marks._recent) <= 50
    assert dict(marks.list_marks()) == dict(beside.list_marks()) == dict(MarkFile(tmp_path).list_marks()) == expected
    assert [each for each, _ in marks.list_marks()] == sorted(expected)
    assert all(beside.find(who) == found for who, found in expected.items())
    assert (tmp_path / "tail").stat().st_size < 50 * RECORD.size


def test_a_merge_that_was_cut_short_before_the_tail_was_emptied_says_the_same(tmp_path: Path) -> None:
    marks = MarkFile(tmp_path)
    for turn in range(1, 30):
        marks.replace(name(turn % 7), marks.find(name(turn % 7)), mark(turn))
    before, tail = dict(marks.list_marks()), (tmp_path / "tail").read_bytes()
    with marks._hold():
        marks._merge()
    (tmp_path / "tail").write_bytes(tail)
    (tmp_path / "base.new").write_bytes(b"half")
    assert dict(MarkFile(tmp_path).list_marks()) == before
    after = MarkFile(tmp_path, RECORD.size)
    assert after.replace(name(1), before[name(1)], mark(99))
    assert dict(after.list_marks()) == {**before, name(1): mark(99)}


def test_a_tail_cut_at_any_place_keeps_every_whole_mark_and_is_written_on(tmp_path: Path) -> None:
    marks = MarkFile(tmp_path / "whole")
    for turn in range(1, 4):
        marks.replace(name(turn), None, mark(turn))
    data = (tmp_path / "whole" / "tail").read_bytes()
    assert len(data) == 3 * RECORD.size
    for length in range(len(data) + 1):
        folder = tmp_path / str(length)
        folder.mkdir()
        # power failed: the file has its length, but not what was last written to it
        (folder / "tail").write_bytes(data[:length] + bytes(RECORD.size) * (length % 2))
        again = MarkFile(folder)
        assert dict(again.list_marks()) == {name(turn): mark(turn) for turn in range(1, length // RECORD.size + 1)}
        assert again.replace(name(9), None, mark(9))
        assert MarkFile(folder).find(name(9)) == mark(9)


def test_a_damaged_file_is_refused_and_never_taken_for_one_without_marks(tmp_path: Path) -> None:
    marks = MarkFile(tmp_path)
    for turn in range(1, 4):
        marks.replace(name(turn), None, mark(turn))
    tail = tmp_path / "tail"
    sound = tail.read_bytes()
    tail.write_bytes(sound[:40] + bytes([sound[40] ^ 1]) + sound[41:])
    with pytest.raises(MarksUnavailable):
        MarkFile(tmp_path).find(name(1))
    tail.write_bytes(sound)
    with marks._hold():
        marks._merge()
    base = (tmp_path / "base").read_bytes()
    for damaged in (base[:50] + bytes([base[50] ^ 1]) + base[51:], base[: -RECORD.size], b"", base[:5]):
        (tmp_path / "base").write_bytes(damaged)
        with pytest.raises(MarksUnavailable):
            MarkFile(tmp_path).find(name(1))


def test_a_full_disk_refuses_the_mark_and_keeps_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = MarkFile(tmp_path)
    assert marks.replace(name(1), None, mark(1))
    write = os.write
    monkeypatch.setattr(mark_file.os, "write", lambda handle, data: write(handle, data[:30]))
    for _ in range(2):
        with pytest.raises(MarksUnavailable):
            marks.replace(name(1), mark(1), mark(2))
    monkeypatch.undo()
    assert (tmp_path / "tail").stat().st_size == RECORD.size
    assert marks.find(name(1)) == mark(1)
    assert marks.replace(name(1), mark(1), mark(2))
    assert MarkFile(tmp_path).find(name(1)) == mark(2)


def test_after_a_failed_sync_all_is_written_anew_before_a_mark_counts_as_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = MarkFile(tmp_path)

    def fail(_handle: int) -> None:
        raise OSError(errno.EIO, "the disk")

    monkeypatch.setattr(mark_file.os, "fdatasync", fail)
    with pytest.raises(MarksUnavailable):
        marks.replace(name(1), None, mark(1))
    monkeypatch.undo()
    (tmp_path / "tail").write_bytes(b"")  # what was not synced is gone, as the failed sync allows
    marks.sync()
    assert MarkFile(tmp_path).find(name(1)) == mark(1)


def test_a_tail_that_is_taken_away_or_replaced_stops_its_users_until_it_is_back(tmp_path: Path) -> None:
    marks, folder = MarkFile(tmp_path / "marks"), tmp_path / "marks"
    assert marks.replace(name(1), None, mark(1))
    folder.rename(tmp_path / "aside")
    with pytest.raises(MarksUnavailable, match="removed or replaced"):
        marks.replace(name(1), mark(1), mark(2))
    assert MarkFile(folder).find(name(1)) is None, "a process that starts now knows nothing of the first one"
    with pytest.raises(MarksUnavailable, match="removed or replaced"):
        marks.find(name(1))
    (folder / "tail").unlink()
    folder.rmdir()
    (tmp_path / "aside").rename(folder)
    assert marks.replace(name(1), mark(1), mark(2))


def test_a_tail_that_became_shorter_in_use_is_damage(tmp_path: Path) -> None:
    marks = MarkFile(tmp_path)
    for size in (1, 2):
        assert marks.replace(name(size), None, mark(size))
    os.truncate(tmp_path / "tail", RECORD.size + 40)
    with pytest.raises(MarksUnavailable, match="shorter"):
        marks.replace(name(3), None, mark(3))


def test_what_follows_a_torn_record_is_never_cut_off(tmp_path: Path) -> None:
    marks = MarkFile(tmp_path)
    for size in (1, 2, 3):
        assert marks.replace(name(size), None, mark(size))
    data = (tmp_path / "tail").read_bytes()
    (tmp_path / "tail").write_bytes(data[: RECORD.size + 40] + data[2 * RECORD.size :])  # the third is whole
    with pytest.raises(MarksUnavailable, match="damaged"):
        MarkFile(tmp_path).find(name(3))
    assert (tmp_path / "tail").stat().st_size == 2 * RECORD.size + 40, "nothing is cut off"


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "marks").write_text("a file")
    with pytest.raises(MarksUnavailable):
        list(MarkFile(tmp_path / "marks").list_marks())


def test_one_sync_is_for_all_threads_that_wait_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks, syncs, sync, given_by = MarkFile(tmp_path), [], os.fdatasync, time.monotonic() + 60

    def slow(handle: int) -> None:
        """Lasts until everybody has written."""
        while (tmp_path / "tail").stat().st_size < 32 * RECORD.size and time.monotonic() < given_by:
            time.sleep(0.005)
        syncs.append(handle)
        sync(handle)

    monkeypatch.setattr(mark_file.os, "fdatasync", slow)
    threads = [threading.Thread(target=marks.replace, args=(name(each), None, mark(1))) for each in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(dict(marks.list_marks())) == 32
    assert len(syncs) <= 2, "that of the first, and one for all others"


def climb(folder: Path, turns: int) -> None:
    """Raises the marks of a few logs, one after the other, against everybody else who does."""
    marks = MarkFile(folder, 20 * RECORD.size)
    for turn in range(turns):
        who = name(turn % 3)
        while not marks.replace(who, found := marks.find(who), mark(found.size + 1 if found else 1)):
            pass


def test_processes_and_forks_of_one_never_raise_a_mark_twice(tmp_path: Path) -> None:
    shared = MarkFile(tmp_path, 20 * RECORD.size)
    assert shared.replace(name(0), None, mark(1))  # the forks inherit an open file

    def raise_shared() -> None:
        for _ in range(100):
            while not shared.replace(name(0), found := shared.find(name(0)), mark(found.size + 1 if found else 1)):
                pass

    made = [FORK.Process(target=climb, args=(tmp_path, 90)) for _ in range(2)]
    made += [FORK.Process(target=raise_shared) for _ in range(2)]
    for process in made:
        process.start()
    for process in made:
        process.join(300)
    assert [process.exitcode for process in made] == [0] * 4
    assert {who: found.size for who, found in shared.list_marks()} == {name(0): 261, name(1): 60, name(2): 60}


KILLED = """
import sys
from pathlib import Path
from tests.infrastructure.watermarks.test_mark_file import mark, name
from referee.infrastructure.watermarks.mark_file import RECORD, MarkFile
marks, turn = MarkFile(Path(sys.argv[1]), 5 * RECORD.size), int(sys.argv[2])
while True:
    who = name(turn % 4)
    if marks.replace(who, marks.find(who), mark(turn)):
        print(turn, flush=True)
    turn += 1
"""


def test_kills_at_any_moment_lose_no_mark_that_was_told_of(tmp_path: Path) -> None:
    dice, told = random.Random(5), 0
    for _ in range(12):
        command = [sys.executable, "-c", KILLED, str(tmp_path), str(told + 1)]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment)
        assert process.stdout is not None
        told = int(process.stdout.readline())
        time.sleep(dice.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        process.wait()
        process.stdout.close()
        told = int(rest[-1]) if rest else told
        found = {who: each.size for who, each in MarkFile(tmp_path).list_marks()}
        assert all(found[name(turn % 4)] >= turn for turn in range(max(1, told - 3), told + 1))
        told = max(found.values())
    assert told >= 12
