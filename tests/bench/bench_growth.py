"""What growth costs our server: `python -m tests.bench.bench_growth [--parts long many streams unchanged]`.

long       the CPU of a move in a match of 5,000 entries beside that in one of 100, in turns
many       the CPU of a move with 64 and 1,000 matches that are played in turn, and the memory of each in the API
streams    the CPU of an idle server and of a move, without other streams and with 1,000 open ones, and how long an
           event takes to a stream then
unchanged  the CPU of a situation that has not changed (304), and of one that is sent (200)

A move is posted with its answer in full, and the other seat reads its situation. CPU is that of all processes of the
server (`/proc/*/stat`), memory their proportional set size. The load generator runs on the same machine (Linux).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench import bench_http
from tests.bench.peers import meter, ours
from tests.bench.peers.wire import NOBODY, Address, HttpWire, Loop, Play, StreamWire

PARTS = ("long", "many", "streams", "unchanged")
SHORT, WINDOW, ROUNDS = 100, 150, 5
DRIVERS = 8  # pairs of connections that play all matches, however many there are
MOVES = 500  # at least so many are measured with many matches
BUSY_MATCHES = 16
PATIENCE = 3600.0
SETTLE_SECONDS = 3.0
LAGS = 100  # events that are timed
RATIO_ROUNDS = 3  # in which few matches and many are measured in turns
STEADY = ("hts.redraw", "hts.pass", "hts.end_turn")  # nobody wins by them, so that a match can grow
Choice = Callable[[list[Any]], tuple[int, Any]]


@dataclass
class Match:
    """A match that goes on: its seats, what they may do, its version."""

    seats: list[ours.Seat]
    offers: list[Any]
    version: int = 0


@dataclass
class Server:
    """A running server and the loop that calls it."""

    root: int
    address: Address
    loop: Loop = field(default_factory=Loop)

    def run(self, *plays: Callable[[], Play]) -> None:
        """Play to the end. Raises RuntimeError if that takes too long."""
        for play in plays:
            self.loop.start(play)
        self.loop.run(PATIENCE)
        if self.loop.running:
            raise RuntimeError("the server takes too long")

    def spend(self, *plays: Callable[[], Play]) -> dict[str, float]:
        """Play to the end and return the CPU seconds that it took."""
        before = meter.read_cpu(self.root)
        self.run(*plays)
        return meter.subtract(meter.read_cpu(self.root), before)


@contextlib.contextmanager
def started(**variables: str) -> Iterator[Server]:
    """A server of its own with an empty store."""
    with tempfile.TemporaryDirectory() as folder, bench_http.served(Path(folder) / "data", **variables) as found:
        server = Server(*found)
        try:
            time.sleep(SETTLE_SECONDS)
            yield server
        finally:
            server.loop.close()


def open_match(line: HttpWire) -> Generator[None, None, Match]:
    """Open a match and read both situations."""
    match = Match((yield from ours.open_match(line)), [])
    for seat in match.seats:
        match.offers.append(ours.read_offer((yield from ours.ask(line, seat.read()))))
    return match


def move_once(lines: list[HttpWire], match: Match, choose: Choice) -> Play:
    """Make a move in two requests."""
    mover, move = choose(match.offers)
    asked = match.seats[mover].post(move, "return=representation")
    moved = (yield from ours.ask(lines[mover], asked, 201)).json()
    match.offers[mover], match.version = moved["situation"]["moves"], moved["version"]
    match.offers[1 - mover] = ours.read_offer((yield from ours.ask(lines[1 - mover], match.seats[1 - mover].read())))


def choose_steadily(offers: list[Any]) -> tuple[int, Any]:
    """Return a move that brings nobody nearer to a win, if there is one."""
    found = [
        (STEADY.index(each["move"]["type"]), seat, each["move"])
        for seat, offer in enumerate(offers)
        if offer["awaited"]
        for each in offer["legal"]
        if each["move"]["type"] in STEADY
    ]
    return min(found, key=lambda each: each[:2])[1:] if found else ours.choose(offers, random.Random(1))


def describe_cpu(spent: dict[str, float], count: int) -> str:
    """Return CPU seconds as milliseconds for each of so many."""
    split = ", ".join(f"{part} {1000 * seconds / count:.2f}" for part, seconds in spent.items())
    return f"{1000 * sum(spent.values()) / count:6.2f} ms ({split})"


def measure_long(entries: int) -> None:
    """Compare a long match with short ones, in turns."""
    with started() as server:
        long: list[Match] = []
        spent: dict[str, list[float]] = {"short": [], "long": []}

        def grow(matches: list[Match], upto: int) -> Callable[[], Play]:
            def play() -> Play:
                lines = [HttpWire(server.loop, server.address) for _ in (0, 1)]
                if not matches:
                    matches.append((yield from open_match(lines[0])))
                while matches[0].version < upto:
                    yield from move_once(lines, matches[0], choose_steadily)

            return play

        def go_on(match: Match) -> Callable[[], Play]:
            def play() -> Play:
                lines = [HttpWire(server.loop, server.address) for _ in (0, 1)]
                for _ in range(WINDOW):
                    yield from move_once(lines, match, choose_steadily)

            return play

        server.run(grow(long, entries))
        for _ in range(ROUNDS):
            short: list[Match] = []
            server.run(grow(short, SHORT))
            for name, matches in (("short", short), ("long", long)):
                used = server.spend(go_on(matches[0]))
                spent[name].append(1000 * sum(used.values()) / WINDOW)
        short_ms, long_ms = (statistics.median(spent[name]) for name in ("short", "long"))
        ratios = [many / few for few, many in zip(spent["short"], spent["long"], strict=True)]
        print(
            f"long: CPU of a move from entry {SHORT} on {short_ms:.2f} ms, from entry {entries:,} on {long_ms:.2f} ms;"
            f" ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f} in {ROUNDS} rounds)",
            flush=True,
        )


@dataclass
class Share:
    """The matches that one pair of connections plays."""

    dice: random.Random
    matches: list[Match] = field(default_factory=list)

    def move(self, lines: list[HttpWire], match: Match) -> Play:
        """Make a random move, unless the match is over; return whether it was made."""
        if not any(offer["legal"] and offer["awaited"] for offer in match.offers):
            return False
        yield from move_once(lines, match, lambda offers: ours.choose(offers, self.dice))
        return True


def open_more(server: Server, share: Share, wanted: int, depth: int) -> Callable[[], Play]:
    """Open matches until the share has enough, and make some moves in each."""

    def play() -> Play:
        lines = [HttpWire(server.loop, server.address) for _ in (0, 1)]
        while len(share.matches) < wanted:
            share.matches.append((yield from open_match(lines[0])))
            for _ in range(depth):
                yield from share.move(lines, share.matches[-1])

    return play


def play_in_turn(server: Server, share: Share, rounds: int, upto: int | None = None) -> Callable[[], Play]:
    """Make a move in each match of a share, or in the first of them, one after the other, some times over."""

    def play() -> Play:
        lines = [HttpWire(server.loop, server.address) for _ in (0, 1)]
        for _ in range(rounds):
            for match in share.matches[:upto]:
                made = yield from share.move(lines, match)
                server.loop.figures.moves += made

    return play


def measure_many(stages: list[int], depth: int) -> None:
    """Measure moves and memory with more and more matches."""
    with started() as server:
        shares = [Share(random.Random(number)) for number in range(DRIVERS)]
        sizes: list[tuple[int, float]] = []
        for count in stages:
            each = -(-count // DRIVERS)
            server.run(*(open_more(server, share, each, depth) for share in shares))
            rounds = max(1, MOVES // count)
            server.run(*(play_in_turn(server, share, 1) for share in shares))  # as warm as they can be
            server.loop.figures.reset()
            spent = server.spend(*(play_in_turn(server, share, rounds) for share in shares))
            time.sleep(SETTLE_SECONDS)
            sizes.append((each * DRIVERS, meter.read_memory(server.root)["api"]))
            line = f"many: {each * DRIVERS:>5,} matches, {depth} moves each and more: "
            line += f"a move {describe_cpu(spent, server.loop.figures.moves)}; API {sizes[-1][1] / 1e6:.0f} MB"
            if len(sizes) > 1:
                (before, less), (after, more) = sizes[-2:]
                line += f", {(more - less) / 1000 / (after - before):.1f} kB for each match more"
            print(line, flush=True)
        few, many = (-(-count // DRIVERS) for count in (stages[0], stages[-1]))
        ratios = []
        for _ in range(RATIO_ROUNDS):
            costs = []
            for upto in (few, many):
                server.loop.figures.reset()
                rounds = max(1, MOVES // (upto * DRIVERS))
                spent = server.spend(*(play_in_turn(server, share, rounds, upto) for share in shares))
                costs.append(sum(spent.values()) / server.loop.figures.moves)
            ratios.append(costs[1] / costs[0])
        print(
            f"many: a move with {many * DRIVERS:,} matches costs {statistics.median(ratios):.2f} times that with"
            f" {few * DRIVERS} ({min(ratios):.2f} to {max(ratios):.2f} in {RATIO_ROUNDS} rounds)",
            flush=True,
        )


@dataclass
class Followed:
    """A match with a stream of situations for each seat."""

    seats: list[ours.Seat]
    streams: list[StreamWire]


def open_streams(server: Server, wanted: int, followed: list[Followed]) -> Play:
    """Open streams that stay open, for both seats of one match after another."""
    line = HttpWire(server.loop, server.address)
    for _ in range(0, wanted, 2):
        followed.append(Followed((yield from ours.open_match(line)), []))
        for seat in followed[-1].seats:
            stream = StreamWire(server.loop, server.address, seat.follow("&send=situations"))
            while not stream.status:
                yield
            stream.table = NOBODY
            followed[-1].streams.append(stream)


def time_events(server: Server, followed: list[Followed], took: list[float]) -> Play:
    """Make a move in each of these matches, and time until the other seat has the situation after it."""
    line = HttpWire(server.loop, server.address)
    for match in followed:
        offers = []
        for seat in match.seats:
            offers.append(ours.read_offer((yield from ours.ask(line, seat.read()))))
        mover, move = ours.choose(offers, random.Random(1))
        stream, began = match.streams[1 - mover], time.perf_counter()
        stream.table = server.loop.current
        moved = yield from ours.ask(line, match.seats[mover].post(move, "return=minimal"), 201)
        yield from ours.take_situation(stream, moved.json()["version"])
        took.append(time.perf_counter() - began)
        stream.table = NOBODY


def measure_streams(count: int, seconds: float) -> None:
    """Measure an idle server and moves, without other streams and with many."""
    # each of two processes gets threads for most of the streams; more than 1,000 would end connections kept alive
    threads = min(count + 64, 900)
    limits = {"REFEREE_THREADS": str(threads), "REFEREE_STREAMS_PER_ADDRESS": str(threads)}
    with started(**limits) as server:
        followed: list[Followed] = []
        sizes: list[float] = []
        for wanted in (0, count):
            if wanted:
                server.run(lambda: open_streams(server, count, followed))
            streams = [stream for match in followed for stream in match.streams]
            opened = [stream for stream in streams if stream.status == 200]
            refused = [stream for stream in streams if stream.status != 200]
            server.loop.run(SETTLE_SECONDS, lambda: False)
            before = meter.read_cpu(server.root)
            server.loop.run(seconds, lambda: False)
            idle = sum(meter.subtract(meter.read_cpu(server.root), before).values()) / seconds
            sizes.append(sum(meter.read_memory(server.root).values()))
            shares = [Share(random.Random(number)) for number in range(DRIVERS)]
            server.run(*(open_more(server, share, BUSY_MATCHES // DRIVERS, 10) for share in shares))
            server.loop.figures.reset()
            began = time.perf_counter()
            spent = server.spend(*(play_in_turn(server, share, MOVES // BUSY_MATCHES) for share in shares))
            anyway = 1000 * idle * (time.perf_counter() - began) / server.loop.figures.moves
            line = f"streams: {len(opened):>5,} open: idle {100 * idle:.1f} % of a core; "
            line += f"a move {describe_cpu(spent, server.loop.figures.moves)}, of it {anyway:.2f} ms as when idle"
            line += f"; whole server {sizes[-1] / 1e6:.0f} MB"
            if opened:
                line += f", {(sizes[1] - sizes[0]) / 1000 / len(opened):.1f} kB a stream with its half of a match"
            if refused:
                line += f"; {len(refused)} WERE REFUSED ({refused[0].status})"
            elif opened:
                took: list[float] = []
                timed = followed[:: max(1, len(followed) // LAGS)]
                server.run(lambda timed=timed, took=took: time_events(server, timed, took))  # type: ignore[misc]
                p50, most = 1000 * statistics.median(took), 1000 * max(took)
                line += f"; from a move to the other seat's situation p50 {p50:.1f} ms, at most {most:.1f} ms"
            print(line, flush=True)


def measure_unchanged(count: int) -> None:
    """Measure a situation that the client has, and one that it gets."""
    with started() as server:
        shares = [Share(random.Random(number)) for number in range(DRIVERS)]
        server.run(*(open_more(server, share, BUSY_MATCHES // DRIVERS, 12) for share in shares))

        def read(share: Share, status: int) -> Callable[[], Play]:
            def play() -> Play:
                line = HttpWire(server.loop, server.address)
                for number in range(count // DRIVERS):
                    match = share.matches[number % len(share.matches)]
                    known = f'"v{match.version}"' if status == 304 else ""
                    yield from ours.ask(line, match.seats[number % 2].read(known), status)

            return play

        for status in (304, 200, 304, 200):
            spent = server.spend(*(read(share, status) for share in shares))
            print(f"unchanged: {status} {describe_cpu(spent, count // DRIVERS * DRIVERS)}", flush=True)


def main() -> None:
    """Print a line for each measurement."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    options.add_argument("--entries", type=int, default=5000, help="of the long match")
    options.add_argument("--stages", type=int, nargs="+", default=[64, 1000], help="matches in part `many`")
    options.add_argument("--depth", type=int, default=20, help="moves in each match before it is measured")
    options.add_argument("--streams", type=int, default=1000)
    options.add_argument("--seconds", type=float, default=20.0, help="for which the server is idle")
    options.add_argument("--requests", type=int, default=2000, help="in part `unchanged`")
    asked = options.parse_args()
    print(f"Python {platform.python_version()} ({platform.python_compiler()}), {ours.GAME}, {machine()}", flush=True)
    if "long" in asked.parts:
        measure_long(asked.entries)
    if "many" in asked.parts:
        measure_many(asked.stages, asked.depth)
    if "streams" in asked.parts:
        measure_streams(asked.streams, asked.seconds)
    if "unchanged" in asked.parts:
        measure_unchanged(asked.requests)


def machine() -> str:
    return f"{len(os.sched_getaffinity(0))} cores, load average {os.getloadavg()[0]:.2f}"


if __name__ == "__main__":
    main()
