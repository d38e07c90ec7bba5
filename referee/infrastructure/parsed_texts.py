"""The file of texts that were parsed before, in the user's folder for caches.

It is found by the hash of each text's source, so a text that has changed is parsed afresh. It is not used at all if it
was written by another version of Python, of the parser or of this program, if it is damaged, or if another user could
have written it. A file that cannot be read or written is no error: the texts are then parsed, which takes longer.
"""

from __future__ import annotations

import logging
import os
import stat
import sys
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import yaml

import referee
from referee.infrastructure.secrets import write_private_file

LOGGER = logging.getLogger(__name__)
PARSERS = ("engine/rulebook/book.py", "engine/rulebook/parsed.py", "cardscript/language/parser.py")


def find_cache_file() -> Path:
    """Return the file, in the user's folder for caches, as the platform defines it.

    Raises RuntimeError if the user has no home directory.
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "referee" / "texts"
    cache_home = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(cache_home) if cache_home.startswith("/") else Path.home() / ".cache"
    return base / "referee" / "texts"


def compute_version() -> str:
    """Return a hash of all that decides how a text is parsed, apart from the text."""
    digest = blake2b(f"{sys.version} {yaml.__version__} {referee.__version__}".encode(), digest_size=16)
    for name in PARSERS:
        digest.update((Path(referee.__file__).parent / name).read_bytes())
    return digest.hexdigest()


def read_parsed_texts(path: Path) -> dict[str, str]:
    """Return the texts of the file by their hash.

    There are none if it must not or cannot be used.
    """
    try:
        if not _is_private(path.parent) or not _is_private(path):
            return {}
        head, _, body = path.read_bytes().partition(b"\n")
        if head != _make_head(body):
            return {}
    except OSError:  # there is none yet, or its folder is closed to us
        return {}
    lines = (line.partition(" ") for line in body.decode("utf-8").split("\n") if line)
    return {key: text for key, _, text in lines}


def write_parsed_texts(path: Path, texts: Mapping[str, str]) -> bool:
    """Write the file; return False if that cannot be done."""
    body = "".join(f"{key} {text}\n" for key, text in sorted(texts.items())).encode()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(path.parent):
            return False
        return write_private_file(path, _make_head(body) + b"\n" + body, replace=True)
    except OSError as wrong:
        LOGGER.debug("parsed texts are not kept: %s", wrong)
        return False


def _make_head(body: bytes) -> bytes:
    """Return the first line of a file: the version, and the hash of the rest."""
    return f"{compute_version()} {blake2b(body, digest_size=16).hexdigest()}".encode()


def _is_private(path: Path) -> bool:
    """Whether this is ours, no link, and nobody else can write it."""
    found = path.lstat()
    plain = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    return plain and found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
