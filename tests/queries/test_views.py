"""The match as a pair of eyes was shown it, folded from what it saw: the same as its view, however it was reached."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Match, MatchRewound, SeatAssignment
from referee.match.entries import LogEntry
from referee.match.table import commands
from referee.queries import views
from referee.repository import matches
from referee.repository.matches import MatchRepository
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.service.house import service


def played(at: MatchService, game: str, most: int, key: str = "a-key-for-this-match-01") -> str:
    """A match of so many random moves, and no more than its end."""
    box = load_games()[game]
    ask = commands.OpenMatch(game, box.variants[0], {}, {}, (SeatAssignment("table"),) * box.min_seats, "public")
    match = at.open_match(ask, key).match.id
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    on(at, match, most, random.Random(3))
    return match


def on(at: MatchService, match: str, most: int, dice: random.Random) -> None:
    for _ in range(most):
        now = at.load_match(match)
        if now.match.status in FINAL_STATUSES:
            return
        seat = dice.choice(sorted(seat for seat in seats_that_must_act(now.match.state) if seat >= 0))  # type: ignore[arg-type]
        move = sample_legal_move(now.match.state, Seat(seat), dice.randrange)  # type: ignore[arg-type]
        assert move is not None
        at.make_move(MoveRequest(match, Seat(seat), move, key=f"m{now.version}"))


@pytest.mark.parametrize("stride", [1, 7, 100])
@pytest.mark.parametrize("game", load_games())
def test_what_was_shown_folds_to_the_view(monkeypatch: pytest.MonkeyPatch, game: str, stride: int) -> None:
    monkeypatch.setattr(matches, "VIEW_STRIDE", stride)
    at, dice = service(), random.Random(stride)
    match = played(at, game, 60)
    last = at.load_match(match).version
    for _ in range(25):
        version, viewer = dice.randint(1, last), dice.choice([0, 1, int(BYSTANDER), int(FULL_VIEWER)])
        assert at.repository.replay_for_viewer(match, viewer, version) == at.load_version(
            match, version
        ).match.view_for(viewer), (
            version,
            viewer,
        )
    assert at.repository.replay_for_viewer(match, 0, 0) == Match()


@pytest.mark.usefixtures("first_scheme")
def test_after_a_takeback_the_course_that_stands_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "VIEW_STRIDE", 3)
    at = service()
    match = played(at, "monster_combat", 20)
    before = at.load_match(match).version
    for version in range(before + 1):
        at.repository.replay_for_viewer(match, 1, version)
    at.appender.append_entry(
        at.load_match(match), BYSTANDER, "table", commands.StartMatch(), (MatchRewound(12),), "host:back", b"x"
    )
    on(at, match, 8, random.Random(8))
    for version in (*range(1, before + 1, 3), *range(before + 1, at.load_match(match).version + 1)):
        assert at.repository.replay_for_viewer(match, 1, version) == at.load_version(match, version).match.view_for(
            1
        ), version
    assert at.repository.replay_for_viewer(match, 1, before + 1) == at.load_version(match, 12).match.view_for(1)


def test_what_was_kept_of_a_history_that_was_lost_is_not_believed() -> None:
    logs = MemoryLog(), MemoryLog()
    first, second = service(logs[0]), service(logs[1])
    match = played(first, "monster_combat", 20)
    assert played(second, "monster_combat", 3) == match
    on(second, match, 17, random.Random(99))
    versions = range(1, min(first.load_match(match).version, second.load_match(match).version) + 1)
    for version in versions:
        first.repository.replay_for_viewer(match, 0, version)
    first.log = first.repository.log = logs[1]  # the store was put back, and play went on otherwise
    for version in versions:
        assert first.repository.replay_for_viewer(match, 0, version) == second.repository.replay_for_viewer(
            match, 0, version
        ), version


def test_one_that_was_kept_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    at, read = service(), []
    match = played(at, "here_to_slay", 150)
    last = at.load_match(match).version
    at.repository.replay_for_viewer(match, 0, last)
    entries = MatchRepository.load_entries

    def counted(self: MatchRepository, *args: Any, **more: Any) -> list[LogEntry]:
        found = entries(self, *args, **more)
        read.append(len(found))
        return found

    monkeypatch.setattr(MatchRepository, "load_entries", counted)
    for version in (last, last - 1, last - 120, 150):
        at.repository.replay_for_viewer(match, 0, version)
    assert max(read) <= 2 * matches.VIEW_STRIDE, read
    assert read[0] == 1


def position() -> dict[str, Any]:
    return {
        "match": "07-x",
        "version": 9,
        "status": "running",
        "viewer": 1,
        "table": {"hearts": [3, 2], "turn": 1},
        "question": {"name": "mc.Turn", "asks": {"en": "Play a card.", "de": "Spiel eine Karte."}},
        "awaits": [1],
        "outcome": None,
    }


def test_the_hash_of_a_view_is_what_old_entries_have_sealed() -> None:
    assert views.hash_view(position()) == "59a7a7b2607da3a4167f81a384922990ae41e9cbb932b6b93988f3f720327dab"
    over = {"winners": [1], "placement": [[1], [0]], "reason": {"en": "All others are out."}, "clauses": ["MC-END-1"]}
    assert (
        views.hash_view({**position(), "question": None, "outcome": over})
        == "2fb64ff476482f94e3f4990853b5a6b3d31de10daaeec5cd1541e9ef7a00d7c5"
    )


def test_a_reworded_text_does_not_change_the_hash_of_a_view() -> None:
    reworded = {**position(), "question": {"name": "mc.Turn", "asks": {"en": "Your turn."}}}
    assert views.hash_view(reworded) == views.hash_view(position())


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("match", "07-y"),
        ("version", 8),
        ("status", "disputed"),
        ("viewer", 0),
        ("table", {"hearts": [3, 1], "turn": 1}),
        ("question", {"name": "mc.Attack", "asks": {"en": "Play a card."}}),
        ("question", None),
        ("awaits", [0]),
    ],
)
def test_whatever_is_otherwise_on_the_table_changes_the_hash_of_a_view(member: str, value: Any) -> None:
    assert views.hash_view({**position(), member: value}) != views.hash_view(position())
