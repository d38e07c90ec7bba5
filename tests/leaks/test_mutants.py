"""The proof finds leaks: each of these changes of the code is one, and not one of them gets past it."""

from __future__ import annotations

import os
from itertools import product

import pytest

from referee.games import load_games
from tests.leaks.mutants import MUTANTS, leaking
from tests.leaks.proof import proved
from tests.leaks.sides import Sitting
from tests.leaks.worlds import Leak

HUMAN, BOT = {"kind": "human"}, {"kind": "bot", "level": 0}
TABLES = (
    Sitting("monster_combat", "V1", (HUMAN, BOT, HUMAN), "server", held=(0,)),
    Sitting("shy_monsters", "standard", (HUMAN, HUMAN), "server", {"roles": {"dungeon_master": 1}}, held=(0,)),
    Sitting("here_to_slay", "standard", (HUMAN, BOT, HUMAN), "server", held=(0,)),
)
WHOLE = int(os.environ.get("REFEREE_LEAK_ROUNDS", "1")) > 1  # else every second mutant: each has been found before
TRIES = 12  # matches at each table in which a leak has to show itself
WINDOWS = {name for name, game in load_games().items() if game.windows}
WHERE = {  # leaks that are in the code of some games only: looked for at their tables
    "a_window_opens_only_for_holders": {"monster_combat"},
    "a_standing_pass_passes_only_with_nothing_to_play": WINDOWS,
}


def looked_for(sitting: Sitting, seed: int) -> None:
    """The proof as the mutants meet it: shorter than it is. Raises Leak."""
    proved(sitting, str(seed), moves=14, stops=1, guessed=12, full=False)


@pytest.mark.parametrize("name", sorted(MUTANTS)[:: 1 if WHOLE else 2])
def test_a_leak_is_found(name: str) -> None:
    where = WHERE.get(name, set(load_games()))
    for seed, sitting in product(range(TRIES), [table for table in TABLES if table.game in where]):
        try:
            with leaking(name):
                looked_for(sitting, seed)
        except (Leak, AssertionError):  # or the program no longer answers as it should, which is no less noticed
            return
    pytest.fail(f"{name} was not found")


@pytest.mark.parametrize("sitting", TABLES, ids=str)
def test_without_a_leak_none_is_found(sitting: Sitting) -> None:
    for seed in range(2):
        looked_for(sitting, seed)


def test_there_are_enough_of_them() -> None:
    assert len(MUTANTS) >= 10
