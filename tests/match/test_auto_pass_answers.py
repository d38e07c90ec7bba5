"""What is answered where passes stand, and that they are played once, whoever dies or comes by."""

from __future__ import annotations

import threading

import pytest

from referee.engine.seats import Seat
from referee.eventstore.contract import AppendResult, Commit
from referee.match.errors import MoveRejected, VersionConflict
from referee.queries import views
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.doubles.party import Hush
from tests.doubles.party.house import Killed, dying, let, move, movers, opened, waiting
from tests.engine.toy import Play
from tests.service.house import service


def test_one_that_is_put_while_the_window_is_open_is_played_at_once(house: MatchService) -> None:
    match = opened(house)
    first = move(house, match, 0, Play("cake"), key="cake")
    let(house, match, 2)
    assert movers(house, match, first.version) == [(2, "party.hush")]
    let(house, match, 1)
    assert movers(house, match, first.version) == [(seat, "party.hush") for seat in (2, 1, 1, 2)]
    again = move(house, match, 0, Play("cake"), key="cake")
    assert (again.entry, again.version, again.receipt) == (first.entry, first.version, first.receipt)
    assert views.awaited_response(again.match) == views.awaited_response(first.match) == [2, 1]


@pytest.mark.parametrize("later", [True, False])
def test_an_answer_repeated_tells_the_version_after_what_followed(house: MatchService, later: bool) -> None:
    match = opened(house)
    let(house, match, 1)
    first = move(house, match, 0, Play("drum"), key="drum")
    assert first.version == first.entry + 1
    if later:
        move(house, match, 2, Hush())
    again = move(house, match, 0, Play("drum"), key="drum")
    assert (again.entry, again.version, again.receipt, again.replayed) == (
        first.entry, first.version, first.receipt, True,
    )  # fmt: skip
    assert again.match == first.match


def test_more_follows_than_is_read_at_a_time(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.match_service.FOLLOWUP_PAGE_SIZE", 2)
    match = opened(house)
    let(house, match, 1, 2)
    first = move(house, match, 0, Play("cake"), key="cake")
    move(house, match, 1, Play("bomb"))
    assert move(house, match, 0, Play("cake"), key="cake").version == first.version == first.entry + 4


def test_others_who_write_in_between_are_no_part_of_the_answer(house: MatchService) -> None:
    match, other = opened(house), service(house.log)
    let(house, match, 1)
    append, came = house.log.append, list[int]()

    def meanwhile(commit: Commit) -> AppendResult:
        if commit.key.startswith("pass:"):
            house.log.append = append
            came.append(other.make_move(MoveRequest(match, Seat(2), Hush(), key="by hand")).entry)
        return append(commit)

    house.log.append = meanwhile
    first = move(house, match, 0, Play("cake"), key="cake")
    # seat 2 came by while the desk was about to pass for seat 1: its desk passed for seat 1 first
    assert came == [first.entry + 2]
    assert movers(house, match, first.entry) == [(1, "party.hush"), (2, "party.hush"), (1, "party.hush")]
    assert (first.version, first.replayed) == (first.entry + 1, False)
    again = move(house, match, 0, Play("cake"), key="cake")
    assert (again.version, again.match, again.receipt) == (first.version, first.match, first.receipt)


@pytest.mark.parametrize("how", ["load", "heal", "move", "again"])
@pytest.mark.parametrize("entries", [0, 1, 2, 3])
def test_a_desk_that_dies_between_two_entries_loses_none(
    entries: int, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = service()
    match = opened(whole)
    let(whole, match, 1, 2)
    done = move(whole, match, 0, Play("cake"), key="cake")

    house = service()
    assert opened(house) == match
    let(house, match, 1, 2)
    with monkeypatch.context() as patched:
        patched.setattr(house.log, "append", dying(house.log, entries))
        with pytest.raises(Killed):
            move(house, match, 0, Play("cake"), key="cake")
    assert house.log.read(match).head.version == done.entry + entries
    fresh = service(house.log)
    if how == "load":
        fresh.load_match(match)
    elif how == "heal":
        fresh.recover_match(match)
    elif how == "move":
        fresh.make_move(MoveRequest(match, Seat(1), Play("bomb"), key="next"))
    else:
        again = move(fresh, match, 0, Play("cake"), key="cake")
        assert (again.entry, again.version, again.match) == (done.entry, done.version, done.match)
    entries_of_both = [log.read_entries(match, 0, done.version) for log in (house.log, whole.log)]
    assert entries_of_both[0] == entries_of_both[1]


def test_many_who_come_by_at_once_pass_once(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    match = opened(house)
    let(house, match, 1, 2)
    with monkeypatch.context() as patched:
        patched.setattr(house.log, "append", dying(house.log, 0))
        with pytest.raises(Killed):
            move(house, match, 0, Play("cake"), key="cake")
    version = house.log.read(match).head.version
    gate, failures = threading.Barrier(8), []

    def come_by() -> None:
        own = service(house.log)
        gate.wait()
        try:
            own.load_match(match)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=come_by) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert movers(house, match, version) == [(seat, "party.hush") for seat in (1, 2, 1, 2)]


def test_a_frozen_match_can_still_be_read(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    match = opened(house)
    let(house, match, 1)
    with monkeypatch.context() as patched:
        patched.setattr(house.log, "append", dying(house.log, 0))
        with pytest.raises(Killed):
            move(house, match, 0, Play("drum"))
    house.log.freeze_match(match)
    assert waiting(service(house.log), match) == {1, 2}


def test_a_move_on_what_was_seen_before_a_pass_crosses_it(house: MatchService) -> None:
    match = opened(house)
    done = move(house, match, 0, Play("drum"))
    let(house, match, 1)
    assert house.load_match(match).version == done.version + 1
    crossed = house.make_move(MoveRequest(match, Seat(2), Hush(), key="k", seen=done.version))
    assert crossed.entry == done.version + 2
    with pytest.raises((VersionConflict, MoveRejected)):
        house.make_move(MoveRequest(match, Seat(1), Hush(), key="mine", seen=done.version))
