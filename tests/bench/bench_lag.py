"""How long after a commit its projections have it: `python -m tests.bench.bench_lag [entries per second] [seconds]`.

The whole program is served; moves of 16 matches are committed at an even pace through a desk on its store.
"""

from __future__ import annotations

import itertools
import os
import platform
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.contract import AppendResult, Commit, MatchLog, partition_for_match
from referee.infrastructure import composition, settings
from referee.infrastructure.embedded.servers import find_store_url
from referee.service.requests import MoveRequest
from tests.bench.bench_desk import opened
from tests.bench.bench_http import served
from workers.projections import runner

MATCHES = 16
LOOK = 0.002  # seconds between looks at the cursors


@dataclass
class Pending:
    """Commits that the slowest projection has not met yet, by partition: (feed position, when)."""

    by: dict[int, list[tuple[int, float]]]
    took: list[float]
    lock: threading.Lock


def watching(log: MatchLog, pending: Pending) -> Any:
    """An append that notes what it has committed."""
    append = log.append

    def call(commit: Commit) -> AppendResult:
        done = append(commit)
        with pending.lock:
            pending.by.setdefault(partition_for_match(commit.match), []).append((done.position, time.perf_counter()))
        return done

    return call


def follow(log: MatchLog, pending: Pending, stop: threading.Event) -> None:
    """Notes when the cursors of all projections have passed a commit."""
    while not stop.is_set():
        with pending.lock:
            waiting = [partition for partition, commits in pending.by.items() if commits]
        for partition in waiting:
            at = min(log.read_cursor(partition, view.name, view.build) for view in runner.LIVE_PROJECTIONS)
            now = time.perf_counter()
            with pending.lock:
                commits = pending.by[partition]
                pending.took += [now - when for position, when in commits if position <= at]
                pending.by[partition] = [commit for commit in commits if commit[0] > at]
        time.sleep(LOOK)


def main() -> None:
    pace = float(sys.argv[1]) if len(sys.argv) > 1 else 300.0
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 8.0
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "data"):
        data = Path(folder) / "data"
        store = find_store_url(data) or ""
        queue = store.replace("store.sock", "queue.sock")  # both lie in one folder
        os.environ.update(REFEREE_DATA_DIR=str(data), REFEREE_STORE_URL=store, REFEREE_QUEUE_URL=queue)
        service = composition.build_match_service(settings.read_settings())
        pending = Pending({}, [], threading.Lock())
        service.log.append = watching(service.log, pending)  # type: ignore[method-assign]
        stop, dice, entries = threading.Event(), random.Random(1), 0
        follower = threading.Thread(
            target=follow, args=(composition.build_match_service(settings.read_settings()).log, pending, stop)
        )
        fresh = (opened(service, "here_to_slay", f"lag-{number}-{'x' * 22}") for number in itertools.count())
        matches = [next(fresh) for _ in range(MATCHES)]
        time.sleep(1)
        pending.by.clear()
        follower.start()
        began = time.perf_counter()
        while (now := time.perf_counter()) - began < seconds:
            if entries > pace * (now - began):
                time.sleep(0.001)
                continue
            which = dice.randrange(MATCHES)
            loaded = service.load_match(matches[which])
            if loaded.match.end is not None:
                matches[which] = next(fresh)
                continue
            seat = min(seats_that_must_act(loaded.match.state))
            move = sample_legal_move(loaded.match.state, seat, dice.randrange)
            assert move is not None
            done = service.make_move(
                MoveRequest(matches[which], Seat(seat), move, key=f"m{loaded.version}"), loaded=loaded
            )
            entries += done.version - loaded.version
        wrote = time.perf_counter() - began
        while any(pending.by.values()) and time.perf_counter() - began < seconds + 30:
            time.sleep(0.05)
        stop.set()
        follower.join()
        took = sorted(pending.took)
        p50, p99 = (took[int(len(took) * part)] * 1e3 for part in (0.5, 0.99))
        print(
            f"Python {platform.python_version()}, {entries / wrote:,.0f} of {pace:,.0f} entries/s, {len(took)} seen, "
            f"to the slowest of {len(runner.LIVE_PROJECTIONS)} projections p50 {p50:.0f} ms, p99 {p99:.0f} ms"
        )


if __name__ == "__main__":
    main()
