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

from referee.eventstore.contract import PARTITIONS, MatchLog, partition_of
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import StreamLog
from referee.infrastructure.root_publisher import Publisher
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.table import commands
from referee.transparency.key_chain import ChainKey, RootLeaf, read_leaf
from referee.transparency.merkle import leaf_hash, root_of_leaves
from referee.transparency.receipts import Signer
from tests.service.house import desk
from tests.workers.house import context_of, opened, played
from tests.workers.quarrels import HALTING, quarrelling
from workers import queue
from workers.composition import use_context
from workers.context import Context
from workers.jobs import publishing
from workers.jobs.sweeper import Sweeper

SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def context_over(log: MatchLog) -> Context:
    """A context that publishes."""
    return context_of(log, publisher=Publisher(log, SIGNER, "test"))


@pytest.fixture
def context() -> Context:
    return context_over(MemoryLog())


def ended(context: Context, reason: str = "abandoned") -> str:
    """A match that is over; its id."""
    match = opened(context.desk, "human", "human", begin=False)
    for seat in range(2):
        context.desk.business(match, commands.TakeSeat(seat), key=f"sit{seat}", scope="join")
    context.desk.business(match, commands.Start(), key="start", scope="host")
    context.desk.business(match, commands.End(reason), key="end", scope="host")
    return match


def leaves(log: MatchLog) -> list[ChainKey | RootLeaf]:
    """All leaves of the log of roots, which fit its root."""
    data = log.root_leaves(0, 10_000)
    assert root_of_leaves([leaf_hash(each) for each in data]) == log.roots_head().root
    return [read_leaf(each) for each in data]


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


def drain(context: Context, match: str) -> None:
    """The job that a commit asks for."""
    use_context(context)
    queue.drain(partition_of(match))


def test_a_match_is_published_when_it_is_over_and_not_before(context: Context) -> None:
    match = opened(context.desk, "table", "table")
    drain(context, match)
    assert roots(context.log) == []
    context.desk.business(match, commands.End("abandoned"), key="end", scope="host")
    for _ in range(3):
        drain(context, match)
    assert roots(context.log) == [of(context.log, match)]


def test_a_match_that_the_rules_end_is_published_too(context: Context) -> None:
    match = opened(context.desk, "table", "table")
    played(context.desk, match, 1)
    drain(context, match)
    assert roots(context.log) == [of(context.log, match, "finished")]


def test_one_that_is_withdrawn_before_its_start_is_over_as_well(context: Context) -> None:
    match = opened(context.desk, "human", "human", begin=False)
    context.desk.business(match, commands.End("withdrawn"), key="end", scope="host")
    drain(context, match)
    assert roots(context.log) == [of(context.log, match, "withdrawn")]


def test_while_a_dispute_is_open_nothing_is_published_and_what_it_came_to_afterwards_is(context: Context) -> None:
    at, log = context.desk, context.log
    match = quarrelling(at, "k", HALTING)
    at.business(match, commands.End("agreed"), key="end", scope="host")
    drain(context, match)
    first = of(log, match, "finished")
    ask = OpenDispute("0", first.size - 1, "other", "", None, None, "That was not agreed.")
    number = at.business(match, ask, key="dispute", scope="seat0").entry
    assert at.load(match).match.contested
    drain(context, match)
    assert roots(log) == [first]
    at.business(match, WithdrawDispute(number, "0"), key="withdraw", scope="seat0")
    drain(context, match)
    again = of(log, match, "finished")
    assert again.size > first.size
    assert roots(log) == [first, again]


def test_a_drain_that_nobody_asked_for_is_made_up_for_by_the_sweeper(context: Context) -> None:
    matches = [ended(context) for _ in range(3)]
    Sweeper(context).repair()
    assert {leaf.match for leaf in roots(context.log)} == set(matches)


def test_two_publishers_at_once_publish_each_root_once(context: Context) -> None:
    log = context.log
    matches = [ended(context) for _ in range(6)]
    others = [context_over(log) for _ in range(4)]

    def all_of_it(each: Context) -> None:
        for partition in {partition_of(match) for match in matches}:
            publishing.publish(each, partition)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(all_of_it, others))
    assert sorted(leaf.match for leaf in roots(log)) == sorted(matches)
    assert len(leaves(log)) == 7


class Killed(BaseException):
    """Nothing comes after it, as after kill -9."""


@pytest.mark.parametrize("step", ["roots_head", "add_root", "project"])
@pytest.mark.parametrize("after", [False, True])
def test_a_publisher_that_is_killed_anywhere_leaves_no_gap_and_nothing_twice(
    context: Context, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    log, matches = context.log, [ended(context) for _ in range(4)]
    do = getattr(log, step)

    def dies(*args: Any, **named: Any) -> Any:
        if after:
            do(*args, **named)
        raise Killed

    for match in matches:
        with monkeypatch.context() as patch:
            patch.setattr(log, step, dies)
            with pytest.raises(Killed):
                publishing.publish(context_over(log), partition_of(match))
    fresh = context_over(log)
    for partition in range(PARTITIONS):
        publishing.publish(fresh, partition)
    assert sorted(leaf.match for leaf in roots(log)) == sorted(matches)
    assert len(leaves(log)) == 5


def test_a_damaged_match_keeps_nobody_waiting_and_is_tried_again(
    context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    log: Any = context.log
    bad = ended(context)
    good = ended(context)
    while partition_of(good) != partition_of(bad):
        good = ended(context)
    kept = log._matches[bad].log
    sound = kept[1]
    kept[1] = replace(sound, envelope=sound.envelope.replace(b'"at":', b'"at":1'))
    publishing.publish(context, partition_of(bad))
    published = {leaf.match for leaf in roots(log)}
    assert good in published
    assert bad not in published
    assert f"what {bad} came to cannot be published" in caplog.text
    Sweeper(context).repair()
    assert bad not in {leaf.match for leaf in roots(log)}
    kept[1] = sound
    Sweeper(context).repair()
    assert bad in {leaf.match for leaf in roots(log)}
    assert log.projected(partition_of(bad), publishing.NAME, publishing.BUILD, publishing.STUCK) == {}


def test_without_a_key_nothing_is_published() -> None:
    context = context_of(MemoryLog())
    drain(context, ended(context))
    Sweeper(context).repair()
    assert context.log.roots_head().size == 0


# -- on a real server, by processes that are killed --------------------------------------------------------------------

KILLS = 12


def children(socket: Path, dice: random.Random) -> Iterator[int]:
    """Two publishers at a time, killed after a while; how many of them died by it."""
    pids = []
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            try:
                own = context_over(StreamLog(redis.Redis(unix_socket_path=str(socket))))
                order = list(range(PARTITIONS))
                random.Random(os.getpid()).shuffle(order)
                for partition in order:
                    publishing.publish(own, partition)
            finally:
                os._exit(0)
        pids.append(pid)
    time.sleep(dice.uniform(0.005, 0.04))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        yield int(os.WIFSIGNALED(os.waitpid(pid, 0)[1]))


def test_after_random_kills_each_root_is_published_once(server: redis.Redis, socket: Path) -> None:
    dice, log = random.Random(), StreamLog(server)
    context, kills, matches = context_over(log), 0, list[str]()
    while kills < KILLS:
        matches += [ended(context) for _ in range(4)]
        kills += sum(children(socket, dice))
    for partition in range(PARTITIONS):
        publishing.publish(context, partition)
    assert sorted(leaf.match for leaf in roots(log)) == sorted(matches)
    assert {leaf.match: leaf for leaf in roots(log)} == {match: of(log, match) for match in matches}
    assert desk(log).load(matches[0]).match.status == "abandoned"
