"""Snapshots: what was folded once need not be folded again, and nothing but time depends on it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.referee import awaited, sampled
from referee.engine.seats import BYSTANDER, Seat
from referee.eventstore.contract import MatchLog, Reading, Snapshot, StoreAway
from referee.eventstore.memory.log import MemoryLog
from referee.games import games
from referee.match.aggregate import Chair, Rewound
from referee.match.table import commands
from referee.repository import matches
from referee.repository.matches import SNAPSHOT_RULES, packed, restored
from referee.service import appender
from referee.service.match_service import Desk
from tests.service.house import desk

GAMES = sorted(set(games()) - {"party"})


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot at every tenth entry."""
    for module in (matches, appender):
        monkeypatch.setattr(module, "SNAPSHOT_EVERY", 10)


def opened(house: Desk, game: str) -> str:
    box = games()[game]
    ask = commands.Open(game, box.variants[0], {}, {}, (Chair("table"),) * box.min_seats)
    match = house.open(ask, "an-opening-key").match.id
    house.business(match, commands.Start(), key="start", scope="host")
    return match


def played(house: Desk, match: str, upto: int, seed: int = 1) -> None:
    """Random moves up to that version, or the end."""
    dice = random.Random(seed)
    while (loaded := house.load(match)).version < upto and loaded.match.end is None:
        seat = min(seat for seat in awaited(loaded.match.state) if seat >= 0)  # the time of a window is not up here
        move = sampled(loaded.match.state, seat, dice.randrange)
        assert move is not None
        house.move(match, Seat(seat), move, key=f"m{loaded.version}")


class Watched(MemoryLog):
    """A log that notes after which version it was read."""

    def __init__(self, log: MemoryLog) -> None:
        self.__dict__ = log.__dict__
        self.reads: list[int] = []

    def read(self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = "") -> Reading:
        self.reads.append(after)
        return super().read(match, after=after, limit=limit, key=key, grant=grant)


def anew(house: Desk, match: str) -> tuple[Any, list[int]]:
    """The match as a process reads it that has not met it before, and from where it read."""
    log = house.log
    assert isinstance(log, MemoryLog)
    watched = Watched(log)
    return desk(watched).load(match).match, watched.reads


def whole(log: MatchLog, match: str) -> Any:
    """The match folded from its first entry."""
    fresh = desk(log)
    return matches.folded(matches.Match(), fresh._all(match, fresh.load(match).version))


@pytest.mark.parametrize("game", GAMES)
def test_who_begins_at_a_snapshot_sees_what_the_whole_log_tells(house: Desk, game: str) -> None:
    match = opened(house, game)
    played(house, match, 37)
    version = house.load(match).version
    found, reads = anew(house, match)
    assert found == house.load(match).match == whole(house.log, match)
    assert reads == [0, version // 10 * 10]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_packed_is_restored(house: Desk, game: str) -> None:
    match = opened(house, game)
    for upto in range(3, 40, 4):
        played(house, match, upto)
        now = house.load(match).match
        assert restored(packed(b"root", now)) == (b"root", now)


def test_a_short_match_is_read_once(house: Desk) -> None:
    match = opened(house, "monster_combat")
    assert anew(house, match)[1] == [0]


def test_going_back_before_a_snapshot_is_told_by_the_log(house: Desk) -> None:
    match = opened(house, "here_to_slay")
    played(house, match, 8)
    before = house.load(match)
    played(house, match, 25)
    last = house.load(match)
    house._append(last, BYSTANDER, "table", commands.Start(), (Rewound(before.version),), "host:back", b"x")
    assert anew(house, match)[0] == whole(house.log, match) == before.match


@pytest.mark.parametrize(
    "wrong",
    [
        lambda snapshot: Snapshot(snapshot.version, "of another program", snapshot.body),
        lambda snapshot: Snapshot(snapshot.version, SNAPSHOT_RULES, b'{"root":"00","match":{},"state":null}'),
        lambda snapshot: Snapshot(snapshot.version, SNAPSHOT_RULES, packed(bytes(32), restored(snapshot.body)[1])),
    ],
    ids=["other rules", "unreadable", "of a history that was lost"],
)
def test_a_snapshot_that_does_not_fit_is_passed_over(house: Desk, wrong: Any) -> None:
    match = opened(house, "here_to_slay")
    played(house, match, 25)
    log = house.log
    assert isinstance(log, MemoryLog)
    kept = log._matches[match]
    assert kept.snapshot is not None
    assert kept.snapshot.version == 20
    kept.snapshot = wrong(kept.snapshot)
    found, reads = anew(house, match)
    assert found == house.load(match).match
    assert reads == [0, 0]
    assert kept.snapshot.version == house.load(match).version, "whoever folded it all keeps a right one"
    assert anew(house, match)[0] == found


def test_a_store_that_keeps_no_snapshot_loses_no_move(house: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object) -> bool:
        raise StoreAway("full")

    monkeypatch.setattr(house.log, "snapshot", away)
    match = opened(house, "here_to_slay")
    played(house, match, 25)
    assert anew(house, match)[0] == house.load(match).match
