"""Who may open a dispute, and that one person with several tokens decides nothing against another."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee.arbitration.courts import levels
from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.referee import find_legal_moves
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.events.dispute_commands import Attest, OpenDispute
from referee.match.events.dispute_state import DEFAULT_COURTS, CourtSettings, Dispute
from referee.match.events.office_events import AnswerOfficial, NameOfficial
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.arbitration.playing import GAMES, started, turn

SECOND_COURTS = replace(DEFAULT_COURTS, edition=2)


def run(house: MatchService, match: str, command: Move) -> int:
    key = f"ask-{house.load_match(match).version}"
    return house.execute_command(match, command, key=key, scope="asked").entry


def refusal(house: MatchService, match: str, command: Move) -> str:
    """Why a command is refused; nothing has changed by it."""
    version = house.load_match(match).version
    with pytest.raises(IllegalMove) as refused:
        run(house, match, command)
    assert house.load_match(match).version == version
    return refused.value.ruling.reason


def reported(game: str, courts: CourtSettings, seats: int = 2) -> tuple[MatchService, str, OpenDispute]:
    """A match whose host plays, with a report by seat 1, and the claim of the host that it read otherwise."""
    seats = max(seats, load_games()[game].min_seats)
    house, match = started(game, "table", seats=seats, courts=courts, official="")
    dice = random.Random(game)
    for number in range(200):
        found = turn(house, match, dice)
        assert found is not None, "nothing was reported"
        seat, move = found
        others = [each for each in find_legal_moves(house.load_match(match).match.state, CHANCE) if each != move]
        actor = "reporter:1" if seat == CHANCE else "player"
        done = house.make_move(MoveRequest(match, seat, move, key=f"move-{number}", actor=actor))
        if seat == CHANCE and others and done.match.status == "running":
            return house, match, OpenDispute("host", done.entry, "misreported", "", encode(others[0]), None, "Cocked.")
    raise AssertionError("nothing was reported")


def list_seats(house: MatchService, match: str) -> list[int]:
    return list(range(len(house.load_match(match).match.chairs)))


def last(house: MatchService, match: str) -> Dispute:
    return house.load_match(match).match.disputes[-1]


def wait(house: MatchService, ms: int) -> None:
    assert isinstance(house.log, MemoryLog)
    house.log.advance_clock(ms)


def named(house: MatchService, match: str, *accepting: int) -> int:
    """An arbiter whom these seats accept."""
    number = run(house, match, NameOfficial("arbiter", f"person-{house.load_match(match).version}"))
    for seat in accepting:
        run(house, match, AnswerOfficial(number, True, (seat,)))
    return number


@pytest.mark.clause("TABLE-DISPUTE-11")
@pytest.mark.parametrize("game", GAMES)
def test_neither_a_host_who_plays_nor_an_arbiter_whom_a_player_refuses_opens_a_dispute(game: str) -> None:
    house, match, claim = reported(game, DEFAULT_COURTS)
    assert refusal(house, match, claim) == "court.no_claimant"
    assert refusal(house, match, replace(claim, by="arbiter")) == "court.no_claimant"
    refused = named(house, match, 0)
    run(house, match, AnswerOfficial(refused, False, (1,)))
    assert refusal(house, match, replace(claim, by="arbiter", official=refused)) == "court.no_claimant"
    accepted = named(house, match, *list_seats(house, match))
    assert refusal(house, match, replace(claim, by="arbiter", official=refused)) == "court.no_claimant"
    run(house, match, replace(claim, by="arbiter", official=accepted))
    assert last(house, match).by == "arbiter"


@pytest.mark.clause("TABLE-DISPUTE-11", "TABLE-DISPUTE-3")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("silent", [True, False])
def test_a_claimant_without_a_seat_makes_nobody_a_neutral_witness(game: str, silent: bool) -> None:
    house, match, claim = reported(game, DEFAULT_COURTS)
    seats = list_seats(house, match)
    arbiter = named(house, match, *seats)
    number = run(house, match, replace(claim, by="arbiter", official=arbiter))
    assert levels.find_awaited_seats(house.load_match(match).match, last(house, match)) == seats
    run(house, match, Attest(number, 0, True))
    if silent:
        wait(house, DEFAULT_COURTS.answer_ms)
    for seat in () if silent else seats[1:]:
        if last(house, match).stage == "attesting":
            run(house, match, Attest(number, seat, False))
    assert (last(house, match).stage, last(house, match).verdicts[-1].verdict) == ("ruled", "stands")
    assert find_first_divergence(house.repository.load_entries(match)) is None


@pytest.mark.clause("TABLE-DISPUTE-3")
@pytest.mark.parametrize("seats", [2, 3])
def test_by_the_second_rules_a_host_who_played_was_claimant_and_witness(seats: int) -> None:
    house, match, claim = reported("here_to_slay", SECOND_COURTS, seats)
    number = run(house, match, claim)
    run(house, match, Attest(number, 0, True))
    wait(house, DEFAULT_COURTS.answer_ms)
    assert last(house, match).verdicts[1].verdict == "does_not_stand"
    assert find_first_divergence(house.repository.load_entries(match)) is None, "such a log is judged as it was"
