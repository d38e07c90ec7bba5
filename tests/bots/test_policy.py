"""The greedy policy chooses what its definition says, by a shorter way."""

from __future__ import annotations

import random

import pytest

from referee.bots.policy import choose_greedy_move
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, foresee_state, preview_move
from tests.bots.by_the_long_way import choose_by_the_long_way
from tests.games.matches import marked_setups, recorded

each = pytest.mark.parametrize("pair", marked_setups(), scope="module")


@each
def test_the_short_way_chooses_what_the_long_way_chooses(pair: tuple[str, Setup]) -> None:
    compared = 0
    for at, turn in enumerate(recorded(pair, 0)):
        if turn.seat >= 0 and at % 3 == 0:
            long, short = random.Random(at), random.Random(at)
            chosen = choose_greedy_move(turn.before, turn.seat, short.randrange)
            assert chosen == choose_by_the_long_way(turn.before, turn.seat, long.randrange)
            assert long.getstate() == short.getstate(), "chance is asked the same"
            compared += 1
    assert compared


@each
def test_a_foreseen_state_is_the_preview_folded(pair: tuple[str, Setup]) -> None:
    dice = random.Random(5)
    for turn in recorded(pair, 0):
        if turn.seat >= 0 and dice.random() < 0.2:
            seen = turn.before.view_for(turn.seat)
            move = next(iter(find_legal_moves(seen, turn.seat)))
            events, _ = preview_move(seen, turn.seat, move)
            assert foresee_state(seen, turn.seat, move) == apply_events(seen, events)
