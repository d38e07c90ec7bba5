"""What is done for whoever lets the time run out: the step that changes least (SM-AMB-23)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import apply_events
from referee.engine.referee import draw_chance_move, find_timeout_move, judge_move, play_move, seats_that_must_act
from referee.engine.seats import CHANCE
from referee.games.shy_monsters.moves import Build, Jump
from tests.games.shy_monsters.table import BLOCK, HERO, LINE, MASTER, Scene, opened


def dealt(state: Any) -> Any:
    """The match once chance has given what comes before the first floor."""
    while CHANCE in seats_that_must_act(state):
        state = apply_events(state, play_move(state, CHANCE, draw_chance_move(state, lambda _: 0)))
    return state


@pytest.mark.clause("SM-AMB-23")
def test_a_late_hero_steps_where_it_risks_least() -> None:
    monster = {"a": "mantis"}
    both_up = Scene(BLOCK, {"a": "corridor", "c": "corridor"}, up="c")
    assert find_timeout_move(both_up.state, HERO, guess=True) == both_up.explore("c")  # up before down
    down = Scene(LINE)
    assert find_timeout_move(down.state, HERO, guess=True) == down.explore("a")
    known = Scene(LINE, monster, up="a")
    assert find_timeout_move(known.state, HERO, guess=True) == known.explore("a", attack=True)
    spent = Scene(LINE, monster, up="a", attack_ready=False)
    assert find_timeout_move(spent.state, HERO, guess=True) == Jump(*spent.at["b"])


@pytest.mark.clause("SM-AMB-23")
def test_a_late_hero_turns_up_the_first_card_in_rows() -> None:
    scene = Scene(BLOCK, question="reveal", floor=1)
    assert find_timeout_move(scene.state, HERO, guess=True) == scene.reveal("a")


@pytest.mark.clause("SM-AMB-23")
def test_a_late_dungeon_master_lays_a_floor_that_stands_but_no_real_cards() -> None:
    state = dealt(opened())
    move = find_timeout_move(state, MASTER, guess=True)
    assert isinstance(move, Build)
    assert judge_move(state, MASTER, move).granted
    assert [cell.card for cell in move.cells] == sorted(state.get_hand())
    real = dealt(opened("table"))
    assert find_timeout_move(real, MASTER, guess=False) is None
