"""Projectors killed with -9 at random while matches are played, ended, taken back and linked to accounts: all views,
and the ratings that are reckoned from them, equal those of a rebuild byte for byte."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.engine.chance import RollResult
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.eventstore.contract import PARTITIONS, MatchLog
from referee.eventstore.redis.log import RedisLog
from referee.match.aggregate import FINAL_STATUSES
from referee.match.table import commands
from referee.ratings import results
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.ratings.ratings import Ladder, build_result
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.service.house import service
from tests.workers.house import opened, rewound
from workers.projections import follower
from workers.projections.base import Sources
from workers.projections.public_match import PublicMatches
from workers.projections.rebuild import compare_builds, rebuild_projection, switch_to_build
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

pytestmark = pytest.mark.deep

KILLS = 12
PEOPLE = [f"pl-{letter}" for letter in "abcd"]


def begun(at: MatchService, dice: random.Random) -> str:
    """A match between two players with accounts, who report the dice themselves."""
    match = opened(at, "human", "human", "bot", begin=False, dice="table")
    for seat, player in enumerate(dice.sample(PEOPLE, 2)):
        done = at.execute_command(match, commands.TakeSeat(seat), key=f"sit{seat}", scope="join")
        at.log.link_player(match, done.entry, player)
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def moved(at: MatchService, match: str, dice: random.Random, most: int) -> None:
    """So many moves of whoever is awaited, or fewer if the match ends."""
    for _ in range(most):
        now = at.load_match(match)
        if now.match.status in FINAL_STATUSES:
            return
        who, key = dice.choice(sorted(seats_that_must_act(now.match.state))), f"k{dice.random()}"
        if who == CHANCE:
            by = dice.randrange(2)
            at.make_move(
                MoveRequest(
                    match,
                    CHANCE,
                    RollResult((dice.randint(1, 6),)),
                    key=key,
                    scope=f"report{by}",
                    actor=f"reporter:{by}",
                )
            )
        elif who >= 0:
            at.make_move(
                MoveRequest(match, Seat(who), sample_legal_move(now.match.state, Seat(who), dice.randrange), key=key)
            )


def rows(log: MatchLog, more: int) -> dict[tuple[int, str, str, str], bytes]:
    """Every byte of every view of a build: the live one, or so many after it."""
    found: dict[tuple[int, str, str, str], bytes] = {}
    for view in LIVE_PROJECTIONS:
        build = view.build + more
        for partition in range(PARTITIONS):
            for suffix, kind in view.suffixes.items():
                if kind == "hash":
                    kept = log.read_projection(partition, view.name, build, suffix)
                else:
                    ranked = log.read_ranking(partition, view.name, build, suffix, 0, 10_000)
                    kept = {member: str(score).encode() for member, score in ranked}
                found |= {(partition, view.name, suffix, field): value for field, value in kept.items()}
    return found


def ladder(log: MatchLog, more: int) -> str:
    """The standings of the toy from the rows of the live build, or so many after it, written out to the last digit."""
    build = PROJECTION_VERSIONS["standings"] + more
    kept = {match: json.loads(body) for _, rows in log.read_across_partitions("standings", build, "matches").values()
            for match, body in rows.items()}  # fmt: skip
    counting = {match: row for match, row in kept.items() if results.is_counted(row)}
    links = log.read_links(tuple(counting))
    reckoned = Ladder.from_results(
        build_result(match, row, links.get(match, {}), False) for match, row in counting.items()
    )
    return repr((reckoned.standings, [each.match for each in reckoned.results]))


def projector(socket: Path, seed: int) -> None:
    """What a worker does, in a process of its own, slowly enough to be killed anywhere."""
    own = RedisLog(redis.Redis(unix_socket_path=str(socket)))
    follower.BATCH = 4
    order = list(range(PARTITIONS))
    random.Random(seed).shuffle(order)
    for partition in order:
        catch_up(own, partition, PublicMatches(own)).raise_failures()


def children(socket: Path, dice: random.Random) -> Iterator[int]:
    """Two projectors at a time, killed after a while; how many of them died by it."""
    pids = []
    for _ in range(2):
        seed = dice.randrange(2**30)
        pid = os.fork()
        if pid == 0:
            try:
                projector(socket, seed)
            finally:
                os._exit(0)
        pids.append(pid)
    time.sleep(dice.uniform(0.01, 0.12))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        yield int(os.WIFSIGNALED(os.waitpid(pid, 0)[1]))


def test_live_views_and_ratings_equal_a_rebuild_after_random_kills(server: redis.Redis, socket: Path) -> None:
    dice, log = random.Random(), RedisLog(server)
    at, kills = service(log), 0
    matches = [begun(at, dice) for _ in range(12)]
    while kills < KILLS:
        for match in dice.sample(matches, 4):
            moved(at, match, dice, dice.randrange(1, 12))
        if dice.random() < 0.3:
            back = dice.choice(matches)
            now = at.load_match(back)
            if now.match.state is not None and now.version > 6:
                rewound(at, back, dice.randrange(6, now.version))
        if dice.random() < 0.3:
            matches.append(begun(at, dice))
        kills += sum(children(socket, dice))
    for match in matches[: len(matches) // 2]:
        moved(at, match, dice, 500)
    for partition in range(PARTITIONS):
        catch_up(log, partition, PublicMatches(log)).raise_failures()
    for view in LIVE_PROJECTIONS:
        rebuild_projection(log, view.name, view.build + 1)
        assert compare_builds(log, view.name, view.build, view.build + 1) == ()
    live, fresh = rows(log, 0), rows(log, 1)
    assert live == fresh
    assert {view for _, view, _, _ in live} >= {"lobby", "summary", "standings", "cards", "dice"}
    assert ladder(log, 0) == ladder(log, 1)
    assert "pl-" in ladder(log, 0)
    for view in LIVE_PROJECTIONS:
        switch_to_build(log, view.name, view.build + 1)
    assert rows(log, 0) == live


def test_a_sum_that_counts_twice_would_be_found(server: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: a tally that forgets what a match had added is found out."""
    log, dice = RedisLog(server), random.Random(3)
    at = service(log)
    match = begun(at, dice)
    moved(at, match, dice, 500)

    def forgetful(self: Any, suffix: str, fields: Any = None) -> dict[str, bytes]:
        return {} if suffix == "matches" else log.read_projection(partition, "cards", 1, suffix, fields)

    partition = next(part for part in range(PARTITIONS) if log.read_partition_info(part).position)
    cards = next(view for view in LIVE_PROJECTIONS if view.name == "cards")
    for _ in range(2):  # the same entries, as if the cursor had not moved with the writes
        batch = log.read_feed(partition, 0)
        writes = list(cards.compute_writes(batch, Sources(PublicMatches(log), forgetful.__get__(object()))))
        at_cursor = log.read_cursor(partition, "cards", 1)
        assert log.apply_projection(partition, "cards", 1, at_cursor, batch[-1][0], writes)
    rebuild_projection(log, "cards", 2)
    assert [difference.suffix for difference in compare_builds(log, "cards", 1, 2)] == ["sums"]
