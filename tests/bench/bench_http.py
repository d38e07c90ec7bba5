"""Accepted moves over HTTP on a served program, durable and signed: `python -m tests.bench.bench_http [game]`.

The store runs `appendfsync always`; after each move view and legal moves are served to both seats, in two ways: `each`
by a request of its own, so that five belong to a move; and `together`, the mover's in the answer to the move
(`Prefer: return=representation`) and the other's as its situation, which makes two. The load comes from one process on
the same machine. The server's CPU per move is the figure to compare; rates depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

from referee.cli.commands.running.serve import WORKERS
from tests.bench.driving import Figures, drive, table

TICK = os.sysconf("SC_CLK_TCK")
WARM = 4.0  # seconds in which matches are opened, before it counts
WAYS = ("each", "together")
ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def served(folder: Path, **variables: str) -> Iterator[tuple[int, tuple[str, int]]]:
    """`referee serve` with limits that let everything through: its process and its address."""
    rates = {f"REFEREE_RATE_{name}": "1000000" for name in ("READS", "WRITES", "DRY_RUNS", "JOINS", "MATCHES")}
    rates["REFEREE_OPEN_MATCHES_PER_ADDRESS"] = "1000000"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "REFEREE_DATA_DIR": str(folder), "REFEREE_LOG_LEVEL": "warning"}
    server = subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--port", "0", "--json"],
        env=env | rates | variables,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        readable, _, _ = select.select([server.stdout], [], [], 90)
        url = urlsplit(json.loads(server.stdout.readline())["url"] if readable else "")
        assert url.hostname, "the server did not start"
        assert url.port
        yield server.pid, (url.hostname, url.port)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def processes(root: int) -> dict[int, str]:
    """A process and all that it has started: pid to the name that it has given itself."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found, grown = found | more, bool(more)
    return {pid: Path(f"/proc/{pid}/comm").read_text().strip() if pid != root else "supervisor" for pid in found}


def used(pids: dict[int, str]) -> dict[str, float]:
    """CPU seconds so far by part of the program: api, store, queue, workers, supervisor."""
    spent: dict[str, float] = {}
    for pid, command in pids.items():
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent[part(command)] = spent.get(part(command), 0.0) + (int(fields[11]) + int(fields[12])) / TICK
    return spent


def part(name: str) -> str:
    """Which part of the program a process of that name is."""
    if name.removesuffix(" worker") in WORKERS:
        return "workers"
    return {"API": "api", "supervisor": name}.get(name, "servers")


def measure(root: int, address: tuple[str, int], game: str, matches: int, seconds: float, serve: str) -> str:
    """One line: so many matches at once for so many seconds."""
    figures, pids = Figures(), processes(root)
    before: dict[str, float] = {}
    began = 0.0

    def begin() -> None:
        nonlocal began
        figures.moves, figures.took, began = 0, {}, time.perf_counter()
        before.update(used(pids))

    variant = {"monster_combat": "V1"}.get(game, "standard")
    plays = [table(game, variant, random.Random(seed), figures, serve) for seed in range(matches)]
    warm = time.perf_counter() + WARM
    drive(address, plays, warm + seconds, warm, begin)
    took, after = time.perf_counter() - began, used(pids)
    per = {name: (after[name] - before[name]) * 1e6 / max(1, figures.moves) for name in sorted(after)}
    cpu = " ".join(f"{name} {us:,.0f}" for name, us in per.items())
    kinds = sorted(figures.took)
    times = " ".join(f"{kind} {figures.at(kind, 0.5):.1f}/{figures.at(kind, 0.99):.1f}" for kind in kinds)
    rate = f"{matches:>4} matches, {serve:<8} {figures.moves / took:>7,.0f} moves/s"
    return f"{rate}   p50/p99 ms: {times}   us/move: {cpu}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game", nargs="?", default="here_to_slay")
    options.add_argument("--seconds", type=float, default=8.0)
    options.add_argument("--matches", type=int, nargs="+", default=[1, 16, 64])
    options.add_argument("--serve", nargs="+", choices=WAYS, default=WAYS)
    options.add_argument("--threads", default="")
    asked = options.parse_args()
    print(f"Python {platform.python_version()} ({platform.python_compiler()}), {os.cpu_count()} cores, {asked.game}")
    more = {"REFEREE_THREADS": asked.threads} if asked.threads else {}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "data", **more) as (root, address):
        for matches, serve in product(asked.matches, asked.serve):
            print(measure(root, address, asked.game, matches, asked.seconds, serve), flush=True)


if __name__ == "__main__":
    main()
