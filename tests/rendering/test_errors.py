"""What is wrong with written data is told in the language of the reader."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from referee.engine.rulings import ContradictoryPosition
from referee.games import load_games
from referee.rendering.errors import translate_errors
from tests.api import house
from tests.api.house import Person, problem

GAMES = load_games()


def impossible(game: str, *path: Any, value: Any) -> dict[str, Any]:
    """Write an example position with a value that contradicts the rules."""
    position = deepcopy(GAMES[game].positions.build_examples(GAMES[game].variants[0])[0])
    place: Any = position
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return position


WRITTEN = {
    "by its clause": (
        "munchkin",
        impossible("munchkin", "seats", 0, "level", value=10),
        "Das passt nicht zu MK-22.1: Wer",
    ),
    "by the game": (
        "monster_combat",
        impossible("monster_combat", "players", 0, "hand", value=["sword"] * 19),
        "„Schwert“ ist",
    ),
}


@pytest.mark.parametrize(("game", "position", "start"), WRITTEN.values(), ids=WRITTEN)
def test_a_contradiction_is_told_in_german(game: str, position: dict[str, Any], start: str) -> None:
    with pytest.raises(ContradictoryPosition) as wrong:
        GAMES[game].positions.decode_position(position)
    told = translate_errors(GAMES[game], wrong.value.errors, "de")
    assert any(each["detail"].startswith(start) for each in told), told
    assert all("says" not in each for each in told)
    plain = translate_errors(GAMES[game], wrong.value.errors, "en")
    assert [each["detail"] for each in plain] == [each["detail"] for each in wrong.value.errors]


def test_the_problem_of_an_impossible_position_follows_the_language() -> None:
    anyone = Person(house.app().test_client())
    body = {"position": WRITTEN["by its clause"][1], "seat": 0, "move": {"type": "mk.leave"}}
    for lang, start in (("de", "Das passt nicht zu MK-22.1"), ("en", "a player who reaches level 10 has won")):
        found = problem(
            anyone.post("/v1/games/munchkin/rulings", body, Accept_Language=lang), 409, "position-impossible"
        )
        assert found["errors"][0]["detail"].startswith(start), found
        assert found["errors"][0]["clause"] == "MK-22.1"
