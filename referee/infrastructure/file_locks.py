"""Locks on open files, which end with the process that holds them.

Servers need them. Where the platform has none, as on Windows, everything can still be imported: judging, showing and
verifying lock nothing.
"""

from __future__ import annotations

from types import ModuleType

from referee.infrastructure.errors import HostError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # as on Windows
    fcntl = None


def lock_file(handle: int) -> None:
    """Take the exclusive lock of an open file or folder, and wait for it.

    Raises HostError where there are no locks.
    """
    locks = _get_locks()
    locks.flock(handle, locks.LOCK_EX)


def try_lock_file(handle: int) -> bool:
    """Take the exclusive lock of an open file or folder if it is free; say whether.

    Raises HostError where there are no locks.
    """
    locks = _get_locks()
    try:
        locks.flock(handle, locks.LOCK_EX | locks.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock_file(handle: int) -> None:
    """Give the lock of an open file back, which closing it does, too."""
    locks = _get_locks()
    locks.flock(handle, locks.LOCK_UN)


def _get_locks() -> ModuleType:
    if fcntl is None:
        raise HostError("a server needs locks on files, which Windows does not have: use WSL, or docker compose")
    return fcntl
