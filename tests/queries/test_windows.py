"""Windows as the log tells them: opened, answered, closed, taken back; sealed ones show nothing but their number."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import apply_events
from referee.engine.prompts import window_kind_of
from referee.engine.referee import play_move, sample_legal_move, seats_that_must_act
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.games import load_games
from referee.match.aggregate import MatchRewound, SeatAssignment
from referee.match.table import commands
from referee.match.windows import find_open_window
from referee.queries import views, windows
from referee.repository.window_index import WindowRepository
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.doubles.party import Applause, Hush
from tests.engine.toy import Cheer, Dodge, Play
from tests.games.matches import marked_setups, random_match
from tests.service.house import service


def opened(house: MatchService, seats: int = 3, **settings: Any) -> str:
    ask = commands.OpenMatch("party", "standard", settings, {}, (SeatAssignment("table"),) * seats)
    match = house.open_match(ask, "an-opening-key").match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def told(house: MatchService, match: str, viewer: int = BYSTANDER, version: int | None = None) -> list[dict[str, Any]]:
    return windows.list_windows(house, match, viewer, version, only_open=False, after="", limit=200)[0]


def test_one_lies_beneath_another_until_that_is_closed(house: MatchService) -> None:
    match = opened(house)
    done = house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    encore, applause = told(house, match)
    assert (encore["status"], applause["status"]) == ("waiting", "open")
    assert (encore["trigger"], encore["seats"], encore["default"]) == (None, [], None)
    assert (applause["trigger"]["version"], applause["seats"]) == (done.version, [1, 2])
    for seat in (2, 1):
        house.make_move(MoveRequest(match, Seat(seat), Hush(), key=f"h{seat}", window=applause["id"]))
    encore, applause = told(house, match)
    assert (encore["status"], encore["order"], encore["seats"], encore["awaits"]) == ("open", "in_turn", [1, 2], [1])
    assert encore["trigger"]["version"] == done.version + 2
    assert (applause["outcome"]["how"], applause["answers"]["count"]) == ("answered", 2)
    assert [answer["seat"] for answer in applause["answers"]["seen"]] == [2, 1]


def test_asking_all_anew_is_the_same_window_and_keeps_its_answers(house: MatchService) -> None:
    match = opened(house, dodges=True)
    house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake"))
    name = find_open_window(house.load_match(match).match)
    house.make_move(MoveRequest(match, Seat(1), Hush(), key="h"))
    house.make_move(MoveRequest(match, Seat(2), Dodge(), key="d"))
    (window,) = [each for each in told(house, match) if each["id"] == name]
    assert (window["status"], window["awaits"], window["seats"]) == ("open", [0, 1], [1, 2, 0])
    assert window["answers"]["count"] == 2


def test_a_noise_is_no_answer(house: MatchService) -> None:
    match = opened(house, dull="idle")
    house.make_move(MoveRequest(match, Seat(0), Play("bomb"), key="b"))
    (dull,) = [each for each in told(house, match) if each["kind"] == "dull"]
    house.make_move(MoveRequest(match, Seat(1), Cheer(), key="c"))
    (dull,) = [each for each in told(house, match) if each["kind"] == "dull"]
    assert (dull["status"], dull["answers"]["count"]) == ("open", 0)


def test_what_is_taken_back_supersedes_windows_and_opens_those_again_that_stood(house: MatchService) -> None:
    match = opened(house)
    first = house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake")).version
    early = find_open_window(house.load_match(match).match)
    for seat in (1, 2):
        house.make_move(MoveRequest(match, Seat(seat), Hush(), key=f"h{seat}"))
    for seat in (1, 2):
        house.make_move(MoveRequest(match, Seat(seat), Hush(), key=f"e{seat}"))
    house.make_move(MoveRequest(match, Seat(1), Play("drum"), key="drum"))
    late = find_open_window(house.load_match(match).match)
    assert {each["id"] for each in told(house, match)} >= {early, late}
    house.appender.append_entry(  # what a remedy will write
        house.load_match(match), BYSTANDER, "table", commands.StartMatch(), (MatchRewound(first),), "host:back", b"x"
    )
    back = {each["id"]: each for each in told(house, match)}
    assert find_open_window(house.load_match(match).match) == early
    assert (back[early]["status"], back[early]["awaits"], back[early]["answers"]["count"]) == ("open", [1, 2], 0)
    assert back[late]["outcome"]["how"] == "superseded"
    assert back[late]["outcome"]["version"] == house.load_match(match).version
    fresh = service(house.log)
    assert told(fresh, match) == told(house, match)
    house.make_move(MoveRequest(match, Seat(1), Hush(), key="again", window=early))
    assert told(fresh, match) == told(house, match)


@pytest.mark.parametrize("until", ["open", "closed"])
def test_a_sealed_answer_is_seen_by_its_own_seat_alone_until_all_are_there(
    house: MatchService, monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    monkeypatch.setattr(Applause, "seals_answers", True)
    match = opened(house)
    house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum"))
    house.make_move(MoveRequest(match, Seat(1), Hush(), key="h1"))
    name = find_open_window(house.load_match(match).match)
    if until == "open":
        for viewer, seats in ((1, [1]), (2, []), (0, []), (BYSTANDER, [])):
            window, _ = windows.load_window(house, match, viewer, name, None)
            assert window["sealed"]
            assert window["answers"]["count"] == 1
            assert [answer["seat"] for answer in window["answers"]["seen"]] == seats
            assert (window["default"] is not None) is (viewer == 2)
        return
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="h2"))
    window, _ = windows.load_window(house, match, BYSTANDER, name, None)
    assert not window["sealed"]
    assert [answer["seat"] for answer in window["answers"]["seen"]] == [1, 2]


@pytest.mark.parametrize("pair", marked_setups())
def test_whether_a_window_is_open_and_its_default_follow_from_what_everybody_sees(pair: tuple[str, Any]) -> None:
    name, setup = pair
    for turn in random_match(name, setup, 5):
        state = turn.after
        if not state.agenda or not window_kind_of(state.agenda[-1]) or state.agenda[-1].seals_answers:
            continue
        public = state.view_for(BYSTANDER)
        assert window_kind_of(public.agenda[-1]) == window_kind_of(state.agenda[-1])
        for seat in sorted(seat for seat in seats_that_must_act(state) if seat >= 0):
            own = state.view_for(seat)
            assert public.agenda[-1].timeout_move(public, seat) == own.agenda[-1].timeout_move(own, seat)


@pytest.mark.parametrize(("game", "variant"), [(name, game.variants[0]) for name, game in load_games().items()])
def test_the_names_of_pending_steps_are_the_events_that_laid_them_there(game: str, variant: str) -> None:
    import random

    house, dice = service(), random.Random(3)
    ask = commands.OpenMatch(game, variant, {}, {}, (SeatAssignment("table"),) * load_games()[game].min_seats)
    match = house.open_match(ask, "an-opening-key").match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    seen = 0
    for step in range(25):
        loaded = house.load_match(match)
        state = loaded.match.state
        assert state is not None
        if not state.agenda:
            break
        assert len(loaded.match.opened) == len(state.agenda)
        entry, event = map(int, loaded.match.opened[-1].split("."))
        (logged,) = house.repository.load_entries(match, entry - 1, entry)
        fact = logged.events[event]
        laid = getattr(fact, "step", None)
        if laid is not None:
            assert type(laid) is type(state.agenda[-1])
            seen += 1
        seat = min(seat for seat in seats_that_must_act(state) if seat >= 0)
        move = sample_legal_move(state, seat, dice.randrange)
        assert move is not None
        assert apply_events(state, play_move(state, seat, move)) is not None
        house.make_move(MoveRequest(match, seat, move, key=f"m{step}"))
    assert seen
    assert house.load_version(match, loaded.version).match.opened == loaded.match.opened
    assert service(house.log).load_match(match).match.opened == house.load_match(match).match.opened


def test_more_matches_than_are_kept_are_told_all_the_same(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.repository.window_index.MAX_CACHED_MATCHES", 2)
    house.windows = WindowRepository(house.repository)
    matches = []
    for number in range(4):
        ask = commands.OpenMatch("party", "standard", {}, {}, (SeatAssignment("table"),) * 2)
        match = house.open_match(ask, f"key-{number}").match.id
        house.execute_command(match, commands.StartMatch(), key="start", scope="host")
        house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="drum"))
        matches.append((match, told(house, match)))
    assert [told(house, match) for match, _ in matches] == [before for _, before in matches]
    assert len(house.windows._kept) == 2


def test_all_is_shown_only_after_the_end(house: MatchService) -> None:
    from referee.engine.rulings import IllegalMove

    match = opened(house)
    with pytest.raises(IllegalMove):
        told(house, match, FULL_VIEWER)
    with pytest.raises(windows.UnknownWindow):
        windows.load_window(house, match, BYSTANDER, "9.9", None)
    assert views.list_legal_moves(house, match, Seat(0)).window is None
