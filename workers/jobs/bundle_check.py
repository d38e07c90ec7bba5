"""Judges bundles that people hand in. The job runs in a fork of its own, with limits of memory and time: what strangers
hand in may break whoever looks at it, and breaks nothing else."""

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
EXTRA_MEMORY_BYTES = 1 << 30  # bytes that a job may take besides what the process has


def check_bundle(bundle: str) -> None:
    """Job: judges a bundle, unless that was done before. Raises StoreUnavailable, which has it tried again."""
    limit_memory(EXTRA_MEMORY_BYTES)
    judge_bundle(current_context(), bundle)


def judge_bundle(context: WorkerContext, bundle: str) -> submissions.SubmissionState | None:
    """Judges a bundle; how it stands then."""
    assert context.publisher is not None
    load_games()  # what a bundle holds is read with the words of its game
    found = submissions.judge_submission(context.log, bundle, context.publisher, token_bytes(16))
    LOGGER.info("bundle %s: %s", bundle, "gone" if found is None else found.state)
    return found


def limit_memory(more: int) -> None:
    """Lets this process take so many bytes more than it has, where the system says how many that is."""
    sizes = Path("/proc/self/statm")
    if sys.platform != "linux" or not sizes.exists():
        return
    now = int(sizes.read_text("ascii").split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = now + more
    resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
