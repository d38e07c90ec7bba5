"""What a pair of eyes is shown after disputes and remedies: views folded from what was told, windows, explanations."""

from __future__ import annotations

import random
import re

import pytest

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import MatchRewound, TableEvent
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.events.dispute_events import MoveRemade
from referee.match.table import commands as business
from referee.match.windows import find_open_window
from referee.queries import explanations, views
from referee.queries import windows as reactions
from referee.repository import matches
from referee.repository.window_index import WindowRepository
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.service.house import service
from tests.workers.quarrels import HALTING, PLAY_ON, Quarrel, quarrelling, step

pytestmark = pytest.mark.deep

GAMES = tuple(load_games())
SAID = ("table.DisputeOpened", "table.RulingIssued", "table.CourtCalled", "table.Rewound")
KINDS = {"munchkin": 3, "here_to_slay": 3}


def quarrelled(game: str, seed: int, *wanted: str) -> tuple[MatchService, str]:
    """A match in which there was so much quarrelling that all that is wanted was done in it."""
    for more in range(seed, seed + 100, 2):
        at = service(MemoryLog())
        courts = PLAY_ON if more % 2 else HALTING
        match = quarrelling(at, f"{game} {more}", courts, ("human",) * KINDS.get(game, 2), game)
        quarrel = Quarrel(at, match, more)
        quarrel.on(70)
        quarrel.did["windows"] = len(at.windows.list_windows(at.load_match(match)))
        if all(quarrel.did[each] for each in wanted):
            return at, match
    pytest.fail(f"in no match of {game} there was {wanted}")


@pytest.mark.parametrize("stride", [5, 100])
@pytest.mark.parametrize("game", GAMES)
def test_what_was_shown_folds_to_the_view_after_every_remedy(
    monkeypatch: pytest.MonkeyPatch, game: str, stride: int
) -> None:
    monkeypatch.setattr(matches, "VIEW_STRIDE", stride)
    at, match = quarrelled(game, stride, "table.Rewound", "table.RulingIssued", "table.Corrected")
    last, dice = at.load_match(match).version, random.Random(stride)
    backs = [
        entry.version
        for entry in at.repository.load_entries(match)
        if any(isinstance(f, MatchRewound) for f in entry.events)
    ]
    for version in sorted({*backs, *dice.sample(range(1, last + 1), min(25, last)), last}):
        for viewer in (0, 1, int(BYSTANDER), int(FULL_VIEWER)):
            assert at.repository.replay_for_viewer(match, viewer, version) == at.load_version(
                match, version
            ).match.view_for(viewer), (
                version,
                viewer,
            )
    fresh = MatchService(at.log, at.appender.draws, at.sign, at.appender.wake, at.identify)
    assert fresh.load_match(match).match == at.load_match(match).match


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_of_a_dispute_is_explained_in_sentences_to_everybody(game: str) -> None:
    at, match = quarrelled(game, 3, *SAID)
    last = at.load_match(match)
    told: set[str] = set()
    for entry in at.repository.load_entries(match):
        for viewer in (0, 1, int(BYSTANDER)):
            found = explanations.explain_entry(at, last, viewer, entry.version)
            for lang in ("en", "de"):
                said = found["sentence"][lang]
                assert said.endswith(".")
                assert re.match(r"\W*[A-ZÄÖÜ0-9]", said), said
                assert "{" not in said
                assert all(each["told"][lang] for each in found["events"])
            if entry.seat == BYSTANDER:
                assert found["sentence"]["en"] != found["sentence"]["de"]
                assert found["clauses"] or entry.version == 1
        told |= {event.TAG for event in entry.events if isinstance(event, TableEvent)}
    assert set(SAID) <= told


@pytest.mark.parametrize("game", ["here_to_slay", "monster_combat", "munchkin"])
def test_the_numbers_of_a_move_that_is_made_again_are_those_of_the_table_it_is_made_upon(game: str) -> None:
    """A fact after `MatchRewound` in its entry comes of the table as it was then, and not of the one that was left."""
    counted = 0
    for seed in range(6):
        at, dice = service(MemoryLog()), random.Random(seed)
        match = quarrelling(at, f"{game} {seed}", HALTING, ("human",) * KINDS.get(game, 2), game)
        began = at.load_match(match).version
        for number in range(60):
            step(at, match, dice, f"{number}")
        now = at.load_match(match)
        later = at.repository.load_entries(match, began)
        events: list[Event] = [MatchRewound(began)]
        for entry in later:
            events += [MoveRemade(entry.version, entry.seat), *entry.events]
        at.appender.append_entry(now, BYSTANDER, "table", business.StartMatch(), tuple(events), "court:again", b"x")
        assert at.load_match(match).match.state == now.match.state
        for viewer in (0, int(BYSTANDER)):
            told = explanations.explain_entry(at, match, viewer, now.version + 1)
            first = [explanations.explain_entry(at, match, viewer, entry.version) for entry in later]
            numbers = [{**each, "n": ""} for each in told["numbers"]]
            assert numbers == [{**each, "n": ""} for one in first for each in one["numbers"]]
            counted += len(numbers)
    assert counted > 10


@pytest.mark.parametrize("game", ["creature_crush", "here_to_slay", "munchkin"])
def test_windows_follow_the_course_and_those_of_the_other_stay_readable(game: str) -> None:
    opened_after = 0
    for seed in (1, 12):
        at, match = quarrelled(game, seed, "table.Rewound", "table.RulingIssued", "windows")
        windows = at.windows.list_windows(at.load_match(match))
        top = windows[-1]  # and one more is taken away by going back to before it
        back = (MatchRewound(top.place[0] - 1),)
        at.appender.append_entry(
            at.load_match(match), BYSTANDER, "table", business.StartMatch(), back, "court:away", b"x"
        )
        last, stepwise = at.load_match(match), WindowRepository(at.repository)
        seen: set[str] = set()
        for version in (*range(1, last.version, 4), last.version):
            then = at.load_version(last, version)
            told = stepwise.list_windows(then)
            names = {window.name for window in told}
            assert seen <= names, "what was open once stays readable"
            seen |= names
            asked = find_open_window(then.match)
            assert not asked or asked in {window.name for window in told if not window.closed_at}
            shown = reactions.windows_response(at, then, told, int(BYSTANDER))
            opened = [each["id"] for each in shown if each["status"] == "open"]
            assert opened == ([] if then.match.is_halted or not asked else [asked])
            assert not then.match.is_halted or not any(each["awaits"] or each["deadline"] for each in shown)
        assert told == WindowRepository(at.repository).list_windows(last)
        assert next(window for window in told if window.name == top.name).closed_at
        back = next(
            each.version
            for each in at.repository.load_entries(match)
            if any(isinstance(f, MatchRewound) for f in each.events)
        )
        opened_after += sum(window.place[0] > back for window in told)
    assert opened_after


def test_while_play_is_halted_nobody_can_do_anything_and_everybody_sees_what_waits() -> None:
    at, dice = service(MemoryLog()), random.Random(1)
    match = quarrelling(at, "halted", HALTING, ("human",) * 3, "here_to_slay")
    for number in range(8):
        step(at, match, dice, f"{number}")
    now = at.load_match(match)
    before = explanations.explain_moment(at, match, int(BYSTANDER))
    assert before["question"]["awaits"]
    at.execute_command(match, OpenDispute("0", now.version, "other"), key="ask", scope="seat0")
    halted = explanations.explain_moment(at, match, int(BYSTANDER))
    assert halted["question"] == {**before["question"], "awaits": [], "admits": []}
    assert (halted["sums"], halted["could"]) == (before["sums"], [])
    view = views.load_view(at, match, 0)
    assert (view["awaits"], view["question"]) == ([], views.load_view(at, match, 0, now.version)["question"])
    for seat in range(3):
        found = views.list_legal_moves(at, match, Seat(seat), near=20)
        assert (found.awaited, found.legal, found.near_misses, found.window, found.deadline) == (
            False,
            (),
            (),
            None,
            None,
        )
        earlier = views.list_legal_moves(at, match, Seat(seat), near=20, version=now.version)
        assert earlier.legal or not earlier.awaited, "what could be done before is told as it was"
    move = next(
        move for seat in range(3) for move in views.list_legal_moves(at, match, Seat(seat), 0, now.version).legal
    )
    with pytest.raises(IllegalMove, match="in_dispute"):
        views.dry_run_move(at, match, Seat(0), move)
    with pytest.raises(IllegalMove, match="in_dispute"):
        at.make_move(MoveRequest(match, Seat(0), move, key="in-spite-of-it"))
    at.execute_command(match, WithdrawDispute(now.version + 1, "0"), key="back", scope="seat0")
    assert explanations.explain_moment(at, match, int(BYSTANDER))["question"] == before["question"]
