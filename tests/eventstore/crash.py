"""Kills a server in the middle of writers and looks what is left.

By hand: `python -m tests.eventstore.crash 200 [redis]`.

A kill takes what a process held in memory, not what a system held for the disk: power loss is another test.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.eventstore.contract import Commit, IdempotencyRecord, LogWriteStatus, StoreUnavailable
from referee.eventstore.redis.log import RedisLog
from tests.eventstore.servers import Server, binaries
from tests.eventstore.writing import check_feed, check_whole, following

MATCHES = ("07-crash-a", "07-crash-b")  # of one partition, so that they share a feed
WRITERS = 4  # two on each match


@dataclass
class Writer:
    """One that commits until the store is away; what it was promised, and what it asked for last."""

    match: str
    name: str
    acknowledged: dict[str, Commit] = field(default_factory=dict)
    unanswered: Commit | None = None
    broken: Exception | None = None

    def write(self, log: RedisLog) -> None:
        """Commits under new keys until the store is away. Another failure is kept in `broken`."""
        try:
            while True:
                head = log.read(self.match, limit=0).head
                key = f"{self.name}:{len(self.acknowledged)}"
                commit = following(self.match, head, key, f"{key} ".encode() * 60)
                self.unanswered = commit
                answer = log.append(commit).status
                self.unanswered = None
                if answer is LogWriteStatus.OK:
                    self.acknowledged[key] = commit
                elif answer is not LogWriteStatus.CONFLICT:
                    raise AssertionError(f"{commit.key}: {answer}")
        except StoreUnavailable:
            return
        except Exception as wrong:  # a thread has nobody to raise to
            self.broken = wrong

    def check(self, log: RedisLog) -> bool:
        """Everything promised is there. What was unanswered is resent: was it there already?"""
        if self.broken is not None:
            raise self.broken
        entries = log.read(self.match).entries
        for key, commit in self.acknowledged.items():
            assert log.read(self.match, key=key, limit=0).known == IdempotencyRecord(commit.version, commit.fingerprint)
            entry = entries[commit.version - 1]
            assert (entry.envelope, entry.sealed, entry.root) == (commit.envelope, commit.sealed, commit.root)
        if self.unanswered is None:
            return False
        commit, self.unanswered = self.unanswered, None
        known = log.read(self.match, key=commit.key, limit=0).known
        resent = log.append(commit)
        if known is not None:
            assert (resent.status, resent.version) == (LogWriteStatus.DUP, known.version)
        else:
            assert resent.status in (LogWriteStatus.OK, LogWriteStatus.CONFLICT)
        if resent.status is not LogWriteStatus.CONFLICT:
            self.acknowledged[commit.key] = commit
        return known is not None


@dataclass
class Course:
    """Kill after kill of one server over the same data."""

    server: Server
    writers: Sequence[Writer] = ()
    kills: int = 0
    unanswered_but_there: int = 0

    def __post_init__(self) -> None:
        self.writers = [Writer(MATCHES[number % 2], f"{number}") for number in range(WRITERS)]

    @property
    def acknowledged(self) -> int:
        """How many commits were promised so far."""
        return sum(len(writer.acknowledged) for writer in self.writers)

    def kill_once(self, after: float) -> None:
        """Writes, kills -9 after so many seconds, starts anew, and checks. AssertionError: something was lost."""
        # several writers, several connections; no resending: what is unanswered stays so
        logs = [self.server.log(retries=0) for _ in self.writers]
        threads = [
            threading.Thread(target=writer.write, args=(log,)) for writer, log in zip(self.writers, logs, strict=True)
        ]
        for thread in threads:
            thread.start()
        time.sleep(after)
        self.server.kill()
        for thread in threads:
            thread.join()
        for log in logs:
            log.client.close()
        self.kills += 1

        self.server.start()
        log = self.server.log()
        counts = {match: check_whole(log, match) for match in MATCHES}
        check_feed(log, 7, counts)
        self.unanswered_but_there += sum(writer.check(log) for writer in self.writers)
        counts = {match: check_whole(log, match) for match in MATCHES}
        check_feed(log, 7, counts)
        assert sum(counts.values()) == self.acknowledged
        log.client.close()


def main(kills: int, family: str | None = None) -> None:
    """So many kills, a new folder every 20; prints what came of them."""
    found = binaries()
    binary = found[family] if family else next(iter(found.values()))
    chance, done, acknowledged, there = random.Random(kills), 0, 0, 0
    print(f"{binary}, {kills} kills, {WRITERS} writers")
    while done < kills:
        server = Server(binary).start()
        try:
            course = Course(server)
            for _ in range(min(20, kills - done)):
                course.kill_once(chance.uniform(0.005, 0.25))
        finally:
            server.remove()
        done += course.kills
        acknowledged += course.acknowledged
        there += course.unanswered_but_there
        print(f"{done} kills: {acknowledged} commits acknowledged, 0 lost, {there} unanswered were there", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2] if len(sys.argv) > 2 else None)
