"""`python -m workers drain|bots|webhooks|bundles|sweeper|archiver`: one worker process, until told to stop
(SIGTERM, SIGINT).

`python -m workers rebuild VIEW...` (or `all`) reckons projections anew from the log beside the live ones, says where
they differ, and puts them in the live ones' place. `python -m workers list` says how far each has read, a line of JSON
for each.

`python -m workers archive [--now] MATCH...`, or `--older-than DAYS`, puts matches away, a line of JSON for each; with
`--now` also while they may still be disputed.

Store and queue come from the environment (REFEREE_STORE_URL, REFEREE_QUEUE_URL); the last three, and the archiver, need
no queue. Exit code 0: told to stop, or done; 1: store or queue failed, start it again, or a projection was wrong, or a
match could not be put away; 2: wrong usage or settings; 69: no store.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.eventstore.contract import PARTITIONS, MatchLog, StoreAway
from referee.infrastructure import logs
from referee.infrastructure.clients import match_log
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import load
from referee.match.errors import Away
from workers.projections.runner import LIVE

if TYPE_CHECKING:
    from workers.jobs.archiving import Shelving

NAMES = ("drain", "bots", "webhooks", "bundles", "sweeper", "archiver")


def main(arguments: Sequence[str]) -> int:
    """Runs the worker of that name; the exit code."""
    known = [view.name for view in LIVE]
    first, *views = arguments or [""]
    rebuilds = first == "rebuild" and bool(views) and set(views) <= {*known, "all"}
    if first == "archive":
        return archive(views)
    if not rebuilds and (views or first not in (*NAMES, "list")):
        return misused()
    try:
        level = load().log_level.upper()
        logs.capture(level)
        if rebuilds:
            return max(rebuilt(name) for name in known if name in views or "all" in views)
        return listed() if first == "list" else run(first, level)
    except HostError as wrong:
        print(wrong, file=sys.stderr)
        return wrong.exit_code


def misused() -> int:
    """Says how it is used; the exit code."""
    known = "|".join(view.name for view in LIVE)
    also = f"rebuild {known}|all, or: archive [--now] MATCH..., or: archive --older-than DAYS"
    print(f"usage: python -m workers {'|'.join(NAMES)}|list, or: {also}", file=sys.stderr)
    return 2


def archive(words: Sequence[str]) -> int:
    """Puts matches away; the exit code."""
    from workers.jobs.archiving import archived

    now, words = "--now" in words, [word for word in words if word != "--now"]
    days = words[1] if len(words) == 2 and words[0] == "--older-than" and not now else None
    if not words or (days is None and any(word.startswith("-") for word in words)):
        return misused()
    if days is not None and not (days.isascii() and days.isdecimal()):
        return misused()
    try:
        logs.capture(load().log_level.upper())
        return archived(shelving(), () if days else tuple(words), int(days) if days else None, now=now)
    except HostError as wrong:
        print(wrong, file=sys.stderr)
        return wrong.exit_code
    except StoreAway as away:
        print(f"the store is away: {away}", file=sys.stderr)
        return 69


def shelving() -> Shelving:
    """Who puts matches away, as the environment describes it. Raises HostError."""
    from referee.games import games
    from referee.infrastructure.composition import desk
    from workers.jobs.archiving import shelving

    games()  # or no match of theirs could be read
    settings = load()
    return shelving(settings, desk(settings))


def the_log() -> MatchLog:
    """The log of the context, or of the environment. Raises HostError."""
    from workers import composition

    return match_log(load()) if composition._context is None else composition._context.log


def listed() -> int:
    """Prints how far each projection has read, a line of JSON for each."""
    log = the_log()
    cursors = {view: log.cursors(view.name, view.build) for view in LIVE}
    # the ends of the feeds after them: what came to a feed meanwhile, and was read, would be less than nothing to come
    positions = [log.about(partition).position for partition in range(PARTITIONS)]
    for view, read in cursors.items():
        lag = sum(at - seen for at, seen in zip(positions, read, strict=True))
        print(json.dumps({"name": view.name, "build": view.build, "read": sum(read), "lag": lag}))
    return 0


def rebuilt(name: str) -> int:
    """Rebuilds a projection, tells where the live one was wrong, and replaces it; 0, or 1 if they differed."""
    from referee.games import games
    from workers.projections.rebuild import RebuildUnderWay, alone, compare, rebuild, switch

    games()  # or no fact of theirs could be read
    log = the_log()
    live = next(view.build for view in LIVE if view.name == name)
    try:
        with alone(log, name):
            read = rebuild(log, name, live + 1)
            wrong = compare(log, name, live, live + 1)
            for difference in wrong:
                print(f"{difference.partition:02d} {difference.suffix} {difference.field}: the live row was wrong")
            written = switch(log, name, live + 1)
    except RebuildUnderWay as busy:
        print(busy, file=sys.stderr)
        return 1
    except ExceptionGroup as stuck:
        lost, others = stuck.split(Away)
        if lost is None or others is not None:
            raise
        for each in lost.exceptions:
            print(f"{name} stays as it is, for a match cannot be read: {each}", file=sys.stderr)
        return 1
    print(f"{name}: {read} entries read, {len(wrong)} rows differed, {written} partitions written")
    return 1 if wrong else 0


def run(name: str, level: str) -> int:
    """The worker's life, from its first look until it is told to stop."""
    from referee.games import games
    from workers.composition import current_context

    if name == "archiver":
        from workers.jobs.archiving import run as put_away

        return put_away(shelving(), load().archive_after_days)
    games()  # read once, before anything is asked or forked
    gc.freeze()
    context = current_context()
    if name == "sweeper":
        from workers.jobs.sweeper import run as sweep

        return sweep(context)
    from workers.composition import queue_connection
    from workers.queues import worker

    if name == "bots":
        from workers.warmup import rehearse

        rehearse()
    if name == "webhooks":
        from workers.composition import current_office

        current_office()  # wrong settings show at once
    served = worker(name, queue_connection())
    served.work(logging_level="WARNING" if level == "INFO" else level)
    return 0 if served._shutdown_requested_date else 1  # it also comes back when the queue server is away


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
