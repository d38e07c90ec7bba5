"""`python -m workers rebuild`: a projection anew from the log, and what was wrong with the live one."""

from __future__ import annotations

import pytest

from referee.store.base import Write, partition_of
from referee.store.memory import MemoryLog
from tests.desk.house import desk
from tests.workers.house import context_of, opened
from workers import __main__ as command
from workers import use
from workers.courses import Courses
from workers.projections import LIVE, catch_up


@pytest.mark.parametrize("arguments", [[], ["rebuild"], ["rebuild", "nothing"], ["dig"], ["drain", "bots"]])
def test_wrong_words_are_answered_with_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert "rebuild lobby" in capsys.readouterr().err


def test_a_view_is_rebuilt_and_a_wrong_row_is_told_and_mended(capsys: pytest.CaptureFixture[str]) -> None:
    log = MemoryLog()
    at = desk(log)
    match = opened(at, "table", "table")
    partition = partition_of(match)
    use(context_of(log))
    try:
        catch_up(log, partition, Courses(log), LIVE).or_raise()
        assert command.main(["rebuild", "lobby"]) == 0
        lobby = next(view for view in LIVE if view.name == "lobby")
        cursor = log.cursor(partition, "lobby", lobby.build)
        right = log.projected(partition, "lobby", lobby.build, "matches")
        wrong = (Write("hset", "matches", match, b"{}"),)
        assert log.project(partition, "lobby", lobby.build, cursor, cursor, wrong)
        assert command.main(["rebuild", "lobby"]) == 1
        assert match in capsys.readouterr().out
        assert log.projected(partition, "lobby", lobby.build, "matches") == right
        assert command.main(["rebuild", "lobby"]) == 0
    finally:
        use(None)
