"""Timestamps as files: folders of a checkpoint, the request and the answer.

Nothing here judges a stamp; `stamps` does. So a server that hands stamps out need not load what judges them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from referee.infrastructure.errors import HostError
from referee.infrastructure.root_publisher import StampedNote
from referee.transparency.receipts import Checkpoint, InvalidNoteError, parse_checkpoint, split_note

LOGGER = logging.getLogger(__name__)
STAMPS_FOLDER = "stamps"  # in the data directory
CHECKPOINT, REQUEST, RESPONSE = "checkpoint", "request.tsq", "response.tsr"
MOST_FILE_BYTES = 64 * 1024
MOST_STAMPS = 10_000  # in one folder


class StampFileError(HostError):
    """A given file or folder holds no timestamps or certificates.

    Or it cannot be read.
    """

    exit_code = 65  # EX_DATAERR


class StampShelf:
    """The stamps in a folder; bundles take the one that is of use to a match."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read_checkpoint = lru_cache(MOST_STAMPS)(_read_checkpoint)  # a stamp is written once

    def find_first(self, origin: str, index: int) -> StampedNote | None:
        """Return the oldest stamp over a checkpoint of a log that has this leaf, or None.

        What cannot be read counts as nothing and is logged: without it a bundle says less, and is as true as before.
        """
        try:
            for path in iterate_stamps(self._folder) if self._folder.is_dir() else ():
                found = self._read_checkpoint(path)
                if found is not None and found.origin == origin and found.size > index:
                    note = read_small_file(path / CHECKPOINT).decode()
                    return StampedNote(note, found.size, found.root, read_small_file(path / RESPONSE))
        except StampFileError as wrong:
            if any(self._folder.iterdir()):
                LOGGER.error("the timestamps cannot be read: %s", wrong)
        return None


def _read_checkpoint(path: Path) -> Checkpoint | None:
    """Return what the checkpoint of a stamp says; its signatures are not checked."""
    try:
        return parse_checkpoint(split_note(read_small_file(path / CHECKPOINT).decode())[0])
    except (InvalidNoteError, UnicodeDecodeError, StampFileError) as wrong:
        LOGGER.error("the timestamp %s is over no checkpoint: %s", path, wrong)
        return None


def iterate_stamps(path: Path) -> Iterator[Path]:
    """Yield the folders of stamps: this one, or those in it, oldest first.

    Raises StampFileError if there is none.
    """
    if (path / RESPONSE).is_file():
        yield path
        return
    try:
        found = sorted(each for each in path.iterdir() if (each / RESPONSE).is_file() and not each.name.startswith("."))
    except OSError as wrong:
        raise StampFileError(f"{path} cannot be read: {wrong.strerror}") from wrong
    if not found:
        raise StampFileError(f"{path} holds no timestamps; a stamp is a folder with {CHECKPOINT} and {RESPONSE}")
    yield from found[:MOST_STAMPS]


def read_small_file(path: Path) -> bytes:
    """Return the bytes of a file of a stamp. Raises StampFileError."""
    try:
        with path.open("rb") as source:
            data = source.read(MOST_FILE_BYTES + 1)
    except OSError as wrong:
        raise StampFileError(f"{path} cannot be read: {wrong.strerror}") from wrong
    if len(data) > MOST_FILE_BYTES:
        raise StampFileError(f"{path} is too long")
    return data
