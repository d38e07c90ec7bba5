"""Takebacks buy no time: the deadlines before and after, by the store's clock."""

from __future__ import annotations

import pytest

from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Clocks
from referee.match.clocks import find_deadline
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.arbitration.takebacks import Room, at_once, breaking, but, reached, room
from tests.service.house import service

MOVE, WINDOW = 30_000, 20_000
CLOCKS = Clocks(MOVE, WINDOW)


def due(here: Room) -> int | None:
    """When the time for the open question is over."""
    found = find_deadline(here.house.load_match(here.match))
    return None if found is None else found.at_ms


def advance(here: Room, ms: int) -> None:
    assert isinstance(here.house.log, MemoryLog)
    here.house.log.advance_clock(ms)


def own_moves(house: MatchService, think: int) -> tuple[Room, int, int, int]:
    """A seat has thought so long about each of two moves in a row that it may take back at once: the match, who, what
    to go back to, and when the time of the question there was over."""
    for seed in range(60):
        here = room(house, "creature_crush", f"{seed}-{think}", clocks=CLOCKS)
        for _ in range(40):
            deadline_there, started = due(here), here.version
            advance(here, think)
            to, seat = here.play()
            if here.now.status == "running" and to == started and here.crossing(to, seat).rules == ():
                assert deadline_there is not None
                return here, to, seat, deadline_there
    raise AssertionError("no such course")


@pytest.mark.clause("TABLE-TAKEBACK-5")
def test_a_request_touches_no_deadline(house: MatchService) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"), clocks=CLOCKS)
    advance(here, 1234)
    before, asked = due(here), house.load_match(here.match).head.question_version
    here.take_back(seat, to)
    assert before is not None
    assert due(here) == before
    assert house.load_match(here.match).head.question_version == asked
    other = next(other for other in range(3) if other != seat)
    here.consent(here.version, other, grant=False)
    assert due(here) == before
    late = before - house.load_match(here.match).read_result.now_ms
    advance(here, late + 1)
    assert house.load_match(here.match).version > asked, "a request does not save a late player"
    assert here.now.takebacks[-1].stage == "refused"


@pytest.mark.clause("TABLE-TAKEBACK-5")
def test_gone_back_at_once_the_time_runs_as_if_nothing_had_been_answered(house: MatchService) -> None:
    here, to, seat, there = own_moves(house, 9000)
    advance(here, 1500)
    here.take_back(seat, to)
    assert here.taken().waives == ()
    assert due(here) == there
    fresh = service(house.log)
    assert fresh.load_match(here.match).match == here.now


@pytest.mark.clause("TABLE-TAKEBACK-5")
def test_once_the_time_of_the_question_is_over_going_back_to_it_needs_consent(house: MatchService) -> None:
    here, to, seat, there = own_moves(house, 20_000)
    advance(here, there - house.load_match(here.match).read_result.now_ms)
    assert house.load_match(here.match).version > to, "the next question has its own time"
    here.take_back(seat, to)
    assert (here.taken().stage, here.taken().waives) == ("asked", ("time",))
    here.consent(here.version, 1 - seat)
    assert here.taken().stage == "granted"
    assert due(here) == house.load_match(here.match).read_result.now_ms + MOVE - 20_000, (
        "what was left when it was answered"
    )


@pytest.mark.clause("TABLE-TAKEBACK-5")
def test_with_limits_of_time_a_seat_goes_back_at_once_only_once_until_another_has_moved(house: MatchService) -> None:
    here, to, seat, _ = own_moves(house, 10)
    here.take_back(seat, to)
    assert here.taken().waives == ()
    for _ in range(60):
        to, mover = here.play()
        if mover != seat:
            break
        if "revealed" in here.crossing(to, seat).rules:
            continue
        here.take_back(seat, to)
        assert "time" in here.taken().waives
        assert here.taken().stage == "asked"
    else:
        raise AssertionError("nobody else has moved")
    again = 0
    for _ in range(200):
        to, mover = here.play()
        if here.now.status != "running":
            break
        if mover == seat and here.crossing(to, seat).rules == () and _others_since(here, seat):
            here.take_back(seat, to)
            again += 1
            assert here.taken().waives == ()
            break
    assert again


def _others_since(here: Room, seat: int) -> bool:
    """Whether another seat has moved since this one last went back at once."""
    last = max(each.number for each in here.now.takebacks if each.seat == seat and each.stage == "granted")
    return any(each.seat >= 0 and each.seat != seat for each in here.house.repository.load_entries(here.match, last))


def test_without_limits_of_time_nothing_hinders_a_second_time(house: MatchService) -> None:
    here, to, seat = reached(house, "creature_crush", at_once)
    here.take_back(seat, to)
    assert here.taken().waives == ()
    move = next(each for each in reversed(house.repository.load_entries(here.match)) if each.seat == seat)
    assert move.move is not None
    back = here.version
    house.make_move(MoveRequest(here.match, move.seat, move.move, key="again"))  # type: ignore[arg-type]
    here.take_back(seat, back)
    assert [each.waives for each in here.now.takebacks] == [(), ()]


@pytest.mark.clause("TABLE-TAKEBACK-5")
def test_what_was_left_is_still_left_after_the_pile_was_shuffled_again(house: MatchService) -> None:
    for seed in range(60):
        here = room(house, "munchkin", f"shuffle{seed}", clocks=CLOCKS)
        for _ in range(30):
            there = due(here)
            advance(here, 4000)
            to, seat = here.play()
            if here.now.status == "running" and here.crossing(to, seat).piles and there is not None:
                break
        else:
            continue
        left = there - house.repository.load_entries(here.match, to, to + 1)[0].at_ms
        advance(here, 700)
        here.take_back(seat, to)
        number = here.version
        for other in (other for other in range(3) if other != seat):
            done = here.consent(number, other)
        assert done.version > done.entry, "shuffled"
        assert due(here) == house.load_match(here.match).read_result.now_ms + left
        return
    raise AssertionError("no such course")


@pytest.mark.clause("TABLE-TAKEBACK-5")
def test_the_next_question_has_all_its_time_again(house: MatchService) -> None:
    here, to, seat, there = own_moves(house, 9000)
    here.take_back(seat, to)
    assert due(here) == there
    for _ in range(20):
        before = house.load_match(here.match).head.question_version
        here.play()
        loaded = house.load_match(here.match)
        if loaded.head.question_version != before and (found := find_deadline(loaded)) is not None:
            assert found.left_ms == found.limit_ms
            assert here.now.left_ms is None
            return
    raise AssertionError("nothing was asked anew")


def test_where_the_clock_itself_has_moved_all_may_give_the_time_anew(house: MatchService) -> None:
    for seed in range(40):
        here = room(house, "creature_crush", f"late{seed}", clocks=CLOCKS)
        for _ in range(6):
            here.play()
        to, before = here.version, due(here)
        if before is None:
            continue
        advance(here, MOVE + 1)
        late = house.load_match(here.match)
        moved = house.repository.load_entries(here.match, to)
        if late.match.status != "running" or not moved or moved[0].actor != "clock":
            continue
        seat = moved[0].seat
        if "others" not in here.crossing(to, seat).rules:
            raise AssertionError("what the clock did is not the seat's own")
        here.take_back(seat, to)
        here.consent(here.version, 1 - seat)
        assert here.taken().stage == "granted"
        assert due(here) == house.load_match(here.match).read_result.now_ms + MOVE
        return
    raise AssertionError("no such course")


@pytest.mark.usefixtures("first_scheme")
def test_rules_named_are_those_that_are_broken(house: MatchService) -> None:
    for rule in ("turn", "revealed"):
        here, to, seat = reached(house, "creature_crush", but(rule))
        here.take_back(seat, to)
        assert here.taken().waives == (rule,)
