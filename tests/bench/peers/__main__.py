"""Our server and boardgame.io, measured in turns on the same cores: `python -m tests.bench.peers`.

README.md says what is compared and what is not.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import bench_http
from tests.bench.peers import boardgame, meter, ours
from tests.bench.peers.wire import Address, Loop, Play

OPEN_SECONDS = 120.0  # until every table has made its first move
WARM_SECONDS = 1.0
PAUSE_SECONDS = 1.0  # between two measurements, for what goes on in the background
BUSY = 0.8  # a generator that takes more of a core than this limits what it measures
OURS = ("ours, two requests", "ours, stream")
MANY_STREAMS = {"REFEREE_STREAMS_PER_ADDRESS": "240"}  # all of them come from here
FLAT_FILE, MEMORY = "boardgame.io, FlatFile", "boardgame.io, memory"

Table = Callable[[Loop, int], Callable[[], Play]]


@dataclass(frozen=True)
class Peer:
    """A way to play that is measured: its server's process, and its tables."""

    name: str
    root: int
    make_table: Table


@dataclass
class Round:
    """What one measurement saw."""

    seconds: float = 0.0
    moves: int = 0
    requests: int = 0
    received: int = 0
    matches: int = 0
    generator: float = 0.0
    stuck: int = 0
    answered: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    cpu: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return self.moves / self.seconds


def measure(peer: Peer, matches: int, seconds: float) -> Round:
    """Play so many matches at once; what happens before each of them has moved is not counted."""
    loop, seen = Loop(), Round()
    try:
        for number in range(matches):
            loop.start(peer.make_table(loop, number))
        loop.run(OPEN_SECONDS, lambda: len(loop.figures.tables) == matches)
        loop.run(WARM_SECONDS)
        loop.figures.reset()
        before, mine, began = meter.read_cpu(peer.root), time.process_time(), time.perf_counter()
        loop.run(seconds)
        seen.seconds, seen.generator = time.perf_counter() - began, time.process_time() - mine
        seen.cpu = meter.subtract(meter.read_cpu(peer.root), before)
    finally:
        loop.close()
    found = loop.figures
    if not found.moves:
        raise SystemExit(f"{peer.name}: no move in {seconds:g} s")
    seen.moves, seen.requests, seen.received, seen.matches = found.moves, found.requests, found.received, found.matches
    seen.answered, seen.seen, seen.stuck = found.answered, found.seen, matches - len(found.tables)
    return seen


def add_rounds(rounds: list[Round]) -> Round:
    """Return the rounds of a peer as one."""
    whole = Round()
    for each in rounds:
        for name in ("seconds", "moves", "requests", "received", "matches", "generator", "stuck"):
            setattr(whole, name, getattr(whole, name) + getattr(each, name))
        whole.answered, whole.seen = whole.answered + each.answered, whole.seen + each.seen
        for part, spent in each.cpu.items():
            whole.cpu[part] = whole.cpu.get(part, 0.0) + spent
    return whole


def at(times: list[float], part: float) -> float:
    """Return the time in ms that this part of the moves stayed under."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * part))]


HEAD = (
    f"{'':<26}{'moves/s':>8} {'seen p50/p99 ms':>17} {'answered p50/p99':>17} {'CPU ms':>7} {'asks':>5} {'kB':>5}"
    f" {'generator':>10}"
)


def describe(name: str, seen: Round) -> str:
    """Return one measurement as a line: rate, times, and what a move takes."""
    cpu = {part: 1000 * spent / seen.moves for part, spent in seen.cpu.items()}
    busy = seen.generator / seen.seconds
    notes = [", ".join(f"{part} {ms:.2f}" for part, ms in cpu.items() if ms >= 0.005)] if len(cpu) > 1 else []
    notes += ["THE GENERATOR LIMITS THIS"] if busy > BUSY else []
    notes += [f"{seen.stuck} TABLES STUCK"] if seen.stuck else []
    seen_times, answered = (f"{at(times, 0.5):.1f}/{at(times, 0.99):.1f}" for times in (seen.seen, seen.answered))
    return (
        f"  {name:<24}{seen.rate:>8,.0f} {seen_times:>17} {answered:>17} {sum(cpu.values()):>7.2f}"
        f" {seen.requests / seen.moves:>5.1f} {seen.received / seen.moves / 1000:>5.1f} {100 * busy:>8.0f} %"
        f"  {'; '.join(notes)}"
    ).rstrip()


def compare(found: dict[str, list[Round]]) -> list[str]:
    """Return how our rates stand to the peer's, by round: the median, the least and the most."""
    lines = []
    for mine in OURS:
        for theirs in (FLAT_FILE, MEMORY):
            if mine not in found or theirs not in found:
                continue
            ratios = [one.rate / other.rate for one, other in zip(found[mine], found[theirs], strict=True)]
            late = at(add_rounds(found[mine]).seen, 0.99) / at(add_rounds(found[theirs]).seen, 0.99)
            lines.append(
                f"  {mine} : {theirs}   moves/s {statistics.median(ratios):.2f}"
                f" ({min(ratios):.2f} to {max(ratios):.2f} in {len(ratios)} rounds)   p99 {late:.2f}"
            )
    return lines


def describe_machine(versions: dict[str, str]) -> str:
    """Return what the figures depend on, as a few lines."""
    model = "unknown processor"
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), model)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=bench_http.ROOT, capture_output=True, text=True, check=False
    )
    peers = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        f"{model}, {len(os.sched_getaffinity(0))} cores, {platform.system()} {platform.release()}\n"
        f"ours: commit {commit.stdout.strip() or 'unknown'}, Python {platform.python_version()}"
        f" ({platform.python_compiler()})\npeer: {peers}\nload average before: {os.getloadavg()[0]:.2f}"
    )


def take_address(address: Address, query: str, carries: bool, pattern: str) -> Table:
    """Return the tables of our server in a pattern."""
    return lambda loop, seed: ours.make_table(loop, address, seed, pattern, query, carries)


def main() -> None:
    """Print a line for each measurement, then sums and ratios for each load."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, nargs="+", default=[1, 16, 64])
    options.add_argument("--seconds", type=float, default=8.0)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--stream-query", default="&send=situations", help="what a stream is asked for")
    asked = options.parse_args()
    with contextlib.ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        flat, flat_address, versions = ends.enter_context(boardgame.served(folder / "flatfile"))
        memory, memory_address, _ = ends.enter_context(boardgame.served(None))
        root, address = ends.enter_context(bench_http.served(folder / "ours", **MANY_STREAMS))
        print(describe_machine(versions))
        carries = ours.probe_stream(address, asked.stream_query)
        print(f"our stream carries {'situations' if carries else 'entries, so situations are read by requests'}\n")
        peers = [
            Peer(FLAT_FILE, flat, lambda loop, seed: boardgame.make_table(loop, flat_address, seed)),
            Peer(OURS[0], root, take_address(address, "", False, "two")),
            Peer(MEMORY, memory, lambda loop, seed: boardgame.make_table(loop, memory_address, seed)),
            Peer(OURS[1], root, take_address(address, asked.stream_query, carries, "stream")),
        ]
        for matches in asked.matches:
            found: dict[str, list[Round]] = {peer.name: [] for peer in peers}
            for number in range(asked.rounds):
                print(f"{matches} matches, round {number + 1}\n{HEAD}", flush=True)
                for peer in peers:
                    time.sleep(PAUSE_SECONDS)
                    found[peer.name].append(measure(peer, matches, asked.seconds))
                    print(describe(peer.name, found[peer.name][-1]), flush=True)
            print(f"{matches} matches, all rounds\n{HEAD}")
            for name, rounds in found.items():
                print(describe(name, add_rounds(rounds)))
            print("\n".join(compare(found)), "\n", flush=True)
        for name, pid in (("ours", root), (FLAT_FILE, flat), (MEMORY, memory)):
            print(f"memory in the end: {name} {sum(meter.read_memory(pid).values()) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
