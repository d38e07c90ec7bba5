"""Rounds and results: lots, pairings, reports, signatures, rulings, the end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.tournament import commands
from referee.tournament.deciding import rounds
from referee.tournament.deciding.rounds import FROM_MATCH
from referee.tournament.events import ResultFinal, ResultRestored, RoundClosed, TableSeated
from referee.tournament.pairing.systems import Pairing, pair_round
from referee.tournament.state import SCHEMES, SECTIONS_SCHEME, is_tournament_id
from tests.tournament.evening import FLOOR, HEAD, Evening, with_format


@pytest.mark.clause("TOURNAMENT-START-1")
def test_a_tournament_starts_once_with_enough_players() -> None:
    at = Evening()
    at.refuses("not_running", commands.PairRound())
    at.enter(1)
    at.refuses("too_few_players", commands.StartTournament())
    at.do(commands.Enter("person 9"))
    at.do(commands.StartTournament())
    at.refuses("started_already", commands.StartTournament())


@pytest.mark.clause("TOURNAMENT-PAIR-1")
def test_the_same_lots_give_the_same_rounds_and_others_do_not() -> None:
    def play(seed: int) -> list[object]:
        at = Evening(with_format(system="swiss", rounds=3))
        at.below = random.Random(seed).randrange  # type: ignore[assignment]
        at.start(8)
        at.finish()
        return [each.players for one in at.state.rounds for each in one.tables]

    assert play(1) == play(1)
    assert len({str(play(seed)) for seed in range(5)}) > 1


@pytest.mark.clause("TOURNAMENT-PAIR-1")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_tournaments_of_earlier_schemes_are_paired_as_they_were(scheme: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def note(*arguments: Any, **options: Any) -> Pairing:
        seen.append(options["is_cut"])
        return pair_round(*arguments, **options)

    monkeypatch.setattr(rounds, "pair_round", note)
    at = Evening(with_format(system="swiss", rounds=1), scheme=scheme)
    at.start(4)
    assert seen == [scheme >= SECTIONS_SCHEME]


@pytest.mark.clause("TOURNAMENT-PAIR-1")
def test_a_knockout_waits_for_a_ruling_where_nobody_has_won() -> None:
    at = Evening(with_format(system="knockout"))
    at.start(4)
    first, second = at.table(1).players
    at.do(commands.ReportResult(1, 1, ((first, second),), first))
    at.sign(1)
    at.report(2)
    at.sign(2)
    at.refuses("pairing.undecided_table", commands.PairRound())
    at.do(commands.RuleResult(1, 1, HEAD, ((second,), (first,)), (), "sudden death at the table"))
    at.do(commands.PairRound())
    assert second in at.table(1).players


@pytest.mark.clause("TOURNAMENT-RESULT-4")
def test_in_a_knockout_results_stay_once_the_winners_play_on() -> None:
    at = Evening(with_format(system="knockout"))
    at.start(4)
    first, second = at.table(1).players
    at.do(commands.RuleResult(1, 1, FLOOR, ((first,), (second,)), (), "seen"))
    ruling = at.version
    at.report(2)
    at.sign(2)
    loser = at.table(2).players[1]
    at.penalize(first, "warning")
    at.do(commands.OpenAppeal(first, at.version, "no"))
    at.refuses("appeals_open", commands.PairRound())
    at.wait(at.state.format.appeal_ms)
    at.do(commands.PairRound())
    at.refuses("bracket_went_on", commands.RuleResult(1, 1, HEAD, ((second,), (first,)), (), "no"))
    at.refuses("bracket_went_on", commands.OpenAppeal(second, ruling, "no"))
    assert loser not in at.table(1).players


@pytest.mark.clause("TOURNAMENT-PENALTY-5")
def test_a_penalty_that_is_taken_back_late_changes_no_bracket() -> None:
    at = Evening(with_format(system="knockout"))
    at.start(4)
    first = at.table(1).players[0]
    number = at.penalize(first, "game_loss", because="gross")
    at.finish_round()
    at.do(commands.PairRound())
    before = at.state.rounds
    at.do(commands.Expunge(number, HEAD, "mistaken"))
    assert at.state.rounds == before


@pytest.mark.clause("TOURNAMENT-PAIR-1")
def test_who_was_knocked_out_has_no_bye() -> None:
    at = Evening(with_format(system="knockout"))
    at.start(5)
    at.finish()
    assert [len(one.byes) for one in at.state.rounds] == [3, 0, 0]
    assert sorted(rank for _, rank in at.state.ranks)[0] == 1


@pytest.mark.clause("TOURNAMENT-PAIR-2")
def test_the_host_names_tables_only_where_that_was_announced() -> None:
    at = Evening()
    at.enter(4)
    at.do(commands.StartTournament())
    at.refuses("pairings_named", commands.PairRound(((0, 1), (2, 3))))
    manual = Evening(with_format(system="manual"))
    manual.start(5)
    manual.refuses("pairings_missing", commands.PairRound())
    manual.refuses("pairing_players", commands.PairRound(((0, 1), (1, 2))))
    manual.refuses("pairing_players", commands.PairRound(((0, 9),)))
    manual.refuses("pairing_sizes", commands.PairRound(((0, 1, 2),)))
    manual.refuses("pairing_sizes", commands.PairRound(((0,), (1,))))  # a round in which nobody plays is none
    manual.do(commands.PairRound(((0, 1), (2, 3))))
    assert manual.state.rounds[0].byes == (4,)


@pytest.mark.clause("TOURNAMENT-ROUND-1")
def test_a_round_is_paired_when_the_one_before_has_ended() -> None:
    at = Evening()
    at.start(4)
    at.refuses("round_open", commands.PairRound())
    at.finish_round()
    at.do(commands.PairRound())
    at.finish_round()
    at.do(commands.PairRound())
    at.finish_round()
    at.refuses("no_more_rounds", commands.PairRound())
    at.refuses("no_such_table", commands.SeatTable(1, 9, "07-a"))
    at.refuses("no_such_table", commands.SeatTable(9, 1, "07-a"))


@pytest.mark.clause("TOURNAMENT-ROUND-1")
def test_the_server_names_the_match_of_a_table_once() -> None:
    at = Evening()
    at.start(2)
    assert at.do(commands.SeatTable(1, 1, "07-abc")) == (TableSeated(1, 1, "07-abc"),)
    assert at.do(commands.SeatTable(1, 1, "07-other")) == ()
    assert at.table().match == "07-abc"


@pytest.mark.clause("TOURNAMENT-ROUND-2", "TOURNAMENT-RESULT-2")
def test_a_result_that_all_have_signed_is_final_and_the_last_one_ends_the_round() -> None:
    at = Evening()
    at.start(4)
    at.report(1)
    assert not at.table(1).final
    assert at.sign(1)[-1] == ResultFinal(1, 1)
    at.report(2)
    assert at.sign(2)[-1] == RoundClosed(1)
    at.refuses("result_final", commands.AnswerResult(1, 1, at.table(1).players[0], False))


@pytest.mark.clause("TOURNAMENT-RESULT-2")
def test_silence_signs_when_the_time_is_up_and_not_before() -> None:
    at = Evening()
    at.start(2)
    at.report()
    at.wait(at.state.format.sign_ms - 1)
    assert not at.table().final
    at.refuses("not_yet", commands.TimeIsUp("result:1:1"))
    at.refuses("not_yet", commands.TimeIsUp("nonsense"))
    at.wait(1)
    assert at.table().final
    assert at.said[-1][0] == ResultFinal(1, 1, by_silence=True)


@pytest.mark.clause("TOURNAMENT-RESULT-1")
def test_only_players_of_a_table_report_and_only_what_names_each_once() -> None:
    at = Evening()
    at.start(4)
    first, second = at.table(1).players
    stranger = at.table(2).players[0]
    at.refuses("no_result", commands.AnswerResult(1, 1, first, True))
    at.refuses("not_at_table", commands.ReportResult(1, 1, ((first,), (second,)), stranger))
    at.refuses("not_at_table", commands.AnswerResult(1, 1, stranger, True))
    at.refuses("placement_wrong", commands.ReportResult(1, 1, ((first,),), first))
    at.refuses("placement_wrong", commands.ReportResult(1, 1, ((first,), (second,), ()), first))
    at.do(commands.ReportResult(1, 1, ((first,), (second,)), first))
    at.refuses("reported_already", commands.ReportResult(1, 1, ((second,), (first,)), second))
    at.do(commands.ReportResult(1, 1, ((second,), (first,)), first))  # a slip, mended before the other signed
    assert at.table(1).result is not None
    assert at.table(1).result.winner == second  # type: ignore[union-attr]


@pytest.mark.clause("TOURNAMENT-RESULT-1")
def test_where_a_match_is_played_the_match_reports() -> None:
    at = Evening()
    at.start(2)
    first, second = at.table().players
    at.do(commands.SeatTable(1, 1, "07-abc"))
    at.refuses("match_reports", commands.ReportResult(1, 1, ((first,), (second,)), first))
    at.do(commands.ReportResult(1, 1, ((first,), (second,)), FROM_MATCH))
    assert at.table().by == "match"
    assert at.table().signed == ()
    at.sign()
    assert at.table().final


@pytest.mark.clause("TOURNAMENT-RESULT-1")
def test_bots_sign_at_once() -> None:
    at = Evening()
    at.start(1, bots=1)
    person = next(each for each in at.table().players if not at.state.entrants[each].is_bot)
    bot = next(each for each in at.table().players if at.state.entrants[each].is_bot)
    at.do(commands.ReportResult(1, 1, ((bot,), (person,)), person))
    assert at.table().final


@pytest.mark.clause("TOURNAMENT-RESULT-3")
def test_a_disputed_result_waits_for_an_official() -> None:
    at = Evening()
    at.start(2)
    at.report()
    first, second = at.table().players
    at.do(commands.AnswerResult(1, 1, second, False))
    assert at.do(commands.AnswerResult(1, 1, second, False)) == ()
    at.refuses("result_disputed", commands.AnswerResult(1, 1, second, True))
    at.refuses("result_disputed", commands.ReportResult(1, 1, ((second,), (first,)), first))
    at.wait(10 * at.state.format.sign_ms)
    assert not at.table().final
    at.do(commands.RuleResult(1, 1, FLOOR, ((second,), (first,)), (), "I saw the last attack"))
    assert at.table().final


@pytest.mark.clause("TOURNAMENT-RESULT-4")
def test_an_official_says_why_and_can_rule_on_a_final_result() -> None:
    at = Evening()
    at.start(4)
    at.finish_round()
    at.do(commands.PairRound())
    first, second = at.state.rounds[0].tables[0].players
    at.refuses("reason_missing", commands.RuleResult(1, 1, HEAD, ((second,), (first,)), (), " "))
    at.refuses("placement_wrong", commands.RuleResult(1, 1, HEAD, ((second,),), (), "they swapped the names"))
    paired = at.state.rounds[1]
    at.do(commands.RuleResult(1, 1, HEAD, ((second,), (first,)), (), "they swapped the names"))
    assert at.state.rounds[0].tables[0].result.winner == second  # type: ignore[union-attr]
    assert at.state.rounds[1] == paired, "what was paired since stays"


@pytest.mark.clause("TOURNAMENT-RESULT-4")
def test_a_player_can_give_up_the_own_table() -> None:
    at = Evening()
    at.start(3)
    assert at.state.current_round is not None
    (idle,) = at.state.current_round.byes
    at.refuses("no_open_table", commands.Concede(idle))
    first, second = at.table().players
    at.do(commands.Concede(first))
    assert at.table().result.forfeits == (first,)  # type: ignore[union-attr]
    assert at.table().result.winner == second  # type: ignore[union-attr]
    at.refuses("no_open_table", commands.Concede(first))


@pytest.mark.clause("TOURNAMENT-TIME-1")
def test_an_official_gives_a_table_more_time() -> None:
    at = Evening(with_format(round_ms=600_000))
    at.start(4)
    at.do(commands.AddTime(1, 1, FLOOR, 120_000))
    at.do(commands.AddTime(1, 1, HEAD, 60_000))
    assert (at.table(1).extra_ms, at.table(2).extra_ms) == (180_000, 0)
    at.refuses("extra_time", commands.AddTime(1, 1, HEAD, 3_600_001))
    at.refuses("extra_time", commands.AddTime(1, 1, HEAD, 0))
    free = Evening()
    free.start(2)
    free.refuses("no_round_time", commands.AddTime(1, 1, HEAD, 60_000))


@pytest.mark.clause("TOURNAMENT-END-1")
def test_a_tournament_ends_after_its_last_round_with_no_appeal_open() -> None:
    at = Evening()
    at.start(4)
    at.refuses("round_open", commands.EndTournament())
    at.finish_round()
    at.refuses("rounds_left", commands.EndTournament())
    at.do(commands.PairRound())
    at.finish_round()
    at.do(commands.PairRound())
    at.finish_round()
    first, second = at.table().players
    at.do(commands.RuleResult(3, 1, FLOOR, ((second,), (first,)), (), "seen"))
    at.do(commands.OpenAppeal(first, at.version, "not so"))
    at.refuses("appeals_open", commands.EndTournament())
    at.wait(at.state.format.appeal_ms)
    at.do(commands.EndTournament())
    assert at.state.status == "finished"
    at.refuses("tournament_over", commands.EndTournament())
    at.refuses("tournament_over", commands.Enter("late"))


@pytest.mark.clause("TOURNAMENT-END-1")
def test_a_tournament_can_be_withdrawn_before_its_start() -> None:
    at = Evening()
    at.enter(2)
    at.do(commands.EndTournament())
    assert (at.state.status, at.state.ranks) == ("withdrawn", ())


@pytest.mark.clause("TOURNAMENT-END-1")
def test_a_knockout_that_is_decided_early_can_end() -> None:
    at = Evening(with_format(system="knockout"))
    at.start(4)
    at.finish_round()
    winners = [each.result.winner for each in at.state.rounds[0].tables if each.result is not None]
    assert winners[0] is not None
    at.refuses("rounds_left", commands.EndTournament())
    at.do(commands.Leave(winners[0]))
    at.do(commands.EndTournament())
    assert dict(at.state.ranks)[winners[1]] == 1  # type: ignore[index]


@pytest.mark.clause("TOURNAMENT-END-1")
@pytest.mark.parametrize("system", ["swiss", "round_robin", "knockout", "manual"])
@pytest.mark.parametrize("leaving", [1, 2])
def test_a_tournament_that_nobody_is_left_to_play_can_end_without_a_round(system: str, leaving: int) -> None:
    at = Evening(with_format(system=system))
    at.enter(2)
    at.do(commands.StartTournament())
    at.refuses("rounds_left", commands.EndTournament())
    for player in range(leaving):
        at.do(commands.Leave(player))
    at.do(commands.EndTournament())
    assert (at.state.status, len(at.state.ranks)) == ("finished", 2)


@pytest.mark.clause("TOURNAMENT-STAND-1")
def test_players_are_ranked_by_points_and_then_by_the_announced_tie_breaks() -> None:
    at = Evening(with_format(tiebreaks=("direct", "lots")))
    at.start(4)
    at.finish()
    ranks = dict(at.state.ranks)
    assert sorted(ranks.values()) == [1, 2, 3, 4]
    assert sorted(ranks) == [0, 1, 2, 3]


def test_what_a_ruling_did_is_restored_whole() -> None:
    at = Evening()
    at.start(2)
    at.report()
    before = at.table()
    first, second = before.players
    at.do(commands.RuleResult(1, 1, FLOOR, ((second,), (first,)), (), "seen"))
    ruling = at.version
    at.state = ResultRestored(ruling, 1).apply(at.state)
    assert at.table().result == before.result
    assert not at.table().final


def test_ids_of_tournaments_and_matches_are_told_apart() -> None:
    assert is_tournament_id("07-Tabc")
    assert not is_tournament_id("07-tabc")
    assert not is_tournament_id("07-a")


@pytest.mark.clause("TOURNAMENT-STAND-1")
def test_who_was_disqualified_has_no_rank_and_leaves_no_gap() -> None:
    at = Evening(with_format(tiebreaks=("lots",)))
    at.start(4)
    player = at.table(1).players[0]
    at.penalize(player, "disqualification", "cheating")
    at.finish()
    ranks = dict(at.state.ranks)
    assert ranks.pop(player) == 0
    assert sorted(ranks.values()) == [1, 2, 3]
