"""Writing to disk so that it survives a loss of power."""

from __future__ import annotations

import os
from pathlib import Path


def sync_to_disk(path: Path) -> None:
    """Flush a file, or the names in a directory, to the disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
