"""Matches in which nothing happens: a lobby is closed after a while, but not under the eyes of whoever still comes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.match.aggregate import Match
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.infrastructure.archiving import plain
from tests.service.house import service
from tests.workers.house import opened
from tests.workers.test_archiving import led
from workers.jobs.archiving import CLOSING, DAY_MS, Archiver, ArchiveService
from workers.jobs.idle import CLOSED, IN_USE, close_idle_lobby


@pytest.fixture
def memory() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


@pytest.fixture
def at(memory: MemoryLog, archive: Archive) -> MatchService:
    return service(attach_archive(memory, archive))


def lobby(at: MatchService) -> str:
    return opened(at, "human", "human", begin=False)


@pytest.mark.clause("TABLE-LOBBY-2")
def test_a_lobby_is_closed_after_a_day_and_says_why(at: MatchService, memory: MemoryLog, archive: Archive) -> None:
    old = lobby(at)
    memory.advance_clock(DAY_MS)
    young, running = lobby(at), opened(at, "table", "table")
    memory.advance_clock(1)
    led(at.log)
    archiver = Archiver(ArchiveService(at, archive, plain), 1, CLOSING)
    assert archiver.handle_due_matches(threading.Event()) == 1
    assert [at.load_match(each).match.status for each in (old, young, running)] == ["withdrawn", "lobby", "running"]
    end = at.load_match(old).match.end
    assert end is not None
    assert (end.reason, end.clauses) == ("end_unused", ("TABLE-LOBBY-2",))
    led(at.log)
    assert archiver.handle_due_matches(threading.Event()) == 0


def test_a_lobby_stays_while_something_happens_in_it(at: MatchService, memory: MemoryLog) -> None:
    match = lobby(at)
    memory.advance_clock(DAY_MS)
    at.execute_command(match, commands.TakeSeat(0), key="sit", scope="join")
    memory.advance_clock(DAY_MS)
    assert close_idle_lobby(at, match, memory.now() - DAY_MS) == IN_USE
    memory.record_visit(match, 0, "phone", DAY_MS)
    memory.advance_clock(1)
    assert close_idle_lobby(at, match, memory.now() - DAY_MS) == IN_USE
    memory.advance_clock(DAY_MS)
    assert close_idle_lobby(at, match, memory.now() - DAY_MS) == CLOSED


def test_whoever_comes_at_the_last_moment_is_not_turned_away(
    at: MatchService, memory: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = lobby(at)
    memory.advance_clock(2 * DAY_MS)
    look = MemoryLog.read_present_seats

    def comes(log: MemoryLog, name: str) -> frozenset[int]:
        monkeypatch.setattr(MemoryLog, "read_present_seats", look)
        at.execute_command(match, commands.TakeSeat(1), key="sit", scope="join")
        return look(log, name)

    monkeypatch.setattr(MemoryLog, "read_present_seats", comes)
    assert close_idle_lobby(at, match, memory.now() - DAY_MS) == IN_USE
    table: Match = at.load_match(match).match
    assert (table.status, table.chairs[1].taken) == ("lobby", True)
