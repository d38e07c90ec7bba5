"""Calls of an official: play and its clock stop until one answers, and nobody can stall by calling."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee.arbitration.calls import CALL_MS, MAX_IDLE_CALLS
from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import Clocks, Match, SeatAssignment
from referee.match.bots.substitution import SeatBot
from referee.match.clocks import find_deadline
from referee.match.events.dispute_commands import IssueRuling, OpenDispute, WithdrawDispute
from referee.match.events.dispute_state import DEFAULT_COURTS
from referee.match.events.ending_events import AnswerEnd, EndMatch
from referee.match.events.office_events import (
    AnswerCall,
    AnswerOfficial,
    CallDeadline,
    CallExpired,
    CallOfficial,
    NameOfficial,
    ResignOffice,
    WithdrawCall,
)
from referee.match.table import commands
from referee.match.table.office_state import CALL_REASONS
from referee.queries.dispute_actions import render_halt_reason
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.arbitration.playing import GAMES, Referee, plays, started, turn

MOVE_MS = 60_000


def run(house: MatchService, match: str, command: Move) -> int:
    key = f"ask-{house.load_match(match).version}"
    return house.execute_command(match, command, key=key, scope="asked").entry


def refusal(house: MatchService, match: str, command: Move) -> tuple[str, tuple[str, ...]]:
    """Why a command is refused; nothing has changed by it."""
    version = house.load_match(match).version
    with pytest.raises(IllegalMove) as refused:
        run(house, match, command)
    assert house.load_match(match).version == version
    return refused.value.ruling.reason, refused.value.ruling.clauses


def now(house: MatchService, match: str) -> Match:
    return house.load_match(match).match


def wait(house: MatchService, ms: int) -> None:
    assert isinstance(house.log, MemoryLog)
    house.log.advance_clock(ms)


def accepted(house: MatchService, match: str) -> int:
    """An arbiter whom all seats accept."""
    number = run(house, match, NameOfficial("arbiter", f"person-{house.load_match(match).version}"))
    for seat in range(len(now(house, match).chairs)):
        run(house, match, AnswerOfficial(number, True, (seat,)))
    return number


def refereed(game: str = "mau_mau") -> tuple[Referee, str, int]:
    """A match that has just begun, with an arbiter whom everybody has accepted."""
    house, match = started(game, courts=DEFAULT_COURTS, official="")
    return house, match, accepted(house, match)


def timed() -> tuple[Referee, str, int]:
    """The same with a minute for each move."""
    house = Referee()
    variant = load_games()["mau_mau"].variants[0]
    chairs = (SeatAssignment("human"),) * 2
    ask = commands.OpenMatch("mau_mau", variant, {}, {"deck": "server"}, chairs, clocks=Clocks(move_ms=MOVE_MS))
    match = house.open_match(ask, "timed").match.id
    for seat in range(2):
        run(house, match, commands.TakeSeat(seat))
    run(house, match, commands.StartMatch())
    return house, match, accepted(house, match)


def left(house: MatchService, match: str) -> int:
    """What is left of the open question's time."""
    due = find_deadline(house.load_match(match))
    assert due is not None
    return due.left_ms


def assert_sound(house: MatchService, match: str) -> None:
    assert find_first_divergence(house.repository.load_entries(match)) is None


@pytest.mark.clause("TABLE-CALL-1", "TABLE-CALL-2")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_moves_while_an_official_is_called_and_afterwards_play_goes_on(game: str) -> None:
    house, match, arbiter = refereed(game)
    plays(house, match, 1, most=3)
    call = run(house, match, CallOfficial(0, "rules"))
    made = now(house, match).offices.open_call
    assert made is not None
    assert (made.number, made.by, made.reason, made.until_ms - made.since_ms) == (call, 0, "rules", CALL_MS)
    found = turn(house, match, random.Random(game))
    assert found is not None
    seat, move = found
    with pytest.raises(IllegalMove) as refused:
        house.make_move(MoveRequest(match, seat, move, key="waits", actor="player"))
    assert (refused.value.ruling.reason, refused.value.ruling.clauses) == ("official_called", ("TABLE-CALL-2",))
    says = render_halt_reason(now(house, match))
    assert says is not None
    assert f"Ruf {call}" in says["de"]
    run(house, match, AnswerCall(call, arbiter))
    closed = now(house, match).offices.calls[-1]
    assert (closed.stage, closed.official, now(house, match).is_halted) == ("answered", arbiter, False)
    assert plays(house, match, 2, most=5)
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-1")
def test_who_may_not_call_is_told_why() -> None:
    house, match = started("mau_mau", courts=DEFAULT_COURTS, official="")
    assert refusal(house, match, CallOfficial(0, "rules")) == ("no_official", ("TABLE-CALL-1",))
    number = run(house, match, NameOfficial("arbiter", "somebody"))
    run(house, match, AnswerOfficial(number, True, (0,)))
    assert refusal(house, match, CallOfficial(0, "rules"))[0] == "no_official", "not everybody has accepted"
    for seat in (1, 2):
        run(house, match, AnswerOfficial(number, True, (seat,)))
    run(house, match, commands.LeaveSeat(2))
    assert refusal(house, match, CallOfficial(2, "rules")) == ("nobody_calls", ("TABLE-CALL-1",))
    assert refusal(house, match, CallOfficial(7, "rules"))[0] == "no_such_seat"
    with pytest.raises(MalformedInput):
        run(house, match, CallOfficial(0, "boredom"))
    for reason in CALL_REASONS:
        run(house, match, AnswerCall(run(house, match, CallOfficial(0, reason)), number))
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-1")
def test_a_bot_calls_nobody() -> None:
    house, match, _ = refereed()
    run(house, match, commands.LeaveSeat(2))
    run(house, match, SeatBot(2, 0, (0, 1)))
    assert now(house, match).chairs[2].kind == "bot"
    assert refusal(house, match, CallOfficial(2, "rules")) == ("nobody_calls", ("TABLE-CALL-1",))


def test_nobody_calls_before_the_start_or_after_the_end() -> None:
    house, match, _ = refereed()
    end(house, match)
    assert refusal(house, match, CallOfficial(0, "rules")) == ("match_over", ("TABLE-END-1",))
    ask = commands.OpenMatch(
        "mau_mau", now(house, match).variant, {}, {"deck": "server"}, (SeatAssignment("human"),) * 2, official="host"
    )
    lobby = house.open_match(ask, "lobby").match.id
    for seat in range(2):
        run(house, lobby, commands.TakeSeat(seat))
    assert refusal(house, lobby, CallOfficial(0, "rules")) == ("not_running", ("TABLE-START-1",))


def end(house: MatchService, match: str) -> int:
    """The table agrees to end the match; the entry in which the last one does."""
    placement = tuple((seat,) for seat in range(len(now(house, match).chairs)))
    number = run(house, match, EndMatch("agreed", placement, "0", (0,)))
    return run(house, match, AnswerEnd(number, True, tuple(range(1, len(placement)))))


@pytest.mark.clause("TABLE-CALL-2")
def test_the_clock_stands_still_and_afterwards_the_question_has_the_time_that_was_left() -> None:
    house, match, arbiter = timed()
    wait(house, 40_000)
    before = left(house, match)
    assert 0 < before <= MOVE_MS - 40_000
    call = run(house, match, CallOfficial(1, "slow_play"))
    assert CALL_MS - 1000 <= left(house, match) <= CALL_MS, "the deadline is that of the call"
    version = house.load_match(match).version
    wait(house, 5 * MOVE_MS)
    assert house.load_match(match).version == version, "no clock has moved"
    run(house, match, AnswerCall(call, arbiter))
    assert before - 1000 <= left(house, match) <= before
    wait(house, before + 1)
    last = house.repository.load_entries(match, house.load_match(match).version - 1)[-1]
    assert last.actor == "clock"
    assert last.seat >= 0
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-2")
def test_a_call_that_nobody_answers_closes_by_itself_and_not_earlier() -> None:
    house, match, arbiter = timed()
    before = left(house, match)
    call = run(house, match, CallOfficial(0, "other"))
    assert refusal(house, match, CallDeadline(call)) == ("call_closed", ("TABLE-CALL-2",))
    wait(house, CALL_MS - 1000)
    assert now(house, match).offices.open_call is not None
    wait(house, 1000)
    assert now(house, match).offices.calls[-1].stage == "expired"
    entry = house.repository.load_entries(match, house.load_match(match).version - 1)[-1]
    assert (entry.actor, entry.events, entry.clauses) == ("clock", (CallExpired(call),), ("TABLE-CALL-2",))
    assert before - 1000 <= left(house, match) <= before
    for late in (AnswerCall(call, arbiter), WithdrawCall(call, 0)):
        assert refusal(house, match, late) == ("call_closed", ("TABLE-CALL-2",))
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-2")
def test_only_an_accepted_official_answers_and_only_the_caller_withdraws() -> None:
    house, match, _ = refereed()
    refused = run(house, match, NameOfficial("arbiter", "another"))
    run(house, match, AnswerOfficial(refused, False, (1,)))
    call = run(house, match, CallOfficial(1, "conduct"))
    for stranger in (refused, 0, 99):
        assert refusal(house, match, AnswerCall(call, stranger)) == ("court.not_accepted", ("TABLE-OFFICE-4",))
    assert refusal(house, match, WithdrawCall(call, 0)) == ("not_your_call", ("TABLE-CALL-2",))
    assert refusal(house, match, WithdrawCall(call + 50, 1)) == ("no_such_call", ("TABLE-CALL-1",))
    for seat in (0, 1):
        assert refusal(house, match, CallOfficial(seat, "rules")) == ("call_open", ("TABLE-CALL-2",))
    run(house, match, WithdrawCall(call, 1))
    assert now(house, match).offices.calls[-1].stage == "withdrawn"
    assert plays(house, match, 1, most=2)
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-3")
def test_a_seat_whose_calls_came_to_nothing_three_times_calls_no_more() -> None:
    house, match, arbiter = refereed()
    run(house, match, AnswerCall(run(house, match, CallOfficial(0, "rules")), arbiter))
    for number in range(MAX_IDLE_CALLS):
        call = run(house, match, CallOfficial(0, "rules"))
        if number:
            run(house, match, WithdrawCall(call, 0))
        else:
            wait(house, CALL_MS)
    assert [each.stage for each in now(house, match).offices.calls] == ["answered", "expired", "withdrawn", "withdrawn"]
    assert refusal(house, match, CallOfficial(0, "rules")) == ("too_many_calls", ("TABLE-CALL-3",))
    run(house, match, AnswerCall(run(house, match, CallOfficial(1, "rules")), arbiter))
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-4")
def test_a_call_closes_without_counting_when_the_last_official_goes_or_the_match_ends() -> None:
    house, match, first = refereed()
    second = accepted(house, match)
    run(house, match, CallOfficial(0, "rules"))
    run(house, match, ResignOffice(first))
    assert now(house, match).offices.open_call is not None, "another official is there"
    run(house, match, ResignOffice(second))
    assert [each.stage for each in now(house, match).offices.calls] == ["moot"]
    assert plays(house, match, 1, most=2)
    accepted(house, match)
    run(house, match, CallOfficial(0, "rules"))
    end(house, match)
    assert [each.stage for each in now(house, match).offices.calls] == ["moot", "moot"]
    wait(house, 2 * CALL_MS)
    assert [each.stage for each in now(house, match).offices.calls] == ["moot", "moot"]
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-2", "TABLE-DISPUTE-2")
def test_a_call_during_a_dispute_takes_no_time_from_the_question() -> None:
    house, match, arbiter = timed()
    wait(house, 20_000)
    found = turn(house, match, random.Random(1))
    assert found is not None
    about = house.make_move(MoveRequest(match, *found, key="move", actor="player")).entry
    wait(house, 20_000)
    before = left(house, match)
    call = run(house, match, CallOfficial(0, "rules"))
    disputed = run(house, match, OpenDispute("1", about, "other"))
    assert now(house, match).has_open_dispute
    wait(house, 10_000)
    run(house, match, AnswerCall(call, arbiter))
    assert now(house, match).is_halted, "the dispute still waits"
    wait(house, 10_000)
    run(house, match, WithdrawDispute(disputed, "1"))
    assert not now(house, match).is_halted
    assert before - 1000 <= left(house, match) <= before
    assert_sound(house, match)


@pytest.mark.clause("TABLE-CALL-2")
def test_a_match_that_is_set_to_play_on_in_disputes_still_waits_for_an_official() -> None:
    house, match = started("mau_mau", courts=replace(DEFAULT_COURTS, play_on=True), official="")
    arbiter = accepted(house, match)
    call = run(house, match, CallOfficial(0, "rules"))
    assert now(house, match).is_halted
    run(house, match, AnswerCall(call, arbiter))
    assert not now(house, match).is_halted


@pytest.mark.clause("TABLE-CALL-2")
def test_a_call_stays_open_when_a_ruling_goes_back_behind_it() -> None:
    house, match, arbiter = refereed()
    found = turn(house, match, random.Random(1))
    assert found is not None
    about = house.make_move(MoveRequest(match, *found, key="move", actor="player")).entry
    call = run(house, match, CallOfficial(0, "rules"))
    disputed = run(house, match, OpenDispute("1", about, "other"))
    ruling = IssueRuling(
        disputed, "arbiter", (), True, "rewind", ("KERNEL-MOVE-1",), "Back.", confirmed=True, official=arbiter
    )
    run(house, match, ruling)
    open_call = now(house, match).offices.open_call
    assert open_call is not None
    assert open_call.number == call
    run(house, match, AnswerCall(call, arbiter))
    assert plays(house, match, 1, most=3)
    assert_sound(house, match)
