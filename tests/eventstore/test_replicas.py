"""Writes on a store with a replica: answered when the replica has them, and never lost when it takes over."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from referee.eventstore.contract import LogWriteStatus, PartitionProgress, StoreUnavailable
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.clients import UNAVAILABLE_ERRORS, build_client
from tests.eventstore.masters import Masters
from tests.eventstore.replicas import Pair, free_port
from tests.eventstore.servers import AWAY, NO_SERVER, START_SECONDS, binaries
from tests.eventstore.writing import MATCH, add, following, head_of
from tests.faults.cluster import Cluster

pytestmark = [pytest.mark.deep, pytest.mark.crash, pytest.mark.skipif(not binaries(), reason=NO_SERVER)]


@pytest.fixture
def pair() -> Iterator[Pair]:
    with Pair() as made:
        yield made


def log_of(client: redis.Redis, replicas: int = 1) -> RedisLog:
    return RedisLog(client, AWAY, "test", replicas=replicas, replicas_within_ms=500)


def test_what_was_answered_is_on_the_replica_and_stays_when_it_takes_over(pair: Pair) -> None:
    log = log_of(pair.main.client())
    log.put_grant(MATCH, "token", b"record")
    for number in range(1, 6):
        add(log, MATCH, f"0:{number}")
    pair.fail_over()
    after = log_of(pair.replica.client(), replicas=0)
    assert head_of(after, MATCH).version == 5
    assert after.read_grants(MATCH) == {"token": b"record"}


def test_without_the_replica_nothing_is_answered_and_a_repeated_write_waits_again(pair: Pair) -> None:
    log = log_of(pair.main.client(retries=0))
    add(log, MATCH, "0:1")
    commit = following(MATCH, head_of(log, MATCH), "0:2")
    with pair.held():
        for _ in range(2):  # the second one is a DUP on another connection, which has written nothing itself
            with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
                log.append(commit)
            log.client.connection_pool.disconnect()
        for ask in (
            lambda: log.put_grant(MATCH, "t", b"r"),
            lambda: log.wait_for_replicas(MATCH),
            log.wait_for_replicas,
        ):
            with pytest.raises(StoreUnavailable):
                ask()
        assert head_of(log, MATCH).version == 2, "it is there, and reads do not wait"
    assert log.append(commit).status is LogWriteStatus.DUP
    log.wait_for_replicas(MATCH)
    pair.fail_over()
    assert head_of(log_of(pair.replica.client(), 0), MATCH).version == 2


def test_a_store_that_insists_on_replicas_itself_is_away_without_them(pair: Pair) -> None:
    main = pair.main.client(retries=0)
    log = log_of(main, replicas=0)
    add(log, MATCH, "0:1")
    main.config_set("min-replicas-to-write", 2)
    with pytest.raises(StoreUnavailable, match="NOREPLICAS"):
        log.append(following(MATCH, head_of(log, MATCH), "0:2"))
    with pytest.raises(StoreUnavailable, match="NOREPLICAS"):
        log.put_grant(MATCH, "t", b"r")


def test_a_server_that_becomes_a_replica_meanwhile_is_away_and_not_at_fault(pair: Pair) -> None:
    log = RedisLog(pair.main.client(retries=0), AWAY, "test", replicas=1, replicas_within_ms=5000)
    add(log, MATCH, "0:1")
    commit = following(MATCH, head_of(log, MATCH), "0:2")
    waits: tuple[Callable[[], object], ...] = (
        lambda: log.append(commit),
        lambda: log.wait_for_changes({int(MATCH[:2]): PartitionProgress(10**6, 0)}, 5000),
    )
    for wait in waits:
        with pair.held(), ThreadPoolExecutor(1) as one:
            waiting = one.submit(wait)
            until = time.monotonic() + START_SECONDS
            while not pair.main.client().info("clients")["blocked_clients"]:
                assert time.monotonic() < until, "nobody waits"
                time.sleep(0.01)
            pair.main.client().replicaof("127.0.0.1", free_port())
            with pytest.raises(StoreUnavailable, match="UNBLOCKED"):
                waiting.result()
            pair.main.client().replicaof("NO", "ONE")


def test_a_script_that_the_server_does_not_know_is_loaded_and_waited_for(pair: Pair) -> None:
    log = log_of(pair.main.client())
    pair.main.client().script_flush()
    add(log, MATCH, "0:1")
    assert head_of(log, MATCH).version == 1


@pytest.mark.cluster
def test_in_a_cluster_each_write_waits_for_the_replica_of_its_own_server() -> None:
    masters = Masters(next(iter(binaries().values()))).start()
    try:
        client = masters.client()
        log = RedisLog(client, AWAY, "test", spread=True, replicas=1, replicas_within_ms=500)
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            log.put_grant(MATCH, "token", b"record")
        owner = client.get_node_from_key(f"{{p{MATCH[:2]}}}:about")
        masters.add_replica(owner.port)
        line = client.get_redis_connection(owner)
        until = time.monotonic() + START_SECONDS
        while not line.set(f"{{p{MATCH[:2]}}}:begun", "1") or line.wait(1, 200) < 1:
            assert time.monotonic() < until, "the replica did not find its server"
        add(log, MATCH, "0:1")
        log.put_grant(MATCH, "token", b"record")
        elsewhere = next(
            match
            for match in (f"{number:02d}-{'a' * 26}" for number in range(64))
            if client.get_node_from_key(f"{{p{match[:2]}}}:about") != owner
        )
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            log.wait_for_replicas(elsewhere)
    finally:
        masters.remove()


def owner_of(client: redis.RedisCluster, match: str) -> int:
    port: int = client.get_node_from_key(f"{{p{match[:2]}}}:about").port
    return port


@pytest.mark.cluster
def test_a_write_follows_its_partition_while_it_moves_and_after_its_server_died() -> None:
    cluster = Cluster(next(iter(binaries().values())), cluster_node_timeout="3000").start()
    try:
        client, name = build_client(cluster.url, cluster=True, within=3.0), f"{{p{MATCH[:2]}}}:about"
        log = RedisLog(client, UNAVAILABLE_ERRORS, "test", spread=True, replicas=1, replicas_within_ms=500)
        owner = client.get_node_from_key(name)
        (source,) = (node for node in cluster.nodes if node.port == owner.port)
        target = next(node for node in cluster.list_nodes("master") if node is not source)
        slot = source.client.execute_command("CLUSTER", "KEYSLOT", name)
        ids = [node.client.execute_command("CLUSTER", "MYID") for node in (source, target)]
        target.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
        source.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
        for write in (lambda: log.wait_for_replicas(MATCH), lambda: add(log, MATCH, "0:1")):
            with pytest.raises(StoreUnavailable):  # nobody has all keys: no script runs before they have moved
                write()
        for node in (target, source):
            node.client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
        add(log, MATCH, "0:1")
        add(log, MATCH, "0:2")
        names = [f"{number:02d}-{'a' * 26}" for number in range(64)]
        elsewhere = next(name for name in names if owner_of(client, name) not in (source.port, target.port))
        prompt = RedisLog(build_client(cluster.url, cluster=True, within=0.5), UNAVAILABLE_ERRORS, "test", spread=True)
        target.signal(signal.SIGSTOP)
        for call in (prompt.read_positions, lambda: prompt.put_grant(MATCH, "t", b"r")):
            began = time.monotonic()
            with pytest.raises(StoreUnavailable):
                call()
            assert time.monotonic() - began < 1.2, "once in time, not once for each of the client's own tries"
        target.signal(signal.SIGCONT)
        replica = cluster.find_replica(target)
        cluster.kill(target)
        with pytest.raises(StoreUnavailable):
            add(log, MATCH, "0:3")
        add(log, elsewhere, "0:1")
        since = {int(match[:2]): PartitionProgress(0, 0) for match in (MATCH, elsewhere)}
        assert set(log.wait_for_changes(since, 0)) == {int(elsewhere[:2])}, "the lost part hides no changes of others"
        with pytest.raises(StoreUnavailable):
            log.read_feeds(dict.fromkeys(since, 0))
        with pytest.raises(StoreUnavailable):
            log.wait_for_changes({int(MATCH[:2]): PartitionProgress(0, 0)}, 0)
        cluster.await_promotion(replica)
        assert cluster.start_node(target)
        cluster.await_healed()
        add(log, MATCH, "0:3")
        assert head_of(log, MATCH).version == 3
        assert log.read_positions()[int(MATCH[:2])] == 3
        assert log.wait_for_changes({int(MATCH[:2]): PartitionProgress(1, 0)}, 0)[int(MATCH[:2])].versions == {MATCH: 3}
    finally:
        cluster.remove()
