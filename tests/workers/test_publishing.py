"""What matches came to is published once each, whatever is killed, doubled, lost or damaged on the way."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.eventstore.contract import PARTITIONS, MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.table import commands
from referee.transparency.key_chain import ChainKey, RootLeaf, decode_leaf
from referee.transparency.merkle import compute_root_of_leaves, leaf_hash
from referee.transparency.receipts import Signer
from tests.service.house import end_agreed_by_all, service
from tests.workers.house import context_of, opened, played
from tests.workers.quarrels import HALTING, quarrelling
from workers import queue
from workers.composition import set_context
from workers.context import WorkerContext
from workers.jobs import publishing
from workers.jobs.sweeper import Sweeper

SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def context_over(log: MatchLog) -> WorkerContext:
    """A context that publishes."""
    return context_of(log, publisher=RootPublisher(log, SIGNER, "test"))


@pytest.fixture
def context() -> WorkerContext:
    return context_over(MemoryLog())


def ended(context: WorkerContext, reason: str = "abandoned", key: str = "") -> str:
    """A match that is over; its id."""
    match = opened(context.service, "human", "human", begin=False, key=key)
    for seat in range(2):
        context.service.execute_command(match, commands.TakeSeat(seat), key=f"sit{seat}", scope="join")
    context.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    context.service.execute_command(match, end_agreed_by_all(reason), key="end", scope="host")
    return match


def leaves(log: MatchLog) -> list[ChainKey | RootLeaf]:
    """All leaves of the log of roots, which fit its root."""
    data = log.read_root_leaves(0, 10_000)
    assert compute_root_of_leaves([leaf_hash(each) for each in data]) == log.read_roots_head().root
    return [decode_leaf(each) for each in data]


def roots(log: MatchLog) -> list[RootLeaf]:
    """The roots that were published, after the first key."""
    first, *rest = leaves(log) or [ChainKey(SIGNER.public, 0)]
    assert isinstance(first, ChainKey)
    return [each for each in rest if isinstance(each, RootLeaf)]


def of(log: MatchLog, match: str, status: str = "abandoned") -> RootLeaf:
    """The leaf that a match is to have now."""
    head = log.read(match, limit=0).head
    assert head is not None
    return RootLeaf(match, head.version, head.root, status)


def drain(context: WorkerContext, match: str) -> None:
    """The job that a commit asks for."""
    set_context(context)
    queue.drain_partition(partition_for_match(match))


def test_a_match_is_published_when_it_is_over_and_not_before(context: WorkerContext) -> None:
    match = opened(context.service, "table", "table")
    drain(context, match)
    assert roots(context.log) == []
    context.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    for _ in range(3):
        drain(context, match)
    assert roots(context.log) == [of(context.log, match)]


def test_the_end_of_a_match_is_logged_once_and_without_its_name(
    context: WorkerContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger=publishing.LOGGER.name)
    match = ended(context)
    for _ in range(3):
        drain(context, match)
    assert [record.getMessage() for record in caplog.records] == ["a match has ended"]


def test_a_match_that_the_rules_end_is_published_too(context: WorkerContext) -> None:
    match = opened(context.service, "table", "table")
    played(context.service, match, 1)
    drain(context, match)
    assert roots(context.log) == [of(context.log, match, "finished")]


def test_one_that_is_withdrawn_before_its_start_is_over_as_well(context: WorkerContext) -> None:
    match = opened(context.service, "human", "human", begin=False)
    context.service.execute_command(match, end_agreed_by_all("withdrawn"), key="end", scope="host")
    drain(context, match)
    assert roots(context.log) == [of(context.log, match, "withdrawn")]


def test_while_a_dispute_is_open_nothing_is_published_and_what_it_came_to_afterwards_is(context: WorkerContext) -> None:
    at, log = context.service, context.log
    match = quarrelling(at, "k", HALTING)
    at.execute_command(match, end_agreed_by_all("agreed"), key="end", scope="host")
    drain(context, match)
    first = of(log, match, "finished")
    ask = OpenDispute("0", first.size - 1, "other", "", None, None, "That was not agreed.")
    number = at.execute_command(match, ask, key="dispute", scope="seat0").entry
    assert at.load_match(match).match.has_open_dispute
    drain(context, match)
    assert roots(log) == [first]
    at.execute_command(match, WithdrawDispute(number, "0"), key="withdraw", scope="seat0")
    drain(context, match)
    again = of(log, match, "finished")
    assert again.size > first.size
    assert roots(log) == [first, again]


def test_a_drain_that_nobody_asked_for_is_made_up_for_by_the_sweeper(context: WorkerContext) -> None:
    matches = [ended(context) for _ in range(3)]
    Sweeper(context).repair_stalled_work()
    assert {leaf.match for leaf in roots(context.log)} == set(matches)


def test_two_publishers_at_once_publish_each_root_once(context: WorkerContext) -> None:
    log = context.log
    matches = [ended(context) for _ in range(6)]
    others = [context_over(log) for _ in range(4)]

    def all_of_it(each: WorkerContext) -> None:
        for partition in {partition_for_match(match) for match in matches}:
            publishing.publish_partition(each, partition)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(all_of_it, others))
    assert sorted(leaf.match for leaf in roots(log)) == sorted(matches)
    assert len(leaves(log)) == 7


class Killed(BaseException):
    """Nothing comes after it, as after kill -9."""


@pytest.mark.parametrize("step", ["read_roots_head", "add_root", "apply_projection"])
@pytest.mark.parametrize("after", [False, True])
def test_a_publisher_that_is_killed_anywhere_leaves_no_gap_and_nothing_twice(
    context: WorkerContext, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    log, matches = context.log, [ended(context, key=f"killed {number}") for number in range(4)]
    assert len(set(map(partition_for_match, matches))) == 4, "or one publisher publishes for two of them"
    do = getattr(log, step)

    def dies(*args: Any, **named: Any) -> Any:
        if after:
            do(*args, **named)
        raise Killed

    for match in matches:
        with monkeypatch.context() as patch:
            patch.setattr(log, step, dies)
            with pytest.raises(Killed):
                publishing.publish_partition(context_over(log), partition_for_match(match))
    fresh = context_over(log)
    for partition in range(PARTITIONS):
        publishing.publish_partition(fresh, partition)
    assert sorted(leaf.match for leaf in roots(log)) == sorted(matches)
    assert len(leaves(log)) == 5


def test_a_damaged_match_keeps_nobody_waiting_and_is_tried_again(
    context: WorkerContext, caplog: pytest.LogCaptureFixture
) -> None:
    log: Any = context.log
    bad = ended(context)
    good = ended(context)
    while partition_for_match(good) != partition_for_match(bad):
        good = ended(context)
    kept = log._matches[bad].log
    sound = kept[1]
    kept[1] = replace(sound, envelope=sound.envelope.replace(b'"at":', b'"at":1'))
    publishing.publish_partition(context, partition_for_match(bad))
    published = {leaf.match for leaf in roots(log)}
    assert good in published
    assert bad not in published
    assert f"the final root of {bad} cannot be published" in caplog.text
    Sweeper(context).repair_stalled_work()
    assert bad not in {leaf.match for leaf in roots(log)}
    kept[1] = sound
    Sweeper(context).repair_stalled_work()
    assert bad in {leaf.match for leaf in roots(log)}
    assert log.read_projection(partition_for_match(bad), publishing.NAME, publishing.BUILD, publishing.STUCK) == {}


def test_without_a_key_nothing_is_published() -> None:
    context = context_of(MemoryLog())
    drain(context, ended(context))
    Sweeper(context).repair_stalled_work()
    assert context.log.read_roots_head().size == 0


# -- on a real server, by processes that are killed --------------------------------------------------------------------

KILLS = 12


def children(socket: Path, dice: random.Random) -> Iterator[int]:
    """Two publishers at a time, killed after a while; how many of them died by it."""
    pids = []
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            try:
                own = context_over(RedisLog(redis.Redis(unix_socket_path=str(socket))))
                order = list(range(PARTITIONS))
                random.Random(os.getpid()).shuffle(order)
                for partition in order:
                    publishing.publish_partition(own, partition)
            finally:
                os._exit(0)
        pids.append(pid)
    time.sleep(dice.uniform(0.005, 0.04))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        yield int(os.WIFSIGNALED(os.waitpid(pid, 0)[1]))


def test_after_random_kills_each_root_is_published_once(server: redis.Redis, socket: Path) -> None:
    dice, log = random.Random(), RedisLog(server)
    context, kills, matches = context_over(log), 0, list[str]()
    while kills < KILLS:
        matches += [ended(context) for _ in range(4)]
        kills += sum(children(socket, dice))
    for partition in range(PARTITIONS):
        publishing.publish_partition(context, partition)
    assert sorted(leaf.match for leaf in roots(log)) == sorted(matches)
    assert {leaf.match: leaf for leaf in roots(log)} == {match: of(log, match) for match in matches}
    assert service(log).load_match(matches[0]).match.status == "abandoned"
