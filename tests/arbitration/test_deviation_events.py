"""What others are told of a move against the rules: no more than they are told of a move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.referee import judge_candidates, seats_that_may_act
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.games import load_games
from referee.match.events.deviation_events import DeviationRecorded, DeviationRequested, RecordDeviation
from tests.arbitration.playing import Referee, plays, started


def thought_of(house: Referee, match: str) -> list[tuple[int, Move]]:
    """Moves that seats may think of, in the course of a match."""
    found = list[tuple[int, Move]]()
    for step in range(12):
        plays(house, match, step, 1)
        state = house.load_match(match).match.state
        assert state is not None
        found += [
            (seat, move)
            for seat in seats_that_may_act(state)
            if seat >= 0
            for move, _ in list(judge_candidates(state, seat))[:20]
        ]
    return found


@pytest.mark.clause("TABLE-DEVIATION-1")
@pytest.mark.parametrize("game", sorted(set(load_games()) - {"party"}))
def test_a_deviation_tells_nobody_more_than_the_move_would(game: str) -> None:
    house, match = started(game)
    moves = thought_of(house, match)
    assert moves
    for seat, move in moves:
        data, fix = encode(move), ({"turn": 0},)
        ask = RecordDeviation("host", (), seat, data, ("TABLE-START-1",), "", fix)
        events = (
            DeviationRequested(9, "host", seat, data, ("TABLE-START-1",), "", fix, (0, 1), ()),
            DeviationRecorded(9, "host", seat, data, ("TABLE-START-1",), (), ""),
        )
        for viewer in (0, 1, int(BYSTANDER)):
            seen = move.view_for(viewer, seat)
            shown = None if seen is None else encode(seen)
            asked = ask.view_for(viewer, int(BYSTANDER))
            assert isinstance(asked, RecordDeviation)
            assert (asked.move, asked.fix) == (shown, ())
            assert [event.view_for(viewer).move for event in events] == [shown, shown]  # type: ignore[attr-defined]
        assert [event.view_for(FULL_VIEWER) for event in events] == list(events)


@pytest.mark.clause("TABLE-DEVIATION-2")
def test_a_card_that_is_to_go_from_hand_to_hand_is_shown_to_these_two_alone() -> None:
    fix = ({"move": "sword", "from": "hand:0", "to": "hand:1"}, {"move": "axe", "from": "discard", "to": "hand:0"})
    asked = DeviationRequested(9, "host", 1, {"type": "mc.pass"}, (), "", fix, (0, 1, 2), (), unfolded=True)
    hidden = ({**fix[0], "move": "?"}, fix[1])
    for viewer, shown in ((0, fix), (1, fix), (2, hidden), (int(BYSTANDER), hidden)):
        seen = asked.view_for(viewer)
        assert isinstance(seen, DeviationRequested)
        assert seen.fix == shown
    before = replace(asked, unfolded=False).view_for(2)  # as it was sealed in older logs
    assert isinstance(before, DeviationRequested)
    assert before.fix == ()


def test_whoever_asks_is_told_what_he_asked() -> None:
    asked = DeviationRequested(9, "host", 1, {"type": "mc.pass"}, (), "", ({"turn": 0},), (1,), (0,))
    assert asked.view_for(0) == asked
