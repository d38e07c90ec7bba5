"""Moves that are decided on what a process last saw: one call of the store, and nothing that has changed is missed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from referee.engine.seats import Seat
from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Clocks, SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.recalled_moves import make_recalled_move
from referee.service.requests import MoveRequest
from tests.doubles.party import PARTY
from tests.engine.toy import Play
from tests.service import house

TOKEN, RECORD = "t" * 64, b'{"role":"seat","seats":[0]}'


class CountingLog:
    """A log that counts its calls."""

    def __init__(self) -> None:
        self.log, self.calls = MemoryLog(), list[str]()

    def __getattr__(self, name: str) -> Any:
        self.calls.append(name)
        return getattr(self.log, name)


class Room:
    """A match of the toy game, two processes over its log, and a clock that each of them reads."""

    def __init__(self) -> None:
        self.log, self.elapsed = CountingLog(), 100.0
        self.here, self.there = self.process(), self.process()
        chairs = (SeatAssignment("human"),) * 3
        opened = self.here.open_match(commands.OpenMatch(PARTY.name, PARTY.variants[0], {}, {}, chairs), "open")
        self.match = opened.match.id
        for seat in range(3):
            self.here.execute_command(self.match, commands.TakeSeat(seat), key=f"sit{seat}", scope="join")
        self.here.execute_command(self.match, commands.StartMatch(), key="start", scope="host")
        self.log.put_grant(self.match, TOKEN, RECORD)
        self.here.load_match(self.match, grant=TOKEN)

    def process(self) -> MatchService:
        """Return a service as another process has it."""
        return MatchService(
            cast(MatchLog, self.log),
            house.FixedDraws(),
            lambda *_: "receipt",
            lambda _: None,
            house.identify,
            lambda: self.elapsed,
        )

    def pass_time(self, ms: int) -> None:
        """Let time go by on both clocks."""
        self.log.advance_clock(ms)
        self.elapsed += ms / 1000

    def request(self, key: str, **more: Any) -> MoveRequest:
        """Return a move of seat 0 that is legal as the match begins."""
        return MoveRequest(self.match, Seat(0), Play("drum"), key=key, **more)

    def make(self, key: str = "k", **more: Any) -> Any:
        """Make the move upon what is recalled; None if the match has to be read first."""
        recalled = self.here.repository.recall_match(self.match, TOKEN)
        return None if recalled is None else make_recalled_move(self.here, self.request(key, **more), recalled, TOKEN)


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_move_is_one_call(room: Room) -> None:
    room.log.calls.clear()
    done = room.make()
    assert done is not None
    assert room.log.calls == ["append"]
    assert room.there.load_match(room.match).version == done.version == done.entry


def test_its_entry_has_the_time_of_now(room: Room) -> None:
    room.pass_time(7000)
    done = room.make()
    assert done.entries[0].at_ms == room.log.now()


def forget_token(room: Room) -> None:
    room.log.revoke_grants(room.match, [TOKEN])


def take_rights(room: Room) -> None:
    room.log.put_grant(room.match, TOKEN, b'{"role":"spectator","seats":[]}')


def move_elsewhere(room: Room) -> None:
    room.there.make_move(room.request("other"))


def stop_clock(room: Room) -> None:
    """Let time go by for the store alone, as while this machine sleeps."""
    room.log.advance_clock(60_000)


def let_it_get_old(room: Room) -> None:
    room.pass_time(31_000)


def freeze(room: Room) -> None:
    room.log.freeze_match(room.match)


def raise_epochs(room: Room) -> None:
    """Fence off those who wrote before a restart."""
    room.log.raise_epochs()


CHANGES = (forget_token, take_rights, move_elsewhere, stop_clock, let_it_get_old, freeze, raise_epochs)


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_has_changed_is_noticed(room: Room, change: Callable[[Room], None]) -> None:
    change(room)
    version = room.log.read(room.match).head.version  # type: ignore[union-attr]
    assert room.make() is None
    assert room.log.read(room.match).head.version == version  # type: ignore[union-attr]


def test_a_standing_pass_that_another_process_set_is_played(room: Room) -> None:
    room.log.put_pass(room.match, 1, "pass", b"", b'{"kinds":["applause"],"since":1,"turn":1,"until":"match"}', 60_000)
    done = room.make()
    assert [entry.seat for entry in done.entries] == [0, 1]


def test_the_same_request_again_is_decided_after_a_read(room: Room) -> None:
    first = room.make()
    assert room.make() is None
    again = room.here.make_move(room.request("k"))
    assert again.replayed
    assert again.entry == first.entry


def test_a_refused_move_is_decided_after_a_read_and_leaves_nothing(room: Room) -> None:
    assert room.make(seen=1) is None
    assert room.make(window="9.9") is None
    recalled = room.here.repository.recall_match(room.match, TOKEN)
    assert recalled is not None
    wrong = MoveRequest(room.match, Seat(2), Play("drum"), key="w")
    room.log.calls.clear()
    assert make_recalled_move(room.here, wrong, recalled, TOKEN) is None
    assert room.log.calls == []


def test_a_deadline_that_is_near_is_left_to_the_store() -> None:
    room = Room()
    clocked = commands.OpenMatch(
        PARTY.name, PARTY.variants[0], {}, {}, (SeatAssignment("human"),) * 3, clocks=Clocks(5000, 5000)
    )
    room.match = room.here.open_match(clocked, "clocked").match.id
    for seat in range(3):
        room.here.execute_command(room.match, commands.TakeSeat(seat), key=f"sit{seat}", scope="join")
    room.here.execute_command(room.match, commands.StartMatch(), key="start", scope="host")
    room.log.put_grant(room.match, TOKEN, RECORD)
    room.here.load_match(room.match, grant=TOKEN)
    room.pass_time(4200)
    assert room.make() is None
    assert room.here.load_match(room.match, grant=TOKEN).version > 0


def test_without_a_clock_nothing_is_recalled() -> None:
    service = house.service()
    assert service.repository.recall_match("07-" + "a" * 26, TOKEN) is None
