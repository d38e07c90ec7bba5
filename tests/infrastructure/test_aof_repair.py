"""A log file that ends in the middle of a transaction is mended before a server reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from referee.infrastructure.embedded import aof_repair
from referee.infrastructure.embedded.aof_repair import (
    MULTI_COMMAND,
    find_append_file,
    find_incomplete_transaction,
    truncate_incomplete,
)
from referee.infrastructure.embedded.servers import EmbeddedServers
from tests.eventstore.servers import NO_SERVER, binaries

FOUND = binaries()


def said(*words: bytes) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


SET = said(b"SET", b"a", b"1")
WHOLE = MULTI_COMMAND + SET + said(b"EXEC")


@pytest.mark.parametrize("before", [b"", SET, WHOLE, WHOLE + SET])
def test_a_transaction_without_an_end_is_found_wherever_it_is_torn(before: bytes) -> None:
    for cut in range(len(MULTI_COMMAND), len(WHOLE)):
        assert find_incomplete_transaction(before + WHOLE[:cut]) == len(before), cut


@pytest.mark.parametrize("text", [b"", SET, WHOLE, SET + WHOLE + SET, WHOLE + SET[:-3], SET + MULTI_COMMAND[:-1]])
def test_what_the_server_itself_cuts_rightly_is_left_to_it(text: bytes) -> None:
    assert find_incomplete_transaction(text) is None


def test_an_end_in_small_letters_is_one() -> None:
    assert find_incomplete_transaction(MULTI_COMMAND + SET + said(b"exec")) is None


def test_a_value_that_holds_the_word_is_no_beginning() -> None:
    assert find_incomplete_transaction(said(b"SET", b"a", b"x" + MULTI_COMMAND)) is None


@pytest.mark.parametrize("manifest", [True, False])
def test_only_the_file_that_is_appended_to_is_cut(tmp_path: Path, manifest: bool) -> None:
    if manifest:
        folder = tmp_path / "appendonlydir"
        folder.mkdir()
        lines = ["file appendonly.aof.2.base.rdb seq 2 type b"]
        lines += [f"file appendonly.aof.{seq}.incr.aof seq {seq} type i" for seq in (2, 3)]
        (folder / "appendonly.aof.manifest").write_text("\n".join(lines) + "\n")
        (folder / "temp-appendonly.aof.manifest").write_text("file appendonly.aof.2.incr.aof seq 2 type i\n")
        (folder / "appendonly.aof.2.incr.aof").write_bytes(WHOLE)
        path = folder / "appendonly.aof.3.incr.aof"
    else:
        path = tmp_path / "appendonly.aof"
    assert find_append_file(tmp_path) is None
    assert truncate_incomplete(tmp_path) == 0
    path.write_bytes(b"")
    assert truncate_incomplete(tmp_path) == 0
    path.write_bytes(SET + WHOLE[:-4])
    assert find_append_file(tmp_path) == path
    assert truncate_incomplete(tmp_path) == len(WHOLE) - 4
    assert path.read_bytes() == SET
    assert truncate_incomplete(tmp_path) == 0


@pytest.fixture(params=FOUND)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> EmbeddedServers:
    return EmbeddedServers(tmp_path / "data", queue=False, server=FOUND[request.param])


def begin(keeper: EmbeddedServers) -> redis.Redis:
    keeper.start()
    return redis.Redis.from_url(str(keeper.store_url))


def crash(keeper: EmbeddedServers) -> None:
    keeper.servers["store"].kill()
    keeper.stop()


@pytest.mark.crash
@pytest.mark.skipif(not FOUND, reason=NO_SERVER)
def test_what_is_written_after_a_torn_transaction_is_there_at_the_start_after_the_next(kept: EmbeddedServers) -> None:
    twice = "redis.call('XADD', KEYS[1], '1-0', 'is', ARGV[1]) redis.call('HSET', KEYS[2], 'is', ARGV[1])"
    begin(kept).eval(twice, 2, "{a}log", "{a}head", "torn")
    crash(kept)
    path = find_append_file(kept.data_dir / "store")
    assert path is not None
    text = path.read_bytes()
    path.write_bytes(text[: text.index(b"HSET") - 2])  # in the middle of the second command

    store = begin(kept)
    assert store.xlen("{a}log") == 0
    store.eval(twice, 2, "{a}log", "{a}head", "whole")
    crash(kept)

    store = begin(kept)
    assert store.hget("{a}head", "is") == b"whole"
    assert store.xrange("{a}log") == [(b"1-0", {b"is": b"whole"})], aof_repair.__doc__
    kept.stop()
