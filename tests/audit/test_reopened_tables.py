"""Bundles of tournaments in which tables were open again, by these rules and by the first ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.audit.bundles.format import Bundle
from referee.tournament import commands
from referee.tournament.deciding import opening
from tests.audit.contest import COMMITTEE, FLOOR, HEAD, Contest
from tests.audit.test_tournaments import report_on


def overturn(it: Contest) -> None:
    """Rule on the last open table, which closes the round, and overturn that."""
    table = it.table(2)
    first, second = table.players
    ruling = commands.RuleResult(len(it.state.rounds), 2, FLOOR, ((first,), (second,)), (), "seen")
    entry = it.do(ruling, f"official:{FLOOR}").entry
    appeal = it.do(commands.OpenAppeal(second, entry, "no"), f"player:{second}").entry
    it.do(commands.VoteOnAppeal(appeal, COMMITTEE, True), f"official:{COMMITTEE}")


def play_first_table(it: Contest) -> None:
    first, second = it.table(1).players
    place = (len(it.state.rounds), 1)
    it.do(commands.ReportResult(*place, ((first,), (second,)), first), f"player:{first}")
    it.do(commands.AnswerResult(*place, second, True), f"player:{second}")


def open_again() -> Contest:
    """An evening with everything that opens a table again, and a table of bots."""
    it = Contest(system="swiss", rounds=3, round_ms=3_600_000)
    it.do(commands.WithdrawInvitation("ab12"))
    it.enter(4)
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    it.do(commands.SeatTable(1, 1, "07-m1"), "server")
    it.do(commands.ReportWait(1, 1, "07-m1", 9, 60_000), "match")
    it.do(commands.ReportLapse(1, 1, "07-m1"), "match")
    it.do(commands.ReopenTable(1, 1, FLOOR, "the battery was empty"), f"official:{FLOOR}")
    play_first_table(it)
    overturn(it)
    assert not it.state.rounds[0].closed
    it.do(commands.Concede(it.table(2).players[0], 1, 2), f"player:{it.table(2).players[0]}")
    assert it.state.rounds[0].closed
    it.finish()
    return it


def find_faults(bundle: Bundle) -> list[str]:
    return [f"{each.version}: {each.reason} {each.params}" for each in report_on(bundle).findings]


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_tables_that_were_open_again_are_decided_again(viewer: str) -> None:
    assert find_faults(open_again().bundle(viewer)) == []


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_a_log_of_the_first_rules_is_decided_by_them(viewer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    complete = opening.complete_format
    monkeypatch.setattr("tests.audit.contest.complete_format", lambda given: replace(complete(given), scheme=0))
    it = Contest(system="swiss", rounds=2)
    it.enter(4)
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    play_first_table(it)
    overturn(it)
    assert it.state.rounds[0].closed, "as it was by the first rules"
    it.do(commands.PairRound())
    it.finish_round()
    it.do(commands.RuleResult(1, 2, HEAD, (it.state.rounds[0].tables[1].players,), (), "even"), f"official:{HEAD}")
    it.do(commands.EndTournament())
    assert find_faults(it.bundle(viewer)) == []
