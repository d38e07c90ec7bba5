"""Tournaments in the feeds: they move the cursors, their roots are published, and no worker takes one for a match."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import pytest

from referee.audit.bundles.archiving import archive_match
from referee.eventstore.contract import MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.match.errors import UnknownMatch
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.service.tournament_service import TournamentService
from referee.tournament import commands
from tests.infrastructure.archiving import plain
from tests.service.house import service
from tests.service.test_tournaments import enter, open_tournament, run
from tests.workers.house import Noted, context_of, opened, played
from tests.workers.posting import hooked, office, post, rows
from tests.workers.test_publishing import context_over, drain, of, roots
from workers.context import WorkerContext
from workers.jobs import archiving, recovery
from workers.jobs.idle import close_idle_lobby
from workers.jobs.sweeper import Sweeper
from workers.projections.rebuild import rebuild_projection
from workers.projections.runner import LIVE_PROJECTIONS, catch_up


def open_beside(context: WorkerContext, match: str) -> tuple[TournamentService, str]:
    """Open a tournament whose log lies in the partition of a match."""
    at = TournamentService(context.service)
    keys = (f"key {number}" for number in itertools.count())
    key = next(key for key in keys if at.name_tournament(key)[:2] == match[:2])
    return at, open_tournament(at, key=key)


def list_rows(log: MatchLog, partition: int) -> set[str]:
    """Return the names that any live projection has a row for."""
    return {
        name
        for view in LIVE_PROJECTIONS
        for suffix, kind in view.suffixes.items()
        if kind == "hash" and suffix == "matches"
        for name in log.read_projection(partition, view.name, view.build, suffix)
    }


def test_a_feed_with_both_is_projected_to_its_end_and_tells_of_the_match_alone(log: MatchLog) -> None:
    context = context_of(log)
    match = opened(context.service, "table", "table")
    at, tournament = open_beside(context, match)
    played(context.service, match, 1, 4)
    for number in range(3):
        enter(at, tournament, number)
    partition = partition_for_match(match)
    drain(context, match)
    info = log.read_partition_info(partition)
    stand = log.read_view_cursors(partition, [(view.name, view.build) for view in LIVE_PROJECTIONS])
    assert set(stand) == {info.position}
    assert list_rows(log, partition) == {match}
    result = catch_up(log, partition, context.public_matches, LIVE_PROJECTIONS)
    assert (result.failures, result.reached_end) == ((), True)
    enter(at, tournament, 3)  # a batch with nothing of any match
    result = catch_up(log, partition, context.public_matches, LIVE_PROJECTIONS)
    assert (dict(result.latest_seen), result.tournaments, result.failures) == ({}, {tournament}, ())
    assert rebuild_projection(log, "summary", PROJECTION_VERSIONS["summary"] + 1) == info.position + 1


def test_a_webhook_hears_of_the_match_alone(log: MatchLog) -> None:
    context = context_of(log)
    hook = hooked(log)
    match = opened(context.service, "table", "table")
    at, tournament = open_beside(context, match)
    enter(at, tournament, 0)
    post(office(log))
    told = [row.body for row in rows(log, hook)]
    assert told
    assert not [body for body in told if tournament in body]


def test_the_root_of_a_tournament_is_published_once_it_is_over() -> None:
    context = context_over(MemoryLog())
    match = opened(context.service, "table", "table")
    at, tournament = open_beside(context, match)
    enter(at, tournament, 0)
    drain(context, tournament)
    assert roots(context.log) == []
    run(at, tournament, commands.EndTournament(), "end")
    for _ in range(2):
        drain(context, tournament)
    assert roots(context.log) == [of(context.log, tournament, "withdrawn")]
    played(context.service, match, 1)
    drain(context, match)
    assert roots(context.log) == [
        of(context.log, tournament, "withdrawn"), of(context.log, match, "finished"),
    ]  # fmt: skip


def test_the_sweeper_publishes_what_no_job_has_and_leaves_tournaments_alone() -> None:
    context = context_over(MemoryLog())
    at = TournamentService(context.service)
    over, going = open_tournament(at, 2, key="over"), open_tournament(at, 2, key="going")
    run(at, over, commands.EndTournament(), "end")
    sweeper = Sweeper(context)
    sweeper.repair_stalled_work()
    sweeper.play_due_deadlines()
    assert roots(context.log) == [of(context.log, over, "withdrawn")]
    assert at.load(going).version == 3


def test_no_errand_for_matches_takes_a_tournament(tmp_path: Path) -> None:
    memory, archive = MemoryLog(), Archive(tmp_path / "archive")
    matches = service(attach_archive(memory, archive))
    at = TournamentService(matches)
    over, going = open_tournament(at, 2, key="over"), open_tournament(at, 2, key="going")
    run(at, over, commands.EndTournament(), "end")
    memory.advance_clock(100 * archiving.DAY_MS)
    by = archiving.ArchiveService(matches, archive, plain)
    for tournament in (over, going):
        catch_up(memory, int(tournament[:2]), context_of(memory).public_matches, LIVE_PROJECTIONS).raise_failures()
        assert by.archive_match(tournament, now=True) == ("unknown", "")
        with pytest.raises(UnknownMatch):
            archive_match(matches, archive, tournament, plain, now=True)
        with pytest.raises(UnknownMatch):
            close_idle_lobby(matches, tournament, 1 << 52)
        hints = Noted()
        recovery.recover_match(context_of(memory, hints), tournament)
        assert hints.asked == []
    for errand in (archiving.ARCHIVING, archiving.CLOSING, archiving.SLEEPING):
        assert archiving.Archiver(by, 1, errand).handle_due_matches(threading.Event()) == 0
    assert [at.load(each).head.status for each in (over, going)] == ["over", "open"]
