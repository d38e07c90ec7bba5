"""Three masters of a cluster for tests: partitions spread over them, and a script that reached two slots would fail."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import redis
from redis.cluster import RedisCluster

from tests.eventstore.servers import AWAY, START_SECONDS

SLOTS = 16384
COUNT = 3
FIRST, SPAN = 20_000, 12_000  # ports to try; each master takes another one, 10 000 above


class Masters:
    """Servers in cluster mode with all slots between them, on ports of this machine and without anything on disk."""

    def __init__(self, binary: Path) -> None:
        self.binary = binary
        self.folder = Path(tempfile.mkdtemp(prefix="rfs"))
        self.processes: list[subprocess.Popen[bytes]] = []
        self.nodes: list[redis.Redis] = []

    def start(self) -> Masters:
        """Starts them and waits until each knows all. Raises RuntimeError if that takes too long."""
        try:
            ports = itertools.count(FIRST + os.getpid() * 7 % SPAN)  # elsewhere than other test processes
            for _ in range(COUNT):
                while not self._add(next(ports)):
                    pass
            bounds = [SLOTS * number // COUNT for number in range(COUNT + 1)]
            for node, first, end in zip(self.nodes, bounds, bounds[1:], strict=False):
                node.execute_command("CLUSTER", "ADDSLOTS", *range(first, end))
            for node in self.nodes[1:]:
                port = node.get_connection_kwargs()["port"]
                self.nodes[0].execute_command("CLUSTER", "MEET", "127.0.0.1", port)
            until = time.monotonic() + START_SECONDS
            while not all(map(self._whole, self.nodes)):
                if time.monotonic() > until:
                    raise RuntimeError(f"{COUNT} masters of {self.binary} did not find each other")
                time.sleep(0.05)
        except BaseException:
            self.remove()
            raise
        return self

    def _add(self, port: int) -> bool:
        """Starts one on this port; False if it ended at once, for the port was taken."""
        folder = self.folder / str(port)
        folder.mkdir()
        settings = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--logfile", str(folder / "log")]
        settings += ["--cluster-enabled", "yes", "--save", "", "--appendonly", "no"]
        process = subprocess.Popen([str(self.binary), *settings])
        node = redis.Redis(port=port, socket_timeout=5)
        until = time.monotonic() + START_SECONDS
        while process.poll() is None and time.monotonic() < until:
            try:
                mine = node.info("server")["process_id"] == process.pid  # not somebody else's on that port
            except AWAY:  # not there yet
                time.sleep(0.01)
                continue
            if mine:
                self.processes.append(process)
                self.nodes.append(node)
                return True
            break
        process.kill()
        process.wait()
        node.close()
        return False

    def add_replica(self, port: int) -> None:
        """Start a replica of the master on that port."""
        ports = itertools.count(port + 100)
        while not self._add(next(ports)):
            pass
        replica = self.nodes[-1]
        (master,) = (node for node in self.nodes if node.get_connection_kwargs()["port"] == port)
        replica.execute_command("CLUSTER", "MEET", "127.0.0.1", port)
        name, until = master.execute_command("CLUSTER", "MYID"), time.monotonic() + START_SECONDS
        while True:
            try:
                replica.execute_command("CLUSTER", "REPLICATE", name)
                return
            except redis.ResponseError:  # it has not heard of the master yet
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    @staticmethod
    def _whole(node: redis.Redis) -> bool:
        info: dict[str, Any] = node.cluster("info")
        return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(COUNT)

    def client(self) -> RedisCluster:
        """A client that finds the right master by itself."""
        return RedisCluster(host="127.0.0.1", port=self.nodes[0].get_connection_kwargs()["port"])

    def remove(self) -> None:
        """Kills them all."""
        for node in self.nodes:
            node.close()
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)
