"""What receipts cost a move: the same run with all of it and with less and less of it, in turns, move by move.

    python -m tests.bench.receipts [rounds] [game]

The API handles requests in this process, over real stores that write to the disk before they answer. Each way has a
store of its own, with the very same matches and moves; what stays away is: the signature; the tree as well; the
commitments to what is hidden, with their salts, as well. The times are of the whole request, by the wall and by the
processor of this process. The ratios are medians of those of the same move, made by all ways right after each other.
"""

from __future__ import annotations

import os
import platform
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any
from unittest import mock

from referee.engine.codec import encode
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.infrastructure.keyring import load_signer
from referee.service.match_service import MatchService
from referee.transparency.randomness import ServerRandomSource
from referee.transparency.receipts import Signer
from tests.api import house
from tests.eventstore.servers import Server, binaries
from tests.service.house import identify

TREE = {"extend_frontier": lambda *_: (), "leaf_hash": lambda *_: bytes(32), "compute_root": lambda *_: bytes(32)}
HIDDEN = {"compute_commitment": lambda *_: "0" * 64}
WAYS = ("as it is", "no signature", "no tree", "no commitments")
STORE = "a" * 26


@contextmanager
def without(way: str) -> Iterator[None]:
    """Whatever this way does without is not done meanwhile."""
    with ExitStack() as patches:
        if WAYS.index(way) >= 2:
            patches.enter_context(mock.patch.multiple("referee.service.appender", **TREE))
        if WAYS.index(way) >= 3:
            patches.enter_context(mock.patch.multiple("referee.match.entries", **HIDDEN))
        yield


class Plain(ServerRandomSource):
    """Draws whose salts cost nothing."""

    def salt(self, *_: Any) -> bytes:
        return b""


class Way:
    """One way of running, with a match of its own, and a new one whenever that is over."""

    def __init__(self, way: str, server: Server, signer: Signer, game: str) -> None:
        self.way, self.game, self.dice, self.matches = way, game, random.Random(game), 0
        sign = (
            (lambda *_: "")
            if way != WAYS[0]
            else lambda match, size, root: signer.sign_receipt(f"{STORE}/{match}", size, root)
        )
        draws = (Plain if way == WAYS[3] else ServerRandomSource)(bytes(32))
        self.service = MatchService(
            server.log(), draws, sign, lambda _: None, lambda _: identify(f"receipts {self.matches}")
        )
        self.app = house.app(self.service)
        self.open()

    def open(self) -> None:
        with without(self.way):
            self.table = house.opened(self.app, self.game, variant={"monster_combat": "V1"}.get(self.game, "standard"))
        self.matches += 1

    def move(self) -> tuple[float, float]:
        """One move: its seconds by the wall, and of the processor."""
        with without(self.way):
            found = self.service.load_match(self.table.match).match
            if found.status != "running":
                self.open()
                found = self.service.load_match(self.table.match).match
            state: Any = found.state
            seat = self.dice.choice(sorted(each for each in seats_that_must_act(state) if each >= 0))
            move = encode(sample_legal_move(state, seat, self.dice.randrange))
            wall, cpu = perf_counter(), process_time()
            answer = self.table.move(seat, move)
            took = perf_counter() - wall, process_time() - cpu
        assert answer.status_code == 201, answer.text
        assert bool(answer.json["receipt"]) == (self.way == WAYS[0])  # type: ignore[index]
        return took


def main() -> None:
    """So many rounds, in each of which every way makes a move."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    game = sys.argv[2] if len(sys.argv) > 2 else "here_to_slay"
    name, binary = next(iter(binaries().items()))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {name}, always; {game}, {rounds} rounds")
    servers, dice = [Server(binary).start() for _ in WAYS], random.Random(0)
    try:
        with tempfile.TemporaryDirectory() as folder:
            signer = load_signer(Path(folder) / "signing.pem")
            ways = [Way(*each, signer, game) for each in zip(WAYS, servers, strict=True)]
            took: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
            for number in range(rounds + 20):
                for way in dice.sample(ways, len(ways)):
                    once = way.move()
                    if number >= 20:
                        took[way.way].append(once)
        for clock, what in enumerate(("wall", "processor")):
            for way in WAYS:
                times = [each[clock] for each in took[way]]
                ratio = median(all_[clock] / here for all_, here in zip(took[WAYS[0]], times, strict=True))
                more = median(all_[clock] - here for all_, here in zip(took[WAYS[0]], times, strict=True))
                here = f"{median(times) * 1e3:7.3f} ms a move"
                print(f"{what:<10}{way:<16}{here}; with all of it {more * 1e6:+5.0f} us, {ratio:5.3f} of this")
    finally:
        for server in servers:
            server.remove()


if __name__ == "__main__":
    main()
