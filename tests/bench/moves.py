"""Matches that move between two real stores, their movers killed at any moment: `python -m tests.bench.moves 200`.

Each round lets a match leave one server and arrive at the other. The process that does it is killed after a time drawn
anew, again and again, until it comes to its end. After each kill the match is in one piece on both, and can be played
on in one place at most; in the end it is there once, and verifies.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from referee.audit.bundles import format as form
from referee.audit.bundles.files import read_bundle_file
from referee.audit.bundles.importing import ALREADY
from referee.cli.commands.histories.export import write_output
from referee.eventstore.redis.log import RedisLog
from tests.eventstore.servers import AWAY, binaries
from tests.eventstore.servers import Server as Store
from tests.transfer.movers import Server, agreed_by_all, plays, running

LONGEST = 0.4  # seconds until a kill
FIRST = 0.01  # until the first one of each move: sooner than anybody is done


@dataclass
class Round:
    """What one round came to: how many movers were killed, and where the match stood then."""

    kills: int = 0
    seen: list[tuple[str, str]] = field(default_factory=list)


def killed_within(seconds: float, act: Callable[[], None]) -> bool:
    """Does something in a process of its own that is killed after so long; whether it was."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            act()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "it failed by itself"
    return os.WIFSIGNALED(status)


def moved(before: Server, after: Server, match: str, folder: Path, dice: random.Random) -> Round:
    """Moves a match, with as many kills as it takes. Raises AssertionError where it is torn, or in two places."""
    found, file = Round(), folder / "moving"

    def act() -> None:
        own = [fresh(before), fresh(after)]
        agreed_by_all(own[0].service, match)
        write_output(
            form.encode_bundle(own[0].moving.build_file_lines(own[0].moving.release_match(match))), file, private=True
        )
        own[1].moving.import_match(read_bundle_file(file))

    for attempt in range(1000):
        if not killed_within(dice.uniform(0.001, LONGEST * (1 + attempt / 10) if attempt else FIRST), act):
            break
        found.kills += 1
        found.seen.append(looked_at(before, after, match))
    here, there = looked_at(before, after, match)
    assert (here, there) == ("moved", "open"), (here, there)
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(folder.glob(".*.part"))
    assert after.moving.import_match(read_bundle_file(file))[0] == ALREADY
    return found


def looked_at(*servers_and_match: object) -> tuple[str, str]:
    """How the match stands on both: one piece on each, open on one at most."""
    *servers, match = servers_and_match
    found = []
    for server in servers:
        assert isinstance(server, Server)
        head = server.log.read(str(match), limit=0).head
        found.append("none" if head is None else head.status)
        if head is not None:
            entries = server.log.read_entries(str(match), 0, 10_000)
            assert (len(entries), entries[-1].root) == (head.version, head.root)
    assert found.count("open") <= 1, found
    return found[0], found[1]


def fresh(server: Server) -> Server:
    """The same server, as a process has it that has just begun."""
    client = STORES[server.name].client()
    return Server(server.name, server.folder, store_log(client))


def store_log(client: object) -> RedisLog:
    """A log in that store."""
    return RedisLog(client, AWAY)


STORES: dict[str, Store] = {}


def rounds(count: int, folder: Path, seed: int = 0) -> list[Round]:
    """So many moves to and fro. Raises AssertionError."""
    dice, (binary, *_) = random.Random(seed), list(binaries().values())
    found = []
    try:
        for name in ("aaa", "bbb"):
            STORES[name] = Store(binary).start()
        first, second = (Server(name, folder, store_log(STORES[name].client())) for name in ("aaa", "bbb"))
        match = running(first)
        for at in range(count):
            before, after = (first, second) if at % 2 == 0 else (second, first)
            found.append(moved(before, after, match, folder, dice))
            plays(after, match, 1, seed=at)
        here = first if count % 2 == 0 else second
        receipts = [*first.receipts, *second.receipts]
        assert here.auditor.audit_match(match, receipts).findings == ()
    finally:
        for store in STORES.values():
            store.remove()
        STORES.clear()
    return found


def main() -> None:
    """Prints what the rounds came to."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        found = rounds(count, Path(folder))
    seen: dict[tuple[str, str], int] = {}
    for each in found:
        for state in each.seen:
            seen[state] = seen.get(state, 0) + 1
    print(f"{len(found)} moves, {sum(each.kills for each in found)} kills; left and reached as they stood then: {seen}")


if __name__ == "__main__":
    main()
