"""Snapshots: what was folded once need not be folded again, and nothing but time depends on it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import BYSTANDER, Seat
from referee.eventstore.contract import MatchLog, ReadResult, Snapshot, StoreUnavailable
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import MatchRewound, SeatAssignment
from referee.match.table import commands
from referee.repository import matches
from referee.repository.matches import SNAPSHOT_RULES, decode_snapshot, encode_snapshot
from referee.service import appender
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.service.house import service

GAMES = sorted(set(load_games()) - {"party"})


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot at every tenth entry."""
    for module in (matches, appender):
        monkeypatch.setattr(module, "SNAPSHOT_EVERY", 10)


def opened(house: MatchService, game: str) -> str:
    box = load_games()[game]
    ask = commands.OpenMatch(game, box.variants[0], {}, {}, (SeatAssignment("table"),) * box.min_seats)
    match = house.open_match(ask, "an-opening-key").match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def played(house: MatchService, match: str, upto: int, seed: int = 1) -> None:
    """Random moves up to that version, or the end."""
    dice = random.Random(seed)
    while (loaded := house.load_match(match)).version < upto and loaded.match.end is None:
        seat = min(
            seat for seat in seats_that_must_act(loaded.match.state) if seat >= 0
        )  # the time of a window is not up here
        move = sample_legal_move(loaded.match.state, seat, dice.randrange)
        assert move is not None
        house.make_move(MoveRequest(match, Seat(seat), move, key=f"m{loaded.version}"))


class Watched(MemoryLog):
    """A log that notes after which version it was read."""

    def __init__(self, log: MemoryLog) -> None:
        self.__dict__ = log.__dict__
        self.reads: list[int] = []

    def read(
        self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = ""
    ) -> ReadResult:
        self.reads.append(after)
        return super().read(match, after=after, limit=limit, key=key, grant=grant)


def anew(house: MatchService, match: str) -> tuple[Any, list[int]]:
    """The match as a process reads it that has not met it before, and from where it read."""
    log = house.log
    assert isinstance(log, MemoryLog)
    watched = Watched(log)
    return service(watched).load_match(match).match, watched.reads


def whole(log: MatchLog, match: str) -> Any:
    """The match folded from its first entry."""
    fresh = service(log)
    return matches.replay_entries(
        matches.Match(), fresh.repository.load_effective_entries(match, fresh.load_match(match).version)
    )


@pytest.mark.parametrize("game", GAMES)
def test_who_begins_at_a_snapshot_sees_what_the_whole_log_tells(house: MatchService, game: str) -> None:
    match = opened(house, game)
    played(house, match, 37)
    version = house.load_match(match).version
    found, reads = anew(house, match)
    assert found == house.load_match(match).match == whole(house.log, match)
    assert reads == [0, version // 10 * 10]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_packed_is_restored(house: MatchService, game: str) -> None:
    match = opened(house, game)
    for upto in range(3, 40, 4):
        played(house, match, upto)
        now = house.load_match(match).match
        assert decode_snapshot(encode_snapshot(b"root", now)) == (b"root", now)


def test_a_short_match_is_read_once(house: MatchService) -> None:
    match = opened(house, "monster_combat")
    assert anew(house, match)[1] == [0]


def test_going_back_before_a_snapshot_is_told_by_the_log(house: MatchService) -> None:
    match = opened(house, "here_to_slay")
    played(house, match, 8)
    before = house.load_match(match)
    played(house, match, 25)
    last = house.load_match(match)
    house.appender.append_entry(
        last, BYSTANDER, "table", commands.StartMatch(), (MatchRewound(before.version),), "host:back", b"x"
    )
    counted = replace(before.match, draws=last.match.draws)  # what was drawn is counted, if it counts or not
    assert anew(house, match)[0] == whole(house.log, match) == counted


@pytest.mark.parametrize(
    "wrong",
    [
        lambda snapshot: Snapshot(snapshot.version, "of another program", snapshot.body),
        lambda snapshot: Snapshot(snapshot.version, SNAPSHOT_RULES, b'{"root":"00","match":{},"state":null}'),
        lambda snapshot: Snapshot(
            snapshot.version, SNAPSHOT_RULES, encode_snapshot(bytes(32), decode_snapshot(snapshot.body)[1])
        ),
    ],
    ids=["other rules", "unreadable", "of a history that was lost"],
)
def test_a_snapshot_that_does_not_fit_is_passed_over(house: MatchService, wrong: Any) -> None:
    match = opened(house, "here_to_slay")
    played(house, match, 25)
    log = house.log
    assert isinstance(log, MemoryLog)
    kept = log._matches[match]
    assert kept.snapshot is not None
    assert kept.snapshot.version == 20
    kept.snapshot = wrong(kept.snapshot)
    found, reads = anew(house, match)
    assert found == house.load_match(match).match
    assert reads == [0, 0]
    assert kept.snapshot.version == house.load_match(match).version, "whoever folded it all keeps a right one"
    assert anew(house, match)[0] == found


def test_a_store_that_keeps_no_snapshot_loses_no_move(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object) -> bool:
        raise StoreUnavailable("full")

    monkeypatch.setattr(house.log, "save_snapshot", away)
    match = opened(house, "here_to_slay")
    played(house, match, 25)
    assert anew(house, match)[0] == house.load_match(match).match
