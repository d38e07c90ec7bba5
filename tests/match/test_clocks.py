"""Limits of time that a match sets: whoever is late does the least that the rules allow, once and never early."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.eventstore.contract import AppendResult, Commit
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Clocks, SeatAssignment
from referee.match.clocks import compute_time_limit, find_deadline
from referee.match.errors import MoveRejected, VersionConflict
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.doubles.party import Hush
from tests.engine.toy import Dodge, Play
from tests.games.declared import require_devices
from tests.service.house import service

MOVE, WINDOW = 30_000, 5_000
CLOCKS = Clocks(MOVE, WINDOW)
GAMES = [(name, variant) for name, game in load_games().items() for variant in game.variants]


def opened(house: MatchService, game: str = "party", seats: int = 3, clocks: Clocks = CLOCKS, **more: Any) -> str:
    variant = more.pop("variant", "standard")
    ask = commands.OpenMatch(
        game,
        variant,
        more.pop("settings", {}),
        more.pop("chance", {}),
        (SeatAssignment("table"),) * seats,
        clocks=clocks,
    )
    match = house.open_match(ask, "an-opening-key").match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def clock_of(house: MatchService) -> MemoryLog:
    assert isinstance(house.log, MemoryLog)
    return house.log


def by_clock(house: MatchService, match: str) -> list[tuple[int, Any]]:
    """What was done for those who were late: seat and move, in the order of the log."""
    return [(entry.seat, entry.move) for entry in house.repository.load_entries(match) if entry.actor == "clock"]


@pytest.mark.clause("TABLE-CLOCK-1")
def test_a_window_passes_for_all_who_are_late_and_not_a_moment_early(house: MatchService) -> None:
    match = opened(house)
    done = house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    due = find_deadline(house.load_match(match))
    assert due is not None
    assert (due.asked, due.limit_ms, due.left_ms) == (done.version, WINDOW, WINDOW)
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="in-time"))
    clock_of(house).advance_clock(WINDOW - 1)
    assert house.load_match(match).version == done.version + 1
    assert find_deadline(house.load_match(match)).left_ms == 1  # type: ignore[union-attr]  # an answer does not restart it
    clock_of(house).advance_clock(1)
    loaded = house.load_match(match)
    assert by_clock(house, match) == [(1, Hush())]
    last = house.repository.load_entries(match)[-1]
    assert last.clauses[0] == "TABLE-CLOCK-1"
    assert loaded.match.state is not None
    assert type(loaded.match.state.agenda[-1]).__name__ == "Encore"  # which is asked again, and has its own time
    assert find_deadline(loaded).left_ms == WINDOW  # type: ignore[union-attr]
    assert house.load_match(match).version == loaded.version


def test_each_seat_that_is_asked_in_turn_has_the_whole_time(house: MatchService) -> None:
    match = opened(house)
    house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    for played in (2, 3, 4):
        clock_of(house).advance_clock(WINDOW - 1)
        before = house.load_match(match).version
        clock_of(house).advance_clock(1)
        assert house.load_match(match).version > before
        assert len(by_clock(house, match)) == played
    assert [seat for seat, _ in by_clock(house, match)] == [1, 2, 1, 2]


def test_a_move_has_another_limit_than_a_window(house: MatchService) -> None:
    for clocks, limit in ((Clocks(MOVE), MOVE), (Clocks(None, WINDOW), None), (Clocks(), None)):
        at = service()
        match = opened(at, clocks=clocks)
        assert compute_time_limit(at.load_match(match).match) == limit
        assert (at.log.find_next_deadline() is None) is (limit is None)
    match = opened(house)
    clock_of(house).advance_clock(MOVE)
    house.load_match(match)
    assert by_clock(house, match) == [(0, Play("cake"))]  # the game names nothing, so the first that is legal


def test_without_limits_no_deadline_is_ever_set_and_nothing_is_played(house: MatchService) -> None:
    match = opened(house, clocks=Clocks())
    house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    version = house.load_match(match).version
    clock_of(house).advance_clock(10**9)
    assert house.load_match(match).version == version
    assert house.log.find_next_deadline() is None


def test_a_clock_of_the_game_comes_before_that_of_the_match(house: MatchService) -> None:
    match = opened(house)
    house.make_move(MoveRequest(match, Seat(0), Play("bomb"), key="bomb"))
    assert find_deadline(house.load_match(match)).limit_ms == 1000  # type: ignore[union-attr]
    clock_of(house).advance_clock(1000)
    house.load_match(match)
    (entry,) = [entry for entry in house.repository.load_entries(match) if entry.actor == "clock"]
    assert entry.seat == CLOCK


def test_a_move_that_comes_after_the_deadline_finds_it_played(house: MatchService) -> None:
    match = opened(house)
    seen = house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum")).version
    clock_of(house).advance_clock(WINDOW)
    with pytest.raises(VersionConflict):
        house.make_move(MoveRequest(match, Seat(1), Hush(), key="late", seen=seen))
    assert [seat for seat, _ in by_clock(house, match)] == [1, 2]
    with pytest.raises(MoveRejected):
        house.make_move(MoveRequest(match, Seat(2), Dodge(), key="late-too"))


@pytest.mark.clause("TABLE-CLOCK-1")
def test_of_an_answer_and_a_deadline_at_one_moment_the_first_in_the_log_counts(
    house: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(house)
    house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum"))
    log = clock_of(house)
    log.advance_clock(WINDOW)
    append, player = log.append, service(log)

    def crossed(commit: Commit) -> AppendResult:
        if commit.key.startswith("clock:"):
            monkeypatch.setattr(log, "append", append)
            now = player.repository.read_match(match)  # decided before the time was up
            player._make_move(MoveRequest(match, Seat(1), Hush(), "in-time"), now)
        return append(commit)

    monkeypatch.setattr(log, "append", crossed)
    house.load_match(match)
    moved = [
        (entry.seat, entry.actor)
        for entry in house.repository.load_entries(match)
        if entry.actor in ("player", "clock")
    ]
    assert moved == [(0, "player"), (1, "player"), (2, "clock")]


def test_a_desk_that_dies_between_two_who_are_late_is_gone_on_from(
    house: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(house)
    house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum"))
    log = clock_of(house)
    log.advance_clock(WINDOW)
    append, died = log.append, []

    def dies(commit: Commit) -> AppendResult:
        if died:
            raise KeyboardInterrupt
        died.append(commit)
        return append(commit)

    monkeypatch.setattr(log, "append", dies)
    with pytest.raises(KeyboardInterrupt):
        house.load_match(match)
    monkeypatch.setattr(log, "append", append)
    assert [seat for seat, _ in by_clock(house, match)] == [1]
    service(log).load_match(match)
    assert [seat for seat, _ in by_clock(house, match)] == [1, 2]


def test_a_frozen_match_can_be_read_although_a_deadline_has_passed(house: MatchService) -> None:
    for play in ("drum", "bomb"):
        at = service()
        match = opened(at)
        version = at.make_move(MoveRequest(match, Seat(0), Play(play), key=play)).version
        at.log.freeze_match(match)
        clock_of(at).advance_clock(WINDOW)
        assert at.load_match(match).version == version


def test_quick_close_lets_standing_passes_answer_at_once_and_else_the_clock_does(house: MatchService) -> None:
    for quick in (False, True):
        at = service()
        ask = commands.OpenMatch(
            "party", "standard", {}, {}, (SeatAssignment("human"),) * 2, clocks=Clocks(None, WINDOW, quick_close=quick)
        )
        match = at.open_match(ask, f"quick-{quick}").match.id
        for seat in (0, 1):
            at.execute_command(match, commands.TakeSeat(seat), key=f"t{seat}", scope="join")
        at.execute_command(match, commands.StartMatch(), key="start", scope="host")
        at.set_auto_pass(match, Seat(1), ("applause",), "match", key="pass")
        done = at.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
        assert (done.version > done.entry) is quick
        assert not by_clock(at, match)


def test_settings_of_a_lobby_change_its_clocks_and_keep_them_if_nothing_is_said(house: MatchService) -> None:
    match = house.open_match(
        commands.OpenMatch("party", "standard", {}, {}, (SeatAssignment("table"),) * 2), "k"
    ).match.id
    house.execute_command(match, commands.ChangeSettings(clocks=CLOCKS), key="c", scope="host")
    house.execute_command(match, commands.ChangeSettings(visibility="public"), key="d", scope="host")
    assert house.load_match(match).match.clocks == CLOCKS
    assert service(house.log).load_match(match).match.clocks == CLOCKS


@pytest.mark.clause("TABLE-CLOCK-2")
def test_dice_on_a_real_table_have_no_limit(house: MatchService) -> None:
    match = opened(house, chance={"dice": "table"})
    house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum"))
    clock_of(house).advance_clock(WINDOW)
    state = house.load_match(match).match.state
    assert state is not None
    assert seats_that_must_act(state) == {CHANCE}
    assert house.log.find_next_deadline() is None


@pytest.mark.clause("MC-AMB-27", "SM-AMB-23", "HTS-AMB-76")
@pytest.mark.parametrize(("game", "variant"), GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_match_of_absent_players_goes_on_by_its_clock_alone(game: str, variant: str, seed: int) -> None:
    """With answers thrown in now and then: each deadline is played once, when it falls due, and never before."""
    house, dice = service(), random.Random(seed)
    match = opened(
        house, game, min(load_games()[game].max_seats, load_games()[game].min_seats + seed % 2), variant=variant
    )
    log = clock_of(house)
    for step in range(60):
        loaded = house.load_match(match)
        if loaded.match.status in FINAL_STATUSES:
            break
        due = find_deadline(loaded)
        assert due is not None
        assert log.find_next_deadline() == due.at_ms
        if dice.random() < 0.3:
            log.advance_clock(dice.randrange(due.left_ms))
            if answers(house, match, dice, step):
                continue
        log.advance_clock(find_deadline(house.load_match(match)).left_ms - 1)  # type: ignore[union-attr]
        assert house.load_match(match).version == loaded.version
        log.advance_clock(1)
        after = house.load_match(match)
        played = [entry for entry in house.repository.load_entries(match, loaded.version) if entry.actor == "clock"]
        assert played
        assert len({entry.seat for entry in played}) == len(played)
        assert {entry.seat for entry in played} <= seats_that_must_act(loaded.match.state)  # type: ignore[arg-type]
        assert all(not entry.move.is_concession for entry in played if entry.move is not None)
        assert house.load_match(match).version == after.version
    assert len(by_clock(house, match)) > 10 or loaded.match.status in FINAL_STATUSES


def answers(house: MatchService, match: str, dice: random.Random, step: int) -> bool:
    """Lets somebody who is awaited move at random, in time; whether anybody did."""
    from referee.engine.referee import sample_legal_move

    state = house.load_match(match).match.state
    assert state is not None
    seat = dice.choice(sorted(seat for seat in seats_that_must_act(state) if seat >= 0))
    move = sample_legal_move(state, seat, dice.randrange)
    if move is None:
        return False
    house.make_move(MoveRequest(match, seat, move, key=f"random-{step}"))
    return True


@pytest.mark.parametrize("game", load_games())
def test_real_cards_are_never_named_by_a_clock(game: str) -> None:
    """At a table whose cards lie before people: whatever the clock does names no card that the referee has not seen."""
    house, dice = service(), random.Random(5)
    rules = load_games()[game]
    match = opened(
        house, game, rules.min_seats, chance=dict.fromkeys(require_devices(game), "table"), variant=rules.variants[0]
    )
    log, waited = clock_of(house), 0
    for step in range(40):
        loaded = house.load_match(match)
        if loaded.match.status in FINAL_STATUSES:
            break
        state = loaded.match.state
        assert state is not None
        if log.find_next_deadline() is None:
            waited += 1
            seat = min(seats_that_must_act(state))
            outcome = reported(state, seat, dice)
            actor = "reporter" if seat == CHANCE else "player"
            house.make_move(MoveRequest(match, seat, outcome, key=f"people-{step}", actor=actor))
            continue
        log.advance_clock(max(0, log.find_next_deadline() - log.now()))  # type: ignore[operator]
        house.load_match(match)
        fresh = [entry for entry in house.repository.load_entries(match, loaded.version) if entry.actor == "clock"]
        assert fresh
        seen = {card for cards in getattr(state, "zones", {}).values() for card in cards}
        for entry in fresh:
            said = vars(entry.move)
            assert {said.get("card", "?"), *said.get("cards", ())} <= {"?", *seen}, entry.move
            assert "cells" not in said, entry.move
    assert waited


def reported(state: Any, seat: Seat, dice: random.Random) -> Any:
    """What people at the table do or see."""
    from referee.engine.referee import draw_chance_move, sample_legal_move

    return draw_chance_move(state, dice.randrange) if seat == CHANCE else sample_legal_move(state, seat, dice.randrange)
