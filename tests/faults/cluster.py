"""A cluster as a host would run it: three primaries with a replica each, all on ports of this machine.

Every write is on the disk of its primary before it is answered. A server that is killed is started again over its
files and becomes the replica of the one that took its place.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
from redis.cluster import ClusterNode, RedisCluster

from tests.eventstore.servers import AWAY

SLOTS = 16384
SHARDS = 3
NODE_TIMEOUT_MS = 1000  # without an answer for so long a server counts as failed
HEALED_WITHIN = 180.0
FIRST, SPAN = 10_000, 12_000  # ports to try; each server takes another one, 10 000 above, below those of connections
SETTINGS = {
    "bind": "127.0.0.1", "save": "", "appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction", "cluster-enabled": "yes", "cluster-node-timeout": str(NODE_TIMEOUT_MS),
    "cluster-require-full-coverage": "no", "repl-diskless-sync-delay": "0", "repl-ping-replica-period": "1",
}  # fmt: skip


@dataclass
class Node:
    """A server of the cluster: its port, its folder, its process while it lives."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    is_held: bool = False

    def __post_init__(self) -> None:
        self.client = redis.Redis(port=self.port, socket_timeout=5)

    @property
    def lives(self) -> bool:
        return self.process is not None and self.process.poll() is None and not self.is_held

    def describe(self) -> dict[str, Any]:
        """What it says of its part in replication; {} if it does not answer."""
        try:
            found: dict[str, Any] = self.client.info("replication")
        except AWAY:
            return {}
        return found

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.is_held = number == signal.SIGSTOP


class Cluster:
    """Six servers in a folder of their own."""

    def __init__(self, binary: Path, **settings: str) -> None:
        self._binary, self._settings = binary, SETTINGS | {key.replace("_", "-"): to for key, to in settings.items()}
        self.folder = Path(tempfile.mkdtemp(prefix="rfc"))
        self.nodes: list[Node] = []

    # -- the whole ----------------------------------------------------------------------------------------------------

    def start(self) -> Cluster:
        """Start all and wait until each shard has its replica. Raises AssertionError if that takes too long."""
        ports = itertools.count(FIRST + os.getpid() * 11 % SPAN)  # elsewhere than other test processes
        try:
            while len(self.nodes) < 2 * SHARDS:
                port = next(ports)
                node = Node(port, self.folder / str(port))
                node.folder.mkdir()
                if self.start_node(node):
                    self.nodes.append(node)
            self._join()
        except BaseException:
            self.remove()
            raise
        return self

    def _join(self) -> None:
        first, *others = self.nodes
        for node in others:
            first.client.execute_command("CLUSTER", "MEET", "127.0.0.1", node.port)
        bounds = [SLOTS * number // SHARDS for number in range(SHARDS + 1)]
        for node, begin, end in zip(self.nodes, bounds, bounds[1:], strict=False):
            node.client.execute_command("CLUSTER", "ADDSLOTSRANGE", begin, end - 1)
        self._await(lambda: all(len(node.client.cluster("nodes")) == len(self.nodes) for node in self.nodes))
        for primary, replica in zip(self.nodes, self.nodes[SHARDS:], strict=False):
            name = primary.client.execute_command("CLUSTER", "MYID").decode()
            replica.client.execute_command("CLUSTER", "REPLICATE", name)
        self.await_healed()

    def start_node(self, node: Node) -> bool:
        """Start a server; False if it ended at once, as its port was taken."""
        options = [word for name, to in self._settings.items() for word in (f"--{name}", to)]
        place = ["--port", str(node.port), "--dir", str(node.folder), "--logfile", str(node.folder / "log")]
        node.process, node.is_held = subprocess.Popen([str(self._binary), *place, *options]), False
        until = time.monotonic() + HEALED_WITHIN
        while node.process.poll() is None and time.monotonic() < until:
            try:
                return bool(node.client.info("server")["process_id"] == node.process.pid)
            except AWAY:  # not there yet, or still loading
                time.sleep(0.01)
        return False

    def await_healed(self) -> float:
        """Wait until every shard has a primary and a replica that follows it; return the seconds that took."""
        began = time.monotonic()
        self._await(self.is_healed)
        return time.monotonic() - began

    def is_healed(self) -> bool:
        """Whether all servers live, agree, and each replica follows."""
        told = [node.describe() for node in self.nodes]
        if sum(each.get("role") == "master" and each["connected_slaves"] == 1 for each in told) != SHARDS:
            return False
        followers = [each for each in told if each.get("role") == "slave"]
        up = all(each["master_link_status"] == "up" and not each["master_sync_in_progress"] for each in followers)
        states = (node.client.cluster("info")["cluster_state"] for node in self.nodes if up)
        return up and len(followers) == SHARDS and all(state == "ok" for state in states)

    def _await(self, check: Callable[[], bool]) -> None:
        until = time.monotonic() + HEALED_WITHIN
        while not check():
            assert time.monotonic() < until, f"the cluster did not heal: {[node.describe() for node in self.nodes]}"
            time.sleep(0.05)

    def client(self) -> RedisCluster:
        """A client that finds the right server by itself, whichever of them live."""
        return RedisCluster(startup_nodes=[ClusterNode("127.0.0.1", node.port) for node in self.nodes if node.lives])

    @property
    def url(self) -> str:
        """Where a program asks first: the last server, so that this is not always a primary."""
        return f"redis://127.0.0.1:{self.nodes[-1].port}/0"

    def remove(self) -> None:
        """Kill all of them, and remove their files."""
        for node in self.nodes:
            node.client.close()
            if node.process is not None:
                node.process.kill()
                node.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- what happens to it --------------------------------------------------------------------------------------------

    def list_nodes(self, role: str) -> list[Node]:
        """The living servers of a role: `master` or `slave`."""
        return [node for node in self.nodes if node.lives and node.describe().get("role") == role]

    def find_replica(self, primary: Node) -> Node:
        """The replica that follows a primary."""
        (found,) = (node for node in self.list_nodes("slave") if node.describe()["master_port"] == primary.port)
        return found

    def kill(self, node: Node) -> None:
        """kill -9 of a server."""
        assert node.process is not None
        node.process.kill()
        node.process.wait()

    def await_promotion(self, replica: Node) -> None:
        """Wait until a replica has become a primary."""
        self._await(lambda: replica.describe().get("role") == "master")

    def move_partition(self, partition: int) -> bool:
        """Move the slot of a partition to the next shard while it is in use; False if this server cannot do that."""
        slot = self.nodes[0].client.execute_command("CLUSTER", "KEYSLOT", f"{{p{partition:02d}}}")
        primaries = self.list_nodes("master")
        client = self.client()
        owner = client.get_node_from_key(f"{{p{partition:02d}}}:x")
        client.close()
        (source,) = (node for node in primaries if node.port == owner.port)
        target = primaries[(primaries.index(source) + 1) % len(primaries)]
        name = target.client.execute_command("CLUSTER", "MYID").decode()
        try:
            source.client.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", name)
        except redis.ResponseError as wrong:
            if "unknown" in str(wrong).lower():  # a Redis, or a Valkey before 9
                return False
            raise
        return True
