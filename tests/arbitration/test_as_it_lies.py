"""What lies on a real table and cannot lie there: suspects, a claim that accuses nobody, and play that goes on."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration.remedies import ladder
from referee.arbitration.replay.replay import find_first_divergence
from referee.census.check import take_census
from referee.census.suspects import find_suspects
from referee.engine.chance import TurnUpResult
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.referee import find_legal_moves, judge_move, seats_that_must_act
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.engine.seats import BYSTANDER, CHANCE
from referee.games import load_games
from referee.match.events.as_it_lies_events import TableTakenAsItLies
from referee.match.events.deviation_events import AnswerDeviation, DeviationRecorded, RecordDeviation
from referee.match.events.dispute_commands import AppealRuling, Attest, CastVote, IssueRuling, OpenDispute
from referee.match.events.dispute_state import AS_IT_LIES, IMPOSSIBLE_TABLE, Dispute
from referee.service.requests import MoveRequest
from tests.arbitration.playing import Referee, disputes, evidence, plays, started, turn

GAMES = tuple(sorted(set(load_games()) - {"mau_mau"}))  # there chance turns up a card only while none lies open
VOTES = {"munchkin": "MK-23.3"}  # the games whose rulebook gives somebody the last word


def list_open_names(state: Any, game: str) -> list[str]:
    """The cards that lie open by name, once each."""
    places = load_games()[game].tracking.cards_by_zone(state.view_for(BYSTANDER))
    return list(dict.fromkeys(card for cards in places.values() for card in cards if not card.startswith("?")))


def contradicting(state: Any, game: str) -> tuple[Move, Ruling] | None:
    """A report of a card that lies open elsewhere already, and why it is refused; None if none is asked for."""
    example = next((move for move in find_legal_moves(state, CHANCE) if hasattr(move, "card")), None)
    for card in list_open_names(state, game) if example is not None else ():
        report: Any = replace(example, card=card)  # type: ignore[type-var]
        ruling = judge_move(state, CHANCE, report)
        if ruling.verdict == "refused" and "KERNEL-CENSUS-1" in ruling.clauses:
            return report, ruling
    return None


def second_copy(game: str) -> tuple[Referee, str, Move, Ruling]:
    """A match at a real table at which a second copy of a unique card lies: the report of it, and its refusal."""
    for key in range(30):
        house, match = started(game, "table", key=f"opening-{key}")
        dice = random.Random(f"{game}-{key}")
        for number in range(200):
            state: Any = house.load_match(match).match.state
            if state.agenda and CHANCE in seats_that_must_act(state) and (found := contradicting(state, game)):
                return house, match, *found
            following = turn(house, match, dice)
            if following is None:
                break
            seat, move = following
            actor = "reporter:0" if seat == CHANCE else "player"
            house.make_move(MoveRequest(match, seat, move, key=f"{number}", actor=actor))
    raise AssertionError("no second copy was ever turned up")


def vote(house: Referee, match: str, dispute: Dispute, seat: int, remedy: str = AS_IT_LIES) -> Dispute:
    house.execute_command(
        match, CastVote(dispute.number, seat, remedy), key=f"vote-{seat}-{remedy}-{dispute.number}", scope=f"seat{seat}"
    )
    return house.load_match(match).match.disputes[-1]


def claim(house: Referee, match: str, report: Move | None, by: str = "1") -> Dispute:
    move = None if report is None else encode(report)
    return disputes(house, match, 0, IMPOSSIBLE_TABLE, by, move=move, key=f"claim-{by}-{report}")


def is_sound(house: Referee, match: str) -> bool:
    return find_first_divergence(house.repository.load_entries(match)) is None


def lies_twice(house: Referee, match: str, card: str) -> None:
    """The census takes the card twice, for every viewer, and the rules go on with it."""
    found = house.load_match(match).match
    assert found.state.surplus[card] == 1
    for viewer in (int(BYSTANDER), *range(len(found.chairs))):
        assert take_census(evidence(house, match).effective_entries, viewer).possible
    plays(house, match, 7, 30)
    assert is_sound(house, match)
    census = take_census(evidence(house, match).effective_entries, int(BYSTANDER))
    assert card not in {each.card for each in census.contradictions}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.clause("TABLE-CENSUS-2")
def test_all_agree_to_play_on_with_a_second_copy_that_nobody_can_explain(game: str) -> None:
    house, match, report, _ = second_copy(game)
    before = evidence(house, match)
    assert isinstance(report, TurnUpResult) or hasattr(report, "card")
    card: str = report.card  # type: ignore[attr-defined]
    dispute = claim(house, match, report)
    named = find_suspects(before.effective_entries, int(BYSTANDER), [card])
    assert (dispute.stage, dispute.parties, dispute.verdicts[0].verdict) == ("voting", (), "does_not_stand")
    assert dispute.verdicts[0].params["entries"] == ", ".join(str(each.version) for each in named)
    assert {"TABLE-CENSUS-2", "KERNEL-CENSUS-1"} <= set(dispute.verdicts[0].clauses)
    assert (VOTES.get(game) in dispute.verdicts[0].clauses) == (game in VOTES)
    seats = range(len(before.match.chairs))
    for seat in seats[:-1]:
        assert vote(house, match, dispute, seat).stage == "voting", "one seat has not agreed yet"
    assert vote(house, match, dispute, seats[-1]).stage == "ruled"
    entry = evidence(house, match).entries[dispute.number + len(seats) - 1]
    assert [event for event in entry.events if isinstance(event, TableTakenAsItLies)]
    lies_twice(house, match, card)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.clause("TABLE-DEVIATION-4", "TABLE-DEVIATION-2")
def test_a_report_against_the_rules_is_recorded_with_the_consent_of_all(game: str) -> None:
    house, match, report, ruling = second_copy(game)
    command = RecordDeviation("host", (), int(CHANCE), encode(report), ruling.clauses, "It lies there.")
    house.execute_command(match, command, key="deviation", scope="host")
    deviation = house.load_match(match).match.deviations[-1]
    assert (deviation.seat, deviation.stage, deviation.asks) == (CHANCE, "asked", tuple(range(len(deviation.asks))))
    state = house.load_match(match).match.state
    for seat in deviation.asks:
        assert house.load_match(match).match.state == state, "not all have agreed yet"
        answer = AnswerDeviation(deviation.number, True, (seat,))
        house.execute_command(match, answer, key=f"answer-{seat}", scope=f"seat{seat}")
    events = evidence(house, match).entries[-1].events
    if not any(isinstance(event, DeviationRecorded) for event in events):  # something followed by itself
        events = tuple(event for entry in evidence(house, match).entries for event in entry.events)
    recorded = next(event for event in events if isinstance(event, DeviationRecorded))
    assert "KERNEL-CENSUS-1" in recorded.against
    lies_twice(house, match, report.card)  # type: ignore[attr-defined]


def test_one_vote_against_it_calls_the_arbiter() -> None:
    house, match, report, _ = second_copy("shy_monsters")
    dispute = claim(house, match, report)
    assert vote(house, match, dispute, 0).stage == "voting"
    dispute = vote(house, match, dispute, 1, "leave")
    assert (dispute.court, dispute.stage) == ("arbiter", "ruling")
    order = IssueRuling(dispute.number, "host", (0,), True, AS_IT_LIES, ("TABLE-CENSUS-2",), "It lies there.")
    with pytest.raises(IllegalMove) as caught:
        house.execute_command(match, order, key="host", scope="host")
    assert caught.value.ruling.reason == "court.needs_consent"
    with pytest.raises(IllegalMove) as caught:  # who made the claim does not rule on it
        house.execute_command(
            match, replace(order, seats=(1,), remedy="leave"), key="claimant", scope="host"
        )  # fmt: skip
    assert caught.value.ruling.reason == "court.own_cause"
    house.execute_command(match, replace(order, by="arbiter", seats=()), key="arbiter", scope="arbiter")
    assert house.load_match(match).match.disputes[-1].verdicts[-1].remedy == AS_IT_LIES
    lies_twice(house, match, report.card)  # type: ignore[attr-defined]


def test_in_munchkin_the_owner_of_the_game_has_the_last_word_on_it() -> None:
    house, match, report, _ = second_copy("munchkin")
    dispute = claim(house, match, report)
    order = IssueRuling(dispute.number, "host", (0,), True, AS_IT_LIES, ("MK-23.3",), "Both are from my box.")
    house.execute_command(match, order, key="host", scope="host")
    assert "MK-23.3" in house.load_match(match).match.disputes[-1].verdicts[-1].clauses
    lies_twice(house, match, report.card)  # type: ignore[attr-defined]


def test_what_lies_there_is_taken_back_if_play_goes_back() -> None:
    house, match, report, _ = second_copy("here_to_slay")
    before = house.load_match(match).match.state
    dispute = claim(house, match, report)
    for seat in range(3):
        vote(house, match, dispute, seat)
    assert house.load_match(match).match.state != before
    appeal = AppealRuling(dispute.number, 2, "TABLE-CENSUS-2", "It was the same card.")
    house.execute_command(match, appeal, key="appeal", scope="seat2")
    order = IssueRuling(dispute.number, "arbiter", (), False, "restore", ("TABLE-REMEDY-5",), "It was the same card.")
    house.execute_command(match, order, key="restore", scope="arbiter")
    assert house.load_match(match).match.state == before
    assert is_sound(house, match)


@pytest.mark.clause("TABLE-CENSUS-2")
def test_a_table_that_can_be_so_is_not_halted_by_the_claim() -> None:
    house, match, _, _ = second_copy("shy_monsters")
    dispute = claim(house, match, None)
    assert (dispute.stage, dispute.verdicts[0].verdict) == ("ruled", "stands")
    assert dispute.verdicts[0].reason == "court.table_can_be"
    state = house.load_match(match).match.state
    legal = next(iter(find_legal_moves(state, CHANCE)))  # type: ignore[arg-type]
    assert claim(house, match, legal, "0").verdicts[0].reason == "court.report_can_be"
    fish = claim(house, match, TurnUpResult("fish"))
    assert fish.verdicts[0].reason == "court.report_refused"
    assert ladder.list_remedies(evidence(house, match), fish)[1].name == AS_IT_LIES
    assert not ladder.list_remedies(evidence(house, match), fish)[1].possible


def test_people_who_find_the_claim_right_all_the_same_have_nothing_to_accept() -> None:
    house, match, _, _ = second_copy("shy_monsters")
    dispute = claim(house, match, None)
    appeal = AppealRuling(dispute.number, 0, "TABLE-CENSUS-2", "Look at it.")
    house.execute_command(match, appeal, key="appeal", scope="seat0")
    for seat in (0, 1):
        house.execute_command(match, Attest(dispute.number, seat, True), key=f"says-{seat}", scope=f"seat{seat}")
    assert house.load_match(match).match.disputes[-1].stage == "voting"
    with pytest.raises(IllegalMove) as caught:
        vote(house, match, dispute, 0)
    assert caught.value.ruling.reason == "court.not_offered"


def test_a_report_that_not_everybody_may_know_is_no_claim() -> None:
    house, match, _, _ = second_copy("shy_monsters")
    picked = {"type": "chance.picked", "cards": ["vampire_bat", "mantis"]}
    with pytest.raises(MalformedInput):
        house.execute_command(
            match, OpenDispute("1", 0, IMPOSSIBLE_TABLE, move=picked), key="picked", scope="seat1"
        )  # fmt: skip


def impossible_by_the_census() -> tuple[Referee, str]:
    """A match at a real table whose rules have allowed what the census of the whole match excludes."""
    for key in range(60):
        house, match = started("munchkin", "table", key=f"opening-{key}")
        for seed in range(8):
            plays(house, match, seed, 25)
            found = take_census(evidence(house, match).effective_entries, int(BYSTANDER))
            if not found.possible and found.sure and house.load_match(match).match.status == "running":
                return house, match
    raise AssertionError("no census was ever impossible")


@pytest.mark.clause("TABLE-CENSUS-2")
def test_the_census_starts_from_what_lies_there_once_all_have_agreed() -> None:
    house, match = impossible_by_the_census()
    found = take_census(evidence(house, match).effective_entries, int(BYSTANDER))
    dispute = claim(house, match, None)
    assert (dispute.about, dispute.stage) == (found.first, "voting")
    assert dispute.verdicts[0].reason == "court.table_contradicts"
    for seat in range(3):
        vote(house, match, dispute, seat)
    assert house.load_match(match).match.disputes[-1].stage == "ruled"
    assert take_census(evidence(house, match).effective_entries, int(BYSTANDER)).possible
    assert claim(house, match, None, "0").verdicts[0].reason == "court.table_can_be"
    assert is_sound(house, match)


def test_chance_is_no_deviation_where_nothing_is_real() -> None:
    house, match = started("shy_monsters")
    bat = encode(TurnUpResult("vampire_bat"))
    with pytest.raises(IllegalMove) as caught:
        house.execute_command(
            match, RecordDeviation("host", (), int(CHANCE), bat, ("SM-MAT-2",), "So."), key="d", scope="host"
        )  # fmt: skip
    assert caught.value.ruling.clauses[0] == "TABLE-REPORT-1"
