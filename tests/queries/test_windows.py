"""Windows as the log tells them: opened, answered, closed, taken back; sealed ones show nothing but their number."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import fold
from referee.engine.prompts import kind_of
from referee.engine.referee import awaited, play, sampled
from referee.engine.seats import BYSTANDER, FULL, Seat
from referee.games import games
from referee.match.aggregate import Chair, Rewound
from referee.match.table import commands
from referee.match.windows import open_window
from referee.queries import views, windows
from referee.repository.window_index import Windows
from referee.service.match_service import Desk
from tests.doubles.party import Applause, Hush
from tests.engine.toy import Cheer, Dodge, Play
from tests.games.matches import ids, random_match, setups
from tests.service.house import desk


def opened(house: Desk, seats: int = 3, **settings: Any) -> str:
    ask = commands.Open("party", "standard", settings, {}, (Chair("table"),) * seats)
    match = house.open(ask, "an-opening-key").match.id
    house.business(match, commands.Start(), key="start", scope="host")
    return match


def told(house: Desk, match: str, eyes: int = BYSTANDER, version: int | None = None) -> list[dict[str, Any]]:
    return windows.listed(house, match, eyes, version, only_open=False, after="", limit=200)[0]


def test_one_lies_beneath_another_until_that_is_closed(house: Desk) -> None:
    match = opened(house)
    done = house.move(match, Seat(0), Play("cake"), key="cake")
    encore, applause = told(house, match)
    assert (encore["status"], applause["status"]) == ("waiting", "open")
    assert (encore["trigger"], encore["seats"], encore["default"]) == (None, [], None)
    assert (applause["trigger"]["version"], applause["seats"]) == (done.version, [1, 2])
    for seat in (2, 1):
        house.move(match, Seat(seat), Hush(), key=f"h{seat}", window=applause["id"])
    encore, applause = told(house, match)
    assert (encore["status"], encore["order"], encore["seats"], encore["awaits"]) == ("open", "in_turn", [1, 2], [1])
    assert encore["trigger"]["version"] == done.version + 2
    assert (applause["outcome"]["how"], applause["answers"]["count"]) == ("answered", 2)
    assert [answer["seat"] for answer in applause["answers"]["seen"]] == [2, 1]


def test_asking_all_anew_is_the_same_window_and_keeps_its_answers(house: Desk) -> None:
    match = opened(house, dodges=True)
    house.move(match, Seat(0), Play("cake"), key="cake")
    name = open_window(house.load(match).match)
    house.move(match, Seat(1), Hush(), key="h")
    house.move(match, Seat(2), Dodge(), key="d")
    (window,) = [each for each in told(house, match) if each["id"] == name]
    assert (window["status"], window["awaits"], window["seats"]) == ("open", [0, 1], [1, 2, 0])
    assert window["answers"]["count"] == 2


def test_a_noise_is_no_answer(house: Desk) -> None:
    match = opened(house, dull="idle")
    house.move(match, Seat(0), Play("bomb"), key="b")
    (dull,) = [each for each in told(house, match) if each["kind"] == "dull"]
    house.move(match, Seat(1), Cheer(), key="c")
    (dull,) = [each for each in told(house, match) if each["kind"] == "dull"]
    assert (dull["status"], dull["answers"]["count"]) == ("open", 0)


def test_what_is_taken_back_supersedes_windows_and_opens_those_again_that_stood(house: Desk) -> None:
    match = opened(house)
    first = house.move(match, Seat(0), Play("cake"), key="cake").version
    early = open_window(house.load(match).match)
    for seat in (1, 2):
        house.move(match, Seat(seat), Hush(), key=f"h{seat}")
    for seat in (1, 2):
        house.move(match, Seat(seat), Hush(), key=f"e{seat}")
    house.move(match, Seat(1), Play("drum"), key="drum")
    late = open_window(house.load(match).match)
    assert {each["id"] for each in told(house, match)} >= {early, late}
    house._append(  # what a remedy will write
        house.load(match), BYSTANDER, "table", commands.Start(), (Rewound(first),), "host:back", b"x"
    )
    back = {each["id"]: each for each in told(house, match)}
    assert open_window(house.load(match).match) == early
    assert (back[early]["status"], back[early]["awaits"], back[early]["answers"]["count"]) == ("open", [1, 2], 0)
    assert back[late]["outcome"]["how"] == "superseded"
    assert back[late]["outcome"]["version"] == house.load(match).version
    fresh = desk(house.log)
    assert told(fresh, match) == told(house, match)
    house.move(match, Seat(1), Hush(), key="again", window=early)
    assert told(fresh, match) == told(house, match)


@pytest.mark.parametrize("until", ["open", "closed"])
def test_a_sealed_answer_is_seen_by_its_own_seat_alone_until_all_are_there(
    house: Desk, monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    monkeypatch.setattr(Applause, "sealed", True)
    match = opened(house)
    house.move(match, Seat(0), Play("drum"), key="drum")
    house.move(match, Seat(1), Hush(), key="h1")
    name = open_window(house.load(match).match)
    if until == "open":
        for eyes, seats in ((1, [1]), (2, []), (0, []), (BYSTANDER, [])):
            window, _ = windows.one(house, match, eyes, name, None)
            assert window["sealed"]
            assert window["answers"]["count"] == 1
            assert [answer["seat"] for answer in window["answers"]["seen"]] == seats
            assert (window["default"] is not None) is (eyes == 2)
        return
    house.move(match, Seat(2), Hush(), key="h2")
    window, _ = windows.one(house, match, BYSTANDER, name, None)
    assert not window["sealed"]
    assert [answer["seat"] for answer in window["answers"]["seen"]] == [1, 2]


@pytest.mark.parametrize("pair", setups(), ids=ids)
def test_whether_a_window_is_open_and_its_default_follow_from_what_everybody_sees(pair: tuple[str, Any]) -> None:
    name, setup = pair
    for turn in random_match(name, setup, 5):
        state = turn.after
        if not state.agenda or not kind_of(state.agenda[-1]) or state.agenda[-1].sealed:
            continue
        public = state.seen_by(BYSTANDER)
        assert kind_of(public.agenda[-1]) == kind_of(state.agenda[-1])
        for seat in sorted(seat for seat in awaited(state) if seat >= 0):
            own = state.seen_by(seat)
            assert public.agenda[-1].when_late(public, seat) == own.agenda[-1].when_late(own, seat)


@pytest.mark.parametrize(("game", "variant"), [(name, game.variants[0]) for name, game in games().items()])
def test_the_names_of_pending_steps_are_the_events_that_laid_them_there(game: str, variant: str) -> None:
    import random

    house, dice = desk(), random.Random(3)
    ask = commands.Open(game, variant, {}, {}, (Chair("table"),) * games()[game].min_seats)
    match = house.open(ask, "an-opening-key").match.id
    house.business(match, commands.Start(), key="start", scope="host")
    seen = 0
    for step in range(25):
        loaded = house.load(match)
        state = loaded.match.state
        assert state is not None
        if not state.agenda:
            break
        assert len(loaded.match.opened) == len(state.agenda)
        entry, event = map(int, loaded.match.opened[-1].split("."))
        (logged,) = house.entries(match, entry - 1, entry)
        fact = logged.facts[event]
        laid = getattr(fact, "step", None)
        if laid is not None:
            assert type(laid) is type(state.agenda[-1])
            seen += 1
        seat = min(seat for seat in awaited(state) if seat >= 0)
        move = sampled(state, seat, dice.randrange)
        assert move is not None
        assert fold(state, play(state, seat, move)) is not None
        house.move(match, seat, move, key=f"m{step}")
    assert seen
    assert house.at(match, loaded.version).match.opened == loaded.match.opened
    assert desk(house.log).load(match).match.opened == house.load(match).match.opened


def test_more_matches_than_are_kept_are_told_all_the_same(house: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.repository.window_index.KEPT", 2)
    house.windows = Windows(house)
    matches = []
    for number in range(4):
        ask = commands.Open("party", "standard", {}, {}, (Chair("table"),) * 2)
        match = house.open(ask, f"key-{number}").match.id
        house.business(match, commands.Start(), key="start", scope="host")
        house.move(match, Seat(0), Play("drum"), key="drum")
        matches.append((match, told(house, match)))
    assert [told(house, match) for match, _ in matches] == [before for _, before in matches]
    assert len(house.windows._kept) == 2


def test_all_is_shown_only_after_the_end(house: Desk) -> None:
    from referee.engine.rulings import Refused

    match = opened(house)
    with pytest.raises(Refused):
        told(house, match, FULL)
    with pytest.raises(windows.UnknownWindow):
        windows.one(house, match, BYSTANDER, "9.9", None)
    assert views.listing(house, match, Seat(0)).window is None
