"""Tables that are open again: matches without a result, rulings that no longer count, tables of bots."""

from __future__ import annotations

import pytest

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.tournament import commands
from referee.tournament.deciding.possible import Giver, list_possible_kinds
from referee.tournament.events import ResultRestored, RoundClosed, RoundReopened
from referee.tournament.state import REFEREED, Tournament
from tests.tournament.evening import COMMITTEE, FLOOR, HEAD, Evening, with_format


def refereed() -> Evening:
    """Four players at two refereed tables, whose matches are open."""
    at = Evening(with_format(plays=REFEREED))
    at.start(4)
    for number in (1, 2):
        at.do(commands.SeatTable(1, number, f"07-m{number}"))
    return at


def ruled(scheme: int = 1) -> Evening:
    """Four players; the last table of the first round was ruled on, and the players appeal."""
    at = Evening(scheme=scheme)
    at.start(4)
    at.report(1)
    at.sign(1)
    first, second = at.table(2).players
    at.do(commands.RuleResult(1, 2, FLOOR, ((first,), (second,)), (), "seen"))
    return at


def overturn(at: Evening, player: int, about: int) -> tuple[Event, ...]:
    at.do(commands.OpenAppeal(player, about, "no"))
    return at.do(commands.VoteOnAppeal(at.version, COMMITTEE, True))


def kinds(at: Evening, **giver: object) -> set[str]:
    found = list_possible_kinds(at.state, at.version, at.now_ms, Giver(**giver))  # type: ignore[arg-type]
    return {kind.TAG.removeprefix("tournament.") for kind in found}


# -- matches without a result ------------------------------------------------------------------------------------------


@pytest.mark.clause("TOURNAMENT-ROUND-3")
def test_a_table_whose_match_ended_without_a_result_gets_a_new_one_from_an_official() -> None:
    at = refereed()
    again = commands.ReopenTable(1, 1, FLOOR, "the battery was empty")
    at.refuses("match_not_lapsed", again)
    at.do(commands.ReportLapse(1, 1, "07-m1"))
    assert (at.table().lapsed, at.table().final) == (True, False)
    assert at.do(commands.ReportLapse(1, 1, "07-m1")) == ()
    at.refuses("reason_missing", commands.ReopenTable(1, 1, FLOOR, " "))
    at.refuses("committee_only", commands.ReopenTable(1, 1, COMMITTEE, "x"))
    assert "reopen_table" in kinds(at, officer=FLOOR)
    at.do(again)
    assert (at.table().lapsed, at.table().match, at.table().former) == (False, "", ("07-m1",))
    assert "reopen_table" not in kinds(at, officer=FLOOR)
    at.do(commands.SeatTable(1, 1, "07-m3"))
    at.do(commands.ReportLapse(1, 1, "07-m1"))
    assert not at.table().lapsed, "of a match that is played there no more"


@pytest.mark.clause("TOURNAMENT-ROUND-3")
def test_an_official_may_rule_such_a_table_as_well_and_its_result_counts() -> None:
    at = refereed()
    at.do(commands.ReportLapse(1, 1, "07-m1"))
    first, second = at.table().players
    at.do(commands.RuleResult(1, 1, HEAD, ((first,), (second,)), (), "the position was won"))
    assert (at.table().final, at.table().lapsed) == (True, False)
    at.refuses("result_final", commands.ReopenTable(1, 1, HEAD, "x"))


# -- rulings that no longer count --------------------------------------------------------------------------------------


@pytest.mark.clause("TOURNAMENT-ROUND-2")
def test_a_round_whose_table_is_open_again_is_open_too() -> None:
    at = ruled()
    assert at.state.rounds[0].closed
    first, second = at.table(2).players
    events = overturn(at, second, at.version)
    assert [type(each) for each in events[-2:]] == [ResultRestored, RoundReopened]
    assert not at.state.rounds[0].closed
    at.refuses("round_open", commands.PairRound())
    assert "pair" not in kinds(at, is_director=True)
    assert {"report", "concede", "call"} <= kinds(at, player=second)
    at.do(commands.ReportResult(1, 2, ((second,), (first,)), first))
    (*_, closed) = at.do(commands.AnswerResult(1, 2, second, True))
    assert closed == RoundClosed(1)
    at.do(commands.PairRound())


@pytest.mark.clause("TOURNAMENT-ROUND-2")
def test_an_older_round_is_open_again_and_ends_by_itself() -> None:
    at = ruled()
    about = at.version
    at.do(commands.PairRound())
    second = at.state.rounds[0].tables[1].players[1]
    overturn(at, second, about)
    assert [one.closed for one in at.state.rounds] == [False, False]
    assert {"report", "concede", "leave"} <= kinds(at, player=second)
    at.finish_round()
    assert [one.closed for one in at.state.rounds] == [False, True]
    at.refuses("round_open", commands.PairRound())
    at.refuses("no_open_table", commands.Concede(second, 2, 1))
    at.do(commands.Concede(second, 1, 2))
    assert [one.closed for one in at.state.rounds] == [True, True]
    assert at.state.rounds[0].tables[1].result is not None
    assert at.state.rounds[0].tables[1].result.forfeits == (second,)
    at.do(commands.PairRound())


def test_who_leaves_loses_every_table_that_is_open() -> None:
    at = ruled()
    about = at.version
    at.do(commands.PairRound())
    second = at.state.rounds[0].tables[1].players[1]
    overturn(at, second, about)
    out = at.penalize(second, "disqualification", "cheating", HEAD)
    tables = [one.find_table_of(second) for one in at.state.rounds]
    assert all(each is not None and each.final for each in tables)
    at.do(commands.Expunge(out, HEAD, "mistaken"))
    tables = [one.find_table_of(second) for one in at.state.rounds]
    assert not any(each is not None and each.final for each in tables), "both are open again"


def test_older_logs_are_decided_by_the_first_rules() -> None:
    at = ruled(scheme=0)
    second = at.table(2).players[1]
    events = overturn(at, second, at.version)
    assert events[-1] == ResultRestored(at.version - 2, 2)
    assert at.state.rounds[0].closed
    at.do(commands.PairRound())


# -- bots, and invitations ---------------------------------------------------------------------------------------------


@pytest.mark.clause("TOURNAMENT-RESULT-5")
def test_a_table_of_two_bots_is_recorded_by_the_host_or_an_official() -> None:
    at = Evening(with_format(system="manual"))
    at.start(1, bots=4)
    at.do(commands.PairRound(((1, 2), (3, 4))))
    assert "record_result" in kinds(at, is_host=True)
    at.refuses("placement_wrong", commands.RecordResult(1, 1, ((1,),)))
    at.do(commands.RecordResult(1, 1, ((2,), (1,))))
    assert (at.table(1).by, at.table(1).final) == ("host", True)
    at.refuses("committee_only", commands.RecordResult(1, 2, ((3,), (4,)), COMMITTEE))
    at.do(commands.RecordResult(1, 2, ((3,), (4,)), FLOOR))
    assert (at.table(2).by, at.state.rounds[0].closed) == (f"official:{FLOOR}", True)
    assert "record_result" not in kinds(at, is_host=True)
    at.do(commands.PairRound(((0, 1),)))
    at.refuses("people_report", commands.RecordResult(2, 1, ((0,), (1,))))


@pytest.mark.clause("TOURNAMENT-ENTRY-3")
def test_a_withdrawn_invitation_is_an_entry_once() -> None:
    at = Evening()
    assert at.do(commands.WithdrawInvitation("ab12"))
    assert at.do(commands.WithdrawInvitation("ab12")) == ()
    assert at.state.withdrawn == ("ab12",)


# -- what can be done --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["manual", "knockout", "swiss"])
def test_what_is_listed_is_what_is_not_refused(system: str) -> None:
    at = Evening(with_format(system=system))
    at.enter(4)
    assert kinds(at, is_director=True, is_host=True) == {"start", "end", "enter"}
    assert kinds(at, player=0) == {"leave"}
    at.do(commands.StartTournament())
    tables = ((0, 1), (2, 3)) if system == "manual" else ()
    assert "pair" in kinds(at, is_director=True)
    at.do(commands.PairRound(tables))
    assert not {"pair", "end"} & kinds(at, is_director=True)
    for number in (1, 2):
        table = at.table(number)
        at.do(commands.ReportResult(1, number, (table.players,), table.players[0]))  # a draw
        at.sign(number)
    drawn = kinds(at, is_director=True)
    assert ("pair" in drawn) == (system != "knockout"), "who goes on is not known"
    assert ("end" in drawn) == (system == "manual")
    if system == "knockout":
        assert "rule_result" in kinds(at, officer=FLOOR)
        for number in (1, 2):
            first, second = at.table(number).players
            at.do(commands.RuleResult(1, number, FLOOR, ((first,), (second,)), (), "by the clock"))
        assert "pair" in kinds(at, is_director=True)
        at.do(commands.PairRound())
        at.finish_round()
        assert "end" in kinds(at, is_director=True)


def test_nobody_can_do_anything_after_the_end() -> None:
    at = Evening()
    at.start(2)
    at.finish_round()
    at.do(commands.EndTournament())
    assert kinds(at, is_director=True, is_host=True, officer=HEAD, player=0) == set()
    assert list_possible_kinds(Tournament(), 0, 0, Giver()) == set()


def test_claims_are_listed_as_long_as_something_waits() -> None:
    at = Evening()
    at.start(2)
    assert "claim" not in kinds(at, officer=FLOOR)
    assert "claim" in kinds(at, officer=FLOOR, items=("call:7",))
    at.do(commands.ClaimItem("call:7", FLOOR))
    assert "claim" in kinds(at, officer=FLOOR), "it can be left again"
    with pytest.raises(IllegalMove):
        at.do(commands.ClaimItem("call:7", HEAD))
