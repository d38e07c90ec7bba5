"""The key that this server signs with, as kept in its file, and its rotation.

The old key signs the new one. A rotation has three steps, and resumes where it was interrupted:

1. A new key is written next to the old one (`<file>.next`, mode 0600).
2. The old key names it, and that statement becomes a leaf of the root log. From then on the key is public.
3. The new file replaces the old one. The old key is gone, and what it signed is verified through the chain.

Running processes look at the file before they sign, and use the new key without a restart.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from referee.eventstore.contract import MatchLog
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.file_locks import lock_file
from referee.infrastructure.root_publisher import RootPublisher
from referee.infrastructure.secrets import InsecureFileError, read_or_create_private_file
from referee.transparency.key_chain import ChainKey, sign_statement
from referee.transparency.receipts import Signer, generate_key

LOGGER = logging.getLogger(__name__)


def load_signer(path: Path) -> Signer:
    """Return the signer whose key is in that file, which is made if it is missing.

    Raises InsecureFileError if the file is exposed or holds no Ed25519 key.
    """
    pem = read_or_create_private_file(path, generate_key)
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as wrong:
        raise InsecureFileError(f"{path} holds no unencrypted private key in PEM: {wrong}") from wrong
    if not isinstance(key, Ed25519PrivateKey):
        raise InsecureFileError(
            f"{path} holds a key that is not Ed25519; `openssl genpkey -algorithm ed25519` makes one"
        )
    return Signer(key)


class Keyring:
    """The signer whose key is in a file; it is reloaded when the file changes."""

    def __init__(self, path: Path) -> None:
        """Load the key, and make it first if there is none.

        Raises InsecureFileError if the file is exposed or holds no key.
        """
        self._path = path
        self._signer = load_signer(path)
        self._mark = _read_file_signature(path)

    @property
    def signer(self) -> Signer:
        """The current signer.

        If the file cannot be read, the key that was loaded before still signs.
        """
        try:
            mark = _read_file_signature(self._path)
            if mark != self._mark:
                self._signer, self._mark = load_signer(self._path), mark
        except (HostError, OSError) as wrong:
            LOGGER.error("the signing key cannot be read anew, the one before it goes on: %s", wrong)
        return self._signer

    @property
    def public(self) -> bytes:
        return self.signer.public

    def sign_receipt(self, origin: str, size: int, root: bytes) -> str:
        return self.signer.sign_receipt(origin, size, root)

    def sign_note(self, name: str, text: str) -> str:
        return self.signer.sign_note(name, text)


def _read_file_signature(path: Path) -> tuple[int, int, int]:
    """Return what changes when another file takes the place of this one."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


@dataclass(frozen=True)
class KeyRotation:
    """The result of a rotation: the key before, and the key now.

    `resumed` says that it continued an interrupted one.
    """

    before: bytes
    key: ChainKey
    resumed: bool


def rotate_key(path: Path, log: MatchLog, store: str) -> KeyRotation:
    """Replace the key in that file by a new one, which the old one names.

    The new key is published in the root log. If interrupted, the rotation resumes when called again. Raises HostError
    if the file cannot be changed or its key belongs to another store's chain; StoreUnavailable.
    """
    with lock_key(path):
        old, after = load_signer(path), _next_key_path(path)
        chain = RootPublisher(log, old, store).ensure_key_published()
        resumed = after.exists()
        new = load_signer(after)  # makes it if it is missing
        sync_to_disk(path.parent)  # before the key is published
        known = {key.public: key for key in chain}
        if new.public not in known:
            now = log.now()
            named = ChainKey(new.public, now, sign_statement(old, store, new.public, now))
            known[new.public] = RootPublisher(log, old, store).publish_successor(named, old.public)
        try:
            os.replace(after, path)
        except OSError as wrong:
            raise HostError(f"{path} cannot be changed: {wrong.strerror}") from wrong
        sync_to_disk(path.parent)
    return KeyRotation(old.public, known[new.public], resumed)


def is_rotation_pending(path: Path) -> bool:
    """Return whether a rotation of the key in that file is unfinished."""
    return _next_key_path(path).exists()


def _next_key_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.next")


@contextlib.contextmanager
def lock_key(path: Path) -> Iterator[None]:
    """Let no other process rotate this key. Raises HostError."""
    lock = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as wrong:
        raise HostError(f"{lock} cannot be made: {wrong.strerror}; the directory of the key must be yours") from wrong
    try:
        lock_file(handle)
        yield
    finally:
        os.close(handle)
