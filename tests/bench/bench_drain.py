"""CPU of a drain for each entry that it projects: `python -m tests.bench.bench_drain [--matches 16] [--profile]`.

Matches of Here to Slay are played in this process on embedded servers. Some entries are appended and noted as the API
notes them; then the drain takes what waits, as the drain worker does in each of its looks. Only the drains are
measured: CPU of this process, and apart from it that of the two servers, in microseconds for each entry.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import platform
import pstats
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.bench.bench_desk import opened
from tests.bench.bench_lane import calibrate

SIZES = (1, 8)  # entries in each drain


@dataclass
class Table:
    """Matches that go on for ever: one that ends makes way for a new one."""

    service: MatchService
    dice: random.Random
    matches: list[str]
    opened: int = 0

    def open_next(self) -> str:
        self.opened += 1
        return opened(self.service, "here_to_slay", f"drain-{self.opened}-{'x' * 22}")

    def move(self, which: int) -> int:
        """Make a move in a match and return how many entries that was."""
        loaded = self.service.load_match(self.matches[which])
        if loaded.match.end is not None:
            self.matches[which] = self.open_next()
            loaded = self.service.load_match(self.matches[which])
        seat = min(seats_that_must_act(loaded.match.state))
        move = sample_legal_move(loaded.match.state, seat, self.dice.randrange)
        assert move is not None
        done = self.service.make_move(
            MoveRequest(self.matches[which], Seat(seat), move, key=f"m{loaded.version}"), loaded=loaded
        )
        return done.version - loaded.version


def server_seconds(servers: list[Any]) -> float:
    """Return the CPU seconds that the servers have used."""
    return sum(info["used_cpu_user"] + info["used_cpu_sys"] for info in (server.info("cpu") for server in servers))


def measure(table: Table, servers: list[Any], size: int, drains: int, profiler: cProfile.Profile | None) -> str:
    """Return the CPU microseconds for each entry with at least so many entries in a drain, as one line."""
    from workers.composition import current_context
    from workers.jobs.drain import DrainRun

    run = DrainRun(current_context())
    spent = served = quiet = 0.0
    entries = looks = at = 0
    for number in range(drains + 20):
        added = 0
        while added < size:
            added += table.move(at := (at + 1) % len(table.matches))
        before, began = server_seconds(servers), time.process_time()
        if profiler and number >= 20:
            profiler.enable()
        run.drain_waiting()
        if profiler:
            profiler.disable()
        took, theirs = time.process_time() - began, server_seconds(servers) - before
        began = time.process_time()
        run.drain_waiting()  # nothing waits
        if number >= 20:
            spent, served, entries, looks = spent + took, served + theirs, entries + added, looks + 1
            quiet += time.process_time() - began
    run.end()
    return (
        f"{entries / looks:4.1f} entries a drain: {spent / entries * 1e6:6,.0f} us an entry, servers "
        f"{served / entries * 1e6:4,.0f} us; an empty look {quiet / looks * 1e6:4,.0f} us"
    )


def main() -> None:
    """Print one line for each size of a drain."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=16)
    options.add_argument("--drains", type=int, default=400)
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options.add_argument("--profile", action="store_true")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(REFEREE_DATA_DIR=folder, REFEREE_LOG_LEVEL="warning")
        from referee.infrastructure.embedded.servers import EmbeddedServers

        with EmbeddedServers(Path(folder)) as embedded:
            os.environ.update(REFEREE_STORE_URL=embedded.store_url or "", REFEREE_QUEUE_URL=embedded.queue_url or "")
            from referee.infrastructure.clients import build_queue_client, build_store_client
            from referee.infrastructure.composition import build_match_service
            from referee.infrastructure.settings import read_settings

            settings = read_settings()
            servers = [build_store_client(settings), build_queue_client(settings)]
            table = Table(build_match_service(settings), random.Random(1), [])
            table.matches = [table.open_next() for _ in range(asked.matches)]
            turn = calibrate()
            print(f"Python {platform.python_version()}, {asked.matches} matches; one turn of the loop: {turn:,.0f} us")
            for size in asked.sizes:
                profiler = cProfile.Profile(time.process_time) if asked.profile else None
                print(measure(table, servers, size, asked.drains // size + 40, profiler), flush=True)
                if profiler:
                    for order in ("tottime", "cumulative"):
                        pstats.Stats(profiler).sort_stats(order).print_stats(45)


if __name__ == "__main__":
    main()
