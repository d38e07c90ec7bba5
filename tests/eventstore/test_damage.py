"""A store whose keys no longer fit each other: a commit finds out before it writes, and then writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from redis.exceptions import OutOfMemoryError

from referee.eventstore.contract import LogWriteStatus, StoreFull
from referee.eventstore.redis.log import RedisLog
from tests.eventstore.conftest import FOUND, House
from tests.eventstore.servers import NO_SERVER, Server
from tests.eventstore.writing import MATCH, NOTHING, OTHER, following, grow, head_of

LOG, HEAD = f"{{p07}}:m:{MATCH}:log", f"{{p07}}:m:{MATCH}:head"
FEED, ABOUT = "{p07}:feed", "{p07}:about"


def dump(client: Any) -> dict[bytes, bytes]:
    """Every key with all it holds, but for how long it will live."""
    return {key: client.dump(key) for key in client.scan_iter()}


HISTORY: dict[str, Callable[[Any], Any]] = {
    "the log is gone": lambda client: client.delete(LOG),
    "an entry is gone": lambda client: client.xdel(LOG, "2-0"),
    "the last entry is gone": lambda client: client.xdel(LOG, "3-0"),
    "an entry too many": lambda client: client.xadd(LOG, {"e": "?", "x": "?", "r": "?"}, id="4-0"),
    "another root": lambda client: client.hset(HEAD, "root", b"?" * 32),
    "the head went back": lambda client: client.hset(HEAD, "v", 2),
}


@pytest.mark.parametrize("damage", HISTORY)
def test_a_history_that_does_not_fit_its_head_is_frozen(streams: House, damage: str) -> None:
    grow(streams.log, MATCH, 3)
    grow(streams.log, OTHER, 1)
    head = head_of(streams.log, MATCH)
    HISTORY[damage](streams.client)
    before = dump(streams.client)
    version = 3 if damage == "the head went back" else 4
    commit = following(MATCH, head, "0:new", version=version, reopens_question=True, thinking_ms=1)
    assert streams.log.append(commit).status is LogWriteStatus.FORK
    after = dump(streams.client)
    assert after.pop(HEAD.encode()) != before.pop(HEAD.encode())
    assert after == before
    assert head_of(streams.log, MATCH).status == "frozen"
    grow(streams.log, OTHER, 1)


def test_a_head_that_is_gone_does_not_let_version_one_come_again(streams: House) -> None:
    grow(streams.log, MATCH, 3)
    streams.client.delete(HEAD)
    before = dump(streams.client)
    assert streams.log.append(following(MATCH, NOTHING, "0:new")).status is LogWriteStatus.FORK
    assert dump(streams.client) == before


PARTITION: dict[str, Callable[[Any], Any]] = {
    "the position went back": lambda client: client.hset(ABOUT, "position", 2),
    "the position is gone": lambda client: client.hdel(ABOUT, "position"),
    "the position went ahead": lambda client: client.hset(ABOUT, "position", 9),
    "the feed is gone": lambda client: client.delete(FEED),
    "the feed's last is gone": lambda client: client.xdel(FEED, "4-0"),
}


@pytest.mark.parametrize("damage", PARTITION)
@pytest.mark.parametrize("match", [MATCH, "07-new"])
def test_a_feed_that_does_not_fit_its_position_takes_no_commit(streams: House, damage: str, match: str) -> None:
    grow(streams.log, MATCH, 3)
    grow(streams.log, OTHER, 1)
    PARTITION[damage](streams.client)
    before = dump(streams.client)
    commit = following(match, streams.log.read(match).head, "0:new", reopens_question=True, thinking_ms=1)
    assert streams.log.append(commit).status is LogWriteStatus.FORK
    assert dump(streams.client) == before  # the match's own log is right: it is not frozen


@pytest.mark.skipif(not FOUND, reason=NO_SERVER)
def test_full_memory_refuses_a_commit_whole(own_server: Server) -> None:
    client = own_server.client()
    log = RedisLog(client, (OutOfMemoryError,), "test")
    grow(log, MATCH, 2)
    before = dump(client)
    client.config_set("maxmemory", 1)
    for write in (
        lambda: log.append(following(MATCH, head_of(log, MATCH), "0:new", reopens_question=True, thinking_ms=1)),
        log.check_room,
    ):
        with pytest.raises(StoreFull):
            write()
    client.config_set("maxmemory", 0)
    log.check_room()
    assert dump(client) == before
    grow(log, MATCH, 1)


def test_a_partition_remembers_the_store_it_was_begun_with(streams: House) -> None:
    other = RedisLog(streams.client, store="another")
    assert (streams.log.read_partition_info(7).store, other.read_partition_info(7).store) == ("test", "another")
    grow(streams.log, MATCH, 1)
    grow(other, MATCH, 1)
    assert (streams.log.read_partition_info(7).store, other.read_partition_info(7).store) == ("test", "test")
    assert streams.client.hget(ABOUT, "format") == b"1"
    assert streams.client.hget(ABOUT, "partitions") == b"64"


def test_a_frontier_of_anything_but_hashes_is_no_commit() -> None:
    for frontier in ((b"",), (b"f" * 31,), (b"f" * 32, b"f" * 33)):
        with pytest.raises(ValueError, match="hashes of 32 bytes"):
            following(MATCH, NOTHING, "0:k", frontier=frontier)
