"""Tournaments go on without anybody looking: when a match ends, when time is up, and after a kill."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.infrastructure.root_publisher import RootPublisher
from referee.match.aggregate import Match
from referee.match.errors import MatchUnavailable
from referee.match.loaded import LoadedMatch
from referee.match.table.endings import is_ended_by_tournament
from referee.repository.matches import MatchRepository
from referee.repository.tournaments import TournamentRepository
from referee.service.match_service import MatchService
from referee.service.tournament_service import TournamentService
from referee.tournament.state import Table, Tournament
from tests.api import house
from tests.api.evenings import Evening, opened, taken, wait
from tests.workers.house import Noted
from tests.workers.test_publishing import SIGNER, drain
from workers.context import WorkerContext
from workers.jobs import publishing
from workers.jobs.sweeper import Sweeper


class Bench:
    """A rated table of two at which a result was agreed on, which only those who are no players have seen."""

    def __init__(self, app: Flask, players: int = 2) -> None:
        self.evening: Evening = opened(app, plays="refereed", host_plays=False, rated=True)
        self.evening.enter(players)
        self.evening.start()
        self.matches: MatchService = self.evening.service.matches
        log = self.matches.log
        publisher = RootPublisher(log, SIGNER, "test")
        publisher.ensure_key_published()
        self.context = WorkerContext(self.matches, log, Noted(), lambda: "", publisher, house.SECRET)

    def agree(self, number: int = 1) -> None:
        """Both players of a table agree that the second seat has won."""
        table = self.read_table(number)
        path = f"/v1/matches/{table.match}"
        one, other = (self.evening.players[each] for each in table.players)
        body = {"reason": "agreed", "placement": [[1], [0]]}
        asked = taken(one.post(f"{path}/end", body, If_Match="*"))
        taken(other.post(f"{path}/endings/{asked['ending']['ending']}/consents", {"grant": True}))

    def read_state(self) -> Tournament:
        """The tournament as its log has it; this is no look that lets it go on."""
        return TournamentRepository(self.matches.log).read(self.evening.id).state

    def read_table(self, number: int = 1) -> Table:
        return self.read_state().rounds[0].tables[number - 1]

    def read_match(self) -> Match:
        return self.matches.load_match(self.read_table().match).match

    def build_sweeper(self) -> Sweeper:
        """A sweeper for which no jump of the clock is one."""
        return Sweeper(self.context, lambda: self.context.log.now() / 1000)

    def play_to_the_end(self, sweeper: Sweeper) -> None:
        """Run the jobs that make the result of the table final."""
        self.drain()
        wait(self.evening, self.read_state().format.sign_ms + 1_000)
        sweeper.play_due_deadlines()

    def drain(self) -> None:
        """Run the job for which the last entry of the match asks."""
        drain(self.context, self.read_table().match)


@pytest.fixture
def bench() -> Bench:
    return Bench(house.app())


def test_a_match_that_ends_is_in_its_tournament_at_once(bench: Bench) -> None:
    bench.drain()
    bench.agree()
    assert bench.read_table().result is None
    bench.drain()
    result = bench.read_table().result
    assert result is not None
    assert result.placement == tuple((each,) for each in bench.read_table().players[::-1])


def test_a_result_to_which_nobody_objects_is_final_on_time_and_the_match_follows(bench: Bench) -> None:
    sweeper = bench.build_sweeper()
    bench.agree()
    bench.drain()
    due = bench.read_table().until_ms
    assert bench.context.log.find_next_deadline() == due
    sweeper.play_due_deadlines()
    assert not bench.read_table().final
    wait(bench.evening, bench.read_state().format.sign_ms + 1_000)
    sweeper.play_due_deadlines()
    assert (bench.read_table().final, bench.read_state().rounds[0].closed) == (True, True)
    assert is_ended_by_tournament(bench.read_match())
    assert bench.context.log.find_next_deadline() is None


def test_what_waits_for_its_time_sets_the_deadline_and_an_objection_takes_it_away(bench: Bench) -> None:
    bench.agree()
    bench.drain()
    loser = bench.read_table().players[0]
    bench.evening.give(bench.evening.players[loser], "answer_result", round=1, table=1, agree=False)
    assert bench.context.log.find_next_deadline() is None


class Killed(BaseException):
    """The end of a process in the middle of something."""


@pytest.mark.parametrize("step", range(1, 5))
def test_what_a_killed_worker_had_begun_is_done_once_by_the_next(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    bench.agree()
    steps = 0

    def dying(act: Any) -> Any:
        def done(*arguments: Any, **options: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == step:
                raise Killed
            return act(*arguments, **options)

        return done

    sweeper = bench.build_sweeper()
    with monkeypatch.context() as patched:
        patched.setattr(TournamentService, "_append", dying(TournamentService._append))
        patched.setattr(MatchService, "execute_command", dying(MatchService.execute_command))
        patched.setattr(publishing, "_find_final_status", dying(publishing._find_final_status))
        with pytest.raises(Killed):
            bench.play_to_the_end(sweeper)
    sweeper.repair_stalled_work()
    wait(bench.evening, bench.read_state().format.sign_ms + 1_000)
    sweeper.play_due_deadlines()
    version = TournamentRepository(bench.matches.log).read(bench.evening.id).version
    assert (bench.read_table().final, is_ended_by_tournament(bench.read_match())) == (True, True)
    bench.evening.read_view()
    assert TournamentRepository(bench.matches.log).read(bench.evening.id).version == version, "nothing was left to do"


def test_a_tournament_that_cannot_go_on_holds_up_nobody_and_is_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Bench(bench.evening.app)
    bench.agree()
    other.agree()
    load = TournamentService.load

    def failing(self: TournamentService, tournament: str, *more: Any) -> Any:
        if tournament == bench.evening.id:
            raise RuntimeError("broken")
        return load(self, tournament, *more)

    sweeper = bench.build_sweeper()
    with monkeypatch.context() as patched:
        patched.setattr(TournamentService, "load", failing)
        sweeper.repair_stalled_work()
    assert other.read_table().result is not None
    assert bench.read_table().result is None
    bench.build_sweeper().repair_stalled_work()  # its first repair is a full one
    assert bench.read_table().result is not None


def test_without_the_secret_a_worker_notes_results_and_gives_nobody_a_right(bench: Bench) -> None:
    bench.context = WorkerContext(bench.matches, bench.matches.log, Noted(), lambda: "", bench.context.publisher)
    bench.agree()
    bench.drain()
    assert bench.read_table().result is not None


def test_a_match_that_cannot_be_read_holds_up_no_other_table(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(house.app(), players=4)
    lost, read_match = bench.read_table(1).match, MatchRepository.read_match

    def refuse(repository: MatchRepository, match: str, *keys: str) -> LoadedMatch:
        if match == lost:
            raise MatchUnavailable("frozen", match)
        return read_match(repository, match, *keys)

    monkeypatch.setattr(MatchRepository, "read_match", refuse)
    bench.agree(2)
    assert taken(bench.evening.host.get(bench.evening.path), 200)["rounds"][0]["tables"][1]["result"]
    assert bench.evening.host.get(f"{bench.evening.path}/queue").status_code == 200
    first, second = bench.read_table(1).players
    bench.evening.give(
        bench.evening.host, "rule_result", round=1, table=1, placement=[[first], [second]], because="the match is lost"
    )
    assert bench.read_table(1).final
