"""What a process keeps of a match takes little memory, so that it can keep many."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest

from referee.engine.codec import decode
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.repository.matches import MatchRepository
from tests.repository.test_snapshots import opened, played
from tests.service.house import service

MATCHES, MOST = 4, 15_000  # bytes of a match


@pytest.mark.parametrize("game", sorted(set(load_games()) - {"party"}))
def test_a_match_that_is_kept_takes_at_most_15_kilobytes(game: str) -> None:
    logs: list[tuple[Any, str]] = []
    for seed in range(MATCHES + 1):
        house = service(MemoryLog())
        logs.append((house.log, opened(house, game)))
        played(house, logs[-1][1], 40, seed)
    MatchRepository(logs[0][0]).read_match(logs[0][1])  # what all matches share is made by the first
    kept = [MatchRepository(log) for log, _ in logs[1:]]
    tracemalloc.start()
    try:
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for repository, (_, match) in zip(kept, logs[1:], strict=True):
            repository.read_match(match)
        gc.collect()
        taken = (tracemalloc.get_traced_memory()[0] - before) / MATCHES
    finally:
        tracemalloc.stop()
    assert taken <= MOST


def test_what_is_decoded_twice_is_kept_once() -> None:
    one, other = (decode(tuple[str, ...], ["".join(["a-ca", "rd"])]) for _ in (0, 1))
    assert one[0] is other[0]
