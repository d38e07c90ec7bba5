"""What `referee serve` costs before anybody plays: CPU until it is ready, memory, and CPU while it is idle.

`python -m tests.bench.bench_start [--idle 60] [--starts 2] [--matches 0]` starts the whole server over a data directory
of its own, several times, with `--matches 500` over so many finished matches. Bytecode is kept between the starts, as
in an installed program. CPU is that of all processes, ended ones included (`/proc/*/stat`). Memory is the proportional
set size, in which a shared page counts once (`/proc/*/smaps_rollup`). Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tests.bench.bench_http import served
from tests.bench.filling import finish_matches

TICKS = os.sysconf("SC_CLK_TCK")
SETTLE_SECONDS = 8.0  # after it is ready, until what goes on in the background is done


@dataclass(frozen=True)
class Usage:
    """One process: who its parent is, its CPU with that of its ended children, its name."""

    parent: int
    seconds: float
    name: str


def read_processes() -> dict[int, Usage]:
    """All processes of this machine."""
    found: dict[int, Usage] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            name = (folder / "comm").read_text().strip()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(folder.name)] = Usage(int(fields[1]), sum(map(int, fields[11:15])) / TICKS, name)
    return found


def read_tree(root: int) -> dict[int, Usage]:
    """A process and all that come from it."""
    everything = read_processes()
    tree, waiting = {}, [root]
    while waiting:
        pid = waiting.pop()
        if pid in everything:
            tree[pid] = everything[pid]
            waiting += [child for child, usage in everything.items() if usage.parent == pid]
    return tree


def time_loop() -> float:
    """The CPU seconds of a fixed loop: what a CPU second is worth on this machine now, with all that else runs here."""
    best = []
    for _ in range(5):
        began, total = time.process_time(), 0
        for number in range(1_000_000):
            total += number
        best.append(time.process_time() - began)
    return sorted(best)[2]


def sum_cpu(root: int) -> float:
    return sum(usage.seconds for usage in read_tree(root).values())


def read_memory(pid: int, kind: str) -> float:
    """A process's share of memory in MB: `Pss`, or `Private_Dirty`."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(kind)


def time_answer(url: str) -> float:
    """The milliseconds until an answer is there."""
    began = time.perf_counter()
    with urllib.request.urlopen(url, timeout=60) as answer:  # the server started here
        answer.read()
    return 1000 * (time.perf_counter() - began)


def measure_start(folder: Path, kept: Path, idle: float) -> None:
    """Start the server once and print what it takes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    loop, began = time_loop(), time.monotonic()
    server = subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--port", "0", "--json", "--data-dir", str(folder)],
        env=environment | {"PYTHONPYCACHEPREFIX": str(kept)},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        select.select([server.stdout], [], [], 600)
        url = json.loads(server.stdout.readline())["url"]
        ready, cpu = time.monotonic() - began, sum_cpu(server.pid)
        answers = " ".join(f"{path} {time_answer(url + path):.0f} ms" for path in ("/readyz", "/", "/v1/matches"))
        time.sleep(SETTLE_SECONDS)
        settled = sum_cpu(server.pid)
        tree = read_tree(server.pid)
        print(f"a loop of a million additions takes {1000 * loop:.0f} ms before and {1000 * time_loop():.0f} ms after")
        print(f"first answers: {answers}")
        print(f"ready after {ready:.2f} s; CPU {cpu:.2f} s until ready, {settled:.2f} s until settled", flush=True)
        print(f"{len(tree)} processes, {sum(read_memory(pid, 'Pss') for pid in tree):.0f} MB")
        for pid, usage in tree.items():
            sizes = f"{read_memory(pid, 'Pss'):6.1f} MB, own {read_memory(pid, 'Private_Dirty'):5.1f} MB"
            print(f"  {sizes}, {usage.seconds:5.2f} s  {usage.name}", flush=True)
        if idle:
            time.sleep(idle)
            after = read_tree(server.pid)
            share = (sum(usage.seconds for usage in after.values()) - sum_of(tree)) / idle
            print(f"idle: {100 * share:.2f} % of a core")
            for pid, usage in after.items():
                print(f"  {100 * (usage.seconds - tree[pid].seconds) / idle:5.2f} %  {usage.name}", flush=True)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def sum_of(tree: dict[int, Usage]) -> float:
    return sum(usage.seconds for usage in tree.values())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--idle", type=float, default=60.0, help="seconds to watch the last start while it is idle")
    options.add_argument("--starts", type=int, default=2)
    options.add_argument("--matches", type=int, default=0, help="finished matches that the server has; 12 a second")
    wish = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if wish.matches:
            with served(Path(scratch) / "data") as (_, address):
                moves = finish_matches(address, wish.matches)
            print(f"{wish.matches} matches with {moves} moves are over", flush=True)
        for number in range(1, wish.starts + 1):
            print(f"start {number}:", flush=True)
            measure_start(Path(scratch) / "data", Path(scratch) / "kept", wish.idle if number == wish.starts else 0.0)


if __name__ == "__main__":
    main()
