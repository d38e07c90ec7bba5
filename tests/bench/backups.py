"""Copies of a store under eight writers, its log rewritten all the time: `python -m tests.bench.backups [rounds]`.

For each server of this machine: so many copies are taken, then a server is started on each. Every write that was
acknowledged before the copy has to be there, every match and feed whole; else it stops with an AssertionError.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import redis

from referee.infrastructure.archives.backup import copy_store
from referee.infrastructure.clients import build_client, open_match_log
from referee.infrastructure.embedded.aof_repair import truncate_incomplete
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import StoreBinary, find_installed_binaries
from referee.infrastructure.settings import Settings
from tests.eventstore.writing import add, check_feed, check_whole

MATCHES = tuple(f"{number:02d}-{letter * 26}" for number, letter in enumerate("abcdefgh"))
ENVELOPE = b'{"x":"' + b"y" * 800 + b'"}'


def campaign(binary: StoreBinary, rounds: int, base: Path) -> None:
    """Takes the copies, then looks at each; prints what it took."""
    data = base / "data"
    settings = replace(Settings(data, data, data, data).with_data_dir(data), store_server=binary.path)
    done, stop = dict.fromkeys(MATCHES, 0), threading.Event()
    copies: list[tuple[Path, dict[str, int], dict[str, int]]] = []
    took: list[float] = []
    torn = size = 0
    with EmbeddedServers(data, queue=False, server=binary.path) as keeper:
        named = replace(settings, store_url=keeper.store_url)

        def write(match: str) -> None:
            log = open_match_log(named)
            while not stop.is_set():
                add(log, match, f"0:{done[match]}", ENVELOPE)
                done[match] += 1

        def rewrite() -> None:
            line = build_client(named.store_url or "")
            while not stop.wait(0.1):
                with contextlib.suppress(redis.ResponseError):  # one is under way
                    line.bgrewriteaof()

        threads = [threading.Thread(target=write, args=(match,)) for match in MATCHES]
        threads.append(threading.Thread(target=rewrite))
        for thread in threads:
            thread.start()
        for number in range(rounds):
            time.sleep(0.05)
            target = base / str(number) / "store"
            target.mkdir(parents=True)
            before, began = dict(done), time.perf_counter()
            size += copy_store(data / "store", target)
            took.append(time.perf_counter() - began)
            torn += bool(truncate_incomplete(target))
            copies.append((target.parent, before, dict(done)))
        stop.set()
        for thread in threads:
            thread.join()
    for folder, before, after in copies:
        with EmbeddedServers(folder, queue=False, server=binary.path) as keeper:
            log = open_match_log(replace(settings, store_url=keeper.store_url))
            for match in MATCHES:
                count = check_whole(log, match)
                assert before[match] <= count <= after[match] + 1, (folder, match, before[match], count, after[match])
                check_feed(log, int(match[:2]), {match: count})
    took.sort()
    print(
        f"{binary}: {rounds} copies, {sum(done.values())} writes, {size / rounds / 1e6:.1f} MB a copy, median"
        f" {took[rounds // 2] * 1000:.0f} ms, longest {took[-1] * 1000:.0f} ms, {torn} torn and mended, nothing lost"
    )


if __name__ == "__main__":
    for found in {binary.family: binary for binary in reversed(find_installed_binaries())}.values():
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            campaign(found, int(sys.argv[1]) if len(sys.argv) > 1 else 40, Path(folder))
