"""The match as a pair of eyes was shown it, folded from what it saw: the same as its view, however it was reached."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.referee import awaited, sampled
from referee.engine.seats import BYSTANDER, FULL, Seat
from referee.eventstore.memory.log import MemoryLog
from referee.games import games
from referee.match.aggregate import OVER, Chair, Match, Rewound
from referee.match.entries import Logged
from referee.match.table import commands
from referee.repository import matches
from referee.service.match_service import Desk
from tests.service.house import desk


def played(at: Desk, game: str, most: int, key: str = "a-key-for-this-match-01") -> str:
    """A match of so many random moves, and no more than its end."""
    box = games()[game]
    ask = commands.Open(game, box.variants[0], {}, {}, (Chair("table"),) * box.min_seats, "public")
    match = at.open(ask, key).match.id
    at.business(match, commands.Start(), key="start", scope="host")
    on(at, match, most, random.Random(3))
    return match


def on(at: Desk, match: str, most: int, dice: random.Random) -> None:
    for _ in range(most):
        now = at.load(match)
        if now.match.status in OVER:
            return
        seat = dice.choice(sorted(seat for seat in awaited(now.match.state) if seat >= 0))  # type: ignore[arg-type]
        move = sampled(now.match.state, Seat(seat), dice.randrange)  # type: ignore[arg-type]
        assert move is not None
        at.move(match, Seat(seat), move, key=f"m{now.version}")


@pytest.mark.parametrize("stride", [1, 7, 100])
@pytest.mark.parametrize("game", ["creature_crush", "monster_combat", "here_to_slay", "munchkin", "shy_monsters"])
def test_what_was_shown_folds_to_the_view(monkeypatch: pytest.MonkeyPatch, game: str, stride: int) -> None:
    monkeypatch.setattr(matches, "STRIDE", stride)
    at, dice = desk(), random.Random(stride)
    match = played(at, game, 60)
    last = at.load(match).version
    for _ in range(25):
        version, eyes = dice.randint(1, last), dice.choice([0, 1, int(BYSTANDER), int(FULL)])
        assert at.seen(match, eyes, version) == at.at(match, version).match.seen_by(eyes), (version, eyes)
    assert at.seen(match, 0, 0) == Match()


def test_after_a_takeback_the_course_that_stands_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "STRIDE", 3)
    at = desk()
    match = played(at, "monster_combat", 20)
    before = at.load(match).version
    for version in range(before + 1):
        at.seen(match, 1, version)
    at._append(at.load(match), BYSTANDER, "table", commands.Start(), (Rewound(12),), "host:back", b"x")
    on(at, match, 8, random.Random(8))
    for version in (*range(1, before + 1, 3), *range(before + 1, at.load(match).version + 1)):
        assert at.seen(match, 1, version) == at.at(match, version).match.seen_by(1), version
    assert at.seen(match, 1, before + 1) == at.at(match, 12).match.seen_by(1)


def test_what_was_kept_of_a_history_that_was_lost_is_not_believed() -> None:
    logs = MemoryLog(), MemoryLog()
    first, second = desk(logs[0]), desk(logs[1])
    match = played(first, "monster_combat", 20)
    assert played(second, "monster_combat", 3) == match
    on(second, match, 17, random.Random(99))
    versions = range(1, min(first.load(match).version, second.load(match).version) + 1)
    for version in versions:
        first.seen(match, 0, version)
    first.log = logs[1]  # the store was put back, and play went on otherwise
    for version in versions:
        assert first.seen(match, 0, version) == second.seen(match, 0, version), version


def test_one_that_was_kept_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    at, read = desk(), []
    match = played(at, "here_to_slay", 150)
    last = at.load(match).version
    at.seen(match, 0, last)
    entries = Desk.entries

    def counted(self: Desk, *args: Any, **more: Any) -> list[Logged]:
        found = entries(self, *args, **more)
        read.append(len(found))
        return found

    monkeypatch.setattr(Desk, "entries", counted)
    for version in (last, last - 1, last - 120, 150):
        at.seen(match, 0, version)
    assert max(read) <= 2 * matches.STRIDE, read
    assert read[0] == 1
