"""What the table does beside the play makes nobody's move stale, be it named by `strict` or by `seen`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.arbitration import disputes as court
from referee.arbitration.auto_ruling import CourtFinding
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import MatchRewound, SeatLeft
from referee.match.bots import substitution as bot_substitution
from referee.match.entries import LogEntry
from referee.match.errors import VersionConflict
from referee.match.events.dispute_commands import Attest, OpenDispute, WithdrawDispute
from referee.match.events.dispute_events import MatchVoided
from referee.match.table import commands
from referee.service.concurrency import is_game_entry
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from tests.arbitration.takebacks import Room, breaking, reached
from tests.arbitration.test_courts import UNSURE, disputed, execute, opened
from tests.doubles.party import Hush
from tests.service.house import end_agreed_by_all

Beside = Callable[[MatchService, str, int], object]


@pytest.fixture(autouse=True)
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The referee cannot tell what is disputed, so the table is asked."""
    findings: list[CourtFinding] = [UNSURE]
    monkeypatch.setattr(court.auto_ruling, "judge_dispute", lambda evidence, ask: findings[-1])


def dispute_withdrawn(house: MatchService, match: str, about: int) -> None:
    number = disputed(house, match, about).number
    execute(house, match, WithdrawDispute(number, "1"))


def dispute_denied(house: MatchService, match: str, about: int) -> None:
    number = disputed(house, match, about).number
    for seat in (2, 3):
        execute(house, match, Attest(number, seat, False))


def seat_left(house: MatchService, match: str, about: int) -> None:
    execute(house, match, commands.LeaveSeat(1))
    execute(house, match, bot_substitution.SeatBot(1, 1, ()))


def proxy_set(house: MatchService, match: str, about: int) -> None:
    execute(house, match, commands.SetProxy(1, "host"))


BESIDE: list[tuple[Beside, dict[str, Any]]] = [
    (disputed, {"play_on": True}),
    (dispute_denied, {"play_on": True}),
    (dispute_withdrawn, {}),
    (dispute_denied, {}),
    (seat_left, {}),
    (proxy_set, {}),
]


@pytest.mark.parametrize("named", ["strict", "seen"])
@pytest.mark.parametrize(("beside", "settings"), BESIDE)
def test_a_move_meant_for_a_version_before_it_is_made(
    house: MatchService, beside: Beside, settings: dict[str, Any], named: str
) -> None:
    match, about = opened(house, **settings)
    looked = house.load_match(match).version
    beside(house, match, about)
    assert house.load_match(match).version > looked
    done = house.make_move(MoveRequest(match, Seat(2), Hush(), key="on-it-goes", **{named: looked}))
    assert done.entry == house.load_match(match).version


@pytest.mark.parametrize("named", ["strict", "seen"])
def test_while_a_court_is_at_it_the_move_waits_and_is_not_called_stale(house: MatchService, named: str) -> None:
    match, about = opened(house)
    looked = house.load_match(match).version
    disputed(house, match, about)
    with pytest.raises(IllegalMove) as refused:
        house.make_move(MoveRequest(match, Seat(2), Hush(), key="too-soon", **{named: looked}))
    assert refused.value.ruling.reason == "in_dispute"


def test_another_move_in_between_makes_it_stale_whatever_else_there_was(house: MatchService) -> None:
    match, _ = opened(house, play_on=True)
    looked = house.load_match(match).version
    house.make_move(MoveRequest(match, Seat(3), Hush(), key="another"))
    proxy_set(house, match, 0)
    with pytest.raises(VersionConflict) as behind:
        house.make_move(MoveRequest(match, Seat(2), Hush(), key="stale", strict=looked))
    assert (behind.value.seen, behind.value.version, behind.value.strict) == (looked, looked + 2, True)
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="crossing", seen=looked))


@pytest.mark.parametrize("named", ["strict", "seen"])
def test_a_version_that_the_log_does_not_reach_is_refused(house: MatchService, named: str) -> None:
    match, _ = opened(house)
    with pytest.raises(VersionConflict):
        house.make_move(
            MoveRequest(match, Seat(2), Hush(), key="ahead", **{named: house.load_match(match).version + 1})
        )


@pytest.mark.clause("TABLE-TAKEBACK-3", "TABLE-TAKEBACK-5")
@pytest.mark.parametrize("named", ["strict", "seen"])
def test_a_request_to_go_back_makes_no_move_stale(house: MatchService, named: str) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"), kinds=("human",) * 3)
    looked, due = here.version, here.house.load_match(here.match).read_result.due
    here.take_back(seat, to)
    assert here.taken().stage == "asked"
    assert here.house.load_match(here.match).read_result.due == due, "it touches no deadline"
    moved_at(here, **{named: looked})
    assert here.taken().stage == "overtaken"


def moved_at(here: Room, **named: int) -> CommandResult:
    """A random move of somebody who is awaited, meant for a version."""
    state = here.now.state
    assert state is not None
    seat = Seat(min(seat for seat in seats_that_must_act(state) if seat >= 0))
    move = sample_legal_move(state, seat, here.dice.randrange)
    assert move is not None
    return here.house.make_move(MoveRequest(here.match, seat, move, key=here.key(), **named))


def test_two_requests_at_once_make_each_other_not_stale_but_one_that_is_granted_does(house: MatchService) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"), kinds=("human",) * 3)
    looked, others = here.version, [other for other in range(3) if other != seat]
    first = here.take_back(seat, to, strict=looked).entry
    here.take_back(seat, to, strict=looked)
    assert [each.stage for each in here.now.takebacks] == ["asked", "asked"]
    for other in others:
        here.consent(first, other)
    assert here.taken().stage != "granted"
    with pytest.raises(VersionConflict):
        here.take_back(seat, to, strict=looked)


def test_an_answer_about_a_bot_holds_for_its_question_and_for_no_other(house: MatchService) -> None:
    match, _ = opened(house)
    execute(house, match, commands.LeaveSeat(1))
    looked = execute(house, match, bot_substitution.SeatBot(1, 1, ())).version
    proxy_set_of_another = commands.SetProxy(3, "host")
    execute(house, match, proxy_set_of_another)
    number = house.load_match(match).match.proposals[0].number
    yes, late = (bot_substitution.AnswerBot(1, True, (seat,), number) for seat in (0, 2))
    house.execute_command(match, yes, key="yes-0", scope="test", strict=looked)
    execute(house, match, bot_substitution.SeatBot(1, 2, ()))
    with pytest.raises(VersionConflict):
        house.execute_command(match, late, key="yes-2", scope="test", strict=looked)


def test_all_other_business_insists_on_the_log(house: MatchService) -> None:
    match, _ = opened(house)
    looked = house.load_match(match).version
    proxy_set(house, match, 0)
    with pytest.raises(VersionConflict):
        house.execute_command(match, end_agreed_by_all("agreed"), key="end", scope="host", strict=looked)


@pytest.mark.parametrize(
    ("seat", "events", "plays"),
    [
        (0, (), True),
        (int(BYSTANDER), (SeatLeft(0),), False),
        (int(BYSTANDER), (SeatLeft(0), MatchRewound(3)), True),
        (int(BYSTANDER), (MatchVoided(3),), True),
    ],
)
def test_what_leaves_the_table_as_it_was_is_no_play(seat: int, events: tuple[Any, ...], plays: bool) -> None:
    assert is_game_entry(LogEntry("m", 9, 0, seat, "table", None, events, (), b"")) is plays


def test_a_dispute_is_told_by_what_it_asks(house: MatchService) -> None:
    match, about = opened(house, play_on=True)
    done = execute(house, match, OpenDispute("1", about, "other"))
    (entry,) = house.repository.load_entries(match, done.entry - 1, done.entry)
    assert not is_game_entry(entry)
