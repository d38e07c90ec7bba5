"""Standing passes: played at once, as if by hand, where they fit; and they tell of no hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.events import Move
from referee.engine.referee import judge_move, sample_legal_move, seats_that_must_act
from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.table import auto_pass, commands
from referee.queries import views
from referee.service import appender
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.doubles.party import Applause, Hush
from tests.doubles.party.house import let, move, movers, opened, waiting
from tests.engine.toy import Dodge, Play
from tests.service.house import service


def test_all_that_stand_are_played_by_seat_before_the_answer(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 2, 1)
    done = move(house, match, 0, Play("cake"))
    assert movers(house, match, done.entry) == [(seat, "party.hush") for seat in (1, 2, 1, 2)]
    assert (done.version, done.replayed) == (done.entry + 4, False)
    assert done.version == house.load_match(match).version
    assert views.awaited_response(done.match) == [1]
    assert done.match.state.turn == 2


def test_in_the_log_they_cannot_be_told_from_passes_by_hand() -> None:
    logs = []
    for stands in (True, False):
        house = service()
        match = opened(house, dodges=True)
        if stands:
            let(house, match, 1, 2)
        for seat, card in ((0, "drum"), (1, "cake")):
            move(house, match, seat, Play(card))
            while (
                any(who >= 0 for who in waiting(house, match)) and house.load_match(match).match.state.turn == seat + 1
            ):
                first = min(waiting(house, match), key=lambda seat: (seat == 0, seat))  # seat 0 always by hand
                move(house, match, first, Hush())
        logs.append(house.log.read_entries(match, 0, 100))
    assert len(logs[0]) > 12
    assert logs[0] == logs[1]  # whole entries: envelope, sealed part and root
    assert b"let" not in b"".join(entry.envelope + entry.sealed for entry in logs[0])


def test_a_seat_without_one_and_a_kind_that_is_not_named_are_asked(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 1, kinds=("encore",))
    let(house, match, 2, kinds=("applause",))
    done = move(house, match, 0, Play("cake"))
    assert movers(house, match, done.entry) == [(2, "party.hush")]
    assert waiting(house, match) == {1}
    done = move(house, match, 1, Hush())
    assert movers(house, match, done.entry) == [(1, "party.hush")]
    assert waiting(house, match) == {2}


def test_a_window_with_a_limit_is_left_to_the_clock(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 1, 2)
    done = move(house, match, 0, Play("bomb"))
    assert done.version == done.entry == house.load_match(match).version
    assert waiting(house, match) == {-2, 1, 2}
    house.recover_match(match)
    house.log.advance_clock(999)
    assert house.load_match(match).version == done.version
    house.log.advance_clock(1)
    assert house.load_match(match).version == done.version + 1
    assert movers(house, match, done.version) == [(-2, "clock.timed_out")]


def test_until_turn_ends_with_the_turn_and_until_match_does_not(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 1, until="turn")
    let(house, match, 2, until="match")
    done = move(house, match, 0, Play("drum"))
    assert movers(house, match, done.entry)[:2] == [(1, "party.hush"), (2, "party.hush")]
    assert house.get_auto_pass(match, Seat(1)) is None
    assert house.get_auto_pass(match, Seat(2)).kinds == ("applause", "encore")
    move(house, match, 1, Play("drum"))
    done = move(house, match, 0, Hush())
    assert waiting(house, match) == {2}
    done = move(house, match, 2, Play("drum"))
    assert movers(house, match, done.entry) == []
    assert waiting(house, match) == {0, 1}


def test_chance_and_passes_follow_each_other(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 1, 2)
    done = move(house, match, 0, Play("drum"))
    assert movers(house, match, done.entry) == [(1, "party.hush"), (2, "party.hush"), (CHANCE, "chance.rolled")]
    assert done.version == done.entry + 3


def test_a_reaction_asks_everybody_anew_and_they_pass_anew(house: MatchService) -> None:
    match = opened(house, dodges=True)
    let(house, match, 1)
    done = move(house, match, 0, Play("drum"))
    assert movers(house, match, done.entry) == [(1, "party.hush")]
    done = move(house, match, 2, Dodge())
    assert movers(house, match, done.entry) == [(1, "party.hush")]
    assert waiting(house, match) == {0}


def test_they_tell_of_no_hand() -> None:
    seen = []
    for dodges in (True, False):
        house = service()
        match = opened(house, dodges=dodges)
        let(house, match, 1)
        done = move(house, match, 0, Play("drum"))
        seen.append([entry.view_for(2) for entry in house.repository.load_entries(match, done.entry - 1)])
    assert seen[0] == seen[1]
    assert [mover.TAG for mover, _ in seen[0] if mover is not None] == ["toy.play", "party.hush"]


def test_what_is_asked_of_the_game_is_what_everybody_sees(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    match, shown = opened(house), []

    def awaits(step: Applause, state: Any) -> frozenset[Seat]:
        shown.append(state)
        return frozenset(map(Seat, step.waiting))

    def watched(step: Applause, state: Any) -> None:
        shown.append(state)

    let(house, match, 1)
    done = move(house, match, 0, Play("drum"))
    with monkeypatch.context() as patched:
        patched.setattr(Applause, "time_limit", watched)
        patched.setattr(Applause, "awaited_seats", awaits)
        house.load_match(match)
    assert done.version == done.entry + 1
    hands = {card for state in shown for seat in range(3) for card in state.cards_at(f"hand:{seat}")}
    assert hands == {"?"}


@pytest.mark.parametrize("dull", ["refused", "idle"])
def test_a_pass_that_is_refused_or_answers_nothing_is_not_played(house: MatchService, dull: str) -> None:
    match = opened(house, dull=dull)
    let(house, match, 1, kinds=("dull",))
    done = move(house, match, 0, Play("drum"))
    assert done.version == done.entry == house.load_match(match).version
    assert waiting(house, match) == {1}


def test_windows_that_open_each_other_for_ever_are_a_fault_of_the_game(
    house: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appender, "MAX_CONSECUTIVE_PASSES", 5)
    match = opened(house, dull="again")
    let(house, match, 1, kinds=("dull",))
    with pytest.raises(RuntimeError, match="no end after 5 passes"):
        move(house, match, 0, Play("drum"))


def test_where_real_cards_would_have_to_be_told_first_the_seat_is_asked(
    house: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(step: Applause, state: Any, seat: Seat, what: Move) -> Any:
        raise Undetermined("position_says_too_little")

    match = opened(house)
    let(house, match, 1)
    monkeypatch.setattr(Applause, "decide_move", unknown)
    done = move(house, match, 0, Play("drum"))
    assert done.version == done.entry == house.load_match(match).version


@pytest.mark.usefixtures("first_scheme")
def test_in_every_game_whoever_lets_all_pass_is_not_waited_for(house: MatchService) -> None:
    passed: dict[str, int] = {}
    for name, game in load_games().items():
        if not game.windows:
            continue
        dice, seats = random.Random(name), min(max(game.min_seats, 3), game.max_seats)
        properties = game.settings.get("properties", {})
        untimed = {key: None for key in properties if key.endswith("_window_ms")}  # else only the clock closes them
        ask = commands.OpenMatch(name, game.variants[0], untimed, {}, (SeatAssignment("human"),) * seats)
        match = house.open_match(ask, f"all of {name}").match.id
        for seat in range(seats):
            house.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
        house.execute_command(match, commands.StartMatch(), key="start", scope="host")
        for seat in range(int(seats > 2), seats):  # of two both, for fewer windows open
            house.set_auto_pass(match, Seat(seat), game.windows, "match", key="all")
        for n in range(600):
            if n > 80 and passed.get(name, 0) > 3:
                break
            loaded = house.load_match(match)
            seen = auto_pass.find_auto_pass_state(loaded.match)
            if seen is not None:
                left = auto_pass.find_due_passes(loaded.match, seen, house.log.read_passes(match))
                assert not [each for each in left if judge_move(loaded.match.state, each.seat, each.move).granted]
            people = sorted(seat for seat in seats_that_must_act(loaded.match.state) if seat >= 0)
            if loaded.match.status != "running" or not people:
                break
            what = sample_legal_move(loaded.match.state, people[0], dice.randrange)
            done = house.make_move(MoveRequest(match, people[0], what, key=f"n{n}"))
            again = house.make_move(MoveRequest(match, people[0], what, key=f"n{n}"))
            assert (again.entry, again.version, again.match) == (done.entry, done.version, done.match)
            followed = house.repository.load_entries(match, done.entry, done.version)
            passed[name] = passed.get(name, 0) + sum(entry.actor == "player" for entry in followed)
    assert "party" in passed
    assert all(count > 3 for count in passed.values()), passed
