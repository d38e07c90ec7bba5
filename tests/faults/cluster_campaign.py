"""An evening on a cluster: two hosts, three primaries with a replica each, and everything is killed during play.

A seed decides what is played and what dies when. Of the cluster no more is broken at a time than it promises to bear:
one server, and the next one when all follow again. The parts of the hosts die at any time.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee.eventstore.contract import PARTITIONS
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.clients import UNAVAILABLE_ERRORS
from tests.eventstore.servers import Server, binaries
from tests.faults import checks
from tests.faults.acknowledged import GIVE_UP, Ledger
from tests.faults.between import Between
from tests.faults.campaign import wanted
from tests.faults.cluster import Cluster
from tests.faults.figures import Figures
from tests.faults.hosts import Host
from tests.faults.players import Match, Table

GAMES = {"mau_mau", "monster_combat", "shy_monsters", "creature_crush"}  # whose matches end within an evening's kills
OF_CLUSTER = ("primary", "primary", "primary", "replica", "failover", "cut off", "move")
OF_HOSTS = ("api", "api", "gunicorn", "drain", "bots", "sweeper", "horse", "supervisor", "queue")
DOWN = 1.5  # seconds at most that a server stays away before it is started again
GAP = 0.6  # seconds on average between two deaths
WAITING = {"REFEREE_STORE_REPLICAS": "1", "REFEREE_STORE_REPLICAS_MS": "500"}
LOSING = 0.03  # the share of the API's replies that are lost
LATE = 0.5  # from this share of the kills on, only the shortest game is opened
LED_WITHIN = 180.0


def start_hosts(folder: Path, cluster: Cluster, queue: Server, hosts: list[Host], variables: Mapping[str, str]) -> None:
    """Start two hosts, and add them to `hosts`, so that they can be ended whatever comes."""
    named = {"REFEREE_STORE_URL": cluster.url, "REFEREE_QUEUE_URL": f"unix://{queue.socket}"}
    for name in ("one", "two"):
        host = Host(folder, name, {"REFEREE_STORE_CLUSTER": "true", **named, **variables})
        host.take_keys(folder / "keys")
        hosts.append(host)
        host.start()
    for host in hosts:
        host.await_ready()


class ClusterEvening:
    """A run: a folder, a seed, and how many kills and failovers."""

    def __init__(self, folder: Path, seed: int, kills: int, tables: int = 4) -> None:
        self.seed, self.kills, self.folder = seed, kills, folder
        self.dice = random.Random(f"{seed}:cluster")
        self.figures, self.ledger = Figures(), Ledger()
        binary = next(iter(binaries().values()))
        self.cluster, self.queue = Cluster(binary), Server(binary)
        self.hosts: list[Host] = []
        self.between: Between | None = None
        asks = [ask for ask in wanted() if ask["game"] in GAMES]
        self.dice.shuffle(asks)
        self._asks, self._kept_up = asks, threading.Event()
        self.tables = [Table(f"table {at}", self._maker(at, tables), self.ledger) for at in range(tables)]
        self.healed: list[float] = []  # seconds from the loss of a server until all followed again
        self.moved = 0
        self._killed: list[tuple[float, str]] = []

    def _maker(self, at: int, tables: int) -> Callable[[int], Match]:
        def make(number: int) -> Match:
            late = self.figures.kills.total() > LATE * self.kills
            ask = self._shortest() if late else self._asks[(at + number * tables) % len(self._asks)]
            assert self.between is not None
            return Match(
                self.between.address, self.ledger, ask, f"{self.seed}:{at}:{number}", dreaming=0.1, quarrelsome=0.03
            )

        return make

    def _shortest(self) -> dict[str, Any]:
        return next(ask for ask in self._asks if ask["game"] == "shy_monsters" and "chance" not in ask)

    # -- the run ------------------------------------------------------------------------------------------------------

    def run(self) -> Figures:
        """Break things as often as was asked for, let every match end, and check. AssertionError: it broke."""
        began = time.monotonic()
        try:
            self._begin()
            for table in self.tables:
                table.start()
            while self.figures.kills.total() < self.kills:
                self._sound()
                time.sleep(self.dice.uniform(0.0, 2 * GAP))
                if self.dice.random() < 0.5:
                    self._break_cluster(self.dice.choice(OF_CLUSTER))
                else:
                    self._break_host(self.dice.choice(OF_HOSTS))
            self._wind_up()
        except BaseException:
            print(f"seed {self.seed}, after {dict(self.figures.kills)}:")
            for host in self.hosts:
                print(host.words())
            raise
        finally:
            self._kept_up.set()
            if self.between is not None:
                self.between.close()
            for host in self.hosts:
                host.end()
            self.queue.remove()
            self.cluster.remove()
        self.figures.seconds = time.monotonic() - began
        return self.figures

    def _begin(self) -> None:
        self.cluster.start()
        self.queue.start()
        start_hosts(self.folder, self.cluster, self.queue, self.hosts, WAITING)
        threading.Thread(target=self._keep_up, daemon=True).start()
        turns = iter(range(10**9))
        self.between = Between(lambda: self.hosts[next(turns) % 2].address, f"{self.seed}:api", writes=(b"POST",))
        self.between.losing = LOSING

    def _keep_up(self) -> None:
        while not self._kept_up.wait(0.3):
            for host in self.hosts:
                host.keep_up()

    def _sound(self) -> None:
        assert not self.ledger.wrong, f"seed {self.seed}: " + "; ".join(self.ledger.wrong)

    def _await_write(self) -> None:
        """Wait until a write was asked for and acknowledged since the last break."""
        since, began = self._killed[-1][0] if self._killed else 0.0, time.monotonic()
        while not any(asked > since for asked, _ in self.ledger.times[-len(self.tables) - 1 :]):
            self._sound()
            assert time.monotonic() < began + GIVE_UP, f"seed {self.seed}: nothing is acknowledged any more"
            time.sleep(0.02)

    def _note(self, what: str) -> None:
        self.figures.kills[what] += 1
        self._killed.append((time.monotonic(), what))

    # -- what breaks ---------------------------------------------------------------------------------------------------

    def _break_cluster(self, what: str) -> None:
        """Break one thing of the cluster, and wait until it has healed."""
        began = time.monotonic()
        primary = self.dice.choice(self.cluster.list_nodes("master"))
        replica = self.cluster.find_replica(primary)
        if what == "move":
            if self.cluster.move_partition(self.dice.randrange(PARTITIONS)):
                self.moved += 1
            return
        self._note(what)
        if what == "failover":  # as a host does it before an update
            replica.client.execute_command("CLUSTER", "FAILOVER")
            self.cluster.await_promotion(replica)
        elif what == "cut off":  # it stands still for longer than the others wait, and then goes on as if it were one
            primary.signal(signal.SIGSTOP)
            self.cluster.await_promotion(replica)
            time.sleep(self.dice.uniform(0.0, DOWN))
            primary.signal(signal.SIGCONT)
        else:
            gone = primary if what == "primary" else replica
            self.cluster.kill(gone)
            if what == "primary":
                self.cluster.await_promotion(replica)
            time.sleep(self.dice.uniform(0.0, DOWN))
            assert self.cluster.start_node(gone), f"server {gone.port} did not start again"
        self.cluster.await_healed()
        self.healed.append(time.monotonic() - began)
        self._await_write()

    def _break_host(self, what: str) -> None:
        if what == "queue":
            self._note(what)
            self.queue.kill()
            time.sleep(self.dice.uniform(0.0, DOWN))
            self.queue.start()
            return
        pids = self.dice.choice(self.hosts).processes().get(what, [])
        if pids:
            try:
                os.kill(self.dice.choice(pids), signal.SIGKILL)
            except ProcessLookupError:  # it has ended by itself
                return
            self._note(what)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _wind_up(self) -> None:
        for table in self.tables:
            table.closing.set()
        assert self.between is not None
        self.between.losing = 0.0
        for table in self.tables:
            table.join(1200)
            assert not table.is_alive(), f"seed {self.seed}: {table.name} has not come to its end"
        self._sound()
        log = RedisLog(self.cluster.client(), UNAVAILABLE_ERRORS, "checks", spread=True)
        self.figures.led.append(checks.await_views(log, LED_WITHIN))
        found = checks.check_logs(log)
        checks.check_keys(log, found)
        ledger, figures = self.ledger, self.figures
        assert set(ledger.opened) == set(found), "a match was opened that nobody knows of, or one is gone"
        lost = checks.check_acknowledged(log, ledger.writes, self.hosts[0].data / "signing.pem")
        figures.lost = len(lost)
        assert not lost, f"seed {self.seed}: lost {lost[:5]}"
        checks.check_told(log, ledger.writes, found)
        thinking = {match: ask["settings"].get("window_ms", 0) for match, ask in ledger.opened.items()}
        figures.timed_out += checks.check_clock(log, found, thinking)
        figures.courts = Counter(checks.check_courts(log, found))
        checks.check_views(log)
        figures.acknowledged, figures.resent = len(ledger.writes), ledger.resent
        figures.repeated, figures.replies_lost = ledger.repeated, self.between.lost
        figures.finished, figures.stood = len(ledger.finished), ledger.stood
        figures.had += ledger.had
        assert len(ledger.finished) == len(found), "a match has not come to its end"
        times = sorted(ledger.times)
        for at, kind in self._killed:
            if after := [answered for asked, answered in times if asked > at]:
                figures.back.setdefault(kind, []).append(min(after) - at)
