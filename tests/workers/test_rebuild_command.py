"""`python -m workers rebuild`: a projection anew from the log, and what was wrong with the live one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.eventstore.contract import PARTITIONS, ProjectionWrite, StoreUnavailable, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from tests.service.house import service
from tests.workers.house import context_of, opened
from workers import __main__ as command
from workers.composition import set_context
from workers.projections.public_match import PublicMatches
from workers.projections.rebuild import LOCK_MS, RebuildInProgressError, lock_rebuild
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

pytestmark = pytest.mark.deep


@pytest.mark.parametrize(
    "arguments", [[], ["rebuild"], ["rebuild", "nothing"], ["dig"], ["drain", "bots"], ["list", "lobby"]]
)
def test_wrong_words_are_answered_with_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert "rebuild lobby" in capsys.readouterr().err


def test_a_view_is_rebuilt_and_a_wrong_row_is_told_and_mended(capsys: pytest.CaptureFixture[str]) -> None:
    log = MemoryLog()
    at = service(log)
    match = opened(at, "table", "table")
    partition = partition_for_match(match)
    set_context(context_of(log))
    try:
        catch_up(log, partition, PublicMatches(log), LIVE_PROJECTIONS).raise_failures()
        assert command.main(["rebuild", "lobby"]) == 0
        lobby = next(view for view in LIVE_PROJECTIONS if view.name == "lobby")
        cursor = log.read_cursor(partition, "lobby", lobby.build)
        right = log.read_projection(partition, "lobby", lobby.build, "matches")
        wrong = (ProjectionWrite("hset", "matches", match, b"{}"),)
        assert log.apply_projection(partition, "lobby", lobby.build, cursor, cursor, wrong)
        assert command.main(["rebuild", "lobby"]) == 1
        assert match in capsys.readouterr().out
        assert log.read_projection(partition, "lobby", lobby.build, "matches") == right
        assert command.main(["rebuild", "lobby"]) == 0
    finally:
        set_context(None)


@pytest.mark.parametrize("words", [["rebuild", "lobby"], ["list"]])
def test_a_store_that_is_away_is_no_projection_that_was_wrong(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave(*_: object) -> tuple[int, ...]:
        raise StoreUnavailable("connection refused")

    log = MemoryLog()
    monkeypatch.setattr(log, "read_partition_cursors", leave)
    monkeypatch.setattr(log, "drop_projection", leave)
    monkeypatch.setattr(command, "open_log", lambda: log)
    set_context(context_of(log))
    try:
        assert command.main(words) == 69
    finally:
        set_context(None)
    assert capsys.readouterr().err == "the store is away: connection refused\n"


def test_of_feeds_that_grow_and_are_read_meanwhile_no_less_than_nothing_is_to_come(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = MemoryLog()
    at = service(log)
    cursors = log.read_partition_cursors

    def later(name: str, build: int) -> tuple[int, ...]:
        catch_up(
            log, partition_for_match(opened(at, "table", "table")), PublicMatches(log), LIVE_PROJECTIONS
        ).raise_failures()
        return cursors(name, build)

    monkeypatch.setattr(log, "read_partition_cursors", later)
    set_context(context_of(log))
    try:
        assert command.main(["list"]) == 0
    finally:
        set_context(None)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == len(LIVE_PROJECTIONS)
    assert told[-1]["lag"] == 0
    assert told[0]["lag"] > 0
    assert all(view["lag"] >= 0 for view in told)


def test_how_far_each_view_has_read_is_listed_and_all_are_rebuilt_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = MemoryLog()
    at = service(log)
    match = opened(at, "table", "table")
    set_context(context_of(log))
    try:
        catch_up(log, partition_for_match(match), PublicMatches(log), LIVE_PROJECTIONS[:1]).raise_failures()
        assert command.main(["list"]) == 0
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        read = at.load_match(match).version
        assert [(view["name"], view["build"]) for view in told] == [
            (view.name, view.build) for view in LIVE_PROJECTIONS
        ]
        assert [(view["read"], view["lag"]) for view in told] == [(read, 0)] + [(0, read)] * (len(LIVE_PROJECTIONS) - 1)
        assert command.main(["rebuild", "all"]) == 0
        out = capsys.readouterr().out
        assert all(f"{view.name}: {read} entries read" in out for view in LIVE_PROJECTIONS)
    finally:
        set_context(None)


def test_a_process_of_its_own_rebuilds_what_real_games_have_played(server: redis.Redis, socket: Path) -> None:
    """In a process that has read no game before, no fact of a game can be told from another."""
    played = """
import sys
from referee.games import load_games
from referee.eventstore.redis.log import RedisLog
from tests.service.house import service
from tests.workers.house import opened
import redis
load_games()
for game in ("here_to_slay", "monster_combat", "shy_monsters"):
    opened(service(RedisLog(redis.Redis(unix_socket_path=sys.argv[1]))), "table", "table", game=game,
           variant=load_games()[game].variants[0])
"""
    root, folder = Path(__file__).parents[2], socket.parent
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")},
        "PYTHONPATH": str(root),
        "REFEREE_STORE_URL": f"unix://{socket}",
        "REFEREE_DATA_DIR": str(folder),
    }
    options: dict[str, Any] = {"env": environment, "capture_output": True, "text": True, "check": False}
    made = subprocess.run([sys.executable, "-c", played, str(socket)], **options)
    assert made.returncode == 0, made.stderr
    done = subprocess.run([sys.executable, "-m", "workers", "rebuild", "standings", "lobby"], **options)
    assert done.returncode == 0, done.stderr
    log = RedisLog(server)
    entries = sum(log.read_partition_info(partition).position for partition in range(PARTITIONS))
    assert f"standings: {entries} entries read, 0 rows differed" in done.stdout
    assert {row["game"] for row in rows(log)} == {"here_to_slay", "monster_combat", "shy_monsters"}


def rows(log: RedisLog) -> list[dict[str, Any]]:
    """What the live view of standings holds."""
    found = log.read_across_partitions("standings", PROJECTION_VERSIONS["standings"], "matches").values()
    return [json.loads(body) for _, kept in found for body in kept.values()]


def test_two_do_not_rebuild_one_view_at_once() -> None:
    log = MemoryLog()
    with lock_rebuild(log, "lobby"):
        with pytest.raises(RebuildInProgressError), lock_rebuild(log, "lobby"):
            pytest.fail("two at once")
        with lock_rebuild(log, "summary"):
            pass
    with lock_rebuild(log, "lobby"):
        pass


def test_a_rebuild_that_was_killed_stands_in_the_way_for_a_while_only() -> None:
    log = MemoryLog()
    killed = lock_rebuild(log, "lobby")
    killed.__enter__()
    log.advance_clock(LOCK_MS - 1)
    with pytest.raises(RebuildInProgressError), lock_rebuild(log, "lobby"):
        pytest.fail("too soon")
    log.advance_clock(2)
    with lock_rebuild(log, "lobby"):
        pass
