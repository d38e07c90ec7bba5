"""What must stay on this machine: private files, the server's secret, its token.

A private file appears completely or not at all, mode 0600. If several processes start at the same time, one makes it
and all read the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from referee.infrastructure.errors import HostError

SECRET_BYTES = 32
MIN_DISTINCT_BYTES = 16  # 32 random bytes have fewer than 16 distinct ones once in 10^16 times
OPERATOR_PREFIX = "rfs_"


class InsecureFileError(HostError):
    """A private file can be read by others, or holds something weak."""


def make_private_dir(path: Path) -> Path:
    """Return the directory, made if it is missing, open to its owner alone.

    Raises InsecureFileError if another user owns it, HostError if it cannot be used.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = path.stat().st_uid
        if owner != os.getuid():
            raise InsecureFileError(f"{path} belongs to user {owner}; give another directory with REFEREE_DATA_DIR")
        path.chmod(0o700)
    except OSError as wrong:
        raise HostError(f"{path} cannot be used: {wrong.strerror}; give another with REFEREE_DATA_DIR") from wrong
    return path


def write_private_file(path: Path, content: bytes, *, replace: bool) -> bool:
    """Write a file in one act, mode 0600, and return whether this call wrote it.

    Without `replace` the first writer wins, and later ones return False.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp: mode 0600 from the start
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(name, path)
            return True
        try:
            os.link(name, path)
        except FileExistsError:
            return False
        return True
    finally:
        with contextlib.suppress(FileNotFoundError):  # gone after os.replace
            os.unlink(name)


def read_or_create_private_file(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return the content of a file, which is made first if it is missing.

    Raises InsecureFileError if others may read or change it, HostError if it cannot be read or made.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private_file(path, make(), replace=False)
        if wrong := describe_exposure(path):
            raise InsecureFileError(wrong)
        return path.read_bytes()
    except OSError as error:
        raise HostError(f"{path} cannot be read or made: {error.strerror}") from error


def describe_exposure(path: Path) -> str | None:
    """Return what is wrong with a private file's mode and how to fix it, or None."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return f"{path} has mode {mode:04o}, so others may read it: chmod 600 '{path}'"
    return None


def load_server_secret(path: Path) -> bytes:
    """Return the server's secret: 32 bytes, kept as a line of hexadecimal digits.

    Raises InsecureFileError if it is weak.
    """
    text = read_or_create_private_file(path, lambda: secrets.token_hex(SECRET_BYTES).encode() + b"\n")
    try:
        secret = bytes.fromhex(text.decode("ascii").strip())
    except (UnicodeDecodeError, ValueError):
        raise InsecureFileError(f"{path} must hold 64 hexadecimal digits; `openssl rand -hex 32` makes them") from None
    if len(secret) != SECRET_BYTES or len(set(secret)) < MIN_DISTINCT_BYTES:
        raise InsecureFileError(f"the secret in {path} is too weak; `openssl rand -hex 32` makes a good one")
    return secret


def derive_key(secret: bytes, use: str) -> bytes:
    """Return a key for one use of the server's secret (HKDF-SHA256, RFC 5869).

    No such key reveals another.
    """
    return HKDF(SHA256(), length=32, salt=None, info=b"referee/v1/" + use.encode()).derive(secret)


def create_operator_token(path: Path, *, replace: bool) -> str | None:
    """Return a new operator token, and keep its hash in that file.

    Return None if there is one already and `replace` is not set.
    """
    token = OPERATOR_PREFIX + secrets.token_urlsafe(32)
    line = hashlib.sha256(token.encode()).hexdigest().encode() + b"\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return token if write_private_file(path, line, replace=replace) else None
    except OSError as wrong:
        raise HostError(f"{path} cannot be written: {wrong.strerror}") from wrong


def is_operator_token(path: Path, token: str) -> bool:
    """Return whether this is the operator's token; False if none was ever made."""
    try:
        kept = path.read_text("ascii").strip()
    except FileNotFoundError:
        return False
    return hmac.compare_digest(hashlib.sha256(token.encode()).hexdigest(), kept)
