"""The job that checks bundles which strangers upload.

It runs in a fork with limits of memory and time. So a malicious bundle can break this job, and nothing else.
"""

from __future__ import annotations

import logging
import resource
import sys
from pathlib import Path
from secrets import token_bytes

from referee.audit import submissions
from referee.games import load_games
from workers.composition import current_context
from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.verdicts")
EXTRA_MEMORY_BYTES = 1 << 30  # that a job may take on top of what the process has


def check_bundle(bundle: str) -> None:
    """Check a bundle, unless that was done before.

    Raises StoreUnavailable. The job is then tried again.
    """
    limit_memory(EXTRA_MEMORY_BYTES)
    judge_bundle(current_context(), bundle)


def judge_bundle(context: WorkerContext, bundle: str) -> submissions.SubmissionState | None:
    """Check a bundle; return the state of the submission, or None if it is gone."""
    assert context.publisher is not None
    load_games()  # entries are decoded with the classes of their game
    found = submissions.judge_submission(context.log, bundle, context.publisher, token_bytes(16))
    LOGGER.info("bundle %s: %s", bundle, "gone" if found is None else found.state)
    return found


def limit_memory(more: int) -> None:
    """Let this process take at most `more` bytes on top of what it has.

    Does nothing where the system does not say how much that is.
    """
    sizes = Path("/proc/self/statm")
    if sys.platform != "linux" or not sizes.exists():
        return
    now = int(sizes.read_text("ascii").split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = now + more
    resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
