"""Asks the kernel to end a process when its parent dies, which only Linux can do."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def build_parent_binder() -> Callable[[], None] | None:
    """Return what a child calls so that it gets SIGTERM when this process dies.

    Strictly, when this thread ends. Return None where the kernel cannot do that. The function raises OSError; it exits
    if the parent has died already.
    """
    if sys.platform != "linux":
        return None
    parent, prctl = os.getpid(), ctypes.CDLL(None, use_errno=True).prctl  # loaded before the fork

    def bind() -> None:
        if prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
        if os.getppid() != parent:  # it died between the fork and the line above
            os._exit(0)

    return bind
