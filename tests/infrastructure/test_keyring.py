"""The key in its file, and its rotation: private at every moment, whole wherever it is broken off, and seen at once."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure import keyring
from referee.infrastructure.errors import HostError
from referee.infrastructure.keyring import Keyring, load_signer, rotate_key
from referee.infrastructure.root_publisher import RootPublisher
from referee.infrastructure.secrets import InsecureFileError
from referee.transparency.key_chain import find_trusted_keys
from referee.transparency.receipts import generate_key, verify_note

STORE = "1f3a1f3a1f3a1f3a"
ORIGIN = f"{STORE}/07-abcdefghijklmnopqrstuvwxyz"
ROOT = bytes(32)


class Killed(BaseException):
    """Nothing comes after it, as after kill -9."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "signing.pem"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


def files(path: Path) -> dict[str, int]:
    """The files beside the key, with their modes."""
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}


def sound(path: Path, log: MemoryLog, many: int) -> None:
    """Looks whether one key is left, in a chain of so many in which each is vouched for."""
    assert files(path) == {"signing.pem": 0o600, "signing.pem.lock": 0o600}
    chain = RootPublisher(log, load_signer(path), STORE).ensure_key_published()
    assert len(chain) == many
    assert chain[-1].public == load_signer(path).public
    assert find_trusted_keys(chain, store=STORE) == {key.public for key in chain}


def test_a_new_key_takes_the_old_ones_place_and_is_named_by_it(path: Path, log: MemoryLog) -> None:
    before = load_signer(path).public
    done = rotate_key(path, log, STORE)
    assert (done.before, done.resumed) == (before, False)
    assert done.key.public == load_signer(path).public != before
    sound(path, log, 2)
    rotate_key(path, log, STORE)
    sound(path, log, 3)


def test_what_runs_goes_on_with_the_new_key_and_what_was_signed_before_stays_valid(path: Path, log: MemoryLog) -> None:
    running = Keyring(path)
    first = running.sign_receipt(ORIGIN, 3, ROOT)
    old = running.public
    new = rotate_key(path, log, STORE).key.public
    second = running.sign_receipt(ORIGIN, 3, ROOT)
    assert running.public == new != old
    assert verify_note(second, [new]) == verify_note(first, [old])
    chain = RootPublisher(log, running, STORE).ensure_key_published()
    trusted = find_trusted_keys(chain, [old], STORE)
    assert verify_note(first, trusted) == verify_note(second, trusted)


STEPS: dict[str, tuple[object, str, bool]] = {
    "before the new key is there": (keyring, "load_signer", False),
    "before it is on the disk": (keyring, "sync_to_disk", True),
    "before it is named": (RootPublisher, "publish_successor", True),
    "before it takes the place": (os, "replace", True),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_rotation_that_was_killed_is_gone_on_with(
    path: Path, log: MemoryLog, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Keyring(path)
    where, name, made = STEPS[step]
    calls: list[object] = []
    do: Callable[..., object] = getattr(where, name)

    def dies(*args: object, **named: object) -> object:
        calls.append(args)
        if name != "load_signer" or len(calls) == 2:  # first the key that is there is read
            raise Killed
        return do(*args, **named)

    with monkeypatch.context() as patch:
        patch.setattr(where, name, dies)
        with pytest.raises(Killed):
            rotate_key(path, log, STORE)
    between = files(path)
    assert ("signing.pem.next" in between) is made
    assert set(between.values()) == {0o600}
    chain = RootPublisher(log, load_signer(path), STORE).ensure_key_published()
    assert load_signer(path).public in find_trusted_keys(chain, store=STORE), "the server can start and sign meanwhile"
    done = rotate_key(path, log, STORE)
    assert done.resumed is made
    sound(path, log, 2)


def test_a_rotation_that_is_killed_after_all_of_it_was_done_is_done(
    path: Path, log: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    Keyring(path)
    syncs: list[Path] = []

    def second(directory: Path) -> None:
        syncs.append(directory)
        if len(syncs) == 2:
            raise Killed

    monkeypatch.setattr(keyring, "sync_to_disk", second)
    with pytest.raises(Killed):
        rotate_key(path, log, STORE)
    sound(path, log, 2)


def test_a_process_that_is_killed_with_the_lock_in_its_hand_leaves_it_free(path: Path, log: MemoryLog) -> None:
    Keyring(path)
    program = f"""
        import os, signal
        from pathlib import Path
        from referee.infrastructure.keyring import lock_key
        with lock_key(Path({str(path)!r})):
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    assert done.returncode == -9
    rotate_key(path, log, STORE)
    sound(path, log, 2)


def test_two_who_rotate_at_once_do_it_one_after_the_other(path: Path, log: MemoryLog) -> None:
    Keyring(path)
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: rotate_key(path, log, STORE), range(2)))
    assert {done[0].before, done[1].before} & {done[0].key.public, done[1].key.public}
    sound(path, log, 3)


def test_a_named_key_whose_file_was_lost_is_passed_over(
    path: Path, log: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    Keyring(path)

    def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", dies)
        with pytest.raises(Killed):
            rotate_key(path, log, STORE)
    path.with_name("signing.pem.next").unlink()
    rotate_key(path, log, STORE)
    sound(path, log, 3)


def test_a_new_key_that_others_may_read_is_refused(path: Path, log: MemoryLog) -> None:
    Keyring(path)
    after = path.with_name("signing.pem.next")
    after.write_bytes(generate_key())
    after.chmod(0o644)
    with pytest.raises(InsecureFileError, match="chmod 600"):
        rotate_key(path, log, STORE)
    assert log.read_roots_head().size == 1, "nothing was named"


def test_a_directory_that_cannot_be_written_says_so_and_changes_nothing(path: Path, log: MemoryLog) -> None:
    Keyring(path)
    path.with_name("signing.pem.lock").mkdir()
    with pytest.raises(HostError, match="cannot be made"):
        rotate_key(path, log, STORE)
    assert log.read_roots_head().size == 0


def test_a_key_file_that_goes_bad_under_a_running_server_stops_nobody(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    running = Keyring(path)
    note = running.sign_receipt(ORIGIN, 3, ROOT)
    path.chmod(0o644)
    path.write_bytes(b"nothing of the kind")
    assert running.sign_receipt(ORIGIN, 3, ROOT) == note
    assert "cannot be read anew" in caplog.text
    path.unlink()
    assert running.sign_receipt(ORIGIN, 3, ROOT) == note
