"""What is done for whoever lets the time run out: the step that changes least (SM-AMB-23)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import fold
from referee.engine.referee import awaited, drawn, judge, least, play
from referee.engine.seats import CHANCE
from referee.games.shy_monsters.moves import Build
from tests.games.shy_monsters.table import BLOCK, HERO, LINE, MASTER, Scene, opened


def dealt(state: Any) -> Any:
    """The match once chance has given what comes before the first floor."""
    while CHANCE in awaited(state):
        state = fold(state, play(state, CHANCE, drawn(state, lambda _: 0)))
    return state


@pytest.mark.clause("SM-AMB-23")
def test_a_late_hero_steps_where_it_risks_least() -> None:
    monster = {"a": "mantis"}
    both_up = Scene(BLOCK, {"a": "corridor", "c": "corridor"}, up="c")
    assert least(both_up.state, HERO, guess=True) == both_up.explore("c")  # up before down
    down = Scene(LINE)
    assert least(down.state, HERO, guess=True) == down.explore("a")
    known = Scene(LINE, monster, up="a")
    assert least(known.state, HERO, guess=True) == known.explore("a", attack=True)
    spent = Scene(LINE, monster, up="a", attack_ready=False)
    assert least(spent.state, HERO, guess=True) == spent.jump("b", over="a")


@pytest.mark.clause("SM-AMB-23")
def test_a_late_hero_turns_up_the_first_card_in_rows() -> None:
    scene = Scene(BLOCK, question="reveal", floor=1)
    assert least(scene.state, HERO, guess=True) == scene.reveal("a")


@pytest.mark.clause("SM-AMB-23")
def test_a_late_dungeon_master_lays_a_floor_that_stands_but_no_real_cards() -> None:
    state = dealt(opened())
    move = least(state, MASTER, guess=True)
    assert isinstance(move, Build)
    assert judge(state, MASTER, move).granted
    assert [cell.card for cell in move.cells] == sorted(state.hand())
    real = dealt(opened("table"))
    assert least(real, MASTER, guess=False) is None
