"""`python -m workers drain|bots|webhooks|sweeper`: one worker process, which runs until told to stop (SIGTERM, SIGINT).

`python -m workers rebuild VIEW` reckons a projection anew from the log beside the live one, says where they differ, and
puts it in the live one's place.

Store and queue come from the environment (REFEREE_STORE_URL, REFEREE_QUEUE_URL). Exit code 0: told to stop; 1: store or
queue failed, start it again; 2: wrong usage or settings; 69: no store.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from referee.hosting import HostError, logs
from referee.hosting.settings import load
from workers.projections import LIVE

NAMES = ("drain", "bots", "webhooks", "sweeper")


def main(arguments: Sequence[str]) -> int:
    """Runs the worker of that name; the exit code."""
    rebuilds = len(arguments) == 2 and arguments[0] == "rebuild" and arguments[1] in {view.name for view in LIVE}
    if not rebuilds and (len(arguments) != 1 or arguments[0] not in NAMES):
        views = "|".join(view.name for view in LIVE)
        print(f"usage: python -m workers {'|'.join(NAMES)}, or: rebuild {views}", file=sys.stderr)
        return 2
    try:
        level = load().log_level.upper()
        logs.capture(level)
        return rebuilt(arguments[1]) if rebuilds else run(arguments[0], level)
    except HostError as wrong:
        print(wrong, file=sys.stderr)
        return wrong.exit_code


def rebuilt(name: str) -> int:
    """Rebuilds a projection, tells where the live one was wrong, and replaces it; 0, or 1 if they differed."""
    import workers
    from workers.rebuilding import compare, rebuild, switch

    log = workers.context().log
    live = next(view.build for view in LIVE if view.name == name)
    read = rebuild(log, name, live + 1)
    wrong = compare(log, name, live, live + 1)
    for difference in wrong:
        print(f"{difference.partition:02d} {difference.suffix} {difference.field}: the live row was wrong")
    written = switch(log, name, live + 1)
    print(f"{name}: {read} entries read, {len(wrong)} rows differed, {written} partitions written")
    return 1 if wrong else 0


def run(name: str, level: str) -> int:
    """The worker's life, from its first look until it is told to stop."""
    import workers
    from referee.games import games

    games()  # read once, before anything is asked or forked
    context = workers.context()
    if name == "sweeper":
        from workers.deadlines import run as sweep

        return sweep(context)
    from workers.queue import worker
    from workers.wiring import queue_connection

    if name == "bots":
        from workers.rehearsal import rehearse

        rehearse()
    if name == "webhooks":
        from workers.webhooks import office

        office()  # wrong settings show at once
    served = worker(name, queue_connection())
    served.work(logging_level="WARNING" if level == "INFO" else level)
    return 0 if served._shutdown_requested_date else 1  # it also comes back when the queue server is away


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
