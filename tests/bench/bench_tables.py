"""What an open table costs the store, and what so many would need: `python -m tests.bench.bench_tables [tables]`.

First a random match of every game and variant is played on a real store, and what it takes there is measured at its
middle and at its end: memory by `MEMORY USAGE` of all of its keys, and bytes of the file that every write is appended
to. Then a calculation on paper: how many servers of a cluster, hosts and bytes that number of open tables needs, under
the assumptions that it prints. It is no measurement of such a cluster.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from dataclasses import dataclass

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.contract import PARTITIONS
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.bench.bench_desk import house
from tests.eventstore.servers import Server, binaries

MAX_ENTRIES = 400
ASLEEP_BYTES = 12_192  # of a match in the archive's file, with its keys: decision 97
# assumptions
SLEEPING = 0.8  # of all open tables: nobody touched them for 30 days
PLAYED_AT_PEAK = 0.05  # of all open tables
SECONDS_BETWEEN_ENTRIES = 15.0  # at a table that is played
CPU_MS_OF_ENTRY = 12.0  # of a host, with the reading of some more seats than in `bench_http`
BUSY = 0.5  # of each core at the peak
ENTRIES_A_SECOND = 1000.0  # that one server of the store appends and syncs: see `bench_store`, one writer
SERVER_GB = 64.0  # memory of a server of the store, half of it free for its copies
MEMORY_SHARE = 0.5


@dataclass
class Cost:
    """What one match takes."""

    name: str
    entries: int
    half_bytes: int
    bytes: int
    file_bytes: int


def play(service: MatchService, server: Server, game: str, variant: str) -> Cost:
    """Play a random match, and measure it at its middle and its end."""
    client, dice = server.client(), random.Random(f"{game}/{variant}")
    before = _file_bytes(server)
    seats = (SeatAssignment("table"),) * load_games()[game].min_seats
    match = service.open_match(commands.OpenMatch(game, variant, {}, {}, seats), f"{game}/{variant}").match.id
    service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    sizes: dict[int, int] = {}
    while (loaded := service.load_match(match)).match.end is None and loaded.version < MAX_ENTRIES:
        sizes[loaded.version] = _memory_of(client, match)
        state = loaded.match.state
        ways = ((seat, sample_legal_move(state, seat, dice.randrange)) for seat in sorted(seats_that_must_act(state)))
        seat, move = next((seat, move) for seat, move in ways if move is not None)
        service.make_move(MoveRequest(match, Seat(seat), move, key=f"m{loaded.version}"), loaded=loaded)
    entries = loaded.version
    half = min(sizes, key=lambda version: abs(version - entries / 2))
    return Cost(f"{game}/{variant}", entries, sizes[half], _memory_of(client, match), _file_bytes(server) - before)


def _memory_of(client: object, match: str) -> int:
    found = client.keys(f"*:m:{match}:*")  # type: ignore[attr-defined]
    return sum(int(client.memory_usage(key, samples=0) or 0) for key in found)  # type: ignore[attr-defined]


def _file_bytes(server: Server) -> int:
    return sum(path.stat().st_size for path in (server.folder / "appendonlydir").glob("*"))


def describe_needs(tables: int, costs: list[Cost]) -> str:
    """Return what so many open tables need, on paper."""
    awake, asleep = tables * (1 - SLEEPING), tables * SLEEPING
    table_bytes = statistics.mean(cost.half_bytes for cost in costs)
    memory = awake * table_bytes + asleep * ASLEEP_BYTES
    entries = tables * PLAYED_AT_PEAK / SECONDS_BETWEEN_ENTRIES
    entry_bytes = sum(cost.file_bytes for cost in costs) / sum(cost.entries for cost in costs)
    by_memory = memory / (SERVER_GB * MEMORY_SHARE * 2**30)
    by_writes = entries / (ENTRIES_A_SECOND * BUSY)
    shards = max(1, math.ceil(max(by_memory, by_writes)))
    cores = math.ceil(entries * CPU_MS_OF_ENTRY / 1000 / BUSY)
    fits = "" if shards <= PARTITIONS else f", more than the {PARTITIONS} partitions"
    return "\n".join(
        (
            f"{tables:,} open tables, {awake:,.0f} of them awake, {tables * PLAYED_AT_PEAK:,.0f} played at the peak:",
            f"  {entries:,.0f} entries a second; {memory / 2**30:,.1f} GB of memory "
            f"({awake * table_bytes / 2**30:,.1f} awake at {table_bytes / 1000:,.0f} kB, "
            f"{asleep * ASLEEP_BYTES / 2**30:,.1f} asleep)",
            f"  {shards} primaries with a replica each ({by_memory:.1f} by memory, {by_writes:.1f} by writes){fits}; "
            f"{cores} cores of hosts",
            f"  {entries * entry_bytes * 86400 / 2**30:,.0f} GB a day in the stores' files before they are rewritten, "
            "were it the peak all day",
            f"  a partition has {tables / PARTITIONS:,.0f} tables and {entries / PARTITIONS:,.1f} entries a second",
        )
    )


def main() -> None:
    """Measure and calculate."""
    tables = [int(word) for word in sys.argv[1:]] or [1_000, 30_000, 1_000_000]
    server = Server(next(iter(binaries().values()))).start()
    try:
        service = house(server.log(), lambda _match, _size, _root: "")
        costs = [
            play(service, server, name, variant) for name, game in load_games().items() for variant in game.variants
        ]
    finally:
        server.remove()
    print(f"{'a match':40} entries   kB at half   kB at end   bytes of file an entry")
    for cost in costs:
        print(
            f"{cost.name:40} {cost.entries:7} {cost.half_bytes / 1000:12.1f} {cost.bytes / 1000:11.1f} "
            f"{cost.file_bytes / cost.entries:18.0f}"
        )
    print(
        f"\nassumed: {SLEEPING:.0%} of tables asleep, {PLAYED_AT_PEAK:.0%} played at the peak,\n"
        f"an entry every {SECONDS_BETWEEN_ENTRIES:g} s there, {CPU_MS_OF_ENTRY:g} ms of a host's CPU an entry,\n"
        f"cores {BUSY:.0%} busy, {ENTRIES_A_SECOND:g} synced entries a second and server,\n"
        f"{SERVER_GB:g} GB each, {MEMORY_SHARE:.0%} of it used\n"
    )
    print("\n".join(describe_needs(each, costs) for each in tables))


if __name__ == "__main__":
    main()
