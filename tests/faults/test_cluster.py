"""The whole program on a cluster of three primaries and three replicas: two hosts, kills, failovers, a stale replica.

`CLUSTER_KILLS=200` breaks as many things as is asked for; `CLUSTER_SEED` decides what.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.eventstore.servers import NO_SERVER, Server, binaries
from tests.faults.cluster import Cluster
from tests.faults.cluster_campaign import ClusterEvening, start_hosts
from tests.faults.figures import spread, told
from tests.faults.hosts import Host
from tests.faults.shim import short_folder
from tests.faults.test_stale_replica import Played
from tests.infrastructure.machine import eventually

KILLS = int(os.environ.get("CLUSTER_KILLS", "14"))
SEED = int(os.environ.get("CLUSTER_SEED", "1"))
MOVES = 6

pytestmark = [
    pytest.mark.crash,
    pytest.mark.cluster,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the processes to kill are found in /proc"),
    pytest.mark.skipif(not binaries(), reason=NO_SERVER),
]


def test_an_evening_on_a_cluster_loses_nothing_that_was_acknowledged() -> None:
    folder = short_folder()
    evening = ClusterEvening(folder, SEED, KILLS)
    figures = evening.run()
    print(told(figures), f"\nhealed: {spread(evening.healed)}; partitions moved: {evening.moved}")
    assert figures.kills.total() == KILLS
    assert figures.kills["primary"], "no primary died, so less was tested than is said"
    assert figures.acknowledged > KILLS
    shutil.rmtree(folder)  # what broke stays, to be looked at


@pytest.fixture
def lagging() -> Iterator[tuple[Cluster, list[Host]]]:
    """Two hosts on a cluster whose acknowledgements do not wait for replicas."""
    folder, binary = short_folder(), next(iter(binaries().values()))
    cluster, queue = Cluster(binary, min_replicas_to_write="1"), Server(binary)
    hosts: list[Host] = []
    try:
        cluster.start()
        queue.start()
        start_hosts(folder, cluster, queue, hosts, {})
        yield cluster, hosts
    finally:
        for host in hosts:
            host.end()
        queue.remove()
        cluster.remove()
        shutil.rmtree(folder)


def test_what_one_host_signed_and_a_failover_lost_is_frozen_by_the_other_host(
    lagging: tuple[Cluster, list[Host]],
) -> None:
    cluster, (one, two) = lagging
    played = Played(one).begin()
    assert played.move()[0] == 201
    client = cluster.client()
    owner = client.get_node_from_key(f"{{p{played.id[:2]}}}:about")
    (primary,) = (node for node in cluster.nodes if node.port == owner.port)
    replica = cluster.find_replica(primary)
    primary.client.config_set("min-replicas-to-write", 0)
    cluster.kill(replica)  # it misses what comes now
    for _ in range(MOVES):
        assert played.move()[0] == 201
    cluster.kill(primary)
    assert cluster.start_node(replica)
    replica.client.execute_command("CLUSTER", "FAILOVER", "TAKEOVER")  # and somebody puts it in the first one's place
    cluster.await_promotion(replica)
    assert cluster.start_node(primary)
    cluster.await_healed()
    two.await_ready()
    played.apart = two
    status, told = played.move()
    assert (status, told["type"].rpartition("/")[2]) == (423, "log-frozen"), told
    played.ask_for_all_receipts()
    played.apart = one
    one.await_ready()
    played.ask_for_all_receipts()
    played.require_one_history()
    eventually(lambda: played.status() == "frozen", 120)
