"""Moves through the desk on a real store, `appendfsync always`: `python -m tests.bench.bench_desk [seconds]`.

How many one process decides, appends and signs; whether a move in a long match takes longer than in a short one; and
how long a process takes that meets the long match for the first time, with its snapshot and without.
"""

from __future__ import annotations

import hashlib
import platform
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.contract import MatchLog
from referee.games import load_games
from referee.infrastructure.keyring import load_signer
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.engine.toy import GAME, Cheer
from tests.eventstore.servers import Server, binaries
from tests.service.house import FixedDraws, identify

SHORT, LONG, SPAN = 10, 5000, 400


def house(log: MatchLog, sign: Callable[[str, int, bytes], str]) -> MatchService:
    """A desk that signs in earnest and wakes nobody."""
    return MatchService(log, FixedDraws(), sign, lambda _: None, identify)


def opened(service: MatchService, game: str, key: str) -> str:
    """A running match of two seats without phones."""
    variant = load_games()[game].variants[0]
    match = service.open_match(commands.OpenMatch(game, variant, {}, {}, (SeatAssignment("table"),) * 2), key).match.id
    service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def rate(service: MatchService, game: str, seconds: float) -> tuple[float, float]:
    """Random moves of one match after another: entries and moves per second."""
    dice, moves, entries, number = random.Random(1), 0, 0, 0
    began = perf_counter()
    while (took := perf_counter() - began) < seconds:
        match = opened(service, game, f"rate-{game}-{number}")
        number += 1
        while (loaded := service.load_match(match)).match.end is None and perf_counter() - began < seconds:
            seat = min(seats_that_must_act(loaded.match.state))
            move = sample_legal_move(loaded.match.state, seat, dice.randrange)
            assert move is not None
            done = service.make_move(MoveRequest(match, Seat(seat), move, key=f"m{loaded.version}"), loaded=loaded)
            moves, entries = moves + 1, entries + done.version - loaded.version
    return entries / took, moves / took


def cheered(service: MatchService, match: str, times: int) -> float:
    """Seconds for a move that changes little, so that only the length of the match can matter."""
    began = perf_counter()
    for _ in range(times):
        service.make_move(
            MoveRequest(match, Seat(1), Cheer(), key=hashlib.sha256(str(perf_counter()).encode()).hexdigest())
        )
    return (perf_counter() - began) / times


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
    name, binary = next(iter(binaries().items()))
    print(f"Python {platform.python_version()} ({platform.python_compiler()}), {name}, always")
    server = Server(binary).start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            signer = load_signer(Path(folder) / "signing.pem")
            service = house(server.log(), signer.sign_receipt)
            for game in ("monster_combat", "here_to_slay", "shy_monsters"):
                entries, moves = rate(service, game, seconds)
                print(f"{game:<16}{moves:>8,.0f} moves/s {entries:>8,.0f} entries/s, one process, one connection")
            load_games()["toy"] = GAME
            short, long = opened(service, "toy", "short"), opened(service, "toy", "long")
            cheered(service, long, LONG)
            ratios = []
            for _ in range(7):  # side by side, so that the machine is as busy for both
                few, many = cheered(service, short, 1), cheered(service, long, SPAN // 7)
                short = opened(service, "toy", f"short-{perf_counter()}")
                cheered(service, short, SHORT)
                few = cheered(service, short, SPAN // 7)
                ratios.append((many / few, few, many))
            ratio, few, many = sorted(ratios)[len(ratios) // 2]
            print(f"a move at {LONG} entries: {many * 1e3:.2f} ms, at {SHORT}: {few * 1e3:.2f} ms, ratio {ratio:.2f}")
            for kind in ("with its snapshot", "without"):
                fresh = house(server.log(), signer.sign_receipt)
                began = perf_counter()
                fresh.load_match(long)
                print(f"first met at {LONG} entries, {kind}: {(perf_counter() - began) * 1e3:.1f} ms")
                server.client().delete(fresh.log._match_keys(long)[5])  # type: ignore[attr-defined]
    finally:
        server.remove()


if __name__ == "__main__":
    main()
