"""How fast the store commits: `python -m tests.bench.bench_store [valkey|redis]`. A real server, `appendfsync always`,
entries of 800 B, each writer a process with a match of its own."""

from __future__ import annotations

import multiprocessing
import os
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from referee.eventstore.contract import LogWriteStatus
from referee.eventstore.redis.log import RedisLog
from tests.eventstore.servers import AWAY, Server, binaries
from tests.eventstore.writing import NOTHING, following

ENTRY = 800  # bytes of an entry, envelope and sealed part together
SECONDS = 5.0
FLOORS = {1: 1000, 16: 3500}  # commits/s: below half of what was measured first calls for a look


@dataclass
class Result:
    """Commits and how long each took, in seconds."""

    writers: int
    seconds: float
    latencies: list[float]

    def __str__(self) -> str:
        took = sorted(self.latencies)
        p50, p99 = (took[int(len(took) * part)] * 1000 for part in (0.5, 0.99))
        rate = len(took) / self.seconds
        look = "" if rate >= FLOORS[self.writers] else f"   below {FLOORS[self.writers]}: look into it"
        return f"{self.writers:2} writers: {rate:6.0f} commits/s, p50 {p50:.2f} ms, p99 {p99:.2f} ms{look}"


def write(path: Path, writer: int, start: Any, out: Any) -> None:
    """Commits one entry after another to a match of its own, and measures each append alone."""
    client = redis.Redis(unix_socket_path=str(path))
    log, match = RedisLog(client, AWAY), f"{writer % 64:02d}-bench{os.getpid()}"
    head, latencies = NOTHING, []
    envelope = b"e" * (ENTRY // 2)
    log.read(match)
    start.wait()
    until = time.perf_counter() + SECONDS
    while time.perf_counter() < until:
        commit = following(match, head, f"0:{head.version}", envelope, sealed=b"x" * (ENTRY - len(envelope)))
        began = time.perf_counter()
        appended = log.append(commit)
        latencies.append(time.perf_counter() - began)
        if appended.status is not LogWriteStatus.OK:
            raise AssertionError(appended)
        head = type(head)(commit.version, commit.root, commit.frontier, "open", 0, "", "")
    out.put(latencies)


def measure(server: Server, writers: int) -> Result:
    """So many writers at once, each a process of its own."""
    context = multiprocessing.get_context("spawn")
    start, out = context.Barrier(writers + 1), context.Queue()
    processes = [context.Process(target=write, args=(server.socket, number, start, out)) for number in range(writers)]
    for process in processes:
        process.start()
    start.wait()
    latencies = [took for _ in processes for took in out.get(timeout=SECONDS * 6)]
    for process in processes:
        process.join()
    return Result(writers, SECONDS, latencies)


def main(family: str | None = None) -> None:
    """Measures one writer, then sixteen, each on a new server."""
    found = binaries()
    binary = found[family] if family else next(iter(found.values()))
    print(f"{binary.name}, always, {ENTRY} B, {SECONDS:.0f} s; {platform.machine()}, {os.cpu_count()} cores")
    for writers in FLOORS:
        server = Server(binary).start()
        try:
            print(measure(server, writers), flush=True)
        finally:
            server.remove()


if __name__ == "__main__":
    main(*sys.argv[1:2])
