"""Floors and plays worked out by hand, played through written positions, one position after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.engine.chance import TurnUpResult
from referee.engine.events import apply_events
from referee.engine.referee import play_move, seats_that_must_act
from referee.engine.seats import CHANCE
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import MONSTERS, is_comfortable
from referee.games.shy_monsters.moves import Explore, Jump, Place, Reveal
from tests.games.shy_monsters.table import HERO, MASTER

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "reference.yaml").read_text("utf-8"))
ROWS = {floor["id"]: floor["rows"] for floor in DATA["floors"]}


def letters(rows: list[str]) -> dict[str, tuple[int, int]]:
    return {mark: (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}


@pytest.mark.clause("SM-ACT-1", "SM-ACT-1b", "SM-AMB-3", "SM-AMB-4")
@pytest.mark.parametrize("case", DATA["floors"], ids=lambda case: str(case["id"]))
def test_on_a_reference_floor_exactly_these_monsters_are_comfortable(case: dict[str, Any]) -> None:
    at = letters(case["rows"])
    for letter, expected in case["comfortable"].items():
        assert [name for name in MONSTERS if is_comfortable(name, at[letter], at.values())] == [
            name for name in MONSTERS if name in expected
        ]


def asked(action: dict[str, str], at: dict[str, tuple[int, int]]) -> Any:
    match action:
        case {"reveal": letter}:
            return Reveal(*at[letter])
        case {"explore": letter}:
            return Explore(*at[letter])
        case {"attack": letter}:
            return Explore(*at[letter], attack=True)
        case {"jump": letter, "over": over}:
            return Jump(*at[letter], Place(*at[over]))
    raise AssertionError(action)


@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("case", DATA["plays"], ids=lambda case: str(case["id"]))
def test_a_reference_play_ends_as_worked_out(case: dict[str, Any], source: str) -> None:
    at = letters(ROWS[case["floor"]])
    cards = {letter: case["cards"].get(letter, "corridor") for letter in at if letter != "E"}
    plan = {"rows": ROWS[case["floor"]], "up": [], **({"cards": cards} if source == "server" else {})}
    reveals = any("reveal" in action for action in case["actions"])
    position: dict[str, Any] = {
        "question": "reveal" if reveals else "explore",
        "cards": source,
        "dungeon_master": int(MASTER),
        "floor": case["number"],
        "discovered": [],
        "plan": plan,
        "hero": "E",
        "attack_ready": True,
        "jump_ready": True,
    }
    for action in case["actions"]:
        state: Any = GAME.positions.decode_position(position)
        state = apply_events(state, play_move(state, HERO, asked(action, at)))
        while CHANCE in seats_that_must_act(state):
            assert source == "table"
            position = GAME.positions.encode_position(state)
            state = GAME.positions.decode_position(position)
            where = (state.agenda[-1].x, state.agenda[-1].y)
            (letter,) = [mark for mark, spot in at.items() if spot == where]
            state = apply_events(state, play_move(state, CHANCE, TurnUpResult(cards[letter])))
        position = GAME.positions.encode_position(state)
        assert GAME.positions.decode_position(position) == state
    final = GAME.positions.decode_position(position)
    outcome = GAME.find_outcome(final)
    result = {"won.killed": "killed", "won.escaped": "exit"}[outcome.reason] if outcome else "alive"
    assert result == case["result"]
    assert [letter for letter in sorted(cards) if final.board[at[letter]].up] == case["up"]
