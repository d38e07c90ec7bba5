"""Officials at work: calls, the queue, penalties and appeals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.codec import encode
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.tournament import commands
from referee.tournament.conduct_events import PenaltyGiven
from referee.tournament.deciding.conduct import CALL_MS, CLAIM_MS
from referee.tournament.penalties import GRADES, load_infractions, propose_grade
from referee.tournament.rulebook import TOURNAMENT_BOOK
from tests.tournament.evening import COMMITTEE, FLOOR, HEAD, Evening, with_format


@pytest.mark.clause("TOURNAMENT-CALL-1", "TOURNAMENT-CALL-2")
def test_a_call_stops_the_time_of_a_table_until_somebody_comes() -> None:
    at = Evening(with_format(round_ms=600_000))
    at.start(4)
    player = at.table(1).players[0]
    at.refuses("no_such_reason", commands.CallOfficer(player, "boredom"))
    at.do(commands.CallOfficer(player, "rules"))
    call = at.version
    at.refuses("called_already", commands.CallOfficer(at.table(1).players[1], "conduct"))
    at.now_ms += 90_000
    at.do(commands.EndCall(call, FLOOR))
    assert at.table(1).extra_ms == 90_000
    assert at.state.calls[0].answered_by == FLOOR
    at.refuses("no_such_call", commands.EndCall(call, HEAD))


@pytest.mark.clause("TOURNAMENT-CALL-3")
def test_a_table_gets_the_time_back_once_for_each_call_that_stopped_its_match() -> None:
    at = Evening(with_format(round_ms=600_000))
    at.start(4)
    at.do(commands.SeatTable(1, 1, "07-m1"))
    for waited in (0, CALL_MS + 1):
        at.refuses("wait_too_long", commands.ReportWait(1, 1, "07-m1", 9, waited))
    at.do(commands.ReportWait(1, 1, "07-m1", 9, 60_000))
    assert at.do(commands.ReportWait(1, 1, "07-m1", 9, 60_000)) == ()
    assert at.do(commands.ReportWait(1, 1, "07-m2", 12, 60_000)) == (), "another match"
    at.do(commands.ReportWait(1, 1, "07-m1", 12, CALL_MS))
    assert (at.table(1).extra_ms, at.table(1).waits) == (60_000 + CALL_MS, (9, 12))
    assert at.table(2).extra_ms == 0
    at.do(commands.ReportLapse(1, 1, "07-m1"))
    at.do(commands.ReopenTable(1, 1, FLOOR, "by mistake"))
    assert (at.table(1).extra_ms, at.table(1).waits) == (60_000 + CALL_MS, ())


@pytest.mark.clause("TOURNAMENT-CALL-3")
def test_without_a_limit_no_time_comes_back() -> None:
    at = Evening()
    at.start(2)
    at.do(commands.SeatTable(1, 1, "07-m1"))
    assert at.do(commands.ReportWait(1, 1, "07-m1", 9, 60_000)) == ()


@pytest.mark.clause("TOURNAMENT-CALL-1")
def test_a_call_stops_no_more_than_ten_minutes_and_none_after_three_withdrawn_ones() -> None:
    at = Evening(with_format(round_ms=600_000))
    at.start(2)
    player = at.table().players[0]
    at.do(commands.CallOfficer(player, "slow_play"))
    at.now_ms += 2 * CALL_MS
    at.do(commands.EndCall(at.version, FLOOR))
    assert at.table().extra_ms == CALL_MS
    for _ in range(3):
        at.do(commands.CallOfficer(player, "other"))
        at.do(commands.EndCall(at.version))
    at.do(commands.CallOfficer(player, "other"))
    assert not at.state.calls[-1].stops
    at.now_ms += 60_000
    at.do(commands.EndCall(at.version, HEAD))
    assert at.table().extra_ms == CALL_MS


@pytest.mark.clause("TOURNAMENT-QUEUE-1")
def test_who_looks_after_an_item_says_so_and_others_leave_it_alone_for_a_while() -> None:
    at = Evening()
    at.start(2)
    at.do(commands.ClaimItem("call:9", FLOOR))
    at.refuses("item_claimed", commands.ClaimItem("call:9", HEAD))
    at.do(commands.ClaimItem("call:9", FLOOR))
    at.now_ms += CLAIM_MS
    at.do(commands.ClaimItem("call:9", HEAD))
    assert at.do(commands.ClaimItem("call:9", FLOOR, release=True)) == ()
    at.do(commands.ClaimItem("call:9", HEAD, release=True))
    assert at.state.claims == ()


@pytest.mark.clause("TOURNAMENT-PENALTY-2")
def test_each_further_case_gets_the_next_grade_of_its_ladder() -> None:
    for infraction in load_infractions().values():
        at = Evening()
        at.enter(2)
        for grade in (*infraction.ladder, infraction.ladder[-1]):
            assert propose_grade(at.state, 0, infraction.name) == grade
            if grade == "disqualification":
                break
            at.penalize(0, grade, infraction.name)
        assert propose_grade(at.state, 1, infraction.name) == infraction.ladder[0]


@pytest.mark.clause("TOURNAMENT-PENALTY-2")
def test_another_grade_needs_a_reason() -> None:
    at = Evening()
    at.enter(2)
    at.refuses("other_grade", commands.Penalize(0, "late", "caution", HEAD))
    at.penalize(0, "caution", "late", because="the tram stood still")
    assert at.state.penalties[0].proposed == "warning"
    at.refuses("no_such_infraction", commands.Penalize(0, "yawning", "caution", HEAD))
    at.refuses("no_such_grade", commands.Penalize(0, "late", "flogging", HEAD))


@pytest.mark.clause("TOURNAMENT-PENALTY-1")
def test_a_warning_is_known_to_the_player_and_the_officials_alone() -> None:
    given = PenaltyGiven(
        9, HEAD, 5, player=0, infraction="late", grade="warning", proposed="warning", round=1, table=2,
        fix="sat down at once", because="why",
    )  # fmt: skip
    for viewer in (0, FULL_VIEWER):
        assert given.view_for(viewer) is given
    told = [given.view_for(viewer) for viewer in (1, BYSTANDER)]
    other = replace(given, player=1, infraction="conduct", grade="caution", round=3, table=4, fix="", because="")
    assert told == [other.view_for(viewer) for viewer in (0, BYSTANDER)], "nothing tells them apart"
    assert encode(told[0]) == {"type": "tournament.PenaltyGiven", "penalty": 9, "officer": HEAD, "at_ms": 5}


@pytest.mark.clause("TOURNAMENT-PENALTY-1")
def test_a_loss_is_told_without_the_infraction() -> None:
    given = PenaltyGiven(
        9, HEAD, 5, player=0, infraction="cheating", grade="match_loss", proposed="disqualification", round=1, table=2,
        fix="x", because="y",
    )  # fmt: skip
    told = encode(given.view_for(BYSTANDER))
    assert (told["player"], told["grade"], told["round"], told["table"]) == (0, "match_loss", 1, 2)
    assert not {"infraction", "proposed", "fix", "because"} & told.keys(), "what is hidden is left out"


@pytest.mark.clause("TOURNAMENT-PENALTY-3")
def test_only_the_head_disqualifies_and_who_is_disqualified_is_out() -> None:
    at = Evening()
    at.start(4)
    player = at.table(1).players[0]
    at.refuses("head_only", commands.Penalize(player, "cheating", "disqualification", FLOOR))
    number = at.penalize(player, "disqualification", "cheating")
    assert at.state.entrants[player].status == "disqualified"
    assert at.table(1).result.forfeits == (player,)  # type: ignore[union-attr]
    at.finish_round()
    at.do(commands.PairRound())
    assert at.state.current_round is not None
    assert player not in [each for table in at.state.current_round.tables for each in table.players]
    at.do(commands.Expunge(number, HEAD, "it was his brother"))
    assert at.state.entrants[player].status == "playing"
    assert not at.state.rounds[0].tables[0].final


@pytest.mark.clause("TOURNAMENT-PENALTY-4")
def test_a_loss_ends_the_open_table_or_the_next_one() -> None:
    at = Evening()
    at.start(4)
    player, other = at.table(1).players
    at.penalize(player, "game_loss", because="gross")
    assert at.table(1).result.winner == other  # type: ignore[union-attr]
    at.penalize(player, "match_loss", because="again")
    assert at.state.losses != ()
    at.finish_round()
    at.do(commands.PairRound())
    assert at.state.losses == ()
    assert at.state.current_round is not None
    lost = at.state.current_round.find_table_of(player)
    assert lost is not None
    assert lost.result.forfeits == (player,)  # type: ignore[union-attr]


@pytest.mark.clause("TOURNAMENT-PENALTY-4")
def test_a_bye_takes_no_loss_away() -> None:
    at = Evening()
    at.start(3)
    (idle,) = at.state.rounds[0].byes
    at.penalize(idle, "game_loss", because="gross")
    assert at.state.losses != ()
    at.finish_round()
    at.do(commands.PairRound())
    assert at.state.losses == ()


@pytest.mark.clause("TOURNAMENT-PENALTY-5")
def test_a_penalty_is_taken_back_by_who_gave_it_or_the_head_with_a_reason_and_all_it_brought() -> None:
    at = Evening(offices=("floor", "floor"))
    at.start(2)
    player = at.table().players[0]
    number = at.penalize(player, "game_loss", officer=FLOOR, because="gross")
    at.refuses("not_own_penalty", commands.Expunge(number, 3, "no"))
    at.refuses("reason_missing", commands.Expunge(number, FLOOR, ""))
    at.do(commands.Expunge(number, FLOOR, "wrong player"))
    assert at.table().result is None
    assert propose_grade(at.state, player, "conduct") == "warning"
    at.refuses("no_such_penalty", commands.Expunge(number, HEAD, "again"))
    assert at.state.penalties[0].stage == "expunged"


@pytest.mark.clause("TOURNAMENT-PENALTY-5")
def test_a_loss_that_waits_falls_away_with_its_penalty() -> None:
    at = Evening()
    at.enter(2)
    number = at.penalize(0, "game_loss", because="gross")
    at.do(commands.Expunge(number, HEAD, "mistaken"))
    assert at.state.losses == ()


@pytest.mark.clause("TOURNAMENT-APPEAL-1")
def test_one_appeals_once_in_time_against_what_concerns_oneself() -> None:
    at = Evening()
    at.start(4)
    player, other = at.table(1).players
    stranger = at.table(2).players[0]
    number = at.penalize(player, "warning", officer=FLOOR)
    at.refuses("nothing_to_appeal", commands.OpenAppeal(other, number, "why him"))
    at.refuses("nothing_to_appeal", commands.OpenAppeal(player, 1, "everything"))
    at.do(commands.OpenAppeal(player, number, "I was polite"))
    at.refuses("appealed_already", commands.OpenAppeal(player, number, "once more"))
    at.refuses("appeal_open", commands.Expunge(number, FLOOR, "never mind"))
    at.do(commands.RuleResult(1, 1, FLOOR, ((other,), (player,)), (), "seen"))
    ruling = at.version
    at.refuses("nothing_to_appeal", commands.OpenAppeal(stranger, ruling, "unfair"))
    at.now_ms += at.state.format.appeal_ms + 1
    at.refuses("appeal_late", commands.OpenAppeal(player, ruling, "too late"))


@pytest.mark.clause("TOURNAMENT-APPEAL-2")
def test_who_ruled_has_no_vote_and_the_committee_goes_first() -> None:
    at = Evening()
    at.start(2)
    player = at.table().players[0]
    at.do(commands.OpenAppeal(player, at.penalize(player, "warning", officer=FLOOR), "no"))
    assert at.state.appeals[0].committee == (COMMITTEE,)
    at.refuses("ruled_oneself", commands.VoteOnAppeal(at.version, FLOOR, False))
    at.refuses("not_on_committee", commands.VoteOnAppeal(at.version, HEAD, False))
    alone = Evening(offices=())
    alone.start(2)
    alone.refuses("no_committee", commands.OpenAppeal(0, alone.penalize(0, "warning"), "no"))
    without = Evening(offices=("floor", "floor"))
    without.start(2)
    without.do(commands.OpenAppeal(0, without.penalize(0, "warning", officer=FLOOR), "no"))
    assert without.state.appeals[0].committee == (HEAD, 3)


@pytest.mark.clause("TOURNAMENT-APPEAL-3")
def test_the_majority_decides_at_once_and_an_overturned_penalty_is_taken_back() -> None:
    at = Evening(offices=("floor", "committee", "committee", "committee"))
    at.start(2)
    player = at.table().players[0]
    number = at.penalize(player, "game_loss", officer=FLOOR, because="gross")
    assert at.table().final
    at.do(commands.OpenAppeal(player, number, "no"))
    appeal = at.version
    at.do(commands.VoteOnAppeal(appeal, 3, True))
    at.refuses("voted_already", commands.VoteOnAppeal(appeal, 3, False))
    assert at.state.appeals[0].stage == "open"
    at.do(commands.VoteOnAppeal(appeal, 4, True))
    assert at.state.appeals[0].stage == "overturned"
    assert at.state.penalties[0].stage == "expunged"
    assert not at.table().final
    at.refuses("no_such_appeal", commands.VoteOnAppeal(appeal, 5, True))


@pytest.mark.clause("TOURNAMENT-APPEAL-3")
def test_a_tie_upholds_and_so_does_silence() -> None:
    for votes in ((True, False), ()):
        at = Evening(offices=("floor", "committee", "committee"))
        at.start(2)
        player = at.table().players[0]
        number = at.penalize(player, "warning", officer=FLOOR)
        at.do(commands.OpenAppeal(player, number, "no"))
        appeal = at.version
        at.refuses("not_yet", commands.TimeIsUp(f"appeal:{appeal}"))
        for officer, vote in enumerate(votes, 3):
            at.do(commands.VoteOnAppeal(appeal, officer, vote))
        at.wait(at.state.format.appeal_ms)
        assert at.state.appeals[0].stage == "upheld"
        assert at.state.penalties[0].stage == "given"


@pytest.mark.clause("TOURNAMENT-APPEAL-3")
def test_an_overturned_ruling_gives_back_what_was_there_before() -> None:
    at = Evening()
    at.start(4)
    first, second = at.table(1).players
    at.report(1)
    at.sign(1)
    before = at.table(1)
    at.do(commands.RuleResult(1, 1, FLOOR, ((second,), (first,)), (), "seen"))
    at.do(commands.OpenAppeal(first, at.version, "I won"))
    at.do(commands.VoteOnAppeal(at.version, COMMITTEE, True))
    assert at.table(1) == before


@pytest.mark.clause("TOURNAMENT-APPEAL-1")
def test_others_do_not_learn_who_appeals_or_how_anybody_votes() -> None:
    at = Evening()
    at.start(2)
    player = at.table().players[0]
    (opened,) = at.do(commands.OpenAppeal(player, at.penalize(player, "warning", officer=FLOOR), "my reason"))
    assert not {"player", "reason"} & encode(opened.view_for(BYSTANDER)).keys()
    voted = at.do(commands.VoteOnAppeal(at.version, COMMITTEE, True))[0]
    assert encode(voted.view_for(player)) == {"type": "tournament.AppealVoted", "appeal": 6 + 3, "officer": COMMITTEE}


@pytest.mark.parametrize("clause", [f"TOURNAMENT-CONDUCT-{number}" for number in range(1, 7)] + ["TOURNAMENT-DECK-2"])
def test_every_infraction_names_the_rule_that_it_breaks(clause: str) -> None:
    named = {each.clause for each in load_infractions().values()}
    assert clause in named
    assert named <= set(TOURNAMENT_BOOK.clauses)
    for each in load_infractions().values():
        assert set(each.ladder) <= set(GRADES)
        assert all(each.says[lang] for lang in LANGUAGES)


@pytest.mark.clause("TOURNAMENT-PENALTY-4", "TOURNAMENT-PENALTY-5")
def test_losses_that_one_pairing_carries_out_are_told_apart_and_taken_back_one_by_one() -> None:
    at = Evening(with_format(system="swiss", rounds=2))
    at.enter(4)
    at.do(commands.StartTournament())
    numbers = {player: at.penalize(player, "match_loss", because="gross") for player in (0, 1, 2)}
    at.do(commands.PairRound())
    pairing = at.version
    lost = {player for table in at.state.rounds[0].tables for player in (table.result.forfeits if table.result else ())}
    assert lost == {0, 1}
    assert [each.player for each in at.state.losses] == [2], "whose table is lost by another loses the next one"
    at.refuses("nothing_to_appeal", commands.OpenAppeal(0, pairing, "no"))
    at.do(commands.Expunge(numbers[1], HEAD, "mistaken"))
    at.do(commands.Expunge(numbers[2], HEAD, "mistaken"))
    assert at.state.losses == ()
    assert at.state.current_round is not None
    mine = at.state.current_round.find_table_of(1)
    assert mine is not None
    assert mine.result is None
    at.do(commands.OpenAppeal(0, numbers[0], "no"))
    at.do(commands.VoteOnAppeal(at.version, COMMITTEE, True))
    assert at.state.penalties[0].stage == "expunged"


@pytest.mark.clause("TOURNAMENT-PENALTY-5")
def test_who_was_out_when_the_lots_were_drawn_comes_back_where_lots_decide_nothing() -> None:
    for system, comes in (("swiss", True), ("round_robin", False), ("knockout", False)):
        at = Evening(with_format(system=system))
        at.enter(5)
        number = at.penalize(4, "disqualification", "cheating")
        at.do(commands.StartTournament())
        at.do(commands.Expunge(number, HEAD, "it was his brother"))
        assert (at.state.entrants[4].status == "playing") is comes
        at.do(commands.PairRound())
        seated = [player for table in at.state.rounds[0].tables for player in table.players] + [
            *at.state.rounds[0].byes
        ]
        assert (4 in seated) is comes


@pytest.mark.clause("TOURNAMENT-APPEAL-3")
def test_what_was_ruled_on_again_is_not_taken_back_by_an_older_appeal() -> None:
    at = Evening()
    at.start(2)
    first, second = at.table().players
    at.do(commands.RuleResult(1, 1, FLOOR, ((first,), (second,)), (), "seen"))
    older = at.version
    at.do(commands.OpenAppeal(second, older, "no"))
    appeal = at.version
    at.do(commands.RuleResult(1, 1, HEAD, ((second,), (first,)), (), "seen better"))
    newer = at.table()
    at.do(commands.VoteOnAppeal(appeal, COMMITTEE, True))
    assert at.table() == newer
    at.refuses("nothing_to_appeal", commands.OpenAppeal(first, older, "no"))
    other = Evening()
    other.start(2)
    other.do(commands.RuleResult(1, 1, FLOOR, ((0,), (1,)), (), "seen"))
    old = other.version
    other.do(commands.RuleResult(1, 1, HEAD, ((1,), (0,)), (), "seen better"))
    other.refuses("nothing_to_appeal", commands.OpenAppeal(0, old, "no"))


@pytest.mark.clause("TOURNAMENT-APPEAL-2", "TOURNAMENT-OFFICE-3")
def test_persons_are_compared_and_not_their_numbers() -> None:
    at = Evening(offices=("floor",))
    at.start(2)
    number = at.penalize(0, "warning", officer=FLOOR)
    at.do(commands.ResignOffice(FLOOR))
    at.do(commands.AppointOfficer("official 0", "committee"))
    at.do(commands.AcceptOfficer(0, at.version))
    at.do(commands.OpenAppeal(0, number, "no"))
    assert at.state.appeals[0].committee == (HEAD,), "who ruled sits on no committee, under whatever number"
    at.penalize(1, "disqualification", "cheating")
    at.refuses("officer_plays", commands.AppointOfficer("person 1", "floor"))
    again = Evening()
    again.enter(2)
    again.penalize(1, "disqualification", "cheating")
    again.refuses("entered_already", commands.Enter("person 1"))


@pytest.mark.clause("TOURNAMENT-OFFICE-4", "TOURNAMENT-APPEAL-3")
def test_a_committee_goes_on_without_who_has_left_it() -> None:
    at = Evening(offices=("floor", "committee", "committee", "committee"))
    at.start(2)
    at.do(commands.OpenAppeal(0, at.penalize(0, "warning", officer=FLOOR), "no"))
    appeal = at.version
    at.do(commands.ResignOffice(3))
    at.do(commands.VoteOnAppeal(appeal, 4, True))
    assert at.state.appeals[0].stage == "open"
    at.do(commands.VoteOnAppeal(appeal, 5, True))
    assert at.state.appeals[0].stage == "overturned"
    assert at.state.penalties[0].stage == "expunged"
