"""Runs one worker process, or a command of the workers.

`python -m workers drain|bots|thinkers|webhooks|bundles|sweeper|archiver` works until SIGTERM or SIGINT.

`python -m workers rebuild NAME...` (or `all`) rebuilds projections from the log beside the live ones, reports where
they differ, and replaces the live ones. With `--progress` it prints lines of JSON in between. `python -m workers list`
prints how far each has read, one line of JSON each.

`python -m workers archive [--now] MATCH...`, or `--older-than DAYS`, archives matches, and prints one line of JSON
each. With `--now` it archives them even while they may still be disputed.

The environment names store and queue (REFEREE_STORE_URL, REFEREE_QUEUE_URL). The commands `rebuild`, `list` and
`archive` and the archiver need no queue.

Exit codes: 0: stopped by a signal, or done; 1: store or queue failed (start the worker again), a projection was wrong,
or a match could not be archived; 2: wrong usage or settings; 69: no store.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.eventstore.contract import PARTITIONS, MatchLog, StoreUnavailable
from referee.infrastructure import logs
from referee.infrastructure.clients import open_match_log
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.settings import read_settings
from referee.infrastructure.telemetry.tracing import TRACING
from referee.match.errors import MatchUnavailable
from workers.projections.runner import LIVE_PROJECTIONS

if TYPE_CHECKING:
    from workers.jobs.archiving import ArchiveService

WORKER_NAMES = ("drain", "bots", "thinkers", "webhooks", "bundles", "sweeper", "archiver")


def main(arguments: Sequence[str]) -> int:
    """Run the worker or command that the arguments name; return the exit code."""
    known = [view.name for view in LIVE_PROJECTIONS]
    first, *views = arguments or [""]
    shows = first == "rebuild" and views[:1] == ["--progress"]
    views = views[1:] if shows else views
    rebuilds = first == "rebuild" and bool(views) and set(views) <= {*known, "all"}
    if first == "archive":
        return run_archive_command(views)
    if not rebuilds and (views or first not in (*WORKER_NAMES, "list")):
        return print_usage()
    try:
        level = read_settings().log_level.upper()
        logs.configure_logging(level)
        if rebuilds:
            chosen = [name for name in known if name in views or "all" in views]
            return max(rebuild_and_switch(name, shows=shows) for name in chosen)
        return print_progress() if first == "list" else run_traced_worker(first, level)
    except HostError as wrong:
        print(wrong, file=sys.stderr)
        return wrong.exit_code
    except StoreUnavailable as away:
        if first in WORKER_NAMES:
            raise
        print(f"the store is away: {away}", file=sys.stderr)  # not 1: nothing was found wrong
        return StoreNotFoundError.exit_code


def print_usage() -> int:
    """Print the usage to standard error; return the exit code."""
    known = "|".join(view.name for view in LIVE_PROJECTIONS)
    also = f"rebuild {known}|all, or: archive [--now] MATCH..., or: archive --older-than DAYS"
    print(f"usage: python -m workers {'|'.join(WORKER_NAMES)}|list, or: {also}", file=sys.stderr)
    return 2


def run_archive_command(words: Sequence[str]) -> int:
    """Archive the matches that the arguments name; return the exit code."""
    from workers.jobs.archiving import archive_matches

    now, words = "--now" in words, [word for word in words if word != "--now"]
    days = words[1] if len(words) == 2 and words[0] == "--older-than" and not now else None
    if not words or (days is None and any(word.startswith("-") for word in words)):
        return print_usage()
    if days is not None and not (days.isascii() and days.isdecimal()):
        return print_usage()
    try:
        logs.configure_logging(read_settings().log_level.upper())
        return archive_matches(
            load_archive_service(), () if days else tuple(words), int(days) if days else None, now=now
        )
    except HostError as wrong:
        print(wrong, file=sys.stderr)
        return wrong.exit_code
    except StoreUnavailable as away:
        print(f"the store is away: {away}", file=sys.stderr)
        return 69


def load_archive_service() -> ArchiveService:
    """Build the archive service from the environment.

    Raises HostError.
    """
    from referee.games import load_games
    from referee.infrastructure.composition import build_match_service
    from workers.jobs.archiving import build_archive_service

    load_games()  # entries are decoded with the classes of their game
    settings = read_settings()
    return build_archive_service(settings, build_match_service(settings))


def open_log() -> MatchLog:
    """Open the log of the process's context, or that of the environment.

    Raises HostError.
    """
    from workers import composition

    return open_match_log(read_settings()) if composition._context is None else composition._context.log


def print_progress() -> int:
    """Print how far each projection has read, one line of JSON each."""
    log = open_log()
    cursors = {view: log.read_partition_cursors(view.name, view.build) for view in LIVE_PROJECTIONS}
    # the ends of the feeds are read after the cursors, so that a lag is never negative
    positions = [log.read_partition_info(partition).position for partition in range(PARTITIONS)]
    for view, read in cursors.items():
        lag = sum(at - seen for at, seen in zip(positions, read, strict=True))
        print(json.dumps({"name": view.name, "build": view.build, "read": sum(read), "lag": lag}))
    return 0


def rebuild_and_switch(name: str, *, shows: bool = False) -> int:
    """Rebuild a projection, report where the live one was wrong, and replace it.

    Return 0, or 1 if they differed or the rebuild failed. `shows` prints a line of JSON when a partition is done.
    """
    from referee.games import load_games
    from workers.projections.rebuild import (
        RebuildInProgressError,
        compare_builds,
        lock_rebuild,
        rebuild_projection,
        switch_to_build,
    )

    load_games()  # entries are decoded with the classes of their game
    log = open_log()
    live = next(view.build for view in LIVE_PROJECTIONS if view.name == name)

    def note_progress(done: int) -> None:
        if shows:
            print(json.dumps({"progress": done, "of": PARTITIONS, "name": name}), flush=True)

    try:
        with lock_rebuild(log, name):
            read = rebuild_projection(log, name, live + 1, note_progress)
            wrong = compare_builds(log, name, live, live + 1)
            for difference in wrong:
                print(f"{difference.partition:02d} {difference.suffix} {difference.field}: the live row was wrong")
            written = switch_to_build(log, name, live + 1)
    except RebuildInProgressError as busy:
        print(busy, file=sys.stderr)
        return 1
    except ExceptionGroup as stuck:
        lost, others = stuck.split(MatchUnavailable)
        if lost is None or others is not None:
            raise
        for each in lost.exceptions:
            print(f"{name} is not replaced, because a match cannot be read: {each}", file=sys.stderr)
        return 1
    print(f"{name}: {read} entries read, {len(wrong)} rows differed, {written} partitions written")
    return 1 if wrong else 0


def run_traced_worker(name: str, level: str) -> int:
    """Run a worker, with traces if they are wanted; return the exit code."""
    TRACING.start(name)
    try:
        return run_worker(name, level)
    finally:
        TRACING.stop()


def run_worker(name: str, level: str) -> int:
    """Run a worker until a signal stops it; return the exit code."""
    from referee.games import load_games
    from workers.composition import current_context

    if name == "archiver":
        from workers.jobs.archiving import run_archiver

        return run_archiver(load_archive_service(), read_settings())
    load_games()  # once, before any job runs or forks
    gc.freeze()
    context = current_context()
    if name == "sweeper":
        from workers.jobs.sweeper import run_sweeper

        return run_sweeper(context)
    from workers.composition import open_queue_connection
    from workers.queues import build_worker

    if name in ("bots", "thinkers"):
        from workers.warmup import load_workers

        load_workers()
    if name == "webhooks":
        from workers.composition import current_dispatcher

        current_dispatcher()  # so that wrong settings show at once
    worker = build_worker(name, open_queue_connection())
    worker.work(logging_level="WARNING" if level == "INFO" else level)
    return 0 if worker._shutdown_requested_date else 1  # `work` also returns when the queue server is away


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
